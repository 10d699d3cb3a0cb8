//! Senders and one router, round trip by round trip, as XCP's ([`crate::xcp::closed_loop`]).

use super::{NcpIncrementsParams, Sharing};
use crate::xcp::closed_loop::{Loop, PACKETS_PER_RTT};
use sluice_units::Ratio;

fn after(params: &NcpIncrementsParams, windows: &[u32], rounds: usize) -> Vec<f64> {
    let mut link = Loop::new(params);
    windows.iter().for_each(|&window| link.join(params, window));
    (0..rounds).for_each(|_| link.round());
    link.windows()
}

fn total(windows: &[f64]) -> f64 {
    windows.iter().sum::<f64>() / PACKETS_PER_RTT
}

#[test]
fn flows_that_begin_alike_fill_the_link_with_equal_shares() {
    for sharing in [Sharing::Equal, Sharing::Proportional, Sharing::EqualShare] {
        let params = NcpIncrementsParams { sharing, ..NcpIncrementsParams::default() };
        let windows = after(&params, &[1; 5], 100);
        assert!((total(&windows) - 1.0).abs() < 0.01, "{sharing:?}: {windows:?}");
        assert!(
            windows.iter().all(|window| (window / 200.0 - 1.0).abs() < 0.02),
            "{sharing:?}: {windows:?}"
        );
    }
}

/// Increments leave a difference, R_j / R a ratio, and R / R_j neither.
#[test]
fn flows_that_begin_unequal_keep_a_difference_a_ratio_or_nothing() {
    let windows = |sharing| {
        let params = NcpIncrementsParams { sharing, ..NcpIncrementsParams::default() };
        let windows = after(&params, &[300, 100], 100);
        assert!((total(&windows) - 1.0).abs() < 0.01, "{sharing:?}: {windows:?}");
        (windows[0], windows[1])
    };
    let (large, small) = windows(Sharing::Equal);
    assert!((large - small - 200.0).abs() < 5.0, "{large} and {small}");
    let (large, small) = windows(Sharing::Proportional);
    assert!((large / small - 3.0).abs() < 0.05, "{large} and {small}");
    let (large, small) = windows(Sharing::EqualShare);
    assert!((large / small - 1.0).abs() < 0.01, "{large} and {small}");
}

/// Section 8.2 has no gains. By decision 27 the loop is then unstable, and with XCP's it is not.
#[test]
fn without_gains_the_loop_does_not_settle() {
    let spread = |params: &NcpIncrementsParams| {
        let mut link = Loop::new(params);
        (0..5).for_each(|_| link.join(params, 1));
        (0..200).for_each(|_| link.round());
        let totals: Vec<f64> = (0..50)
            .map(|_| {
                link.round();
                total(&link.windows())
            })
            .collect();
        totals.iter().copied().fold(0.0, f64::max) - totals.iter().copied().fold(f64::MAX, f64::min)
    };
    let one = Ratio::new(1.0);
    let none = NcpIncrementsParams { alpha: one, beta: one, ..NcpIncrementsParams::default() };
    assert!(spread(&none) > 0.2, "{}", spread(&none));
    let usual = spread(&NcpIncrementsParams::default());
    assert!(usual < 0.02, "{usual}");
}
