use super::*;
use crate::host::SenderContext;

const RTT: u64 = 10_000;

/// A sender with a window of `cwnd` packets of 1250 bytes.
fn sender(params: PragueParams, cwnd: u32) -> PragueWindow {
    let context = SenderContext::new(Bytes::new(1250), Bytes::new(40));
    PragueWindow::new(&params, &SenderContext { initial_window: cwnd, ..context })
}

/// One in congestion avoidance, whose RTT counts as it is.
fn avoiding(cwnd: u32) -> PragueWindow {
    sender(PragueParams { initial_ssthresh: Some(2), ..Default::default() }, cwnd)
}

fn at(micros: u64) -> Time {
    Time::from_nanos(1000 * micros)
}

/// An acknowledgement after an RTT of 10 ms of a packet that left at `sent`, in microseconds.
fn ack(law: &mut PragueWindow, sent: u64, marked: u32) {
    let rtt = Some(Span::from_micros(RTT));
    let used = law.window();
    let event = AckEvent::new(at(sent + RTT), WireHeader::default());
    let event = AckEvent { sent: at(sent), acked: 1, delivered: 1, marked, ..event };
    law.on_ack(&AckEvent { used, rtt, srtt: rtt, min_rtt: rtt, ..event });
}

/// Section 2.4.1: alpha is 1 at the first mark, whatever came before.
#[test]
fn the_first_mark_halves_the_window() {
    let mut law = sender(PragueParams::default(), 10);
    (0..30).for_each(|i| ack(&mut law, i, 0));
    assert_eq!((law.window(), law.ssthresh), (40, f64::INFINITY));
    ack(&mut law, RTT, 1);
    assert_eq!((law.cwnd, law.ssthresh), (20.0, 20.0));
}

/// Section 2.4.2.
#[test]
fn marks_of_one_round_trip_reduce_the_window_once() {
    let mut law = avoiding(64);
    ack(&mut law, 0, 1);
    (1..100).for_each(|sent| ack(&mut law, sent, 1));
    assert_eq!(law.cwnd, 32.0);
    ack(&mut law, RTT, 1);
    assert_eq!(law.cwnd, 16.0);
}

/// Section 2.4.3: in the round trip after a reduction, too.
#[test]
fn packets_without_marks_grow_the_window_by_one_an_rtt() {
    let mut law = avoiding(40);
    ack(&mut law, 0, 1);
    (0..20).for_each(|i| ack(&mut law, 1 + i, 0));
    assert!((law.cwnd - 21.0).abs() < 0.03, "{}", law.cwnd);
    (0..20).for_each(|i| ack(&mut law, 30 + i, 1));
    assert!((law.cwnd - 21.0).abs() < 0.03, "marked packets do not: {}", law.cwnd);
}

/// Section 2.4.4: an RTT of 10 ms with a virtual one of 25 ms: (10 / 25)^2 = 0.16 packets an RTT. After
/// the round trips of the transition.
#[test]
fn with_a_virtual_rtt_the_window_grows_by_the_square_of_the_ratio() {
    let params =
        PragueParams { initial_ssthresh: Some(2), rtt_transition: 3, ..Default::default() };
    let mut law = sender(params, 100);
    for round in 0..3 {
        ack(&mut law, round * RTT, 0);
    }
    let before = law.cwnd;
    (0..100).for_each(|i| ack(&mut law, 3 * RTT + i, 0));
    assert!((law.cwnd - before - 0.16).abs() < 0.001, "{before} to {}", law.cwnd);
}

/// Section 2.4.4: reductions and updates of alpha are 25 ms apart, not 10.
#[test]
fn with_a_virtual_rtt_marks_are_heeded_once_in_it() {
    let params =
        PragueParams { initial_ssthresh: Some(2), rtt_transition: 0, ..Default::default() };
    let mut law = sender(params, 64);
    let windows = [0, 1, 2, 3, 4, 5].map(|round| {
        ack(&mut law, round * RTT, 1);
        law.cwnd
    });
    assert_eq!(windows, [32.0, 32.0, 32.0, 16.0, 16.0, 16.0]);
}

/// Alpha is 1/16 lower for each round trip without marks: 0.9375 halves by 0.46875.
#[test]
fn the_estimate_decays_from_one() {
    let mut law = avoiding(64);
    ack(&mut law, 0, 1);
    ack(&mut law, RTT, 0);
    assert!((law.marked.unwrap().get() - 0.9375).abs() < 1e-12);
}

#[test]
fn a_loss_and_a_mark_of_one_round_trip_halve_the_window_together() {
    let mut law = avoiding(64);
    ack(&mut law, 0, 1);
    (1..64).for_each(|round| ack(&mut law, RTT * round, 0));
    let before = law.cwnd;
    ack(&mut law, 64 * RTT, 1);
    assert!(law.cwnd > 0.95 * before, "alpha is small by now: {} of {before}", law.cwnd);
    law.on_congestion(&CongestionEvent::new(at(65 * RTT), 1000));
    assert!((law.cwnd - before / 2.0).abs() < 1e-9, "{} of {before}", law.cwnd);
}

#[test]
fn a_loss_alone_halves_the_window_and_a_time_out_leaves_one_packet() {
    let mut law = avoiding(64);
    law.on_congestion(&CongestionEvent::new(at(1), 64));
    assert_eq!(law.cwnd, 32.0);
    law.on_rto(&RtoEvent::new(at(2), 32));
    assert_eq!((law.window(), law.ssthresh), (1, 16.0));
}

/// Section 2.5: 64 packets of 1250 bytes in 10 ms are 64 Mb/s.
#[test]
fn the_pace_is_a_window_an_rtt_and_twice_that_in_slow_start() {
    let mut law = avoiding(64);
    assert_eq!(law.rate(), None);
    ack(&mut law, 0, 1);
    assert_eq!(law.rate(), Some(Rate::from_bps(32_000_000)));
    let mut law = sender(PragueParams::default(), 10);
    ack(&mut law, 0, 0);
    assert_eq!(law.rate(), Some(Rate::from_bps(22_000_000)));
}

#[test]
fn a_fraction_of_a_packet_may_leave_as_a_whole_one() {
    let mut law = avoiding(10);
    ack(&mut law, 0, 0);
    assert_eq!((law.cwnd, law.window()), (10.1, 11));
}
