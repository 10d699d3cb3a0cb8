use sluice_units::{Bytes, Ratio, Span};

use super::*;

const RTT: Span = Span::from_millis(100);

fn at(seconds: f64) -> Time {
    Time::ZERO + Span::from_secs_f64(seconds)
}

fn context(initial_window: u32) -> SenderContext {
    let context = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    SenderContext { initial_window, ..context }
}

fn answer(law: &CubicWindow, now: Time, acked: u32, used: u32) -> AckEvent {
    AckEvent {
        rtt: Some(RTT),
        srtt: Some(RTT),
        min_rtt: Some(RTT),
        acked,
        used: used.min(law.window()),
        ..AckEvent::new(now, WireHeader::default())
    }
}

fn ack(law: &mut CubicWindow, now: Time) {
    let event = answer(law, now, 1, u32::MAX);
    law.on_ack(&event);
}

/// Acknowledges a window of packets each RTT, evenly, until `until` seconds after the start.
fn run(law: &mut CubicWindow, until: f64) {
    let mut now = 0.0;
    while now < until {
        ack(law, at(now));
        now += 0.1 / law.cwnd;
    }
}

/// A window that has just been reduced from `cwnd`, its repair over.
fn reduced(cwnd: u32) -> CubicWindow {
    let mut law = CubicWindow::new(&CubicParams::default(), &context(cwnd));
    law.on_congestion(&CongestionEvent::new(Time::ZERO, cwnd));
    law.repairing = false;
    law
}

/// K = cbrt(1000 x 0.3 / 0.4) = 9.0856 s; W_cubic is 1000 there, and 0.4 x 8 packets less 2 s before
/// and more 2 s after.
#[test]
fn the_cubic_function_by_hand() {
    let mut law = reduced(1000);
    let stage = law.begin(Time::ZERO);
    assert!((stage.k - 9.0856).abs() < 1e-4, "{}", stage.k);
    for (t, window) in
        [(0.0, 700.0), (stage.k - 2.0, 996.8), (stage.k, 1000.0), (stage.k + 2.0, 1003.2)]
    {
        assert!((stage.at(t, 0.4) - window).abs() < 1e-9, "at {t} s");
    }
}

/// The window is an RTT ahead of W_cubic at most (section 4.2): concave up to K, then convex.
#[test]
fn the_window_follows_the_function() {
    for until in [1.0, 4.0, 9.1, 12.0] {
        let mut law = reduced(1000);
        run(&mut law, until);
        let by_hand = |t: f64| 1000.0 + 0.4 * libm::pow(t - 9.0856, 3.0);
        let (low, high) = (by_hand(until - 0.1), by_hand(until + 0.1));
        assert!(low - 0.01 <= law.cwnd && law.cwnd <= high, "{low} {} {high}", law.cwnd);
    }
}

/// Section 4.3 at 20 packets and an RTT of 100 ms: alpha is 3 x 0.3 / 1.7 = 0.529 packets an RTT,
/// where W_cubic needs K = 2.47 s to come back.
#[test]
fn a_small_window_grows_as_aimd_with_its_alpha() {
    let mut law = reduced(20);
    run(&mut law, 1.0);
    assert!((law.cwnd - (14.0 + 10.0 * 0.5294)).abs() < 0.1, "{}", law.cwnd);
    // From W_est = cwnd_prior = 20 on, at 1.133 s, by a packet an RTT.
    let mut law = reduced(20);
    run(&mut law, 1.633);
    assert!((law.cwnd - 25.0).abs() < 0.2, "{}", law.cwnd);
}

#[test]
fn a_loss_leaves_beta_of_the_window_which_stays_until_the_repair() {
    let mut law = CubicWindow::new(&CubicParams::default(), &context(100));
    law.on_congestion(&CongestionEvent::new(Time::ZERO, 100));
    assert_eq!(law.window(), 70);
    ack(&mut law, at(0.1)); // ends the repair
    assert_eq!((law.cwnd, law.stage.is_none()), (70.0, true));
}

/// Packets that were SACKed while a lost retransmission waited are no window.
#[test]
fn no_reduction_leaves_more_than_beta_of_the_window() {
    let mut law = CubicWindow::new(&CubicParams::default(), &context(100));
    law.on_rto(&RtoEvent::new(Time::ZERO, 5_000));
    assert_eq!(law.ssthresh, 70.0);
}

/// Section 4.7: W_max = cwnd (1 + beta) / 2 if the window has not come back to W_max.
#[test]
fn fast_convergence_lowers_w_max() {
    for (fast_convergence, w_max) in [(true, 70.0 * 0.85), (false, 70.0)] {
        let params = CubicParams { fast_convergence, ..CubicParams::default() };
        let mut law = CubicWindow::new(&params, &context(100));
        law.on_congestion(&CongestionEvent::new(Time::ZERO, 100));
        assert_eq!(law.w_max, 100.0);
        law.on_congestion(&CongestionEvent::new(Time::ZERO, 70));
        assert!((law.w_max - w_max).abs() < 1e-9);
    }
}

/// Sections 4.8 and 4.10: without W_max the window grows from where it is, convex at once.
#[test]
fn after_a_time_out_and_after_slow_start_there_is_no_plateau() {
    let mut law = CubicWindow::new(&CubicParams::default(), &context(100));
    law.on_rto(&RtoEvent::new(Time::ZERO, 100));
    law.on_rto(&RtoEvent { now: Time::ZERO, in_flight: 1, first: false });
    assert_eq!((law.window(), law.ssthresh), (1, 70.0));
    law.cwnd = 70.0;
    let ssthresh = Some(70);
    let slow = CubicWindow::new(
        &CubicParams { initial_ssthresh: ssthresh, ..CubicParams::default() },
        &context(70),
    );
    for mut law in [law, slow] {
        let stage = law.begin(at(3.0));
        assert_eq!((stage.k, stage.origin), (0.0, 70.0));
    }
}

/// Section 5.8: as if the time had not passed in which the window was not used.
#[test]
fn time_in_which_the_window_is_not_used_does_not_count() {
    let mut law = reduced(1000);
    run(&mut law, 2.0);
    let before = law;
    for n in 0..100 {
        let event = answer(&law, at(2.0 + f64::from(n) * 0.1), 1, 10);
        law.on_ack(&event);
    }
    assert_eq!(law.cwnd, before.cwnd);
    let seen = before.stage.unwrap();
    let stage = law.stage.unwrap();
    let idle = stage.seen.since(seen.seen);
    assert_eq!(stage.start, seen.start + idle);
}

#[test]
fn the_extremes_stay_finite() {
    let params =
        CubicParams { c: Ratio::new(100.0), beta: Ratio::new(0.9), ..CubicParams::default() };
    let mut law = CubicWindow::new(&params, &context(2));
    law.on_congestion(&CongestionEvent::new(Time::ZERO, u32::MAX));
    law.repairing = false;
    for now in [0.0, 1e-9, 1e6, 1e9] {
        let event = AckEvent { in_flight: u32::MAX, ..answer(&law, at(now), u32::MAX, u32::MAX) };
        law.on_ack(&event);
        assert!(law.cwnd.is_finite() && law.window() >= 1);
    }
}
