//! Drop tail: a packet that finds no room is dropped.

use sluice_units::Limit;

use super::{Backlog, Discipline};

pub(crate) struct DropTail {
    packets: u64,
    bytes: u64,
}

impl DropTail {
    /// `None` where there is no limit to keep.
    pub(crate) fn new(limit: Limit) -> Option<Self> {
        match limit {
            Limit::None => None,
            Limit::Packets(packets) => Some(Self { packets, bytes: u64::MAX }),
            Limit::Bytes(bytes) => Some(Self { packets: u64::MAX, bytes: bytes.as_u64() }),
        }
    }
}

impl Discipline for DropTail {
    fn admits(&mut self, queue: &Backlog, bytes: u32) -> bool {
        queue.is_empty()
            || (queue.waiting_packets() < self.packets
                && queue.waiting_bytes() + u64::from(bytes) <= self.bytes)
    }
}
