//! Pareto sizes.

use rand::distr::Distribution as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Ratio};

use super::distribution::{Distribution, Draws, at_least_one};
use crate::limits::MAX_TAIL_INDEX;
use crate::traffic::amount::Amount;

/// A Pareto distribution: the chance of more than x is (min / x)^shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pareto {
    /// Mean size.
    pub mean: Amount,
    /// Tail index, above 1, up to 1000000; the variance is infinite at 2 and below.
    pub shape: Ratio,
}

impl Distribution for Pareto {
    const SOURCE: &'static str = "IWQoS 2005, section 3.1: mean 25 packets, shape 1.2";

    fn check(&self, payload: Bytes, faults: &mut Faults) {
        faults.inside("mean", |faults| self.mean.check(payload, faults));
        let what = "the shape must be above 1: at 1 and below there is no mean";
        faults.need(self.shape.get() > 1.0, "shape", what);
        let what = "the shape must be at most 1000000: `fixed` has sizes that do not vary";
        faults.need(self.shape.get() <= MAX_TAIL_INDEX, "shape", what);
    }

    fn mean(&self, payload: Bytes) -> f64 {
        self.mean.bytes(payload).as_f64()
    }

    fn draw(&self, payload: Bytes, mut stream: Xoshiro256PlusPlus) -> Draws {
        let shape = self.shape.get();
        let min = self.mean(payload) * (shape - 1.0) / shape;
        let law = rand_distr::Pareto::new(min, shape).expect("checked: shape and mean are right");
        Box::new(move || at_least_one(law.sample(&mut stream)))
    }
}
