//! A link and its arrivals, to test disciplines that decide as packets arrive.

use sluice_units::{Bytes, Limit, Rate, Span, Time};

use super::arrival::{QueueArrival, TrafficClass};
use super::model::QueueContext;
use super::room::Room;
use crate::schedule::LinkCapacity;

/// Packets of 1000 bytes at 8 Mb/s: one a millisecond, a byte a microsecond.
pub(super) const PACKET: Span = Span::from_millis(1);

/// The link, with room for this much.
pub(super) fn link_with(room: Limit) -> QueueContext {
    let capacity = Rate::from_bps(8_000_000);
    let room = Room::new(room, capacity);
    let capacity = LinkCapacity::new(capacity, None);
    QueueContext { room, capacity, rtpd: Span::from_millis(100), packet: Bytes::new(1000) }
}

/// The link with unlimited room.
pub(super) fn link() -> QueueContext {
    link_with(Limit::None)
}

/// A packet that arrives and finds this transmission time ahead of it.
pub(super) fn finds_ahead(now: Time, ahead: Span) -> QueueArrival {
    let traffic = TrafficClass::default();
    QueueArrival { now, ahead, through: ahead + PACKET, waiting: 0, ecn_capable: false, traffic }
}
