//! How much a flow sends: one file a distribution.

mod empirical;

pub use empirical::{Empirical, Point};

use rand::distr::Distribution;
use rand_distr::{Exp1, Pareto};
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Bytes, Ratio};

/// A distribution of flow sizes. Every draw is at least one byte.
#[derive(Clone, Debug)]
pub enum Sizes {
    /// Every flow sends the same.
    Fixed(Bytes),
    /// Exponential with this mean.
    Exponential(Bytes),
    /// Pareto with this mean and shape; the shape is more than 1.
    Pareto {
        /// Mean size.
        mean: Bytes,
        /// Tail index; the variance is infinite at 2 and below.
        shape: Ratio,
    },
    /// A measured cumulative distribution.
    Empirical(Empirical),
}

impl Sizes {
    /// The mean size in bytes, as a load is computed from it.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Fixed(size) | Self::Exponential(size) | Self::Pareto { mean: size, .. } => {
                size.as_f64()
            }
            Self::Empirical(points) => points.mean(),
        }
    }

    pub(super) fn draw(&self, mut stream: Xoshiro256PlusPlus) -> Box<dyn FnMut() -> Bytes + Send> {
        match self.clone() {
            Self::Fixed(size) => Box::new(move || size),
            Self::Exponential(mean) => Box::new(move || {
                let unit: f64 = Exp1.sample(&mut stream);
                at_least_one(unit * mean.as_f64())
            }),
            Self::Pareto { mean, shape } => {
                let shape = shape.get();
                let least = mean.as_f64() * (shape - 1.0) / shape;
                let law = Pareto::new(least, shape).expect("checked: shape above 1, mean above 0");
                Box::new(move || at_least_one(law.sample(&mut stream)))
            }
            Self::Empirical(points) => Box::new(move || points.sample(&mut stream)),
        }
    }
}

fn at_least_one(bytes: f64) -> Bytes {
    Bytes::new(((bytes + 0.5) as u64).max(1))
}
