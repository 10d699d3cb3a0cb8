//! The shares of a link that classes of traffic are guaranteed.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio};

use super::arrival::CLASSES;
use crate::limits;

/// The shares of class 0, 1, and so on: 1 to 8 numbers ([`crate::limits::QUEUE_WEIGHT`]) of which only
/// the proportions matter. Classes beyond the last share have it together with the last class listed.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Ratio>", into = "Vec<Ratio>")]
pub struct ClassShares {
    /// Equal ones beyond `count`.
    shares: [Ratio; CLASSES],
    count: usize,
}

/// The number of shares is not 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassSharesError {
    count: usize,
}

impl ClassShares {
    /// These shares, of which there must be 1 to 8. Their values are not checked.
    pub fn new(shares: &[Ratio]) -> Result<Self, ClassSharesError> {
        let count = shares.len();
        if !(1..=CLASSES).contains(&count) {
            return Err(ClassSharesError { count });
        }
        let mut all = [Ratio::new(1.0); CLASSES];
        all[..count].copy_from_slice(shares);
        Ok(Self { shares: all, count })
    }

    /// The shares as given.
    pub fn as_slice(&self) -> &[Ratio] {
        &self.shares[..self.count]
    }

    /// The fraction of the link that is guaranteed to a class of traffic, above 0 to 1. Classes that have
    /// a share together have it in common.
    pub fn fraction(&self, class: u8) -> f64 {
        let sum: f64 = self.as_slice().iter().map(|share| share.get()).sum();
        self.shares[self.place(class)].get() / sum
    }

    /// The place in the list of the share of a class.
    pub(super) fn place(&self, class: u8) -> usize {
        usize::from(class).min(self.count - 1)
    }

    /// Checks the values, as those of `field`.
    pub(super) fn check(&self, field: &str, faults: &mut Faults) {
        for share in self.as_slice() {
            faults.within(field, share, &limits::QUEUE_WEIGHT);
        }
    }
}

impl TryFrom<Vec<Ratio>> for ClassShares {
    type Error = ClassSharesError;

    fn try_from(shares: Vec<Ratio>) -> Result<Self, ClassSharesError> {
        Self::new(&shares)
    }
}

impl From<ClassShares> for Vec<Ratio> {
    fn from(shares: ClassShares) -> Self {
        shares.as_slice().to_vec()
    }
}

impl JsonSchema for ClassShares {
    fn schema_name() -> Cow<'static, str> {
        "ClassShares".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<Ratio>(),
            "minItems": 1,
            "maxItems": CLASSES,
        })
    }
}

impl fmt::Debug for ClassShares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl fmt::Display for ClassSharesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must have 1 to {CLASSES} shares, not {}", self.count)
    }
}

impl std::error::Error for ClassSharesError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(numbers: &[f64]) -> Result<ClassShares, ClassSharesError> {
        let shares: Vec<Ratio> = numbers.iter().map(|&number| Ratio::new(number)).collect();
        ClassShares::new(&shares)
    }

    #[test]
    fn fractions_are_in_proportion_and_the_last_share_is_that_of_all_further_classes() {
        let shares = shares(&[3.0, 1.0, 4.0]).unwrap();
        let fractions: Vec<f64> = (0..8).map(|class| shares.fraction(class)).collect();
        assert_eq!(fractions, [0.375, 0.125, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    }

    #[test]
    fn there_are_1_to_8_shares() {
        let refused = |count: usize| shares(&vec![1.0; count]).map_err(|error| error.to_string());
        assert_eq!(refused(0), Err("must have 1 to 8 shares, not 0".into()));
        assert_eq!(refused(9), Err("must have 1 to 8 shares, not 9".into()));
        for count in 1..=8 {
            assert_eq!(refused(count).unwrap().as_slice().len(), count);
        }
    }
}
