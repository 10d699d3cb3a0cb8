//! RCP's sender: "the source transmits at rate R_p, which corresponds to the smallest offered rate
//! along the path" (section 2.2 step 3), from the first data packet on (section 2.4, figure 6).

use sluice_units::{Bytes, Rate, Ratio, Span};

use super::header::RcpHeader;
use super::params::RcpParams;
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, Control, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
};
use crate::router::LawHeader as _;
use crate::wire::{Offer, WireRtt};

/// The longest a sender waits before it probes (authors' ns-2 code).
const MAX_PATIENCE: Span = Span::from_millis(500);
/// The shortest, so that a path without delay is not flooded with probes.
const MIN_PATIENCE: Span = Span::from_micros(1);

/// The sender's side of one flow.
#[derive(Debug)]
pub struct RcpSender {
    /// The rate that packets request: that of one flow where the sender counts as several.
    desired: Offer,
    /// How many times the granted rate it sends.
    weight: Ratio,
    /// Size of a full data packet on the wire.
    packet: Bytes,
    /// Size of a REF on the wire.
    probe: Bytes,
    /// One packet in this many states the RTT.
    rtt_every: u32,
    /// How many packets leave without it before the next that states it.
    rtt_in: u32,
    /// The last rate granted, `None` before the first.
    rate: Option<Rate>,
    /// The permission that follows from it.
    control: Control,
}

impl RcpSender {
    /// A sender before its SYN.
    ///
    /// With a weight w it sends w times the rate granted, x_r = w_r R, as in Kelly, Raina and Voice,
    /// "Stability and fairness of explicit congestion control with small buffers" (2008): routers
    /// need not know. R is then what each of the sum of weights gets.
    pub fn new(params: &RcpParams, context: &SenderContext) -> Self {
        Self {
            desired: Offer::part_of(params.desired_rate, context.weight),
            weight: context.weight,
            packet: context.packet,
            probe: context.control,
            rtt_every: params.rtt_every,
            rtt_in: 0,
            rate: None,
            control: WITHOUT_RATE,
        }
    }

    /// The RTT that the packet about to leave states: the estimate, once there is one, in the first
    /// of every `rtt_every` packets. It is "sufficient for the router to have a 'rough' estimate",
    /// and it "can even just sample a few packets" (footnote 4).
    fn stated(&mut self, srtt: Option<Span>) -> WireRtt {
        let Some(srtt) = srtt else { return WireRtt::NONE };
        let states = self.rtt_in == 0;
        self.rtt_in = if states { self.rtt_every } else { self.rtt_in } - 1;
        if states { WireRtt::new(srtt) } else { WireRtt::NONE }
    }
}

/// Before a rate is known: the SYN-ACK brings the first, so this applies only if it came back
/// without one. One packet in flight then requests a rate each round trip, and the flow goes on.
const WITHOUT_RATE: Control = Control { window: 1, rate: None, probe: None };

impl HostLaw for RcpSender {
    /// The rate changes on every acknowledgement; one without a rate leaves it.
    fn on_ack(&mut self, event: &AckEvent) {
        let offer = RcpHeader::from_wire(event.header).reverse;
        let Some(rate) = offer.min(self.desired).rate_of(self.weight) else { return };
        self.rate = Some(rate);
        let probe = patience(rate.time_for(self.packet), rate.time_for(self.probe), event.min_rtt);
        self.control = Control { window: u32::MAX, rate: Some(rate), probe };
    }

    /// The paper "retransmits lost packets just like TCP" (section 2.3), but the routers alone set
    /// the rate: they see the queue that lost the packet.
    fn on_congestion(&mut self, _event: &CongestionEvent) {}

    /// A time-out does not lower the rate either: retransmissions leave at the rate last granted,
    /// with a header that requests the current rate.
    fn on_rto(&mut self, _event: &RtoEvent) {}

    fn window(&self) -> u32 {
        self.control.window
    }

    fn rate(&self) -> Option<Rate> {
        self.control.rate
    }

    fn probe_after(&self) -> Option<Span> {
        self.control.probe
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        let rate = match out.kind {
            PacketKind::Syn | PacketKind::Data | PacketKind::Probe => self.desired,
            PacketKind::Datagram | PacketKind::SynAck | PacketKind::Ack | PacketKind::ProbeAck => {
                Offer::NONE
            }
        };
        let rtt = self.stated(out.srtt);
        RcpHeader { rate, rtt, reverse: Offer::NONE }.to_wire()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("rate", self.rate.unwrap_or(Rate::ZERO).as_bps_f64());
    }
}

/// Silence after which a REF requests the rate, for a sender whose data packets leave `gap` apart.
///
/// Data that leaves at least once a round trip learns the rate often enough, and no REF is sent.
/// Otherwise one leaves every min(0.5 s, minimum RTT), as in the authors' ns-2 code: a flow granted a
/// packet a minute would otherwise learn of a free link a minute late. The papers are silent.
///
/// A departure: a REF does not leave before ten times what it takes at the granted rate, so that
/// probing takes a tenth of what is granted at most. On a link with less than a packet per round
/// trip for each flow, REFs once a round trip would fill it, keep R at its floor, and so go on for
/// ever (5 flows on 1 Mb/s with an RTT of 200 us never finish).
pub(crate) fn patience(gap: Span, probe: Span, min_rtt: Option<Span>) -> Option<Span> {
    let round_trip = min_rtt.unwrap_or(MAX_PATIENCE);
    (gap > round_trip).then(|| round_trip.clamp(MIN_PATIENCE, MAX_PATIENCE).max(probe * 10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_units::Time;

    fn sender(desired: Option<Rate>) -> RcpSender {
        let params = RcpParams { desired_rate: desired, ..RcpParams::default() };
        RcpSender::new(&params, &SenderContext::new(Bytes::new(1_000), Bytes::new(40)))
    }

    fn answer(kind: PacketKind, reverse: Offer, min_rtt: Option<Span>) -> AckEvent {
        let header = RcpHeader { rate: Offer::NONE, rtt: WireRtt::NONE, reverse };
        AckEvent {
            kind,
            rtt: min_rtt,
            srtt: min_rtt,
            min_rtt,
            acked: 1,
            in_flight: 3,
            used: 3,
            ..AckEvent::new(Time::ZERO, header.to_wire())
        }
    }

    fn outgoing(kind: PacketKind) -> SendEvent {
        let srtt = Some(Span::from_millis(100));
        SendEvent { srtt, ..SendEvent::new(Time::ZERO, kind, 1_000) }
    }

    const MBPS: u64 = 1_000_000;

    fn mbps(n: u64) -> Offer {
        Offer::granting(Rate::from_bps(n * MBPS))
    }

    #[test]
    fn the_first_data_leave_at_the_syn_acks_rate_and_each_ack_changes_it() {
        let rtt = Some(Span::from_millis(100));
        let mut sender = sender(None);
        sender.on_ack(&answer(PacketKind::SynAck, mbps(20), rtt));
        assert_eq!(sender.control().rate, Some(Rate::from_bps(20 * MBPS)));
        assert_eq!(sender.control().window, u32::MAX);
        sender.on_ack(&answer(PacketKind::Ack, mbps(5), rtt));
        assert_eq!(sender.control().rate, Some(Rate::from_bps(5 * MBPS)));
        sender.on_ack(&answer(PacketKind::ProbeAck, mbps(7), rtt));
        assert_eq!(sender.control().rate, Some(Rate::from_bps(7 * MBPS)));
        sender.on_ack(&answer(PacketKind::Ack, Offer::NONE, rtt));
        assert_eq!(sender.control().rate, Some(Rate::from_bps(7 * MBPS)));
    }

    #[test]
    fn nothing_makes_a_sender_faster_than_it_wishes() {
        let mut sender = sender(Some(Rate::from_bps(3 * MBPS)));
        sender.on_ack(&answer(PacketKind::SynAck, Offer::UNLIMITED, None));
        assert_eq!(sender.control().rate, Some(Rate::from_bps(3 * MBPS)));
    }

    #[test]
    fn losses_and_time_outs_leave_the_rate() {
        let mut sender = sender(None);
        sender.on_ack(&answer(PacketKind::SynAck, mbps(20), None));
        let before = sender.control();
        sender.on_congestion(&CongestionEvent::new(Time::ZERO, 9));
        sender.on_rto(&RtoEvent::new(Time::ZERO, 9));
        assert_eq!(sender.control(), before);
    }

    #[test]
    fn a_path_without_routers_paces_all_the_same() {
        let mut sender = sender(None);
        sender.on_ack(&answer(PacketKind::SynAck, Offer::UNLIMITED, None));
        assert!(sender.control().rate.is_some_and(|rate| rate < Rate::MAX));
    }

    #[test]
    fn packets_with_data_request_and_state_the_rtt() {
        let mut wants_all = sender(None);
        let rtt = WireRtt::new(Span::from_millis(100));
        for kind in [PacketKind::Syn, PacketKind::Data, PacketKind::Probe] {
            let header = RcpHeader::from_wire(wants_all.header(&outgoing(kind)));
            assert_eq!((header.rate, header.rtt), (Offer::UNLIMITED, rtt));
        }
        let ack = RcpHeader::from_wire(wants_all.header(&outgoing(PacketKind::Ack)));
        assert_eq!((ack.rate, ack.rtt), (Offer::NONE, rtt));
        let first = SendEvent { srtt: None, ..outgoing(PacketKind::Syn) };
        assert_eq!(RcpHeader::from_wire(wants_all.header(&first)).rtt, WireRtt::NONE);

        let mut wants_little = sender(Some(Rate::from_bps(3 * MBPS)));
        assert_eq!(
            RcpHeader::from_wire(wants_little.header(&outgoing(PacketKind::Syn))).rate,
            mbps(3)
        );
    }

    #[test]
    fn one_packet_in_so_many_states_the_rtt_from_the_first_that_can() {
        let params = RcpParams { rtt_every: 3, ..RcpParams::default() };
        let mut sender =
            RcpSender::new(&params, &SenderContext::new(Bytes::new(1_000), Bytes::new(40)));
        let mut states = |out| {
            let header = RcpHeader::from_wire(sender.header(&out));
            assert_eq!(header.rate, Offer::UNLIMITED, "every packet asks for a rate");
            header.rtt != WireRtt::NONE
        };
        assert!(!states(SendEvent { srtt: None, ..outgoing(PacketKind::Syn) }));
        let stated = [(); 7].map(|()| states(outgoing(PacketKind::Data)));
        assert_eq!(stated, [true, false, false, true, false, false, true]);
    }

    #[test]
    fn probes_leave_only_when_data_leave_less_than_once_a_round_trip() {
        // 1000 bytes at 1 Mb/s leave every 8 ms.
        let probe = |rtt_ms| {
            let mut sender = sender(None);
            sender.on_ack(&answer(PacketKind::SynAck, mbps(1), Some(Span::from_millis(rtt_ms))));
            sender.control().probe
        };
        assert_eq!(probe(8), None);
        assert_eq!(probe(7), Some(Span::from_millis(7)));
        // A 40-byte REF takes 0.32 ms; ten times that is a tenth of the rate.
        assert_eq!(probe(1), Some(Span::from_micros(3_200)));
        // 1000 bytes at 10 kb/s leave every 800 ms, a REF in 32 ms.
        let mut slow = sender(None);
        let rtt = Some(Span::from_millis(700));
        slow.on_ack(&answer(PacketKind::SynAck, Offer::granting(Rate::from_bps(10_000)), rtt));
        assert_eq!(slow.control().probe, Some(Span::from_millis(500)));
    }
}
