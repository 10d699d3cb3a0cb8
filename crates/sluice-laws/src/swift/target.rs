//! The target delay (section 3.5): a constant, a part for each hop, and one that grows with the number of flows.

use sluice_units::{Ratio, Span};

use super::params::SwiftParams;

/// The least difference of inverse roots of the window, so that the slope of the target is finite.
const LEAST_DIFFERENCE: f64 = 1e-12;

/// The target delay of a flow, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct TargetDelay {
    /// "base_target + #hops x h": topology-based scaling.
    of_topology: f64,
    /// "alpha", "beta" and "fs_range": flow-based scaling.
    fs_alpha: f64,
    fs_beta: f64,
    fs_range: f64,
}

impl TargetDelay {
    /// Of a flow over that many links.
    pub fn new(params: &SwiftParams, hops: u32) -> Self {
        let fs_range = params.fs_range.as_secs_f64();
        let [low, high] =
            [params.fs_min_cwnd, params.fs_max_cwnd].map(|cwnd| 1.0 / cwnd.get().sqrt());
        // "alpha = fs_range / (1 / sqrt(fs_min_cwnd) - 1 / sqrt(fs_max_cwnd))", "beta = -alpha / sqrt(fs_max_cwnd)"
        let fs_alpha = fs_range / (low - high).max(LEAST_DIFFERENCE);
        Self {
            of_topology: (params.base_target + params.per_hop * u64::from(hops)).as_secs_f64(),
            fs_alpha,
            fs_beta: -fs_alpha * high,
            fs_range,
        }
    }

    /// That of a window of `cwnd` packets, above 0. N flows at one link make a queue that varies by the root of N,
    /// and have windows that are inverse to N.
    pub fn of_window(&self, cwnd: f64) -> f64 {
        // "max(0, min(alpha / sqrt(fcwnd) + beta, fs_range))"
        let of_flows = (self.fs_alpha / cwnd.sqrt() + self.fs_beta).clamp(0.0, self.fs_range);
        self.of_topology + of_flows
    }
}

impl SwiftParams {
    /// The target delay of a window of `cwnd` packets over that many links.
    pub fn target(&self, hops: u32, cwnd: Ratio) -> Span {
        Span::from_secs_f64(TargetDelay::new(self, hops).of_window(cwnd.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 25 us and 1 us a hop. alpha is 125 us / (sqrt(10) - 1/10) = 40.8193 us and beta -4.08193 us, so that a
    /// window of a packet adds 36.7374 us, one of 25 packets 4.08193 us.
    #[test]
    fn targets_by_hand() {
        let params = SwiftParams::default();
        for (hops, cwnd, nanos) in [
            (1, 100.0, 26_000),
            (5, 100.0, 30_000),
            (1, 0.1, 151_000),
            (5, 0.1, 155_000),
            (1, 1.0, 62_737),
            (5, 1.0, 66_737),
            (1, 25.0, 30_082),
            (1, 1e9, 26_000),
            (1, 0.001, 151_000),
        ] {
            let found = params.target(hops, Ratio::new(cwnd));
            assert!(found.as_nanos().abs_diff(nanos) <= 1, "{hops} hops, {cwnd}: {found}");
        }
        assert_eq!(params.target(5, params.min_cwnd), Span::from_micros(155));
    }

    #[test]
    fn without_flow_scaling_every_window_has_one_target() {
        let params = SwiftParams { fs_range: Span::ZERO, ..SwiftParams::default() };
        for cwnd in [0.001, 0.1, 1.0, 1e9] {
            assert_eq!(params.target(3, Ratio::new(cwnd)), Span::from_micros(28));
        }
    }

    /// The smallest step is between windows that differ by rounding.
    #[test]
    fn targets_stay_in_range_at_the_ends_of_parameters() {
        let seconds = Span::from_secs(100);
        for (low, high) in [(1e-3, 1e6), (1.0, 1.0_f64.next_up()), (1e6_f64.next_down(), 1e6)] {
            let params = SwiftParams {
                base_target: seconds,
                per_hop: Span::from_secs(1),
                fs_range: seconds,
                fs_min_cwnd: Ratio::new(low),
                fs_max_cwnd: Ratio::new(high),
                ..SwiftParams::default()
            };
            let target = TargetDelay::new(&params, u32::MAX);
            for cwnd in [1e-6, low, 1.0, high, 1e9] {
                let found = target.of_window(cwnd) - target.of_topology;
                assert!((0.0..=100.0).contains(&found), "{low}, {high}, {cwnd}: {found}");
            }
        }
    }
}
