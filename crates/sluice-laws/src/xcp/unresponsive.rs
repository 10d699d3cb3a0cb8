//! The unresponsive abuser (thesis section 7.3.4): it "declares its true throughput and RTT, but
//! completely ignores the feedback from the network, and continues sending at a particular rate it
//! wants".

use sluice_units::{Rate, Ratio, Span};

use super::header::XcpHeader;
use crate::WireHeader;
use crate::host::{AckEvent, CongestionEvent, HostLaw, PacketKind, RtoEvent, SendEvent};
use crate::router::LawHeader as _;
use crate::wire::Spacing;
use crate::wire::ticks::ticks;

/// A sender with a rate and no window. What is lost is sent again, at that rate.
#[derive(Clone, Debug)]
pub struct Unresponsive {
    rate: Rate,
    /// Size of a full packet on the wire.
    packet: u32,
    rtt: Option<Span>,
    /// X, of which each packet states whole ticks.
    apart: Spacing,
}

impl Unresponsive {
    /// A sender of `packet` bytes at a time; as others it declares its rate over its weight (section
    /// 6.3).
    pub fn new(rate: Rate, weight: Ratio, packet: u32) -> Self {
        let mut apart = Spacing::default();
        apart.set(f64::from(packet) / rate.as_bytes_per_sec_f64() * weight.get());
        Self { rate, packet, rtt: None, apart }
    }
}

impl HostLaw for Unresponsive {
    fn on_ack(&mut self, event: &AckEvent) {
        self.rtt = event.srtt.or(self.rtt);
    }

    fn on_congestion(&mut self, _event: &CongestionEvent) {}

    fn on_rto(&mut self, _event: &RtoEvent) {}

    fn window(&self) -> u32 {
        u32::MAX
    }

    fn rate(&self) -> Option<Rate> {
        Some(self.rate)
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let (PacketKind::Data, Some(rtt)) = (out.kind, self.rtt) else {
            return WireHeader::default();
        };
        let x = self.apart.say(out.bytes, self.packet);
        let rtt = ticks(rtt.as_secs_f64());
        // As XCP's sender, with an infinite desired rate.
        let delta = if out.backlogged { i32::MAX } else { 0 };
        XcpHeader { x, rtt, delta, reverse: 0 }.to_wire()
    }

    /// `rate` in bits a second.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("rate", self.rate.as_bps_f64());
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::Time;

    use super::*;

    const RTT: Span = Span::from_millis(125);

    fn said(law: &mut Unresponsive, kind: PacketKind) -> XcpHeader {
        XcpHeader::from_wire(law.header(&SendEvent::new(Time::ZERO, kind, 1000)))
    }

    /// 1000 bytes at 640 kb/s are 12.5 ms apart.
    #[test]
    fn it_declares_its_true_throughput_and_rtt() {
        let mut law = Unresponsive::new(Rate::from_bps(640_000), Ratio::new(1.0), 1000);
        assert_eq!(said(&mut law, PacketKind::Data), XcpHeader::default(), "no RTT yet");
        let answer = AckEvent::new(Time::ZERO, WireHeader::default());
        law.on_ack(&AckEvent { srtt: Some(RTT), ..answer });
        let expected = XcpHeader { x: ticks(0.0125), rtt: 1 << 25, delta: i32::MAX, reverse: 0 };
        assert_eq!(said(&mut law, PacketKind::Data), expected);
        assert_eq!(said(&mut law, PacketKind::Syn), XcpHeader::default());
    }

    #[test]
    fn nothing_changes_its_rate() {
        let rate = Rate::from_bps(640_000);
        let mut law = Unresponsive::new(rate, Ratio::new(1.0), 1000);
        let header = XcpHeader { reverse: -1_000_000, ..XcpHeader::default() };
        law.on_ack(&AckEvent::new(Time::ZERO, header.to_wire()));
        law.on_congestion(&CongestionEvent::new(Time::ZERO, 10));
        law.on_rto(&RtoEvent::new(Time::ZERO, 10));
        assert_eq!((law.window(), law.rate()), (u32::MAX, Some(rate)));
    }
}
