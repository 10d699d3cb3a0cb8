//! What every queue discipline implements.

use sluice_units::{Bytes, Faults, Rate, Span};

use super::arrival::{Admission, QueueArrival};
use super::room::Room;
use super::scheduler::Scheduler;
use crate::rng::Streams;

/// A discipline's state at one link.
pub(crate) trait Queue: Send {
    /// Decides about a packet that arrives.
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission;

    /// Packets whose [`QueueArrival::through`] is below this are taken without a call to `arrives`:
    /// the higher, the faster the link.
    fn asks_from(&self) -> Span {
        Span::ZERO
    }

    /// Calls `out` with name and value of each metric. Names and order never change.
    fn metrics(&self, _out: &mut dyn FnMut(&'static str, f64)) {}
}

/// The link of a discipline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueContext {
    pub(crate) room: Room,
    pub(crate) capacity: Rate,
    /// Largest round-trip propagation delay among the groups that cross the link.
    pub(crate) rtpd: Span,
    /// Size of a full data packet.
    pub(crate) packet: Bytes,
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

/// A discipline with its parameters.
pub(super) trait Model: Sized {
    /// Where it is from: a paper, a standard or a tool.
    const SOURCE: &'static str;
    /// Checks the parameters at a link of this capacity.
    fn check(&self, capacity: Rate, faults: &mut Faults);
    /// Its state at a link. `streams` are the link's own.
    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState;
}
