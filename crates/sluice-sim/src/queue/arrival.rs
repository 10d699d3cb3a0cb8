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
    /// As if this many waiting packets, of this transmission time in all, were dropped for it.
    pub(super) fn without(&self, packets: u64, time: Span) -> Self {
        Self {
            ahead: self.ahead.saturating_sub(time),
            through: self.through.saturating_sub(time),
            waiting: self.waiting.saturating_sub(packets),
            ..*self
        }
    }
}

/// What links know of a packet from its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrafficClass {
    /// The higher, the more urgent.
    pub(crate) class: u8,
    /// Weight of its flow.
    pub(crate) weight: f64,
    /// Number of the protocol whose header it carries; 0 if it carries none.
    pub(crate) header: u8,
}

impl Default for TrafficClass {
    fn default() -> Self {
        Self { class: 0, weight: 1.0, header: 0 }
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
    /// Dropped, since the link is down.
    Down,
}

impl Admission {
    /// Whether the packet is dropped.
    #[inline(always)]
    pub(crate) fn is_drop(self) -> bool {
        !matches!(self, Self::Taken | Self::Marked)
    }
}
