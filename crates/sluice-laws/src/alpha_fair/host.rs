//! Alpha-fair RCP's sender: RCP's, told the rate that a path's price means.

use sluice_units::{Rate, Ratio, Span};

use super::Params;
use super::header::Header;
use super::price::Price;
use crate::host::{Acked, HostLaw, Lost, Outgoing, Setup, TimedOut};
use crate::router::Header as _;
use crate::wire::{Offer, WireRtt};
use crate::{Words, rcp};

/// The sender's side of one flow.
#[derive(Debug)]
pub struct Sender {
    rcp: rcp::host::Sender,
    /// alpha of alpha-fairness, which hosts and routers must agree on.
    fairness: Ratio,
}

impl Sender {
    /// A sender before its SYN.
    pub fn new(params: &Params, setup: &Setup) -> Self {
        Self { rcp: rcp::host::Sender::new(&params.rcp(), setup), fairness: params.fairness }
    }
}

impl HostLaw for Sender {
    /// x_r = w_r (sum of R_j^-alpha)^(-1/alpha); w_r is RCP's sender's matter.
    fn acked(&mut self, event: &Acked) {
        let told = Header::from_words(event.words).reverse.rate(self.fairness);
        let reverse = told.map_or(Offer::NONE, Offer::granting);
        let header = rcp::header::Header { rate: Offer::NONE, rtt: WireRtt::NONE, reverse };
        self.rcp.acked(&Acked { words: header.to_words(), ..*event });
    }

    fn lost(&mut self, event: &Lost) {
        self.rcp.lost(event);
    }

    fn timed_out(&mut self, event: &TimedOut) {
        self.rcp.timed_out(event);
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

    /// What asks RCP for a rate asks here for a price; the rate that a sender wishes for is its own
    /// matter, since a sum cannot start from it.
    fn header(&mut self, out: &Outgoing) -> Words {
        let asked = rcp::header::Header::from_words(self.rcp.header(out));
        let price = if asked.rate == Offer::NONE { Price::NONE } else { Price::ASKED };
        Header { price, rtt: asked.rtt, reverse: Price::NONE }.to_words()
    }

    fn probe(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.rcp.probe(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Kind;
    use sluice_units::{Bytes, Time};

    const ALPHA: Ratio = Ratio::new(2.0);

    fn sender(desired_rate: Option<Rate>, weight: f64) -> Sender {
        let params = Params { fairness: ALPHA, desired_rate, ..Params::default() };
        let setup = Setup::new(Bytes::new(1_000), Bytes::new(40));
        Sender::new(&params, &Setup { weight: Ratio::new(weight), ..setup })
    }

    /// The rate after a path of two links that each offer 50 Mb/s.
    fn told(sender: &mut Sender) -> f64 {
        let link = Price::of(Rate::from_bps(50_000_000), ALPHA);
        let words = Header { reverse: link.plus(link), ..Header::default() }.to_words();
        sender.acked(&Acked {
            now: Time::ZERO,
            kind: Kind::SynAck,
            words,
            rtt: None,
            srtt: None,
            least_rtt: None,
            acked: 0,
            in_flight: 0,
            used: 0,
            recovering: false,
        });
        sender.control().rate.unwrap().as_bps_f64()
    }

    #[test]
    fn the_rate_is_that_of_the_paths_price() {
        let by_hand = 50e6 / 2_f64.sqrt();
        for (weight, rate) in [(1.0, by_hand), (3.0, 3.0 * by_hand)] {
            let found = told(&mut sender(None, weight));
            assert!((found / rate - 1.0).abs() < 1e-5, "{found} is not {rate}");
        }
        assert_eq!(told(&mut sender(Some(Rate::from_bps(3_000_000)), 1.0)), 3e6);
    }

    #[test]
    fn what_carries_data_asks_and_an_answer_does_not() {
        let mut sender = sender(Some(Rate::from_bps(3_000_000)), 1.0);
        let mut price = |kind| {
            let (now, srtt) = (Time::ZERO, Some(Span::from_millis(100)));
            let out = Outgoing { now, kind, bytes: 1_000, srtt, in_flight: 0, backlogged: true };
            let header = Header::from_words(sender.header(&out));
            assert_eq!(header.rtt, WireRtt::new(Span::from_millis(100)));
            header.price
        };
        assert_eq!([Kind::Syn, Kind::Data, Kind::Probe].map(&mut price), [Price::ASKED; 3]);
        assert_eq!([Kind::SynAck, Kind::Ack].map(&mut price), [Price::NONE; 2]);
    }
}
