//! Alpha-fair RCP's sender: RCP's, granted the rate that corresponds to the path's price.

use sluice_units::{Rate, Ratio, Span};

use super::header::AlphaFairHeader;
use super::params::AlphaFairParams;
use super::price::Price;
use crate::host::{AckEvent, CongestionEvent, HostLaw, RtoEvent, SendEvent, SenderContext};
use crate::router::LawHeader as _;
use crate::wire::{Offer, WireRtt};
use crate::{WireHeader, rcp};

/// The sender's side of one flow.
#[derive(Debug)]
pub struct AlphaFairSender {
    rcp: rcp::host::RcpSender,
    /// alpha of alpha-fairness, which hosts and routers must agree on.
    fairness: Ratio,
}

impl AlphaFairSender {
    /// A sender before its SYN.
    pub fn new(params: &AlphaFairParams, context: &SenderContext) -> Self {
        Self { rcp: rcp::host::RcpSender::new(&params.rcp(), context), fairness: params.fairness }
    }
}

impl HostLaw for AlphaFairSender {
    /// x_r = w_r (sum of R_j^-alpha)^(-1/alpha); RCP's sender applies w_r.
    fn on_ack(&mut self, event: &AckEvent) {
        let granted = AlphaFairHeader::from_wire(event.header).reverse.rate(self.fairness);
        let reverse = granted.map_or(Offer::NONE, Offer::granting);
        let header = rcp::header::RcpHeader { rate: Offer::NONE, rtt: WireRtt::NONE, reverse };
        self.rcp.on_ack(&AckEvent { header: header.to_wire(), ..*event });
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.rcp.on_congestion(event);
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        self.rcp.on_rto(event);
    }

    fn window(&self) -> u32 {
        self.rcp.window()
    }

    fn rate(&self) -> Option<Rate> {
        self.rcp.rate()
    }

    fn probe_after(&self) -> Option<Span> {
        self.rcp.probe_after()
    }

    /// Packets that request a rate in RCP request a price here. A desired rate is not in the header,
    /// since a sum cannot start from it.
    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let asked = rcp::header::RcpHeader::from_wire(self.rcp.header(out));
        let price = if asked.rate == Offer::NONE { Price::NONE } else { Price::ASKED };
        AlphaFairHeader { price, rtt: asked.rtt, reverse: Price::NONE }.to_wire()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.rcp.metrics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::PacketKind;
    use sluice_units::{Bytes, Time};

    const ALPHA: Ratio = Ratio::new(2.0);

    fn sender(desired_rate: Option<Rate>, weight: f64) -> AlphaFairSender {
        let params =
            AlphaFairParams { fairness: ALPHA, desired_rate, ..AlphaFairParams::default() };
        let context = SenderContext::new(Bytes::new(1_000), Bytes::new(40));
        AlphaFairSender::new(&params, &SenderContext { weight: Ratio::new(weight), ..context })
    }

    /// The rate after a path of two links that each offer 50 Mb/s.
    fn rate_after_two_links(sender: &mut AlphaFairSender) -> f64 {
        let link = Price::of(Rate::from_bps(50_000_000), ALPHA);
        let header =
            AlphaFairHeader { reverse: link.plus(link), ..AlphaFairHeader::default() }.to_wire();
        sender.on_ack(&AckEvent { kind: PacketKind::SynAck, ..AckEvent::new(Time::ZERO, header) });
        sender.control().rate.unwrap().as_bps_f64()
    }

    #[test]
    fn the_rate_is_that_of_the_paths_price() {
        let by_hand = 50e6 / 2_f64.sqrt();
        for (weight, rate) in [(1.0, by_hand), (3.0, 3.0 * by_hand)] {
            let found = rate_after_two_links(&mut sender(None, weight));
            assert!((found / rate - 1.0).abs() < 1e-5, "{found} is not {rate}");
        }
        assert_eq!(rate_after_two_links(&mut sender(Some(Rate::from_bps(3_000_000)), 1.0)), 3e6);
    }

    #[test]
    fn packets_with_data_request_and_acknowledgements_do_not() {
        let mut sender = sender(Some(Rate::from_bps(3_000_000)), 1.0);
        let mut price = |kind| {
            let (now, srtt) = (Time::ZERO, Some(Span::from_millis(100)));
            let out = SendEvent { srtt, ..SendEvent::new(now, kind, 1_000) };
            let header = AlphaFairHeader::from_wire(sender.header(&out));
            assert_eq!(header.rtt, WireRtt::new(Span::from_millis(100)));
            header.price
        };
        assert_eq!(
            [PacketKind::Syn, PacketKind::Data, PacketKind::Probe].map(&mut price),
            [Price::ASKED; 3]
        );
        assert_eq!([PacketKind::SynAck, PacketKind::Ack].map(&mut price), [Price::NONE; 2]);
    }
}
