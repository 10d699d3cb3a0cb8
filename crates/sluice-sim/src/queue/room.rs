//! The room that a buffer has: what no discipline can hand out more of.

use sluice_units::{Limit, Rate};

use super::arrival::QueueArrival;

/// How much may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Most packets that wait.
    packets: u64,
    /// Most nanoseconds of transmission in the queue: a limit in bytes at the link's rate.
    nanos: u64,
}

impl Room {
    /// A limit in bytes bounds all that has not left, a new packet and what is left of the one in
    /// transmission included; a packet that finds the link idle is always taken.
    pub(crate) fn new(limit: Limit, rate: Rate) -> Self {
        let unlimited = Self { packets: u64::MAX, nanos: u64::MAX };
        match limit {
            Limit::None => unlimited,
            Limit::Packets(packets) => Self { packets, ..unlimited },
            Limit::Bytes(bytes) => Self { nanos: rate.time_for(bytes).as_nanos(), ..unlimited },
        }
    }

    /// Whether a packet fits.
    pub(super) fn takes(&self, arrival: &QueueArrival) -> bool {
        arrival.ahead == 0 || (arrival.through <= self.nanos && arrival.waiting < self.packets)
    }

    pub(super) fn is_unlimited(&self) -> bool {
        self.nanos == u64::MAX && !self.counts_packets()
    }

    /// Packets whose [`QueueArrival::through`] is less than this fit, whatever else.
    pub(super) fn full_from(&self) -> u64 {
        if self.counts_packets() { 0 } else { self.nanos.saturating_add(1) }
    }

    /// Whether it has to know how many packets wait.
    pub(super) fn counts_packets(&self) -> bool {
        self.packets != u64::MAX
    }
}
