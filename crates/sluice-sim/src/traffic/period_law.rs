//! How long a source stays on or off.

use rand::Rng;
use rand::distr::Distribution;
use rand_distr::Exp1;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Faults, Ratio};

use crate::limits::{MAX_TAIL_INDEX, MIN_TAIL_INDEX};

/// Exponential or Pareto times; seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeriodLaw {
    /// The tail index of a Pareto law; `None` for the exponential one.
    pub(crate) shape: Option<f64>,
}

impl PeriodLaw {
    /// A whole time.
    pub(crate) fn sample(self, mean: f64, stream: &mut Xoshiro256PlusPlus) -> f64 {
        match self.shape {
            None => mean * Distribution::<f64>::sample(&Exp1, stream),
            Some(shape) => {
                let min = mean * (shape - 1.0) / shape;
                min * libm::pow(above_zero(stream), -1.0 / shape)
            }
        }
    }

    /// What is left of the time that we happen upon: its density is the tail of a whole time's
    /// distribution over the mean.
    pub(crate) fn residual(self, mean: f64, stream: &mut Xoshiro256PlusPlus) -> f64 {
        let Some(shape) = self.shape else { return self.sample(mean, stream) };
        // The chance that more than x is left is 1 - x / mean up to the minimum whole time, where it
        // is 1 / shape, and (min / x)^(shape - 1) / shape from there on.
        let chance = above_zero(stream);
        if chance >= 1.0 / shape {
            mean * (1.0 - chance)
        } else {
            let min = mean * (shape - 1.0) / shape;
            min * libm::pow(shape * chance, -1.0 / (shape - 1.0))
        }
    }
}

/// Uniform in (0, 1].
fn above_zero(stream: &mut Xoshiro256PlusPlus) -> f64 {
    1.0 - stream.random::<f64>()
}

/// Checks the tail index of on and off periods, if they have one.
pub(super) fn check_shape(shape: Option<Ratio>, faults: &mut Faults) {
    let above = shape.is_none_or(|shape| shape.get() >= MIN_TAIL_INDEX);
    faults.need(above, "shape", "the shape must be 1.01 or above: at 1 and below there is no mean");
    let below = shape.is_none_or(|shape| shape.get() <= MAX_TAIL_INDEX);
    faults.need(below, "shape", "the shape must be at most 1000000: periods do not vary beyond");
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn part_above(law: PeriodLaw, x: f64, residual: bool) -> f64 {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draw =
            || if residual { law.residual(2.0, &mut stream) } else { law.sample(2.0, &mut stream) };
        (0..40_000).filter(|_| draw() > x).count() as f64 / 40_000.0
    }

    /// The chance that more than `x` is left is the integral of the tail from there on, over the
    /// mean: by hand for shape 2 and mean 2, where the minimum time is 1 and the tail 1 / t^2.
    #[test]
    fn what_is_left_follows_from_the_whole_time() {
        let law = PeriodLaw { shape: Some(2.0) };
        for (x, whole, left) in [(0.5, 1.0, 0.75), (1.0, 1.0, 0.5), (4.0, 1.0 / 16.0, 0.125)] {
            assert!((part_above(law, x, false) - whole).abs() < 0.01, "{x}");
            assert!((part_above(law, x, true) - left).abs() < 0.01, "{x}");
        }
    }

    #[test]
    fn an_exponential_time_forgets() {
        let law = PeriodLaw { shape: None };
        for residual in [false, true] {
            let above = part_above(law, 2.0, residual);
            assert!((above - libm::exp(-1.0)).abs() < 0.01, "{above}");
        }
    }
}
