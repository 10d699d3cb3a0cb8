//! A cumulative distribution by its points.

use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Ratio};

use super::distribution::{Distribution, Draws};
use super::empirical::{CdfPoint, Empirical};
use crate::traffic::amount::Amount;

/// Sizes and the fractions of flows up to each, linear between; both rise, the latter to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Points(pub Vec<(Amount, Ratio)>);

impl Points {
    /// The distribution; an error if the points are not those of one.
    pub(crate) fn table(&self, payload: Bytes) -> Result<Empirical, String> {
        let point = |&(size, cumulative): &(Amount, Ratio)| CdfPoint {
            size: size.bytes(payload),
            cumulative,
        };
        Empirical::new(self.0.iter().map(point).collect())
    }
}

impl Distribution for Points {
    const SOURCE: &'static str = "your own measurement";

    fn check(&self, payload: Bytes, faults: &mut Faults) {
        if let Err(what) = self.table(payload) {
            faults.add("", what);
        }
    }

    fn mean(&self, payload: Bytes) -> f64 {
        self.table(payload).map_or(0.0, |table| table.mean())
    }

    fn draw(&self, payload: Bytes, stream: Xoshiro256PlusPlus) -> Draws {
        self.table(payload).expect("checked: the points rise to 1").draws(stream)
    }
}
