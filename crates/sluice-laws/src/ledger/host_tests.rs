use super::*;
use sluice_units::Time;

/// Whole multiples of 1,024 bytes are stated exactly.
const PACKET: u32 = 1_024;
const CONTEXT: SenderContext = SenderContext::new(Bytes::new(1_024), Bytes::new(40));
const RTT: Span = Span::from_millis(125);
/// 125 packets in an RTT, one a millisecond.
const GRANT: u64 = 8_192_000;
const ALL_KINDS: [Stated; 3] = [Stated::Size, Stated::SendBuffer, Stated::Nothing];

fn grant(bps: u64) -> Offer {
    Offer::granting(Rate::from_bps(bps))
}

fn answer(kind: PacketKind, reverse: Offer) -> AckEvent {
    AckEvent {
        kind,
        rtt: Some(RTT),
        srtt: Some(RTT),
        min_rtt: Some(RTT),
        acked: 1,
        ..AckEvent::new(Time::ZERO, LedgerHeader { reverse, ..LedgerHeader::default() }.to_wire())
    }
}

/// A packet with so many packets to send after it.
fn out(kind: PacketKind, left: u64) -> SendEvent {
    let bytes = if kind == PacketKind::Data { PACKET } else { 40 };
    SendEvent { left, srtt: Some(RTT), ..SendEvent::new(Time::ZERO, kind, bytes) }
}

fn said(sender: &mut LedgerSender, kind: PacketKind, left: u64) -> LedgerHeader {
    LedgerHeader::from_wire(sender.header(&out(kind, left)))
}

fn sender(params: &LedgerParams, weight: f64) -> LedgerSender {
    LedgerSender::new(params, &SenderContext { weight: Ratio::new(weight), ..CONTEXT })
}

fn granted(params: &LedgerParams, weight: f64) -> LedgerSender {
    let mut sender = sender(params, weight);
    sender.on_ack(&answer(PacketKind::SynAck, grant(GRANT)));
    sender
}

fn stating(stated: Stated) -> LedgerParams {
    LedgerParams { stated, send_buffer: Bytes::new(64 * 1_024), ..LedgerParams::default() }
}

#[test]
fn a_syn_states_all_of_the_flow_and_no_rate() {
    let mut sender = sender(&LedgerParams::default(), 1.0);
    let event = SendEvent { srtt: None, ..out(PacketKind::Syn, 100) };
    let expected = LedgerHeader {
        rate: Offer::UNLIMITED,
        flow: FlowState::new(true, WireRtt::NONE, 102_400),
        ..LedgerHeader::default()
    };
    assert_eq!(LedgerHeader::from_wire(sender.header(&event)), expected);
    assert_eq!(said(&mut sender, PacketKind::Syn, u64::MAX).flow.left(), u64::MAX);
    assert_eq!((sender.window(), sender.rate(), sender.probe_after()), (1, None, None));
}

/// 125 packets leave in an RTT.
#[test]
fn data_state_what_is_left_after_an_rtt() {
    let mut sender = granted(&LedgerParams::default(), 1.0);
    for (left, stated) in [(189, 64 * 1_024), (126, 1_024), (125, 0), (3, 0), (0, 0)] {
        let header = said(&mut sender, PacketKind::Data, left);
        assert_eq!((header.flow.left(), header.flow.is_syn()), (stated, false), "{left}");
        assert_eq!(header.rate, Offer::UNLIMITED);
        // 1 in 256 less at most.
        let ticks = WireRtt::PER_SECOND / 8;
        assert!(
            header.flow.rtt().units() <= ticks && header.flow.rtt().units() >= ticks - ticks / 256
        );
    }
    assert_eq!(said(&mut sender, PacketKind::Data, u64::MAX).flow.left(), u64::MAX);
    sender.on_ack(&answer(PacketKind::Ack, grant(2 * GRANT)));
    assert_eq!(said(&mut sender, PacketKind::Data, 300).flow.left(), 50 * 1_024);
    let before_a_sample = SendEvent { srtt: None, ..out(PacketKind::Data, 304) };
    let header = LedgerHeader::from_wire(sender.header(&before_a_sample));
    assert_eq!((header.flow.left(), header.flow.rtt()), (304 * 1_024, WireRtt::NONE));
}

#[test]
fn packets_state_the_time_between_them_as_ncps_do() {
    let mut sender = granted(&LedgerParams::default(), 1.0);
    let sum: u32 = (0..1_000).map(|_| said(&mut sender, PacketKind::Data, u64::MAX).x).sum();
    assert!(sum.abs_diff(WireRtt::PER_SECOND) <= 1, "{sum}");
    let half = SendEvent { bytes: PACKET / 2, ..out(PacketKind::Data, 0) };
    let x = LedgerHeader::from_wire(sender.header(&half)).x;
    assert!(x.abs_diff(WireRtt::PER_SECOND / 2_000) <= 1, "{x}");
    assert_eq!(said(&mut self::sender(&LedgerParams::default(), 1.0), PacketKind::Data, 9).x, 0);
}

/// It sends 500 packets in an RTT, and states a quarter of the 512 that it has, and of the 12 left then.
#[test]
fn a_flow_of_weight_four_states_what_one_of_four_would() {
    let mut sender = sender(&LedgerParams::default(), 4.0);
    assert_eq!(said(&mut sender, PacketKind::Syn, 512).flow.left(), 128 * 1_024);
    sender.on_ack(&answer(PacketKind::SynAck, grant(GRANT)));
    assert_eq!(sender.rate(), Some(Rate::from_bps(4 * GRANT)));
    let header = said(&mut sender, PacketKind::Data, 512);
    assert_eq!(header.flow.left(), 3 * 1_024);
    assert!(header.x.abs_diff(WireRtt::PER_SECOND / 1_000) <= 1);
    assert_eq!(said(&mut sender, PacketKind::Data, u64::MAX).flow.left(), u64::MAX);
}

#[test]
fn what_is_known_is_stated() {
    let mut buffered = sender(&stating(Stated::SendBuffer), 1.0);
    for left in [0, 1, 63, 64] {
        assert_eq!(said(&mut buffered, PacketKind::Data, left).flow.left(), left * 1_024);
    }
    // More than the buffer holds, but how much nobody knows.
    for left in [65, 1_000, u64::MAX] {
        assert!(said(&mut buffered, PacketKind::Data, left).flow.left() >= 64 * 1_024 * 31 / 32);
    }
    assert_eq!(
        said(&mut sender(&stating(Stated::Size), 1.0), PacketKind::Syn, 66).flow.left(),
        66 << 10
    );
}

#[test]
fn the_last_packet_states_nothing_whatever_hosts_know() {
    for stated in ALL_KINDS {
        for mut sender in [sender(&stating(stated), 1.0), granted(&stating(stated), 1.0)] {
            for left in [300, 299, 1] {
                said(&mut sender, PacketKind::Data, left);
            }
            assert_eq!(said(&mut sender, PacketKind::Data, 0).flow.left(), 0, "{stated:?}");
        }
    }
}

#[test]
fn a_part_of_flows_knows_and_the_others_draw() {
    let params = LedgerParams { informed: Ratio::new(0.25), ..LedgerParams::default() };
    let knows = |seed| {
        let context = SenderContext { seed, ..CONTEXT };
        let mut sender = LedgerSender::new(&params, &context);
        said(&mut sender, PacketKind::Syn, 1_024).flow.left() == 1_024 << 10
    };
    let informed = (0..1_000).filter(|&seed| knows(seed)).count();
    // Four standard deviations.
    assert!(informed.abs_diff(250) < 55, "{informed}");
}

/// 125 packets leave in an RTT.
#[test]
fn a_liar_declares_less_left_a_shorter_rtt_and_a_lower_throughput() {
    let gains = [4.0, 2.0, 8.0].map(Ratio::new);
    let [left_gain, rtt_gain, throughput_gain] = gains;
    let conduct = Conduct { left_gain, rtt_gain, throughput_gain, ..Conduct::HONEST };
    let context = SenderContext { conduct, ..CONTEXT };
    let mut liar = LedgerSender::new(&LedgerParams::default(), &context);
    liar.on_ack(&answer(PacketKind::SynAck, grant(GRANT)));
    let mut honest = granted(&LedgerParams::default(), 1.0);
    let [lie, truth] =
        [&mut liar, &mut honest].map(|sender| said(sender, PacketKind::Data, 125 + 400));
    assert_eq!((lie.flow.left(), truth.flow.left()), (100 << 10, 400 << 10));
    assert_eq!(lie.flow.rtt().units(), truth.flow.rtt().units() / 2);
    assert!(lie.x.abs_diff(8 * truth.x) <= 8);
    assert_eq!(lie.rate, truth.rate);
    let endless = said(&mut liar, PacketKind::Data, u64::MAX).flow.left();
    assert!((u64::MAX / 4 - (u64::MAX >> 12)..u64::MAX / 2).contains(&endless));
}

/// (7) The part of draws above s is (k/s)^tail, within 1 %.
#[test]
fn draws_are_as_many_above_a_size_as_is_believed() {
    const DRAWS: u32 = 100_000;
    for (stated, tail, sent, so_far) in [
        (Stated::Nothing, 0.6, 0, 1_024),
        (Stated::Nothing, 1.5, 40 * 1_024, 40 * 1_024),
        (Stated::SendBuffer, 0.6, 0, 64 * 1_024),
        (Stated::SendBuffer, 2.0, 40 * 1_024, 104 * 1_024),
    ] {
        let params = LedgerParams { assumed_tail: Ratio::new(tail), ..stating(stated) };
        let mut belief = Belief::new(&params, PACKET, 7);
        belief.sent(sent);
        let sizes: Vec<u64> =
            (0..DRAWS).map(|_| belief.left(u64::MAX).saturating_add(sent.into())).collect();
        assert!(sizes.iter().all(|&size| size >= so_far));
        for times in [1.25, 2.0, 5.0, 10.0] {
            let above = sizes.iter().filter(|&&size| size as f64 > times * so_far as f64).count();
            let part = above as f64 / f64::from(DRAWS);
            let believed = libm::pow(1.0 / times, tail);
            assert!((part / believed - 1.0).abs() < 0.01, "{part} not {believed} above {times} k");
        }
    }
}

#[test]
fn what_is_sent_again_is_no_more_data() {
    let mut sender = granted(&stating(Stated::Nothing), 1.0);
    let again = SendEvent { again: true, ..out(PacketKind::Data, 1_000) };
    for _ in 0..10 {
        sender.header(&again);
    }
    assert_eq!(sender.belief.sent, 0);
    sender.header(&out(PacketKind::Data, 1_000));
    assert_eq!(sender.belief.sent, u64::from(PACKET));
}

/// At 300 Gb/s a packet takes 27.3 ns, 7.33 ticks, and 28 whole nanoseconds are 7.5 ticks.
#[test]
fn x_is_right_on_average_at_any_rate() {
    let rate = Rate::from_bps(300_000_000_000);
    let exact = f64::from(PACKET) * 8.0 / rate.as_bps_f64() * f64::from(WireRtt::PER_SECOND);
    let mut sender = sender(&LedgerParams::default(), 1.0);
    sender.on_ack(&answer(PacketKind::SynAck, Offer::granting(rate)));
    let x = |sender: &mut LedgerSender| u64::from(said(sender, PacketKind::Data, u64::MAX).x);
    let sum: u64 = (0..1_000).map(|_| x(&mut sender)).sum();
    assert!((sum as f64 / 1_000.0 - exact).abs() < 2e-3, "{sum} for {exact}");
}

/// Packets of a flow of which nothing is known, on the wire.
fn draws(seed: u64) -> Vec<u64> {
    let context = SenderContext { seed, ..CONTEXT };
    let mut sender = LedgerSender::new(&stating(Stated::Nothing), &context);
    (0..50).map(|_| said(&mut sender, PacketKind::Data, 1_000).flow.left()).collect()
}

#[test]
fn a_seed_draws_the_same_and_others_draw_evenly() {
    assert_eq!(draws(5), draws(5));
    assert_ne!(draws(5), draws(6));
    let first = |seed| {
        let mut belief = Belief::new(&stating(Stated::Nothing), PACKET, seed);
        belief.left(u64::MAX);
        belief.draw
    };
    let all: Vec<f64> = (0..1_000).map(first).collect();
    // Three standard deviations of the mean of 1,000 uniform numbers, and of a quarter's count.
    let mean = all.iter().sum::<f64>() / 1_000.0;
    assert!((mean - 0.5).abs() < 0.028, "{mean}");
    for quarter in 0..4 {
        let count = all.iter().filter(|&&draw| (draw * 4.0) as usize == quarter).count();
        assert!(count.abs_diff(250) < 42, "{count} in quarter {quarter}");
    }
}

#[test]
fn the_extremes_of_a_belief_are_finite_numbers_of_bytes() {
    for tail in [0.01, 100.0] {
        let params = LedgerParams { assumed_tail: Ratio::new(tail), ..stating(Stated::Nothing) };
        let mut belief = Belief::new(&params, PACKET, 1);
        for _ in 0..10_000 {
            belief.sent(u32::MAX);
            assert!((0.0..1.0).contains(&belief.draw));
            belief.left(u64::MAX);
        }
        assert_eq!(belief.left(0), 0);
    }
}

#[test]
fn a_probe_requests_and_states_what_is_left_but_no_pace() {
    let mut sender = granted(&LedgerParams::default(), 1.0);
    let header = said(&mut sender, PacketKind::Probe, 189);
    assert_eq!((header.rate, header.x, header.flow.is_syn()), (Offer::UNLIMITED, 0, false));
    assert_eq!(header.flow.left(), 64 * 1_024);
    let mut unknown = granted(&stating(Stated::Nothing), 1.0);
    said(&mut unknown, PacketKind::Probe, 200);
    assert_eq!(unknown.belief.sent, 0, "a probe carries no data");
}

#[test]
fn acknowledgements_and_datagrams_have_no_header() {
    let mut sender = granted(&LedgerParams::default(), 1.0);
    for kind in [PacketKind::SynAck, PacketKind::Ack, PacketKind::ProbeAck, PacketKind::Datagram] {
        assert_eq!(sender.header(&out(kind, 9)), WireHeader::default());
    }
}

#[test]
fn losses_and_time_outs_leave_the_rate() {
    let mut sender = granted(&LedgerParams::default(), 1.0);
    let before = sender.control();
    sender.on_congestion(&CongestionEvent::new(Time::ZERO, 9));
    sender.on_rto(&RtoEvent::new(Time::ZERO, 9));
    assert_eq!(sender.control(), before);
    sender.on_ack(&answer(PacketKind::Ack, Offer::NONE));
    assert_eq!(sender.control(), before, "an answer without a rate");
    assert_eq!((before.rate, before.window), (Some(Rate::from_bps(GRANT)), u32::MAX));
}

#[test]
fn no_more_is_requested_or_taken_than_desired() {
    let desired_rate = Some(Rate::from_bps(GRANT / 2));
    let params = LedgerParams { desired_rate, ..LedgerParams::default() };
    for (weight, request) in [(1.0, GRANT / 2), (4.0, GRANT / 8)] {
        let mut sender = sender(&params, weight);
        assert_eq!(said(&mut sender, PacketKind::Syn, 9).rate, grant(request));
        sender.on_ack(&answer(PacketKind::SynAck, grant(GRANT)));
        assert_eq!(sender.rate(), desired_rate);
        assert_eq!(said(&mut sender, PacketKind::Data, 9).rate, grant(request));
        sender.on_ack(&answer(PacketKind::Ack, Offer::UNLIMITED));
        assert_eq!(sender.rate(), desired_rate);
    }
}

/// A packet of 8,192 bits at 8 kb/s takes more than a second.
#[test]
fn a_flow_with_less_than_a_packet_an_rtt_probes() {
    let mut sender = granted(&LedgerParams::default(), 1.0);
    assert_eq!(sender.probe_after(), None);
    sender.on_ack(&answer(PacketKind::Ack, grant(8_000)));
    // Ten times what a probe of 40 bytes takes.
    assert_eq!(sender.probe_after(), Some(Span::from_millis(400)));
}
