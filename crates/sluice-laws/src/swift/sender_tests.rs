use sluice_units::Ratio;

use super::*;

const RTT: u64 = 100;

/// A sender with a window of `cwnd` packets of 8000 bits whose target is 100 us for every window, and whose RTT is
/// known to be 100 us.
fn sender(cwnd: f64) -> SwiftSender {
    with(cwnd, SwiftParams::default())
}

fn with(cwnd: f64, params: SwiftParams) -> SwiftSender {
    let params = SwiftParams { base_target: Span::from_micros(98), fs_range: Span::ZERO, ..params };
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let mut law = SwiftSender::new(&params, &SenderContext { hops: 2, ..context });
    let event = event(0, RTT, 0);
    law.on_ack(&AckEvent { kind: PacketKind::SynAck, ..event });
    law.cwnd = cwnd;
    law
}

fn at(micros: u64) -> Time {
    Time::from_nanos(1000 * micros)
}

fn event(now: u64, rtt: u64, delivered: u32) -> AckEvent {
    let rtt = Some(Span::from_micros(rtt));
    let event = AckEvent::new(at(now), WireHeader::default());
    AckEvent { rtt, srtt: rtt, acked: delivered, delivered, ..event }
}

/// An acknowledgement of a packet with that delay, in microseconds.
fn ack(law: &mut SwiftSender, now: u64, delay: u64) {
    law.on_ack(&event(now, delay, 1));
}

fn send(law: &mut SwiftSender, now: u64) {
    law.header(&SendEvent::new(at(now), PacketKind::Data, 1000));
}

fn time_out(law: &mut SwiftSender, now: u64) {
    law.on_rto(&RtoEvent::new(at(now), 1));
}

fn near(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-9
}

/// 10, 10.1, 10.1 + 1/10.1, ...: a packet for a window of them.
#[test]
fn below_the_target_a_window_grows_by_ai_each_rtt() {
    for ai in [0.5, 1.0, 3.0] {
        let mut law = with(1000.0, SwiftParams { ai: Ratio::new(ai), ..SwiftParams::default() });
        ack(&mut law, 0, 99);
        assert!(near(law.cwnd, 1000.0 + ai / 1000.0), "{}", law.cwnd);
        (1..1000).for_each(|_| ack(&mut law, 0, 99));
        assert!((law.cwnd - 1000.0 - ai).abs() < 0.01, "{ai}: {}", law.cwnd);
    }
}

/// One acknowledgement of two packets, some of them selectively, is worth two.
#[test]
fn growth_counts_packets_not_acknowledgements() {
    let mut law = sender(10.0);
    law.on_ack(&AckEvent { acked: 0, ..event(0, 99, 2) });
    assert!(near(law.cwnd, 10.2), "{}", law.cwnd);
}

#[test]
fn below_a_packet_a_window_grows_by_ai_for_each_packet() {
    let mut law = with(0.1, SwiftParams { ai: Ratio::new(0.25), ..SwiftParams::default() });
    ack(&mut law, 0, 99);
    ack(&mut law, 1000, 99);
    assert!(near(law.cwnd, 0.6), "{}", law.cwnd);
}

/// A delay of 125 us is 1/5 above 100 us: 0.8 of it is 0.16. One at the target decreases by nothing, and
/// puts no decrease off.
#[test]
fn above_the_target_a_window_decreases_by_beta_of_the_excess() {
    let mut law = sender(50.0);
    ack(&mut law, 1000, 100);
    assert_eq!((law.cwnd, law.t_last_decrease), (50.0, None));
    ack(&mut law, 1001, 125);
    assert!(near(law.cwnd, 42.0), "{}", law.cwnd);
}

/// At 1 ms the excess is 0.9 of the delay, of which 0.8 is 0.72, above max_mdf.
#[test]
fn a_window_decreases_by_max_mdf_at_most() {
    for (max_mdf, left) in [(0.5, 25.0), (0.1, 45.0), (1.0, 14.0)] {
        let max_mdf = Ratio::new(max_mdf);
        let mut law = with(50.0, SwiftParams { max_mdf, ..SwiftParams::default() });
        ack(&mut law, 5000, 1000);
        assert!(near(law.cwnd, left), "{max_mdf}: {}", law.cwnd);
    }
}

/// After 1000 us, acknowledgements with delays of 200 us are of packets that left before it until 1200 us.
#[test]
fn a_window_decreases_once_an_rtt_and_grows_meanwhile() {
    let mut law = sender(100.0);
    ack(&mut law, 1000, 200);
    assert!(near(law.cwnd, 60.0), "{}", law.cwnd);
    for now in [1001, 1100, 1199] {
        ack(&mut law, now, 200);
        law.on_congestion(&CongestionEvent::new(at(now), 10));
    }
    assert!(near(law.cwnd, 60.0), "{}", law.cwnd);
    ack(&mut law, 1199, 50);
    assert!(near(law.cwnd, 60.0 + 1.0 / 60.0), "{}", law.cwnd);
    ack(&mut law, 1200, 200);
    assert!(near(law.cwnd, (60.0 + 1.0 / 60.0) * 0.6), "{}", law.cwnd);
}

#[test]
fn a_loss_takes_max_mdf() {
    let mut law = sender(100.0);
    law.on_congestion(&CongestionEvent::new(at(1000), 100));
    assert_eq!(law.cwnd, 50.0);
    law.on_congestion(&CongestionEvent::new(at(1099), 100));
    assert_eq!(law.cwnd, 50.0);
    law.on_congestion(&CongestionEvent::new(at(1100), 100));
    assert_eq!(law.cwnd, 25.0);
}

/// With "<=" in place of "<" an acknowledgement that leaves a window at `max_cwnd` would put the decrease off.
#[test]
fn growth_at_the_largest_window_puts_no_decrease_off() {
    let max_cwnd = Ratio::new(20.0);
    let mut law = with(20.0, SwiftParams { max_cwnd, ..SwiftParams::default() });
    ack(&mut law, 1000, 99);
    assert_eq!(law.cwnd, 20.0);
    ack(&mut law, 1001, 125);
    assert!(near(law.cwnd, 16.8), "{}", law.cwnd);
}

/// 80, 40, 20, 10, 5, then 0.001.
#[test]
fn the_fifth_time_out_in_a_row_leaves_the_smallest_window() {
    let mut law = sender(80.0);
    for (n, left) in [(1, 40.0), (2, 20.0), (3, 10.0), (4, 5.0), (5, 0.001)] {
        send(&mut law, 1000 * n);
        time_out(&mut law, 1000 * n + 500);
        assert_eq!(law.cwnd, left, "time-out {n}");
    }
}

#[test]
fn an_acknowledgement_or_a_fast_recovery_ends_a_row_of_time_outs() {
    let acked = |law: &mut SwiftSender, now| ack(law, now, 100);
    let recovered =
        |law: &mut SwiftSender, now| law.on_congestion(&CongestionEvent::new(at(now), 1));
    for ends in [acked as fn(&mut SwiftSender, u64), recovered] {
        let mut law = sender(1e6);
        for n in 1..20 {
            send(&mut law, 1000 * n);
            time_out(&mut law, 1000 * n + 200);
            if n % 4 == 0 {
                ends(&mut law, 1000 * n + 250);
            }
        }
        assert!(law.cwnd > 1.0, "{}", law.cwnd);
    }
}

/// A duplicate acknowledgement is no news.
#[test]
fn duplicates_leave_the_row_and_the_window() {
    let mut law = sender(80.0);
    send(&mut law, 0);
    time_out(&mut law, 500);
    law.on_ack(&AckEvent { rtt: None, ..event(600, 99, 0) });
    assert_eq!((law.cwnd, law.retransmit_cnt), (40.0, 1));
}

#[test]
fn a_retransmission_that_waits_for_its_pace_does_not_time_out() {
    let mut law = sender(0.01);
    send(&mut law, 0);
    for now in [5_000, 10_000, 20_000, 40_000, 80_000] {
        time_out(&mut law, now);
        assert_eq!(law.cwnd, 0.005);
    }
    send(&mut law, 90_000);
    time_out(&mut law, 95_000);
    assert_eq!(law.cwnd, 0.0025);
}

/// 0.1 packets of 8000 bits in 100 us are 8 Mb/s.
#[test]
fn below_a_packet_the_pace_keeps_the_window() {
    let law = sender(0.1);
    assert_eq!((law.window(), law.rate()), (1, Some(Rate::from_bps(8_000_000))));
    assert!(near(law.pacing_delay(), 0.001));
    let law = sender(1.0);
    assert_eq!((law.window(), law.rate()), (1, Some(Rate::MAX)));
    let law = sender(7.9);
    assert_eq!((law.window(), law.rate()), (7, Some(Rate::MAX)));
}

/// Where every delay is above the highest target the window falls to its minimum, and a packet leaves each
/// 100 s at 100 ms: 80 bits a second.
#[test]
fn an_rtt_above_every_target_leaves_the_smallest_window() {
    let mut law = sender(10.0);
    (1..100).for_each(|n| ack(&mut law, 100_000 * n, 100_000));
    assert_eq!((law.cwnd, law.window()), (0.001, 1));
    assert_eq!(law.rate(), Some(Rate::from_bps(80)));
}

#[test]
fn a_flow_begins_with_the_initial_window_unpaced() {
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    for (initial_window, max_cwnd, window) in [(10, 1e9, 10), (1000, 1e9, 1000), (1000, 5.0, 5)] {
        let params = SwiftParams { max_cwnd: Ratio::new(max_cwnd), ..SwiftParams::default() };
        let law = SwiftSender::new(&params, &SenderContext { initial_window, ..context });
        assert_eq!((law.window(), law.rate()), (window, Some(Rate::MAX)));
    }
}

/// A SYN-ACK gives the RTT and acknowledges no data; lost SYNs count as time-outs.
#[test]
fn a_handshake_changes_the_window_only_by_time_outs() {
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let mut law = SwiftSender::new(&SwiftParams::default(), &context);
    law.header(&SendEvent::new(at(0), PacketKind::Syn, 40));
    law.on_rto(&RtoEvent::new(at(1_000_000), 0));
    assert_eq!(law.cwnd, 5.0);
    law.on_ack(&AckEvent { kind: PacketKind::SynAck, ..event(2_000_000, 5_000, 0) });
    assert_eq!(law.cwnd, 5.0);
}

#[test]
fn extremes_stay_within_bounds() {
    let mut law = sender(1e9);
    let instant =
        AckEvent { rtt: Some(Span::ZERO), srtt: Some(Span::ZERO), ..event(0, 0, u32::MAX) };
    law.on_ack(&instant);
    assert_eq!((law.cwnd, law.window()), (1e9, 1_000_000_000));
    law.cwnd = 0.001;
    let slow = AckEvent { rtt: Some(Span::MAX), srtt: Some(Span::MAX), ..event(1, 0, 1) };
    law.on_ack(&slow);
    assert_eq!((law.cwnd, law.rate()), (0.001, Some(Rate::from_bps(1))));
    law.on_ack(&instant);
    assert_eq!(law.window(), 1_000_000_000, "ai for each of all packets");
}
