//! Uniform sizes.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults};

use super::distribution::{Distribution, Draws};
use crate::traffic::amount::Amount;

/// Sizes in whole bytes, uniform from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Uniform {
    /// Smallest size; above 0.
    pub min: Amount,
    /// Largest size; at least `min`.
    pub max: Amount,
}

impl Distribution for Uniform {
    const SOURCE: &'static str = "ns-2's RandomVariable/Uniform, in whole bytes";

    fn check(&self, payload: Bytes, faults: &mut Faults) {
        faults.inside("min", |faults| self.min.check(payload, faults));
        let rises = self.min.bytes(payload) <= self.max.bytes(payload);
        faults.need(rises, "max", "the largest size is less than `min`");
    }

    fn mean(&self, payload: Bytes) -> f64 {
        (self.min.bytes(payload).as_f64() + self.max.bytes(payload).as_f64()) / 2.0
    }

    fn draw(&self, payload: Bytes, mut stream: Xoshiro256PlusPlus) -> Draws {
        let sizes = self.min.bytes(payload).as_u64()..=self.max.bytes(payload).as_u64();
        Box::new(move || Bytes::new(stream.random_range(sizes.clone())))
    }
}
