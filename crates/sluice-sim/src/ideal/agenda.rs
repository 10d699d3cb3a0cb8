//! The event queue of an ideal.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sluice_units::Time;

use super::sharing::Slot;

/// An event at a known instant. Events of one instant are in the order of this list, then by their
/// fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A flow without a size is stopped.
    Leave { group: u32, index: u64, slot: Slot },
    /// A flow's data enter the network.
    Enter { group: u32, index: u64, slot: Slot },
    /// A group's next flow starts.
    Start { group: u32 },
    /// Streams of datagrams start or stop, or a capacity changes.
    Reserve,
    /// Datagrams that a group sends from now on arrive in the time measured, or after it.
    Measure { group: u32, is_first: bool },
    /// Data that are sent on a way from now on arrive in the time measured; the second time, after it.
    Look { way: u32 },
    /// A link is sampled.
    Sample { sampler: u32 },
    /// The time measured begins.
    WarmedUp,
    /// The time measured ends; last of all, so that a run with nothing to wait for ends there.
    Stop,
}

#[derive(Default)]
pub(super) struct Agenda(BinaryHeap<Reverse<(Time, Event)>>);

impl Agenda {
    pub(super) fn add(&mut self, at: Time, event: Event) {
        self.0.push(Reverse((at, event)));
    }

    /// Time of the next event; [`Time::NEVER`] for none.
    pub(super) fn due(&self) -> Time {
        self.0.peek().map_or(Time::NEVER, |&Reverse((at, _))| at)
    }

    pub(super) fn next(&mut self) -> Option<Event> {
        self.0.pop().map(|Reverse((_, event))| event)
    }
}
