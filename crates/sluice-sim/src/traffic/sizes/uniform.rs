//! Uniform sizes.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::Bytes;

use super::{Amount, Distribution, Draws, Faults};

/// Every size from `least` to `most`, in whole bytes, is as likely as another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Uniform {
    /// The least size; above 0.
    pub least: Amount,
    /// The largest; no less than `least`.
    pub most: Amount,
}

impl Distribution for Uniform {
    const SOURCE: &'static str = "ns-2's RandomVariable/Uniform, in whole bytes";

    fn check(&self, payload: Bytes, faults: &mut Faults) {
        faults.inside("least", |faults| self.least.check(payload, faults));
        let rises = self.least.bytes(payload) <= self.most.bytes(payload);
        faults.need(rises, "most", "the largest size is less than `least`");
    }

    fn mean(&self, payload: Bytes) -> f64 {
        (self.least.bytes(payload).as_f64() + self.most.bytes(payload).as_f64()) / 2.0
    }

    fn draw(&self, payload: Bytes, mut stream: Xoshiro256PlusPlus) -> Draws {
        let sizes = self.least.bytes(payload).as_u64()..=self.most.bytes(payload).as_u64();
        Box::new(move || Bytes::new(stream.random_range(sizes.clone())))
    }
}
