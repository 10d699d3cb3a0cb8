//! A packet that arrives at a queue, and the decision about it.

use sluice_units::{Span, Time};

/// A packet that arrives at a queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueArrival {
    pub(crate) now: Time,
    /// Backlog that it finds, in transmission time, the rest of the packet in transmission
    /// included.
    pub(crate) ahead: Span,
    /// Time until its own last bit would leave.
    pub(crate) through: Span,
    /// Packets waiting behind the one in transmission; 0 where the room is not counted in packets.
    pub(crate) waiting: u64,
    /// Whether it can be marked instead of dropped.
    pub(crate) ecn_capable: bool,
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
