//! What every queue discipline implements.

use sluice_units::{BufferSize, Bytes, Faults, Limit, Rate, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::class_parts::ClassParts;
use super::room::Room;
use super::scheduler::Scheduler;
use crate::rng::Streams;
use crate::schedule::LinkCapacity;

/// The shortest period of a discipline's timer: at every nanosecond, a run would never end.
pub(super) const SHORTEST_PERIOD: Span = Span::from_micros(1);

/// A discipline's state at one link.
pub(crate) trait Queue: Send {
    /// Decides about a packet that arrives.
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission;

    /// Packets whose [`QueueArrival::through`] is below this are taken without a call to `arrives`:
    /// the higher, the faster the link.
    fn asks_from(&self) -> Span {
        Span::ZERO
    }

    /// When its own timer is due. It changes only in [`Queue::tick`].
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// The timer at `now`, which is [`Queue::due`], with `backlog` left to transmit. It comes before
    /// arrivals of the same instant, and must set a later time.
    fn tick(&mut self, _now: Time, _backlog: Span) {}

    /// Calls `out` with name and value of each metric. Names and order never change.
    fn metrics(&self, _out: &mut dyn FnMut(&'static str, f64)) {}
}

/// The link of a discipline.
#[derive(Clone, Debug)]
pub(crate) struct QueueContext {
    pub(crate) room: Room,
    pub(crate) capacity: LinkCapacity,
    /// Largest round-trip propagation delay among the groups that cross the link.
    pub(crate) rtpd: Span,
    /// Size of a full data packet.
    pub(crate) packet: Bytes,
}

impl QueueContext {
    /// Nanoseconds that a full data packet takes to transmit, at least 1.
    pub(super) fn packet_nanos(&self) -> f64 {
        self.capacity.nominal().time_for(self.packet).as_nanos().max(1) as f64
    }

    /// Nanoseconds that a queue of this size takes to transmit; packets are full ones.
    pub(super) fn queue_nanos(&self, size: BufferSize) -> f64 {
        match size.limit(self.capacity.nominal(), self.rtpd) {
            Limit::None => f64::INFINITY,
            Limit::Packets(packets) => packets as f64 * self.packet_nanos(),
            Limit::Bytes(bytes) => self.capacity.nominal().time_for(bytes).as_nanos() as f64,
        }
    }
}

/// The state of a discipline at a link.
pub(crate) enum QueueState {
    /// It would take every packet, first in, first out.
    Unlimited,
    /// It decides as packets arrive, and is first in, first out.
    Arrival(Box<dyn Queue>),
    /// It decides as the transmitter becomes free.
    Departure(Box<dyn Scheduler>),
}

#[cfg(test)]
impl QueueState {
    /// The state of a discipline that decides as packets arrive.
    pub(super) fn arrival(self) -> Box<dyn Queue> {
        match self {
            Self::Arrival(queue) => queue,
            _ => panic!("the discipline decides about arrivals"),
        }
    }
}

/// A discipline with its parameters.
pub(super) trait Model: Sized {
    /// Where it is from: a paper, a standard or a tool.
    const SOURCE: &'static str;
    /// Checks the parameters at a link of this capacity.
    fn check(&self, capacity: Rate, faults: &mut Faults);
    /// How it divides a link among classes of traffic, if it does.
    fn class_parts(&self) -> Option<ClassParts> {
        None
    }
    /// Whether it marks ECN-capable packets.
    fn marks(&self) -> bool {
        false
    }
    /// Whether it reads and writes labels ([`super::scheduler::ScheduledPackets::label`]).
    fn labels(&self) -> bool {
        false
    }
    /// Its state at a link. `streams` are the link's own.
    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState;
}
