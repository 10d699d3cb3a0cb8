use super::*;

const RTT: f64 = 0.1;

fn at(millis: u64) -> Time {
    Time::ZERO + Span::from_millis(millis)
}

fn path(event_rate: Option<f64>) -> Path {
    Path { event_rate, rtt: RTT }
}

fn feedback(millis: u64, x_recv: f64, event_rate: Option<f64>) -> Feedback {
    let (path, now) = (path(event_rate), at(millis));
    Feedback { now, x_recv, path, new_event: false, data_limited: false }
}

/// 3 packets in 100 ms, doubled at the first two reports, whose X_recv does not count yet; then at most
/// twice the maximum of the last two round trips.
#[test]
fn slow_start_doubles_once_an_rtt_up_to_twice_the_receive_rate() {
    let mut allowed = AllowedRate::new(at(0), 3, RTT);
    let reports = [
        (100, 10.0, 60.0),
        (150, 30.0, 60.0), // less than an RTT after the last
        (200, 30.0, 120.0),
        (300, 40.0, 80.0),
        (400, 100.0, 160.0),
        (500, 70.0, 200.0), // twice 100
        (600, 90.0, 200.0),
        (700, 90.0, 180.0), // 100 is older than two round trips
        (800, 1.0, 180.0),
        (900, 1.0, 180.0),
        (1_000, 1.0, 30.0), // the initial rate at least
    ];
    for (millis, x_recv, x) in reports {
        allowed.on_feedback(&feedback(millis, x_recv, None));
        assert!((allowed.get() / x - 1.0).abs() < 1e-12, "{millis} ms: {}, not {x}", allowed.get());
    }
}

/// The equation gives 112.332 packets a second at p = 0.01 and 100 ms.
#[test]
fn after_losses_the_rate_is_the_equations_up_to_twice_the_receive_rate() {
    let mut allowed = AllowedRate::new(at(0), 3, RTT);
    allowed.on_feedback(&feedback(300, 100.0, Some(0.01)));
    assert!((allowed.get() - 112.332).abs() < 0.001, "{}", allowed.get());
    allowed.on_feedback(&feedback(600, 40.0, Some(0.01)));
    assert_eq!(allowed.get(), 80.0);
    allowed.on_feedback(&feedback(900, 0.0, Some(0.01)));
    assert_eq!(allowed.get(), LEAST);
}

/// 4.3: such intervals do not lower the limit, unless they report a loss: 0.85 X_recv or half of the
/// others, and not twice.
#[test]
fn data_limited_intervals_lower_the_limit_only_at_losses() {
    let mut allowed = AllowedRate::new(at(0), 3, RTT);
    allowed.on_feedback(&feedback(300, 100.0, Some(1e-4)));
    let limited = |millis, x_recv, new_event| Feedback {
        data_limited: true,
        new_event,
        ..feedback(millis, x_recv, Some(1e-4))
    };
    allowed.on_feedback(&limited(900, 10.0, false));
    assert_eq!(allowed.get(), 200.0);
    allowed.on_feedback(&limited(1_500, 10.0, true));
    assert_eq!(allowed.get(), 50.0);
    allowed.on_feedback(&limited(1_600, 80.0, true));
    assert_eq!(allowed.get(), 0.85 * 80.0);
}

#[test]
fn in_slow_start_the_rate_halves_for_each_four_round_trips_of_silence() {
    let mut allowed = AllowedRate::new(at(0), 320, RTT);
    let rates = [399, 400, 799, 800, 1_200].map(|millis| {
        allowed.on_silence(at(millis), path(None));
        allowed.get()
    });
    assert_eq!(rates, [3_200.0, 1_600.0, 1_600.0, 800.0, 400.0]);
    // From 3.125 packets a second on, the timer is 2 s / X: 0.64 s from 4.0 s, 1.28 s from 4.64 s.
    allowed.on_silence(at(3_999), path(None));
    assert_eq!(allowed.get(), 6.25);
    allowed.on_silence(at(4_639), path(None));
    assert_eq!(allowed.get(), 3.125);
    allowed.on_silence(at(5_919), path(None));
    assert_eq!(allowed.get(), 1.5625);
    allowed.on_silence(at(1_000_000), path(None));
    assert_eq!(allowed.get(), LEAST);
}

/// "X_Bps > 2 X_recv": X falls from 80 to X_recv; else it falls to X_Bps / 2 = 56.166.
#[test]
fn after_losses_the_rate_halves_from_what_limited_it() {
    for (x_recv, halves) in [(40.0, [40.0, 20.0, 10.0]), (100.0, [56.166, 28.083, 14.042])] {
        let mut allowed = AllowedRate::new(at(0), 3, RTT);
        allowed.on_feedback(&feedback(300, x_recv, Some(0.01)));
        for (index, half) in halves.into_iter().enumerate() {
            allowed.on_silence(at(700 + 400 * index as u64), path(Some(0.01)));
            assert!((allowed.get() - half).abs() < 0.001, "{}, not {half}", allowed.get());
        }
    }
}

#[test]
fn feedback_restarts_the_timer() {
    let mut allowed = AllowedRate::new(at(0), 3, RTT);
    allowed.on_feedback(&feedback(300, 100.0, None));
    allowed.on_silence(at(699), path(None));
    assert_eq!(allowed.get(), 60.0);
}
