//! Estimates with their intervals, as a page has them.

use super::data::{Estimates, WithInterval};
use super::digits::digits;
use crate::results::Quantiles;

impl Estimates {
    /// Those of quantiles.
    pub fn of(found: &Quantiles) -> Self {
        let ends = &found.intervals;
        Self {
            mean: estimate(found.mean, ends.mean),
            p50: estimate(found.p50, ends.p50),
            p99: estimate(found.p99, ends.p99),
        }
    }
}

/// A value and the ends of its interval, rounded.
pub(super) fn estimate(value: Option<f64>, ends: Option<[f64; 2]>) -> WithInterval {
    let [low, high] = ends.map_or([None; 2], |ends| ends.map(Some));
    [value, low, high].map(|value| value.map(|value| digits(value, 5)))
}
