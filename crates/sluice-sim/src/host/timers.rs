//! A host's timers, in the host's own time.
//!
//! A timer is registered once; setting it does not allocate. At one instant timers fire in the order
//! of (group, index), whatever the slots of their flows.

use sluice_units::Time;

use crate::packet::FlowKey;
use crate::wheel::{Actor, Wheel};

/// The owner of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The next arrival of a group.
    Group(u32),
    /// The sampler of this number: those of flows, in the order of their metrics, then those of groups.
    Sampler(u32),
    /// One end of a flow.
    Flow(FlowKey, Role),
    /// The stream of datagrams of this number.
    Stream(u32),
    /// The agent of the macro-flow of this number.
    Agent(u32),
}

/// An end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Sender,
    Receiver,
}

/// A registered timer's number.
pub(crate) type TimerId = Actor;

pub(crate) struct Timers {
    /// When the first timer fires, cached because every packet reads it.
    due: Time,
    wheel: Wheel,
    owners: Vec<Owner>,
    free: Vec<TimerId>,
}

impl Timers {
    pub(crate) fn new() -> Self {
        Self { due: Time::NEVER, wheel: Wheel::new(0), owners: Vec::new(), free: Vec::new() }
    }

    /// Registers a timer. `order` is the owner's place among timers of one instant.
    pub(crate) fn register(&mut self, order: u64, owner: Owner) -> TimerId {
        match self.free.pop() {
            Some(id) => {
                self.wheel.rename(id, order);
                self.owners[id as usize] = owner;
                id
            }
            None => {
                self.owners.push(owner);
                self.wheel.add(order)
            }
        }
    }

    /// Unregisters a timer.
    pub(crate) fn release(&mut self, id: TimerId) {
        self.set(id, Time::NEVER);
        self.free.push(id);
    }

    /// Sets when a timer fires; [`Time::NEVER`] for never.
    pub(crate) fn set(&mut self, id: TimerId, time: Time) {
        let was_first = self.wheel.due(id) == self.due;
        self.wheel.reschedule(id, time);
        self.due = if time <= self.due {
            time
        } else if was_first {
            self.wheel.first()
        } else {
            self.due
        };
    }

    /// When the first timer fires; [`Time::NEVER`] if there is none.
    #[inline]
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// Removes the first timer that fires by `now`.
    #[inline]
    pub(crate) fn pop(&mut self, now: Time) -> Option<(Time, Owner)> {
        if self.due > now {
            return None;
        }
        let (time, id) = self.wheel.pop()?;
        self.due = self.wheel.first();
        Some((time, self.owners[id as usize]))
    }
}

/// The order of a flow's timers at one instant: after those of groups, whose order is their number.
pub(crate) fn flow_order(group: usize, index: u64) -> u64 {
    (group as u64 + 1) << 42 | index
}
