//! Sizes that are all the same.

use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults};

use super::distribution::{Distribution, Draws};
use crate::traffic::amount::Amount;

/// One size for all flows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Fixed(pub Amount);

impl Distribution for Fixed {
    const SOURCE: &'static str = "a constant";

    fn check(&self, payload: Bytes, faults: &mut Faults) {
        self.0.check(payload, faults);
    }

    fn mean(&self, payload: Bytes) -> f64 {
        self.0.bytes(payload).as_f64()
    }

    fn draw(&self, payload: Bytes, _stream: Xoshiro256PlusPlus) -> Draws {
        let size = self.0.bytes(payload);
        Box::new(move || size)
    }
}
