//! The audit: what was foreseen against what came.
//!
//! Hosts that do not know what they will send state what they believe, and their beliefs err to one side. A router need not know
//! why: it compares the flows that it foresaw with those that sent, and corrects what it foresees by their ratio. Where hosts state
//! sizes, the ratio is 1 but for some hundredths.

use core::ops::RangeInclusive;

/// How far back it looks, in d0: with time constants from 4 to 40 completion times are the same to two hundredths.
const MEMORY: f64 = 10.0;
/// What is taken to have been foreseen and to have come before there is traffic, in flows times d0.
const PRIOR: f64 = 0.5;
/// Corrections made. Upward ones are small, since flows that come unforeseen, as where a route changes, are no error of what is
/// foreseen from then on; and where too few flows are foreseen, the queue shows it.
const FACTORS: RangeInclusive<f64> = 1.0 / 64.0..=1.5;

/// Flows foreseen and seen, times the seconds for which they sent, those of long ago forgotten.
#[derive(Debug, Default)]
pub(super) struct Audit {
    foreseen: f64,
    seen: f64,
    /// Seen, but held elsewhere.
    elsewhere: f64,
}

impl Audit {
    /// Enters an interval of that length.
    pub(super) fn enter(&mut self, length: f64, d0: f64, [foreseen, seen, elsewhere]: [f64; 3]) {
        let kept = libm::exp(-length / (MEMORY * d0));
        self.foreseen = self.foreseen * kept + foreseen;
        self.seen = self.seen * kept + seen;
        self.elsewhere = self.elsewhere * kept + elsewhere;
    }

    /// (8) The factor for the flows foreseen: w seen + p over w foreseen + p.
    ///
    /// w is the part of the flows seen that share. Where none does, as at a link that others hold down, nothing is
    /// corrected, and little where few do, until much was seen.
    pub(super) fn factor(&self, d0: f64) -> f64 {
        let all = (self.seen + self.elsewhere).max(f64::MIN_POSITIVE);
        let weight = (self.seen / all).clamp(0.0, 1.0);
        let prior = PRIOR * d0;
        let factor = (weight * self.seen + prior) / (weight * self.foreseen + prior);
        factor.clamp(*FACTORS.start(), *FACTORS.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audited(intervals: &[[f64; 3]]) -> f64 {
        let mut audit = Audit::default();
        for &interval in intervals {
            audit.enter(0.1, 1.0, interval);
        }
        audit.factor(1.0)
    }

    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn nothing_or_little_seen_corrects_little() {
        close(audited(&[]), 1.0);
        // An interval of a tenth of a d0, without the flow that was foreseen.
        close(audited(&[[0.1, 0.0, 0.0]]), 1.0);
        close(audited(&[[0.1, 0.05, 0.0]]), 0.55 / 0.6);
    }

    #[test]
    fn a_constant_error_is_corrected_whole() {
        for error in [0.1, 0.5, 1.0, 1.4] {
            let factor = audited(&[[10.0, 10.0 * error, 0.0]; 200]);
            assert!((factor / error - 1.0).abs() < 0.01, "{factor} for {error}");
        }
        close(audited(&[[10.0, 1e-3, 0.0]; 1_000]), 1.0 / 64.0);
        close(audited(&[[1e-3, 10.0, 0.0]; 1_000]), 1.5);
    }

    /// exp(-1) of what was seen before is left after ten d0.
    #[test]
    fn what_is_long_ago_is_forgotten() {
        let mut intervals = vec![[4.0, 1.0, 0.0]];
        intervals.extend([[0.0; 3]; 100]);
        let left = libm::exp(-1.0);
        close(audited(&intervals), (left + 0.5) / (4.0 * left + 0.5));
    }

    #[test]
    fn where_flows_are_held_elsewhere_it_shows_little() {
        close(audited(&[[8.0, 2.0, 6.0]]), (0.25 * 2.0 + 0.5) / (0.25 * 8.0 + 0.5));
        close(audited(&[[8.0, 0.0, 6.0]]), 1.0);
        // Short flows that came early leave less than nothing.
        close(audited(&[[0.0, -1.0, 0.0]]), 1.0);
    }
}
