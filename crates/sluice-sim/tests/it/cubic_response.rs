//! A long CUBIC flow that loses every N-th packet against RFC 9438 section 5.

use crate::shown::{PACKET, config, group, pipe, results};
use sluice_laws::cubic::CubicParams;
use sluice_laws::tcp::throughput::{aimd_window, cubic_window};
use sluice_sim::traffic::{Long, Traffic};
use sluice_units::{Ratio, Span, Time};

/// Mean window, as goodput in packets an RTT, while every `every`-th packet is lost.
fn mean_window(params: &CubicParams, rtt: Span, every: u64, expected: f64) -> f64 {
    const PERIODS: f64 = 40.0;
    let period = Span::from_secs_f64(rtt.as_secs_f64() * every as f64 / expected);
    let (warm_up, measured) = (period * 5, Span::from_secs_f64(period.as_secs_f64() * PERIODS));
    // At 100 Gb/s a window takes next to nothing.
    let mut links = pipe(100_000_000_000, rtt / 2);
    links[0].losses = (1..200).map(|nth| nth * every).collect();
    let long = Long {
        count: 1,
        start: Time::ZERO,
        spacing: Span::ZERO,
        stop: Time::NEVER,
        ..Long::default()
    };
    let mut config = config(links, vec![group(Traffic::Long(long))], warm_up + measured);
    config.warm_up = Time::ZERO + warm_up;
    let (flows, _) = results(&config, params);
    let packets = flows[0].delivered.as_f64() / PACKET as f64;
    packets * rtt.as_secs_f64() / measured.as_secs_f64()
}

/// CUBIC with slow start up to `at`: the equations exclude slow start.
fn starting(at: f64) -> CubicParams {
    CubicParams { initial_ssthresh: Some(at as u32), ..CubicParams::default() }
}

/// Eq. (5) where round trips are long: within 5%, for two losses and two RTTs.
#[test]
#[ignore = "long: make test-long"]
fn the_mean_window_is_that_of_the_cubic_function() {
    for (millis, every) in [(100, 20_000), (100, 100_000), (30, 1_000_000)] {
        let rtt = Span::from_millis(millis);
        let params = CubicParams::default();
        let loss = Ratio::new(1.0 / every as f64);
        let expected = cubic_window(params.c, params.beta, rtt, loss);
        let found = mean_window(&starting(expected), rtt, every, expected);
        assert!((found / expected - 1.0).abs() < 0.05, "{found} for {expected}, every {every}");
    }
}

/// Eq. (3) where round trips are short: Reno's window at the same loss, within 5%, whatever C.
#[test]
fn over_short_round_trips_the_window_is_that_of_reno() {
    let rtt = Span::from_millis(5);
    let params = CubicParams::default();
    for every in [1_000, 10_000] {
        let loss = Ratio::new(1.0 / every as f64);
        let expected = aimd_window(Ratio::new(0.9 / 1.7), params.beta, loss);
        assert!(cubic_window(params.c, params.beta, rtt, loss) < 0.5 * expected);
        let found = mean_window(&starting(expected), rtt, every, expected);
        assert!((found / expected - 1.0).abs() < 0.05, "{found} for {expected}, every {every}");
    }
}
