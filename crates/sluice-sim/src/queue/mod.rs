//! Queue disciplines: which packets a full or filling queue takes. One file a discipline.

mod droptail;

pub(crate) use droptail::DropTail;

use std::collections::VecDeque;

/// Decides on each packet as it arrives. FIFO disciplines only: they choose at arrival.
pub(crate) trait Discipline: Send {
    /// Whether a packet of `bytes` may join the queue.
    fn admits(&mut self, queue: &Backlog, bytes: u32) -> bool;
}

/// The packets of a queue that have not left it, settled when somebody looks.
///
/// The first is in transmission and takes no room; a buffer of one packet holds one behind it.
#[derive(Default)]
pub(crate) struct Backlog {
    /// When each packet's last bit leaves, and its size.
    leaving: VecDeque<(u64, u32)>,
    bytes: u64,
}

impl Backlog {
    /// Lets go of what has left by `now`.
    pub(crate) fn settle(&mut self, now: u64) {
        while let Some(&(leaves, bytes)) = self.leaving.front() {
            if leaves > now {
                break;
            }
            self.leaving.pop_front();
            self.bytes -= u64::from(bytes);
        }
    }

    /// Lets go of everything: the transmitter is idle.
    pub(crate) fn clear(&mut self) {
        self.leaving.clear();
        self.bytes = 0;
    }

    /// Takes in a packet that leaves after all others.
    pub(crate) fn push(&mut self, leaves: u64, bytes: u32) {
        self.leaving.push_back((leaves, bytes));
        self.bytes += u64::from(bytes);
    }

    /// Whether a packet would be transmitted at once.
    pub(crate) fn is_empty(&self) -> bool {
        self.leaving.is_empty()
    }

    /// Packets waiting behind the one in transmission.
    pub(crate) fn waiting_packets(&self) -> u64 {
        (self.leaving.len() as u64).saturating_sub(1)
    }

    /// Bytes waiting behind the packet in transmission.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        self.bytes - self.leaving.front().map_or(0, |&(_, bytes)| u64::from(bytes))
    }
}
