//! Number of waiting packets, for limits in packets.

use std::collections::VecDeque;

use sluice_units::Time;

/// Departures of the packets in a queue.
#[derive(Default)]
pub(crate) struct Census {
    leaving: VecDeque<Time>,
}

impl Census {
    /// Number of packets waiting at `now`. The one in transmission needs no room: a buffer of one
    /// packet holds one behind it.
    pub(crate) fn waiting(&mut self, now: Time) -> u64 {
        while self.leaving.front().is_some_and(|&leaves| leaves <= now) {
            self.leaving.pop_front();
        }
        (self.leaving.len() as u64).saturating_sub(1)
    }

    /// Adds a packet that departs after all others.
    pub(crate) fn push(&mut self, leaves: Time) {
        self.leaving.push_back(leaves);
    }
}
