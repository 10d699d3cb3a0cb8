use sluice_units::{Bytes, Time};

use super::*;

const CONTEXT: SenderContext = SenderContext::new(Bytes::new(1_000), Bytes::new(40));
const RTT: Span = Span::from_millis(125);
const TICKS: u32 = WireRtt::PER_SECOND;

fn unpaced() -> NcpParams {
    NcpParams { paced: false, ..NcpParams::default() }
}

fn grant(kbps: u64) -> Offer {
    Offer::granting(Rate::from_bps(kbps * 1_000))
}

fn answer(reverse: Offer, srtt: Option<Span>) -> AckEvent {
    AckEvent {
        rtt: srtt,
        srtt,
        min_rtt: srtt,
        acked: 1,
        ..AckEvent::new(Time::ZERO, NcpHeader { reverse, ..NcpHeader::default() }.to_wire())
    }
}

fn out(kind: PacketKind, bytes: u32) -> SendEvent {
    SendEvent { in_flight: 1, ..SendEvent::new(Time::ZERO, kind, bytes) }
}

fn said(sender: &mut NcpSender, kind: PacketKind, bytes: u32) -> NcpHeader {
    NcpHeader::from_wire(sender.header(&out(kind, bytes)))
}

/// A sender whose SYN-ACK granted this rate.
fn granted(params: &NcpParams, kbps: u64) -> NcpSender {
    let mut sender = NcpSender::new(params, &CONTEXT);
    sender.on_ack(&AckEvent { kind: PacketKind::SynAck, ..answer(grant(kbps), Some(RTT)) });
    sender
}

#[test]
fn a_syn_requests_and_states_nothing() {
    let mut sender = NcpSender::new(&NcpParams::default(), &CONTEXT);
    let asks = NcpHeader { rate: Offer::UNLIMITED, ..NcpHeader::default() };
    assert_eq!(said(&mut sender, PacketKind::Syn, 40), asks);
    assert_eq!((sender.window(), sender.rate(), sender.probe_after()), (1, None, None));
    let wish = NcpParams { desired_rate: Some(Rate::from_bps(300_000)), ..NcpParams::default() };
    assert_eq!(said(&mut NcpSender::new(&wish, &CONTEXT), PacketKind::Syn, 40).rate, grant(300));
}

#[test]
fn an_acknowledgement_requests_and_states_nothing() {
    let mut sender = granted(&NcpParams::default(), 640);
    for kind in [PacketKind::SynAck, PacketKind::Ack, PacketKind::ProbeAck] {
        assert_eq!(sender.header(&out(kind, 40)), WireHeader::default());
    }
}

#[test]
fn the_window_is_the_rate_times_the_rtt() {
    // 640 kb/s x 125 ms are 10 packets.
    let mut sender = granted(&unpaced(), 640);
    assert_eq!((sender.window(), sender.rate()), (10, None));
    sender.on_ack(&answer(grant(1_280), Some(RTT)));
    assert_eq!(sender.window(), 20);
    sender.on_ack(&answer(grant(1_280), Some(RTT * 2)));
    assert_eq!(sender.window(), 40);
    // 10.99 packets: not the eleventh.
    sender.on_ack(&answer(grant(703), Some(RTT)));
    assert_eq!(sender.window(), 10);
    sender.on_ack(&answer(grant(1), Some(RTT)));
    assert_eq!(sender.window(), 1, "a packet at least");
}

/// The queue that a window makes must not make the next one larger.
#[test]
fn a_queue_does_not_open_the_window() {
    let mut sender = granted(&unpaced(), 640);
    sender.on_ack(&AckEvent { srtt: Some(RTT * 100), ..answer(grant(640), Some(RTT)) });
    assert_eq!(sender.window(), 10);
}

#[test]
fn a_paced_flow_sends_at_the_granted_rate_or_once_an_rtt() {
    let mut sender = granted(&NcpParams::default(), 703);
    let control = sender.control();
    assert_eq!((control.rate, control.window), (Some(Rate::from_bps(703_000)), u32::MAX));
    assert_eq!(control.probe, None);
    // 1000 bytes in 125 ms are 64 kb/s.
    sender.on_ack(&answer(grant(10), Some(RTT)));
    assert_eq!(sender.rate(), Some(Rate::from_bps(64_000)));
}

#[test]
fn data_states_the_current_rate_and_not_the_requested_one() {
    let mut sender = granted(&NcpParams::default(), 640);
    // Ten packets in an eighth of a second.
    let stated = NcpHeader {
        rate: Offer::UNLIMITED,
        x: TICKS / 80 + 1,
        rtt: WireRtt::from_units(TICKS / 8),
        reverse: Offer::NONE,
    };
    let header = said(&mut sender, PacketKind::Data, 1_000);
    assert!(header.x.abs_diff(stated.x) <= 1);
    assert_eq!(NcpHeader { x: stated.x, ..header }, stated);
    // A packet of half the size takes half as long.
    assert!(said(&mut sender, PacketKind::Data, 500).x.abs_diff(TICKS / 160) <= 1);
}

#[test]
fn headers_state_the_window_in_use() {
    let x = |params: &NcpParams, kbps| said(&mut granted(params, kbps), PacketKind::Data, 1_000).x;
    // 10.99 packets: paced, they leave; else ten do.
    assert!(x(&unpaced(), 703).abs_diff(TICKS / 80) <= 1);
    assert!(x(&NcpParams::default(), 703).abs_diff((f64::from(TICKS) * 8e3 / 703e3) as u32) <= 1);
    // One packet an RTT, though less was granted.
    for params in [unpaced(), NcpParams::default()] {
        assert!(x(&params, 10).abs_diff(TICKS / 8) <= 1);
    }
}

#[test]
fn what_rounding_leaves_of_one_packet_the_next_one_says() {
    // 3 packets in an RTT of 2^25 ticks: no whole number each.
    let mut sender = granted(&NcpParams::default(), 192);
    let said: u32 = (0..300).map(|_| said(&mut sender, PacketKind::Data, 1_000).x).sum();
    let exact = 100.0 * f64::from(TICKS) / 8.0;
    assert!((f64::from(said) - exact).abs() <= 1.0, "{said} of {exact}");
}

#[test]
fn losses_and_time_outs_leave_the_rate() {
    for params in [unpaced(), NcpParams::default()] {
        let mut sender = granted(&params, 640);
        let before = sender.control();
        sender.on_congestion(&CongestionEvent::new(Time::ZERO, 9));
        sender.on_rto(&RtoEvent::new(Time::ZERO, 9));
        assert_eq!(sender.control(), before);
    }
}

#[test]
fn an_answer_without_a_rate_leaves_the_last_one() {
    let mut sender = granted(&NcpParams::default(), 640);
    sender.on_ack(&answer(Offer::NONE, Some(RTT)));
    assert_eq!(sender.rate(), Some(Rate::from_bps(640_000)));
}

#[test]
fn a_flow_without_a_grant_requests_once_an_rtt() {
    let mut sender = NcpSender::new(&NcpParams::default(), &CONTEXT);
    sender.on_ack(&answer(Offer::NONE, Some(RTT)));
    assert_eq!((sender.window(), sender.rate()), (1, None));
    let header = said(&mut sender, PacketKind::Data, 1_000);
    assert_eq!((header.rate, header.x), (Offer::UNLIMITED, TICKS / 8));
}

#[test]
fn nothing_makes_a_sender_faster_than_it_wishes() {
    let wish = NcpParams { desired_rate: Some(Rate::from_bps(300_000)), ..NcpParams::default() };
    let mut sender = NcpSender::new(&wish, &CONTEXT);
    sender.on_ack(&answer(Offer::UNLIMITED, Some(RTT)));
    assert_eq!(sender.rate(), Some(Rate::from_bps(300_000)));
}

#[test]
fn a_rate_without_an_rtt_states_nothing() {
    let mut sender = NcpSender::new(&NcpParams::default(), &CONTEXT);
    sender.on_ack(&answer(grant(640), None));
    assert_eq!(sender.rate(), Some(Rate::from_bps(640_000)));
    assert_eq!(said(&mut sender, PacketKind::Data, 1_000).x, 0);
}

/// Section 4's time stamps: each packet states the RTT of the packet acknowledged last, so that d0 is the mean of samples.
/// A smoothed RTT that lags behind them does not matter, except to the window.
#[test]
fn time_stamps_state_the_last_sample_of_which_d0_is_the_mean() {
    use crate::ncp::router::NcpRouter;
    use crate::protocol::LinkContext;
    use crate::router::{LinkSample, RouterLaw, Train};

    let d0 = |rtt_source| {
        let params = NcpParams { rtt_source, ..NcpParams::default() };
        let mut sender = granted(&params, 640);
        let mut sums = crate::ncp::NcpSums::default();
        for samples in [[100, 300]; 500] {
            for sample in samples.map(Span::from_millis) {
                // Acknowledged: one that was sent twice, without a sample, which leaves the statement.
                let smoothed = answer(grant(640), Some(RTT));
                sender.on_ack(&AckEvent { rtt: Some(sample), ..smoothed });
                sender.on_ack(&AckEvent { rtt: None, ..smoothed });
                let header = said(&mut sender, PacketKind::Data, 1_000);
                NcpRouter::arrive(
                    &mut sums,
                    &crate::wire::Offer::NONE,
                    &header,
                    Train::packet(1_000),
                );
            }
        }
        let capacity = Rate::from_bps(10_000_000);
        let mut router =
            NcpRouter::new(&params, &LinkContext { capacity, packet: Bytes::new(1_000) });
        router.start(capacity);
        let sample = LinkSample::idle(Time::ZERO, Time::ZERO + Span::from_secs(10), capacity);
        router.tick(0, &sums, &sample);
        router.d0()
    };
    assert!((d0(RttSource::TimeStamps) - 0.2).abs() < 1e-6);
    assert!((d0(RttSource::Smoothed) - 0.125).abs() < 1e-6);
}
