//! Drop tail: a packet that finds no room is dropped.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arrival::{Admission, QueueArrival};
use super::model::{Model, Queue, QueueContext, QueueState};
use super::room::Room;
use crate::rng::Streams;
use sluice_units::{Faults, Span};

/// Drop tail has nothing to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DropTail {}

impl Model for DropTail {
    const SOURCE: &'static str = "the queue of the papers (IWQoS 2005, section 3.1)";

    fn check(&self, _: sluice_units::Rate, _: &mut Faults) {}

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        if link.room.is_unlimited() {
            QueueState::Unlimited
        } else {
            QueueState::Arrival(Box::new(link.room))
        }
    }
}

impl Queue for Room {
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission {
        if self.takes(arrival) { Admission::Taken } else { Admission::NoRoom }
    }

    fn asks_from(&self) -> Span {
        self.full_from()
    }
}
