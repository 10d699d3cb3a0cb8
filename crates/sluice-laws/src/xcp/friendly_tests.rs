use sluice_units::{Bytes, Rate};

use super::*;

/// By hand, in packets: at p = 0.01, sqrt(0.02 / 3) + 0.12 sqrt(0.00375) 1.0032 = 0.0816497 + 0.0073720, and as
/// printed sqrt(0.0066667 + 0.0073720) = 0.1184850.
#[test]
fn equation_8_1_is_as_printed_or_that_of_rfc_5348() {
    let at = [1e-4, 1e-3, 0.01, 0.1, 1.0];
    let expected = [
        (TcpWindow::Printed, [116.236, 33.3509, 8.439_90, 1.636_47, 0.064_128_1]),
        (TcpWindow::Rfc5348, [122.364, 38.3844, 11.2332, 1.770_10, 0.004_109_9]),
    ];
    for (equation, packets) in expected {
        for (p, packets) in at.into_iter().zip(packets) {
            let found = equation.bytes(1000.0, p) / 1000.0;
            assert!(
                (found / packets - 1.0).abs() < 2e-4,
                "{equation:?}: {found} at {p}, not {packets}"
            );
        }
    }
}

#[test]
fn windows_are_positive_and_finite_wherever_p_is() {
    for equation in [TcpWindow::Printed, TcpWindow::Rfc5348] {
        for p in [1e-12, 1.0] {
            let packets = equation.bytes(1.0, p);
            assert!((0.004..1e7).contains(&packets), "{packets} at {p}");
        }
    }
}

/// With RFC 5348's equation.
fn rfc() -> XcpParams {
    XcpParams { tcp_window: TcpWindow::Rfc5348, ..XcpParams::default() }
}

fn weights(params: XcpParams) -> Weights {
    Weights::new(&params, Ratio::new(0.5))
}

/// TCP's packets of 1000 bytes as of now, at a link of 5.625 MB/s.
fn traffic(packets: u64, lost: u64, waiting: u64) -> CompetingTraffic {
    CompetingTraffic {
        packets,
        bytes: packets * 1000,
        squares: packets * 1_000_000,
        lost,
        waiting: Bytes::new(waiting),
        capacity: Rate::from_bps(45_000_000),
    }
}

/// An XCP window of `kilobytes` and an RTT of 40 ms, at half of a link of 5.625 MB/s.
fn windows(kilobytes: f64) -> XcpTraffic {
    XcpTraffic {
        window: Some(kilobytes * 1e3),
        rtt: Span::from_millis(40),
        queueing: 0.0,
        input: 5.625e6 / 2.0,
    }
}

/// The weight after an interval.
fn moved(weights: &mut Weights, seen: CompetingTraffic, windows: &XcpTraffic) -> f64 {
    weights.see(&seen);
    weights.update(windows);
    weights.xcp().get()
}

/// By hand: p = 0.01 and 11.2332 packets for TCP. With 33.6996 packets for XCP, (8.4) takes a half of kappa.
#[test]
fn a_weight_moves_by_kappa_times_the_relative_difference() {
    for (xcp, change) in [(11.2332, 0.0), (33.6996, -0.005), (3.7444, 0.005), (1e9, -0.01)] {
        let mut weights = weights(rfc());
        let found = moved(&mut weights, traffic(3200, 32, 0), &windows(xcp));
        assert!((found - 0.5 - change).abs() < 1e-6, "{found} at {xcp}");
    }
}

#[test]
fn weights_stay_where_a_class_is_absent_or_nothing_was_ever_dropped() {
    let mut weights = weights(XcpParams::default());
    // No drop yet.
    assert_eq!(moved(&mut weights, traffic(100, 0, 5000), &windows(10.0)), 0.5);
    // No packet of XCP.
    let none = XcpTraffic { window: None, ..windows(0.0) };
    assert_eq!(moved(&mut weights, traffic(3300, 32, 0), &none), 0.5);
    // No packet of TCP, and none that waits.
    assert_eq!(moved(&mut weights, traffic(3300, 32, 0), &windows(1e3)), 0.5);
    // None arrives, but one waits: TCP is there.
    assert!(moved(&mut weights, traffic(3300, 32, 1000), &windows(1e3)) < 0.5);
}

#[test]
fn weights_stay_within_their_bounds() {
    let mut weights = weights(XcpParams { kappa: Ratio::new(0.5), ..XcpParams::default() });
    for round in 1..10 {
        moved(&mut weights, traffic(100 * round, round, 0), &windows(1e9));
    }
    assert_eq!(weights.xcp(), *WEIGHTS.start());
    for round in 10..20 {
        moved(&mut weights, traffic(100 * round, round, 0), &windows(1e-9));
    }
    assert_eq!(weights.xcp(), *WEIGHTS.end());
}

/// Packets of these sizes arrive.
fn sized(counts: &[(u64, u64)]) -> CompetingTraffic {
    let sum = |of: fn(u64) -> u64| counts.iter().map(|&(count, bytes)| count * of(bytes)).sum();
    CompetingTraffic {
        packets: sum(|_| 1),
        bytes: sum(|bytes| bytes),
        squares: sum(|bytes| bytes * bytes),
        lost: 2,
        ..traffic(0, 0, 0)
    }
}

/// Half of the packets are acknowledgements of 40 bytes: the mean over bytes is 963, that over packets 520.
#[test]
fn acknowledgements_hardly_change_the_packet_size() {
    let mut weights = weights(XcpParams::default());
    moved(&mut weights, sized(&[(100, 1000), (100, 40)]), &windows(10.0));
    assert!((weights.size.mean() - 963.077).abs() < 0.001, "{:?}", weights.size);
}

/// An interval of ten acknowledgements after one of a hundred packets: (1e8 + 16e3) / (1e5 + 400), with 0.996 of
/// what was before.
#[test]
fn an_interval_of_acknowledgements_leaves_the_packet_size() {
    let mut weights = weights(XcpParams::default());
    moved(&mut weights, sized(&[(100, 1000)]), &windows(10.0));
    moved(&mut weights, sized(&[(100, 1000), (10, 40)]), &windows(10.0));
    assert!((weights.size.mean() - 996.160).abs() < 0.01, "{:?}", weights.size);
    // Later packets take over: after 1 MB of 500 bytes.
    moved(&mut weights, sized(&[(100, 1000), (10, 40), (2000, 500)]), &windows(10.0));
    assert!((weights.size.mean() - 500.0).abs() < 0.1, "{:?}", weights.size);
}

/// 45 kB that wait at half of 5.625 MB/s take 16 ms: TCP's round trip is 56 ms, and its window may be 1.4 times
/// XCP's.
#[test]
fn throughputs_are_windows_over_round_trips_with_the_queue() {
    let params = XcpParams { balance: Balance::Throughputs, ..rfc() };
    let found = |xcp: XcpTraffic| moved(&mut weights(params), traffic(3200, 32, 45_000), &xcp);
    // Windows alone would be equal at 11.2332 whatever waits.
    let alone = moved(&mut weights(rfc()), traffic(3200, 32, 45_000), &windows(11.2332));
    assert!((alone - 0.5).abs() < 1e-6, "{alone}");
    assert!((found(windows(11.2332 / 1.4)) - 0.5).abs() < 1e-6);
    assert!(found(windows(11.2332)) < 0.499);
    // With 8 ms of XCP's queue in its RTT, TCP's is 48 ms; if XCP leaves more than half, 32 ms and 10 ms.
    let behind = |xcp| XcpTraffic { queueing: 0.008, ..windows(xcp) };
    assert!((found(behind(11.2332 / 1.2)) - 0.5).abs() < 1e-6);
    let less = |xcp| XcpTraffic { input: 1.125e6, ..behind(xcp) };
    assert!((found(less(11.2332 / 1.05)) - 0.5).abs() < 1e-6);
    // A queue that has just come cannot make the round trip shorter than half of it: 20 ms and 16 ms.
    let sudden = |xcp| XcpTraffic { queueing: 1.0, ..windows(xcp) };
    assert!((found(sudden(11.2332 / 0.9)) - 0.5).abs() < 1e-6);
    // At a fifth of the capacity, TCP's weight drains a fifth as fast: 40 ms and 80 ms.
    let slower =
        CompetingTraffic { capacity: Rate::from_bps(9_000_000), ..traffic(3200, 32, 45_000) };
    let slow = XcpTraffic { input: 5.625e5, ..windows(11.2332 / 3.0) };
    assert!((moved(&mut weights(params), slower, &slow) - 0.5).abs() < 1e-6);
}

#[test]
fn the_loss_rate_is_that_of_the_last_losses_however_packets_come() {
    let mut steady = LossRate::default();
    assert_eq!(steady.rate(), None);
    for _ in 0..1000 {
        steady.add(200.0, 1.0);
    }
    assert!((steady.rate().unwrap() / 0.005 - 1.0).abs() < 1e-3);
    // Silence changes nothing, and packets without losses lower it.
    let before = steady.rate();
    steady.add(0.0, 0.0);
    assert_eq!(steady.rate(), before);
    steady.add(1600.0, 0.0);
    let after = steady.rate().unwrap();
    assert!((after - 0.0025).abs() < 1e-6, "{after}");
    // 16 losses later, e^-2 of it is left: 8 / (0.1353 x 3200 + 0.8647 x 160) = 0.014 by hand.
    let mut then = |count| {
        (0..count).for_each(|_| steady.add(20.0, 1.0));
        steady.rate().unwrap()
    };
    let (soon, late) = (then(16), then(64));
    assert!((soon / 0.014_000 - 1.0).abs() < 1e-3, "{soon}");
    assert!((late / 0.05 - 1.0).abs() < 0.01, "{late}");
    // It makes no difference whether a burst comes in one interval or in several.
    let [mut one, mut several] = [steady, steady];
    one.add(300.0, 60.0);
    (0..60).for_each(|_| several.add(5.0, 1.0));
    let ratio = one.rate().unwrap() / several.rate().unwrap();
    assert!((ratio - 1.0).abs() < 1e-9, "{ratio}");
    // All packets are lost.
    steady.add(1e4, 1e4);
    assert!((0.99..=1.0).contains(&steady.rate().unwrap()));
}
