//! Queue disciplines: which packets a full or filling queue takes, which it marks, and which leaves
//! next.
//!
//! A discipline's type is its table in a scenario file: its fields are the file's keys, its doc
//! comments their manual. A new one is a file beside this one with a type and its `Model`, its
//! `mod` and `pub use`, and a line in `disciplines!`. Those that are FIFO and decide as a packet
//! arrives implement `model::Queue`, and cost least; others implement `scheduler::Scheduler`.

mod arrival;
mod avq;
mod buffer;
mod cbwfq;
mod census;
mod class_parts;
mod codel;
mod codel_control;
mod csfq;
mod drop_tail;
mod drr;
mod dual_turns;
mod dualpi2;
mod dualpi2_control;
mod fair_classes;
mod fair_share;
mod fifo;
mod finishing_order;
mod flow_table;
mod fluid_server;
mod fq_codel;
mod label;
mod label_edge;
mod longest;
mod model;
mod ncp_csfq;
mod ncp_share;
mod packet_store;
mod pie;
mod priority;
mod rate_average;
mod red;
mod rem;
mod room;
mod scheduler;
mod shared_room;
mod short;
mod stealing;
mod tcp_friendly;
#[cfg(test)]
mod test_arrivals;
#[cfg(test)]
mod test_labels;
#[cfg(test)]
mod test_link;
mod threshold;
mod wfq;

pub(crate) use arrival::{Admission, QueueArrival, TrafficClass};
pub use avq::Avq;
pub(crate) use buffer::Buffer;
pub use cbwfq::Cbwfq;
pub(crate) use class_parts::ClassParts;
pub use codel::Codel;
pub use csfq::Csfq;
pub use drop_tail::DropTail;
pub use drr::Drr;
pub use dualpi2::Dualpi2;
pub(crate) use flow_table::FlowTable;
pub use fq_codel::FqCodel;
pub(crate) use label::{Label, Labelling};
pub(crate) use model::{QueueContext, QueueState};
pub use ncp_csfq::{AboveShare, LabelRate, NcpCsfq};
pub use ncp_share::LabelCount;
pub(crate) use packet_store::{Lane, PacketStore};
pub use pie::Pie;
pub use priority::Priority;
pub use red::Red;
pub use rem::Rem;
pub(crate) use room::Room;
pub(crate) use scheduler::{Afterthought, ScheduledPackets, Scheduler};
pub use tcp_friendly::TcpFriendly;
pub use threshold::Threshold;
pub use wfq::Wfq;

use serde::Serialize;
use sluice_units::{Fault, Faults, Rate};

use crate::model_info::ModelInfo;
use crate::rng::Streams;
use model::Model;

macro_rules! disciplines {
    ($($(#[doc = $title:literal])+ $name:ident: $Type:ident),+ $(,)?) => {
        /// A queue discipline: a table, as in `{ red = { ... } }`, or its name, as in `"red"`.
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

            /// Adds the parameters that are wrong at a link of this capacity to `faults`.
            pub fn check(&self, capacity: Rate, faults: &mut Faults) {
                match self {
                    $(Self::$Type(model) => {
                        faults.inside(stringify!($name), |faults| model.check(capacity, faults));
                    }),+
                }
            }

            /// Whether it marks ECN-capable packets. If not, they are dropped as all others.
            pub fn marks(&self) -> bool {
                match self { $(Self::$Type(model) => model.marks()),+ }
            }

            /// Whether it labels packets with the rates of their flows.
            pub(crate) fn labels(&self) -> bool {
                match self { $(Self::$Type(model) => model.labels()),+ }
            }

            /// How it divides a link among classes of traffic, if it does.
            pub(crate) fn class_parts(&self) -> Option<ClassParts> {
                match self { $(Self::$Type(model) => model.class_parts()),+ }
            }

            pub(crate) fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState {
                match self { $(Self::$Type(model) => model.at(link, streams)),+ }
            }
        }

        short::reading! { $($name: $Type),+ }
    };
}

disciplines! {
    /// Drops arriving packets when the buffer is full.
    drop_tail: DropTail,
    /// Random early detection: drops or marks at random as the average queue grows.
    red: Red,
    /// A threshold: marks packets that find more than a fixed queue, as switches do for DCTCP.
    threshold: Threshold,
    /// Proportional integral controller enhanced: holds the queueing delay at a target.
    pie: Pie,
    /// Random exponential marking: prices the mismatch of rate and queue.
    rem: Rem,
    /// Adaptive virtual queue: drops or marks what a slightly slower link would drop.
    avq: Avq,
    /// Controlled delay: drops or marks packets once all have waited too long for an interval.
    codel: Codel,
    /// Flow queueing with CoDel: queues in turn, new flows first, each with CoDel's control.
    fq_codel: FqCodel,
    /// Coupled queues: a short one for L4S packets (ECT(1)), and PI2's for all others.
    dualpi2: Dualpi2,
    /// Deficit round robin: a queue for each flow, served in turn by bytes.
    drr: Drr,
    /// Weighted fair queueing: packets in the order in which a fluid server would finish them.
    wfq: Wfq,
    /// Core-stateless fair queueing: drops by the rate in a packet's label, and keeps flows at the first link.
    csfq: Csfq,
    /// NCP as core-stateless fair queueing: labels as `csfq` has them, and R(t) by NCP's equations.
    ncp_csfq: NcpCsfq,
    /// Class-based weighted fair queueing: classes of traffic in stated shares.
    cbwfq: Cbwfq,
    /// Strict priority: the packets of the highest class first.
    priority: Priority,
    /// A RED queue for TCP and a queue for XCP, whose router law moves their shares (TCP-friendly XCP).
    tcp_friendly: TcpFriendly,
}

impl Default for Discipline {
    fn default() -> Self {
        Self::DropTail(DropTail {})
    }
}

impl Discipline {
    /// Faults of the parameters at a link of this capacity.
    pub fn faults(&self, capacity: Rate) -> Vec<Fault> {
        Faults::of(|faults| self.check(capacity, faults))
    }
}
