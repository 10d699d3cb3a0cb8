//! Drop tail: a packet that finds no room is dropped.

use sluice_units::{Limit, Rate};

use super::{Arrival, Discipline};

pub(crate) struct DropTail {
    /// Most packets that wait.
    packets: u64,
    /// Most nanoseconds of transmission in the queue: a limit in bytes at the link's rate.
    nanos: u64,
}

impl DropTail {
    /// `None` where there is no limit to keep.
    ///
    /// A limit in bytes bounds all that has not left, a new packet and what is left of the one in
    /// transmission included; a packet that finds the link idle is always taken.
    pub(crate) fn new(limit: Limit, rate: Rate) -> Option<Self> {
        match limit {
            Limit::None => None,
            Limit::Packets(packets) => Some(Self { packets, nanos: u64::MAX }),
            Limit::Bytes(bytes) => {
                Some(Self { packets: u64::MAX, nanos: rate.time_for(bytes).as_nanos() })
            }
        }
    }
}

impl Discipline for DropTail {
    fn admits(&mut self, arrival: &Arrival) -> bool {
        arrival.ahead == 0 || (arrival.through <= self.nanos && arrival.waiting < self.packets)
    }

    fn takes_within(&self) -> u64 {
        if self.counts_packets() { 0 } else { self.nanos }
    }

    fn counts_packets(&self) -> bool {
        self.packets != u64::MAX
    }
}
