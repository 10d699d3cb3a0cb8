//! Pacing of a window, as Linux does it (`tcp_update_pacing_rate`): packets leave at a multiple of the
//! window per RTT, so that the window, not the pace, decides the throughput.
//!
//! The rate is set at each acknowledgement, during recovery too. Departures from Linux:
//! - Packets in flight are those thought to be in the network, where Linux counts all that are not
//!   acknowledged in sequence.
//! - A new rate applies to the gap that has begun, not from the next one on.
//! - Linux does not pace the first ten packets of a flow; here, an initial window of up to ten packets
//!   is not paced, and a larger one is from its first packet on.
//! - Packets leave one by one, where Linux sends up to a millisecond's worth at once and leaves it to the
//!   interface to divide it.

use sluice_units::Rate;

use crate::host::{AckEvent, PacketKind, SenderContext};

/// Below half of ssthresh (sysctl `tcp_pacing_ss_ratio`): 200 %.
const SLOW_START_RATIO: f64 = 2.0;
/// Elsewhere (sysctl `tcp_pacing_ca_ratio`): 120 %.
const AVOIDANCE_RATIO: f64 = 1.2;
/// Largest initial window that leaves at once.
const UNPACED: u32 = 10;

/// The pace of a sender's data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pacer {
    /// Bits of a full packet.
    packet: f64,
    rate: Rate,
    /// Packets of the initial window that are yet to leave without a pace.
    unpaced: u32,
}

impl Pacer {
    /// The pace of a new flow.
    pub(crate) fn new(context: &SenderContext) -> Self {
        let window = context.initial_window;
        let unpaced = if window <= UNPACED { window } else { 0 };
        Self { packet: context.packet.as_f64() * 8.0, rate: Rate::MAX, unpaced }
    }

    /// An acknowledgement has set the window, in packets.
    pub(crate) fn on_ack(&mut self, event: &AckEvent, cwnd: f64, ssthresh: f64) {
        let Some(srtt) = event.srtt else { return };
        let ratio = if cwnd < ssthresh / 2.0 { SLOW_START_RATIO } else { AVOIDANCE_RATIO };
        let packets = cwnd.max(f64::from(event.in_flight));
        let rate = ratio * packets * self.packet / srtt.as_secs_f64().max(1e-9);
        self.rate = Rate::from_bps_f64(rate).max(Rate::from_bps(1));
    }

    /// A packet leaves.
    pub(crate) fn on_send(&mut self, kind: PacketKind) {
        if kind == PacketKind::Data {
            self.unpaced = self.unpaced.saturating_sub(1);
        }
    }

    /// See [`crate::host::Control::rate`].
    pub(crate) fn rate(&self) -> Rate {
        if self.unpaced > 0 { Rate::MAX } else { self.rate }
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Bytes, Span, Time};

    use super::*;
    use crate::WireHeader;

    fn answer(in_flight: u32) -> AckEvent {
        let srtt = Some(Span::from_millis(100));
        AckEvent { srtt, in_flight, ..AckEvent::new(Time::ZERO, WireHeader::default()) }
    }

    fn pacer(initial_window: u32) -> Pacer {
        let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
        Pacer::new(&SenderContext { initial_window, ..context })
    }

    /// 20 packets of 8000 bits in 100 ms are 1.6 Mb/s: twice that below half of ssthresh, 1.2 times from
    /// there on; more in flight counts as the window does.
    #[test]
    fn the_rate_by_hand() {
        for (cwnd, ssthresh, in_flight, bps) in [
            (20.0, f64::INFINITY, 20, 3_200_000),
            (20.0, 41.0, 20, 3_200_000),
            (20.0, 40.0, 20, 1_920_000),
            (20.0, 10.0, 0, 1_920_000),
            (20.0, 10.0, 25, 2_400_000),
        ] {
            let mut pacer = pacer(20);
            pacer.on_ack(&answer(in_flight), cwnd, ssthresh);
            assert_eq!(pacer.rate(), Rate::from_bps(bps), "{cwnd} {ssthresh} {in_flight}");
        }
    }

    #[test]
    fn an_initial_window_of_ten_packets_leaves_at_once() {
        let mut pacer = pacer(10);
        pacer.on_ack(&answer(0), 20.0, f64::INFINITY);
        pacer.on_send(PacketKind::Syn);
        for _ in 0..10 {
            assert_eq!(pacer.rate(), Rate::MAX);
            pacer.on_send(PacketKind::Data);
        }
        assert_eq!(pacer.rate(), Rate::from_bps(3_200_000));
    }

    #[test]
    fn extremes_stay_above_zero_and_below_the_largest_rate() {
        let mut pacer = pacer(20);
        let instant = AckEvent { srtt: Some(Span::ZERO), ..answer(u32::MAX) };
        pacer.on_ack(&instant, 1e9, f64::INFINITY);
        assert_eq!(pacer.rate(), Rate::MAX);
        let slow = AckEvent { srtt: Some(Span::MAX), ..answer(0) };
        pacer.on_ack(&slow, 1.0, 2.0);
        assert_eq!(pacer.rate(), Rate::from_bps(1));
    }
}
