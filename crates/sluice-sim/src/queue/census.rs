//! How many packets wait, when somebody looks.

use std::collections::VecDeque;

/// Counts the packets in a queue by when each leaves it.
#[derive(Default)]
pub(crate) struct Census {
    leaving: VecDeque<u64>,
}

impl Census {
    /// Packets waiting at `now`. The one in transmission takes no room: a buffer of one packet
    /// holds one behind it.
    pub(crate) fn waiting(&mut self, now: u64) -> u64 {
        while self.leaving.front().is_some_and(|&leaves| leaves <= now) {
            self.leaving.pop_front();
        }
        (self.leaving.len() as u64).saturating_sub(1)
    }

    /// Takes in a packet that leaves after all others.
    pub(crate) fn push(&mut self, leaves: u64) {
        self.leaving.push_back(leaves);
    }
}
