//! A host's timers, in the host's own time.
//!
//! Timers are lazy: moving a deadline further leaves the old entry, which finds nothing to do.
//! At one instant they fire in the order of (group, index), which no choice of slots can change.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::packet::FlowKey;

/// Whose timer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The next arrival of a group.
    Group(u32),
    /// One end of a flow.
    Flow(FlowKey, Role),
}

/// An end of a flow, or somebody who looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Sender,
    Receiver,
    /// The flow's probe.
    Probe,
}

pub(crate) struct Timers {
    /// When the first timer fires, at hand because every packet asks.
    due: u64,
    heap: BinaryHeap<Reverse<Timer>>,
}

#[derive(Clone, Copy)]
struct Timer {
    time: u64,
    order: u64,
    owner: Owner,
}

impl Timer {
    fn key(&self) -> (u64, u64) {
        (self.time, self.order)
    }
}

impl PartialEq for Timer {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Timer {}

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Timers {
    pub(crate) fn new() -> Self {
        Self { due: u64::MAX, heap: BinaryHeap::new() }
    }

    /// Sets a timer. `order` is the owner's place among timers of one instant.
    pub(crate) fn set(&mut self, time: u64, order: u64, owner: Owner) {
        self.heap.push(Reverse(Timer { time, order, owner }));
        self.due = self.due.min(time);
    }

    /// When the first timer fires; [`u64::MAX`] if there is none.
    #[inline]
    pub(crate) fn due(&self) -> u64 {
        self.due
    }

    /// Takes the first timer that fires by `now`.
    #[inline]
    pub(crate) fn pop(&mut self, now: u64) -> Option<(u64, Owner)> {
        if self.due > now {
            return None;
        }
        let first = self.heap.pop().map(|Reverse(timer)| (timer.time, timer.owner));
        self.due = self.heap.peek().map_or(u64::MAX, |Reverse(timer)| timer.time);
        first
    }
}
