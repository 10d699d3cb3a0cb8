use sluice_units::{Bytes, Ratio};

use super::*;

fn sender(params: &DctcpParams, initial_window: u32) -> DctcpWindow {
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    DctcpWindow::new(params, &SenderContext { initial_window, ..context })
}

/// A window of `cwnd` packets in congestion avoidance, with an estimate that stays at `alpha` until
/// windows are counted.
fn avoiding(cwnd: u32, alpha: f64) -> DctcpWindow {
    let initial_alpha = Ratio::new(alpha);
    let params = DctcpParams { initial_ssthresh: Some(2), initial_alpha, ..Default::default() };
    sender(&params, cwnd)
}

fn at(micros: u64) -> Time {
    Time::from_nanos(1000 * micros)
}

/// An acknowledgement at `now` of a packet that left at `sent`, in microseconds.
fn ack(law: &mut DctcpWindow, sent: u64, now: u64, marked: u32) {
    let used = law.window();
    let event = AckEvent::new(at(now), WireHeader::default());
    law.on_ack(&AckEvent { sent: at(sent), acked: 1, delivered: 1, marked, used, ..event });
}

/// Section 3.3: an estimate of a quarter takes an eighth of 80 packets. The window ended with the
/// acknowledgement itself counts first: 1/4 becomes 1/4 + (1 - 1/4) / 16.
#[test]
fn a_mark_reduces_the_window_by_half_the_estimate() {
    let mut law = avoiding(80, 0.25);
    ack(&mut law, 0, 100, 1);
    let alpha = 0.25 + 0.75 / 16.0;
    assert!((law.cwnd - 80.0 * (1.0 - alpha / 2.0)).abs() < 1e-9, "{}", law.cwnd);
    assert_eq!(law.ssthresh, law.cwnd);
}

#[test]
fn marks_of_one_window_reduce_it_once() {
    let mut law = avoiding(80, 1.0);
    ack(&mut law, 0, 100, 1);
    assert_eq!(law.window(), 40);
    (1..100).for_each(|sent| ack(&mut law, sent, 100 + sent, 1));
    assert_eq!(law.window(), 40);
    ack(&mut law, 100, 200, 1);
    assert_eq!(law.window(), 20);
}

#[test]
fn the_first_mark_ends_slow_start_by_halving_the_window() {
    let mut law = sender(&DctcpParams::default(), 10);
    (0..10).for_each(|_| ack(&mut law, 0, 100, 0));
    assert_eq!((law.window(), law.ssthresh), (20, f64::INFINITY));
    // The window of the first ten counted as unmarked: alpha is 15/16, then a mark's.
    ack(&mut law, 100, 200, 1);
    let alpha = 0.9375 * 0.9375 + 1.0 / 160.0;
    assert!(law.cwnd < 20.0 * 0.57 && law.cwnd > 20.0 * (1.0 - alpha / 2.0) - 1e-9, "{}", law.cwnd);
}

#[test]
fn without_marks_the_window_grows_by_a_packet_an_rtt() {
    let mut law = avoiding(10, 0.0);
    let acks: u32 = (10..40).sum();
    (0..acks + 30).for_each(|_| ack(&mut law, 0, 100, 0));
    assert_eq!(law.window(), 40);
}

/// Section 3.5.
#[test]
fn a_loss_halves_the_window_whatever_the_estimate() {
    let mut law = avoiding(80, 0.0);
    law.on_congestion(&CongestionEvent::new(at(1), 80));
    assert_eq!((law.window(), law.ssthresh), (40, 40.0));
}

#[test]
fn a_loss_in_a_window_reduced_for_a_mark_changes_nothing() {
    let mut law = avoiding(80, 1.0);
    ack(&mut law, 0, 100, 1);
    law.on_congestion(&CongestionEvent::new(at(150), 60));
    assert_eq!(law.window(), 40);
    ack(&mut law, 100, 200, 0);
    law.on_congestion(&CongestionEvent::new(at(250), 40));
    assert_eq!(law.window(), 20);
}

#[test]
fn a_time_out_leaves_one_packet_even_after_a_mark() {
    let mut law = avoiding(80, 1.0);
    ack(&mut law, 0, 100, 1);
    law.on_rto(&RtoEvent::new(at(300), 40));
    assert_eq!((law.window(), law.ssthresh), (1, 20.0));
}

#[test]
fn marks_leave_two_packets_and_do_not_raise_a_window_of_one() {
    let mut law = avoiding(3, 1.0);
    for round in 0..5 {
        ack(&mut law, 100 * round, 100 * (round + 1), 1);
    }
    assert_eq!(law.cwnd, 2.0);
    law.on_rto(&RtoEvent::new(at(900), 2));
    ack(&mut law, 1000, 1100, 1);
    assert_eq!(law.cwnd, 1.0);
}
