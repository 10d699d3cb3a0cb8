//! Queue disciplines: which packets a full or filling queue takes. One file a discipline.

mod droptail;

pub(crate) use droptail::DropTail;

use std::collections::VecDeque;

/// Decides on each packet as it arrives. FIFO disciplines only: they choose at arrival.
pub(crate) trait Discipline: Send {
    /// Whether a packet may join the queue.
    fn admits(&mut self, arrival: &Arrival) -> bool;

    /// Packets whose [`Arrival::through`] is at most this are taken unasked.
    fn takes_within(&self) -> u64;

    /// Whether it looks at [`Arrival::waiting`], which costs something to count.
    fn counts_packets(&self) -> bool;
}

/// A packet that asks to join a queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// Nanoseconds of transmission ahead of it, what is left of the packet in transmission included.
    pub(crate) ahead: u64,
    /// Nanoseconds until its own last bit would leave.
    pub(crate) through: u64,
    /// Packets waiting behind the one in transmission; 0 where nobody counts them.
    pub(crate) waiting: u64,
}

/// Counts the packets in a queue by when each leaves it, when somebody looks.
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
