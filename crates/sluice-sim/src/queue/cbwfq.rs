//! Class-based weighted fair queueing: classes of traffic share the link in stated proportions, in the order
//! of self-clocked fair queueing ([`super::fair_classes`]).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio};

use super::class_parts::ClassParts;
use super::fair_classes::FairClasses;
use super::model::{Model, QueueContext, QueueState};
use crate::by_class::ByClass;
use crate::limits;
use crate::rng::Streams;

/// Parameters of class-based weighted fair queueing. What a class does not use, the others share in the
/// same proportions. A packet that finds no room displaces packets of the classes with most bytes for
/// their share, if they have enough more of them than its own class would have with it. A class whose
/// share of the room is less than a packet can get less than its share of the link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cbwfq {
    /// Shares of the classes 0, 1, ... (`class` of a group), 1 to 8 numbers of 0.001 to 1000 each: only
    /// their proportions matter. Classes beyond the list belong to the last in it.
    pub shares: ByClass<Ratio>,
}

impl Model for Cbwfq {
    const SOURCE: &'static str = "self-clocked fair queueing: Golestani, 1994";

    fn check(&self, _: Rate, faults: &mut Faults) {
        for share in self.shares.as_slice() {
            faults.within("shares", share, &limits::QUEUE_WEIGHT);
        }
    }

    fn class_parts(&self) -> Option<ClassParts> {
        Some(ClassParts::Shares(self.shares))
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(FairClasses::new(self.shares, (), link)))
    }
}

#[cfg(test)]
#[path = "cbwfq_tests.rs"]
mod tests;
