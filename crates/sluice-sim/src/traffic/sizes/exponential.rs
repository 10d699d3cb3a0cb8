//! Exponential sizes.

use rand::distr::Distribution as _;
use rand_distr::Exp1;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults};

use super::distribution::{Distribution, Draws, at_least_one};
use crate::traffic::amount::Amount;

/// Exponential with this mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Exponential(pub Amount);

impl Distribution for Exponential {
    const SOURCE: &'static str = "the M of queueing theory; its standard deviation is its mean";

    fn check(&self, payload: Bytes, faults: &mut Faults) {
        self.0.check(payload, faults);
    }

    fn mean(&self, payload: Bytes) -> f64 {
        self.0.bytes(payload).as_f64()
    }

    fn draw(&self, payload: Bytes, mut stream: Xoshiro256PlusPlus) -> Draws {
        let mean = self.mean(payload);
        Box::new(move || {
            let unit: f64 = Exp1.sample(&mut stream);
            at_least_one(unit * mean)
        })
    }
}
