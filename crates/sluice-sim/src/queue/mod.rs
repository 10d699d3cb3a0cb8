//! Queue disciplines: which packets a full or filling queue takes, and which it marks.
//!
//! A discipline's type is its table in a scenario file: its fields are the file's keys, its doc
//! comments their manual. A new one is a file beside this one with a type and its `Model`, its
//! `mod` and `pub use`, and a line in `disciplines!`. All are FIFO and decide as a packet arrives.

mod buffer;
mod census;
mod drop_tail;
mod red;
mod room;
mod short;

pub(crate) use buffer::Buffer;
pub use drop_tail::DropTail;
pub use red::Red;
pub(crate) use room::Room;

use serde::Serialize;
use sluice_units::{Bytes, Rate, Span};

use crate::rng::Streams;
use crate::traffic::{Fault, Faults, ModelInfo};

/// What becomes of a packet that asks to join a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Taken,
    /// Taken, and told of congestion (RFC 3168); only of a packet that can be.
    Marked,
    /// Dropped, since no room is left.
    NoRoom,
    /// Dropped while there was room.
    Early,
}

/// A discipline at work at a link.
pub(crate) trait Queue: Send {
    /// Decides on a packet.
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission;

    /// Packets whose [`QueueArrival::through`] is less than this are taken unasked. The fewer are asked
    /// about, the faster the link.
    fn asks_from(&self) -> u64 {
        0
    }

    /// Calls `out` with the name and value of each quantity worth plotting. Names and order never
    /// change.
    fn metrics(&self, _out: &mut dyn FnMut(&'static str, f64)) {}
}

/// A packet that asks to join a queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueArrival {
    pub(crate) now: u64,
    /// Nanoseconds of transmission ahead of it, what is left of the packet in transmission included.
    pub(crate) ahead: u64,
    /// Nanoseconds until its own last bit would leave.
    pub(crate) through: u64,
    /// Packets waiting behind the one in transmission; 0 where the room is not told in packets.
    pub(crate) waiting: u64,
    /// Whether it can be marked instead of dropped.
    pub(crate) ecn_capable: bool,
}

/// What a discipline needs to know of its link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueContext {
    pub(crate) room: Room,
    pub(crate) capacity: Rate,
    /// Largest round-trip propagation delay among the groups that cross the link.
    pub(crate) rtpd: Span,
    /// Size of a full data packet.
    pub(crate) packet: Bytes,
}

/// A discipline with its parameters.
trait Model: Sized {
    /// Where it is from.
    const SOURCE: &'static str;
    /// Finds what is wrong with the parameters at a link of that capacity.
    fn check(&self, capacity: Rate, faults: &mut Faults);
    /// Puts it to work; `None` if it would take every packet. `streams` are the link's own.
    fn at(&self, place: &QueueContext, streams: &Streams<'_>) -> Option<Box<dyn Queue>>;
}

macro_rules! disciplines {
    ($($(#[doc = $title:literal])+ $name:ident: $Type:ident),+ $(,)?) => {
        /// Which packets a queue takes: exactly one of these, as `{ red = { ... } }`, or just by
        /// its name, as `"red"`.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Discipline {
            $($(#[doc = $title])+ $Type($Type)),+
        }

        impl Discipline {
            /// Every discipline that scenarios may name.
            pub const ABOUT: &'static [ModelInfo] = &[$(ModelInfo {
                name: stringify!($name),
                title: concat!($($title),+).trim_ascii(),
                source: <$Type as Model>::SOURCE,
            }),+];

            fn check_own(&self, capacity: Rate, faults: &mut Faults) {
                match self {
                    $(Self::$Type(model) => {
                        faults.inside(stringify!($name), |faults| model.check(capacity, faults));
                    }),+
                }
            }

            pub(crate) fn at(&self, place: &QueueContext, streams: &Streams<'_>) -> Option<Box<dyn Queue>> {
                match self { $(Self::$Type(model) => model.at(place, streams)),+ }
            }
        }

        short::reading! { $($name: $Type),+ }
    };
}

disciplines! {
    /// Drops what finds no room.
    drop_tail: DropTail,
    /// Random early detection: drops or marks by chance as the average queue grows.
    red: Red,
}

impl Default for Discipline {
    fn default() -> Self {
        Self::DropTail(DropTail {})
    }
}

impl Discipline {
    /// All that is wrong with the parameters at a link of that capacity.
    pub fn faults(&self, capacity: Rate) -> Vec<Fault> {
        let mut faults = Faults::default();
        self.check_own(capacity, &mut faults);
        faults.into_found()
    }
}
