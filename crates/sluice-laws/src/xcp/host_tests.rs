use sluice_units::{Bytes, Time};

use super::*;

const CONTEXT: SenderContext = SenderContext::new(Bytes::new(1000), Bytes::new(40));
const RTT: Span = Span::from_millis(125);

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// An answer at `ms` with that feedback, after a window filled with `used` packets.
fn answer(ms: u64, feedback: i32, used: u32) -> AckEvent {
    let header = XcpHeader { reverse: feedback, ..XcpHeader::default() };
    AckEvent {
        rtt: Some(RTT),
        srtt: Some(RTT),
        min_rtt: Some(RTT),
        acked: 1,
        in_flight: used,
        used,
        ..AckEvent::new(at(ms), header.to_wire())
    }
}

fn data(ms: u64, in_flight: u32, backlogged: bool) -> SendEvent {
    let event = SendEvent::new(at(ms), PacketKind::Data, 1000);
    SendEvent { srtt: Some(RTT), in_flight, backlogged, ..event }
}

/// A sender past its SYN exchange, with that window.
fn sender(params: &XcpParams, window: u32) -> XcpSender {
    let context = SenderContext { initial_window: window, ..CONTEXT };
    let mut sender = XcpSender::new(params, &context);
    sender.on_ack(&AckEvent { kind: PacketKind::SynAck, acked: 0, ..answer(0, 0, 0) });
    sender
}

fn said(sender: &mut XcpSender, out: &SendEvent) -> XcpHeader {
    XcpHeader::from_wire(sender.header(out))
}

#[test]
fn a_syn_states_and_requests_nothing_and_the_initial_window_follows() {
    let mut new =
        XcpSender::new(&XcpParams::default(), &SenderContext { initial_window: 3, ..CONTEXT });
    let syn = SendEvent { kind: PacketKind::Syn, bytes: 40, srtt: None, ..data(0, 0, true) };
    assert_eq!(new.header(&syn), WireHeader::default());
    assert_eq!((new.window(), new.rate(), new.probe_after()), (3, None, None));
    assert_eq!(said(&mut new, &data(0, 0, true)), XcpHeader::default(), "no RTT yet");
}

#[test]
fn data_states_its_throughput_and_rtt_and_requests_without_limit() {
    // 10 packets in 1/8 s are 12.5 ms apart.
    let header = said(&mut sender(&XcpParams::default(), 10), &data(1, 0, true));
    let expected = XcpHeader { x: ticks(0.0125), rtt: 1 << 25, delta: i32::MAX, reverse: 0 };
    assert_eq!(header, expected);
}

#[test]
fn a_window_of_three_packets_and_a_half_is_stated_as_it_is_or_as_three() {
    for (stated_window, packets) in [(StatedWindow::Exact, 3.5), (StatedWindow::Whole, 3.0)] {
        let mut sender = sender(&XcpParams { stated_window, ..XcpParams::default() }, 3);
        // 4000 bytes/s more for 1/8 s is half a packet.
        sender.on_ack(&answer(1, 4000, 3));
        let header = said(&mut sender, &data(2, 0, true));
        assert_eq!(header.x, ticks(0.125 / packets), "{stated_window:?}");
    }
}

/// The packets in flight in each of `rounds` round trips in which nothing is granted, from a window
/// of three packets and `feedback` more for an RTT.
fn rounds(params: &XcpParams, feedback: i32, rounds: u32) -> Vec<u32> {
    let mut sender = sender(params, 3);
    sender.on_ack(&answer(1, feedback, 3));
    let mut windows = Vec::new();
    for _ in 0..rounds {
        let window = sender.window();
        windows.push(window);
        (0..window).for_each(|_| sender.on_ack(&answer(1, 0, window)));
    }
    windows
}

#[test]
fn a_fraction_of_a_packet_is_sent_every_so_many_rounds() {
    // A quarter of a packet more; half a packet; none.
    for (feedback, packets) in [(2000, 3.25), (4000, 3.5), (0, 3.0)] {
        let windows = rounds(&XcpParams::default(), feedback, 400);
        assert!(windows.iter().all(|window| [3, 4].contains(window)), "{windows:?}");
        let mean = f64::from(windows.iter().sum::<u32>()) / 400.0;
        assert!((mean - packets).abs() < 0.02, "{mean}, not {packets}");
    }
    let whole = XcpParams { stated_window: StatedWindow::Whole, ..XcpParams::default() };
    assert_eq!(rounds(&whole, 4000, 10), [3; 10]);
}

#[test]
fn a_timeout_leaves_one_packet_and_no_fraction() {
    let mut sender = sender(&XcpParams::default(), 1);
    sender.on_ack(&answer(1, 7999, 1));
    sender.on_ack(&answer(1, 0, 1));
    sender.on_ack(&answer(1, 0, 1));
    assert_eq!(sender.window(), 2);
    sender.on_rto(&RtoEvent::new(at(2), 2));
    assert_eq!(sender.window(), 1);
}

#[test]
fn a_small_packet_states_the_same_throughput() {
    let mut sender = sender(&XcpParams::default(), 10);
    let small = SendEvent { bytes: 500, ..data(1, 0, true) };
    assert_eq!(said(&mut sender, &small).x, ticks(0.00625));
}

#[test]
fn equation_4_1_turns_feedback_into_a_window_of_at_least_a_packet() {
    let mut sender = sender(&XcpParams::default(), 10);
    sender.on_ack(&answer(1, 24_000, 10)); // 24 kB/s x 1/8 s = 3 packets
    assert_eq!(sender.control().window, 13);
    sender.on_ack(&answer(2, -20_000, 10));
    assert_eq!(sender.control().window, 10, "10.5 packets in whole ones");
    sender.on_ack(&answer(3, i32::MIN, 10));
    assert_eq!(sender.control().window, 1);
}

#[test]
fn a_desired_rate_is_reached_in_one_rtt_when_all_is_granted_and_not_passed() {
    // 80 packets/s for 10 packets an RTT; the window is 2.
    let params =
        XcpParams { desired_rate: Some(Rate::from_bytes_per_sec(80_000)), ..XcpParams::default() };
    let mut sender = sender(&params, 2);
    let first = said(&mut sender, &data(1, 0, true)).delta;
    assert_eq!(first, 32_000, "(80 - 16) kB/s over 2 packets");
    for ms in 126..136 {
        sender.on_ack(&answer(ms, first, 2));
    }
    assert_eq!(sender.control().window, 10);
    assert_eq!(said(&mut sender, &data(136, 9, true)).delta, 0);
}

#[test]
fn loss_halves_and_a_timeout_leaves_one_packet_and_feedback_goes_on() {
    let mut sender = sender(&XcpParams::default(), 10);
    sender.on_congestion(&CongestionEvent::new(at(1), 10));
    assert_eq!(sender.control().window, 5);
    sender.on_rto(&RtoEvent::new(at(2), 5));
    assert_eq!(sender.control().window, 1);
    sender.on_congestion(&CongestionEvent::new(at(3), 1));
    assert_eq!(sender.control().window, 1);
    sender.on_ack(&answer(4, 32_000, 1));
    assert_eq!(sender.control().window, 5);
}

#[test]
fn an_unfilled_window_loses_half_of_its_unused_part_each_rtt() {
    let mut sender = sender(&XcpParams::default(), 100);
    assert_eq!(said(&mut sender, &data(1, 19, false)).delta, 0, "asks nothing meanwhile");
    sender.on_ack(&answer(100, 0, 20));
    assert_eq!(sender.control().window, 100, "not an RTT yet");
    sender.on_ack(&answer(125, 0, 20));
    assert_eq!(sender.control().window, 60);
    sender.on_ack(&answer(250, 0, 20));
    assert_eq!(sender.control().window, 40);
}

#[test]
fn a_filled_window_does_not_age() {
    let mut sender = sender(&XcpParams::default(), 100);
    for round in 1..5 {
        said(&mut sender, &data(125 * round - 1, 99, true));
        // The window grew meanwhile, so less than all of it was in flight.
        sender.on_ack(&answer(125 * round, 80_000, 90));
    }
    assert_eq!(sender.control().window, 140);
}

#[test]
fn a_sender_that_waits_for_answers_is_not_idle() {
    let mut sender = sender(&XcpParams::default(), 100);
    said(&mut sender, &data(1000, 99, true));
    assert_eq!(sender.control().window, 100);
}

#[test]
fn an_idle_sender_ages_for_every_rtt() {
    let mut sender = sender(&XcpParams::default(), 100);
    said(&mut sender, &data(1, 99, true));
    sender.on_ack(&answer(120, 0, 100));
    let back = said(&mut sender, &data(120 + 2 * 125, 0, true));
    assert_eq!(sender.control().window, 25);
    assert!(back.x.abs_diff(ticks(0.005)) <= 1, "and states the aged throughput");
    sender.on_ack(&answer(500, 0, 1));
    said(&mut sender, &data(1_000_000, 0, true));
    assert_eq!(sender.control().window, 1);
}

#[test]
fn rates_from_1_kbps_to_400_gbps_and_rtts_from_10_us_to_10_s_are_stated() {
    for rtt in [Span::ZERO, Span::from_micros(10), Span::from_secs(10), Span::MAX] {
        for window in [1, 1000] {
            let mut sender = sender(&XcpParams::default(), window);
            for feedback in [i32::MAX; 100] {
                sender.on_ack(&AckEvent { srtt: Some(rtt), ..answer(1, feedback, window) });
            }
            let header = said(&mut sender, &data(2, 0, true));
            assert!(header.states_throughput(), "{rtt}: {header:?}");
            assert!(sender.control().window >= window);
            sender.metrics(&mut |name, value| assert!(value.is_finite(), "{name} at {rtt}"));
        }
    }
}
