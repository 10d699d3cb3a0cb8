//! A measured distribution of flow sizes, read linearly between its points.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Bytes, Ratio};

use super::distribution::{Draws, at_least_one};

/// A point of a cumulative distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CdfPoint {
    /// Flows up to this size ...
    pub size: Bytes,
    /// ... are this fraction of all flows, in [0, 1].
    pub cumulative: Ratio,
}

/// A cumulative distribution by its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Empirical {
    points: Vec<CdfPoint>,
}

impl Empirical {
    /// A distribution through `points`, which must rise in size and in fraction and end at 1.
    pub fn new(points: Vec<CdfPoint>) -> Result<Self, String> {
        if points.len() < 2 {
            return Err("a distribution needs at least two points".into());
        }
        for pair in points.windows(2) {
            if pair[1].size < pair[0].size || pair[1].cumulative < pair[0].cumulative {
                return Err(format!(
                    "points must rise: {} at {} comes after {} at {}",
                    pair[1].size.as_u64(),
                    pair[1].cumulative.get(),
                    pair[0].size.as_u64(),
                    pair[0].cumulative.get(),
                ));
            }
        }
        let (first, last) = (points[0].cumulative.get(), points[points.len() - 1].cumulative.get());
        if first < 0.0 || last != 1.0 {
            return Err(format!(
                "fractions must lie in [0, 1] and end at 1, not run {first}..{last}"
            ));
        }
        Ok(Self { points })
    }

    /// Its points.
    pub(crate) fn points(&self) -> &[CdfPoint] {
        &self.points
    }

    /// The mean in bytes under linear interpolation.
    pub fn mean(&self) -> f64 {
        let first = self.points[0];
        let steps = self.points.windows(2).map(|pair| {
            let weight = pair[1].cumulative.get() - pair[0].cumulative.get();
            weight * (pair[0].size.as_f64() + pair[1].size.as_f64()) / 2.0
        });
        first.cumulative.get() * first.size.as_f64() + steps.sum::<f64>()
    }

    pub(super) fn draws(self, mut stream: Xoshiro256PlusPlus) -> Draws {
        Box::new(move || self.sample(&mut stream))
    }

    fn sample(&self, stream: &mut Xoshiro256PlusPlus) -> Bytes {
        let level: f64 = stream.random();
        let above = self.points.partition_point(|point| point.cumulative.get() <= level);
        let high = self.points[above.min(self.points.len() - 1)];
        let low = if above == 0 { high } else { self.points[above - 1] };
        let width = high.cumulative.get() - low.cumulative.get();
        let along = if width > 0.0 { (level - low.cumulative.get()) / width } else { 1.0 };
        at_least_one(low.size.as_f64() + along * (high.size.as_f64() - low.size.as_f64()))
    }
}
