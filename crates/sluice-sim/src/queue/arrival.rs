//! A packet that arrives at a queue, and the decision about it.

use sluice_units::{Span, Time};

/// A packet that arrives at a queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueArrival {
    pub(crate) now: Time,
    /// Backlog that it finds, in transmission time at the nominal capacity, the rest of the packet in
    /// transmission included. If the capacity varies, it stands for bytes, not for the time ahead.
    pub(crate) ahead: Span,
    /// The same with the packet: at a constant capacity, time until its own last bit would leave.
    pub(crate) through: Span,
    /// Packets waiting behind the one in transmission; 0 where the room is not counted in packets.
    pub(crate) waiting: u64,
    /// Whether it can be marked instead of dropped.
    pub(crate) ecn_capable: bool,
    pub(crate) traffic: TrafficClass,
}

impl QueueArrival {
    /// A waiting packet, of this transmission time, is dropped for it.
    pub(super) fn make_room(&mut self, time: Span) {
        self.ahead = self.ahead.saturating_sub(time);
        self.through = self.through.saturating_sub(time);
        self.waiting -= 1;
    }
}

/// What links know of a packet from its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrafficClass {
    /// The higher, the more urgent.
    pub(crate) class: u8,
    /// Weight of its flow.
    pub(crate) weight: f64,
}

impl Default for TrafficClass {
    fn default() -> Self {
        Self { class: 0, weight: 1.0 }
    }
}

impl QueueArrival {
    /// Transmission time of the packet, within a nanosecond.
    pub(super) fn length(&self) -> Span {
        self.through.saturating_sub(self.ahead)
    }
}

/// The decision about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Taken,
    /// Taken, and marked as Congestion Experienced (RFC 3168); only ECN-capable packets.
    Marked,
    /// Dropped, since no room is left.
    NoRoom,
    /// Dropped while there was room.
    Early,
}
