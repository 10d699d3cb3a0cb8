//! How late a relay delivers.

use sluice_units::Span;

/// Steps of a factor of two: quantiles are exact to a sixteenth.
const STEP_BITS: u32 = 4;
const STEPS: usize = 1 << STEP_BITS;
const LEVELS: usize = (64 - STEP_BITS as usize + 1) * STEPS;

/// By how much deliveries were later than their link's rate and delay say, since the link's creation or
/// [`reset_peaks`](crate::LinkDirection::reset_peaks). Quantiles are rounded up, by a sixteenth at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// Half of the deliveries were not later than this.
    pub p50: Span,
    /// 99 % of them were not.
    pub p99: Span,
    /// The latest one.
    pub max: Span,
}

/// Counts of deliveries by lateness, in levels of equal ratio.
pub(crate) struct LatenessCounts {
    counts: Box<[u64; LEVELS]>,
    max: Span,
}

impl Default for LatenessCounts {
    fn default() -> Self {
        Self { counts: Box::new([0; LEVELS]), max: Span::ZERO }
    }
}

impl LatenessCounts {
    pub(crate) fn add(&mut self, late: Span) {
        self.counts[level(late.as_nanos())] += 1;
        self.max = self.max.max(late);
    }

    pub(crate) fn summary(&self) -> Lateness {
        Lateness { p50: self.quantile(50), p99: self.quantile(99), max: self.max }
    }

    fn quantile(&self, percent: u64) -> Span {
        let rank = (self.counts.iter().sum::<u64>() * percent).div_ceil(100);
        let mut below = 0;
        let level = self.counts.iter().position(|count| {
            below += count;
            below >= rank && rank > 0
        });
        level.map_or(Span::ZERO, |level| Span::from_nanos(highest(level)).min(self.max))
    }
}

/// The level of a number of nanoseconds: its highest bits.
fn level(ns: u64) -> usize {
    let shift = (64 - ns.leading_zeros()).saturating_sub(STEP_BITS + 1);
    shift as usize * STEPS + (ns >> shift) as usize
}

/// The highest number of a level.
fn highest(level: usize) -> u64 {
    let shift = (level / STEPS).saturating_sub(1);
    let top = (level - shift * STEPS) as u64;
    (top << shift) | ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_lies_in_its_level_and_above_the_one_before() {
        for ns in (0..5_000).chain([u64::MAX / 2, u64::MAX - 1, u64::MAX]) {
            let level = level(ns);
            assert!(level < LEVELS && highest(level) >= ns, "{ns}");
            assert!(highest(level) - ns <= ns / 16, "{ns}");
            assert!(level == 0 || highest(level - 1) < ns, "{ns}");
        }
    }

    #[test]
    fn quantiles_are_of_the_sorted_values() {
        let mut counts = LatenessCounts::default();
        assert_eq!(counts.summary(), Lateness::default());
        for us in 1..=100 {
            counts.add(Span::from_micros(us));
        }
        let found = counts.summary();
        let within = |found: Span, us: u64| (us * 1_000..=us * 1_063).contains(&found.as_nanos());
        assert!(within(found.p50, 50) && within(found.p99, 99), "{found:?}");
        assert_eq!(found.max, Span::from_micros(100));
    }
}
