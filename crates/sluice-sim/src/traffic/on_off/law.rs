//! How long a source stays on or off.

use rand::Rng;
use rand::distr::Distribution;
use rand_distr::Exp1;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Exponential or Pareto times; seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    /// The tail index of a Pareto law; `None` for the exponential one.
    pub(crate) shape: Option<f64>,
}

impl Law {
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

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn part_above(law: Law, x: f64, residual: bool) -> f64 {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draw =
            || if residual { law.residual(2.0, &mut stream) } else { law.sample(2.0, &mut stream) };
        (0..40_000).filter(|_| draw() > x).count() as f64 / 40_000.0
    }

    /// The chance that more than `x` is left is the integral of the tail from there on, over the
    /// mean: by hand for shape 2 and mean 2, where the minimum time is 1 and the tail 1 / t^2.
    #[test]
    fn what_is_left_follows_from_the_whole_time() {
        let law = Law { shape: Some(2.0) };
        for (x, whole, left) in [(0.5, 1.0, 0.75), (1.0, 1.0, 0.5), (4.0, 1.0 / 16.0, 0.125)] {
            assert!((part_above(law, x, false) - whole).abs() < 0.01, "{x}");
            assert!((part_above(law, x, true) - left).abs() < 0.01, "{x}");
        }
    }

    #[test]
    fn an_exponential_time_forgets() {
        let law = Law { shape: None };
        for residual in [false, true] {
            let above = part_above(law, 2.0, residual);
            assert!((above - libm::exp(-1.0)).abs() < 0.01, "{above}");
        }
    }
}
