//! The queues of a TCP-friendly XCP router.
//!
//! After D. Katabi's thesis, section 8.2: "The router distinguishes XCP traffic from non-XCP traffic and queues
//! it separately. TCP (and other non-XCP) packets are queued in a conventional RED queue (the T-queue). XCP
//! flows are queued in an XCP-enabled queue (the X-queue [...])", and "weighted-fair queuing with two queues
//! where the weights are dynamically updated". The weights are the router law's
//! ([`sluice_laws::xcp::friendly`]). The thesis leaves open whether each queue has a buffer of its own: here
//! they share that of the link, and a packet that finds no room displaces packets of the other queue if that
//! has more for its weight.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_laws::router::CompetingTraffic;
use sluice_laws::xcp::friendly::WEIGHTS;
use sluice_units::{Bytes, Faults, Limit, Rate, Ratio, Time};

use super::arrival::{Admission, QueueArrival};
use super::class_parts::ClassParts;
use super::fair_classes::{ClassQueues, FairClasses};
use super::model::{Model, Queue as _, QueueContext, QueueState};
use super::red::{Detector, Red};
use super::room::Room;
use crate::by_class::ByClass;
use crate::packet::{Ecn, Packet};
use crate::rng::Streams;

/// Two queues in weighted fair queueing: a RED queue for class 0, which is for TCP and all other traffic
/// without XCP's header, and one for the classes from 1 on, which is for XCP. With the router law of `xcp` over
/// the latter (`router = [false, "xcp"]`), the law moves the weights until the average windows of both kinds of
/// flows are equal; other laws leave them as they are. Both queues share the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TcpFriendly {
    /// RED's parameters at the queue of class 0. Sizes in `bdp` are of the link, and the average is that of the
    /// bytes in this queue alone.
    pub red: Red,
    /// Weight of XCP's queue until the law moves it, 0.01 to 0.99; the other queue has the rest. Default 0.5.
    pub weight: Ratio,
}

impl Default for TcpFriendly {
    fn default() -> Self {
        Self { red: Red::default(), weight: Ratio::new(0.5) }
    }
}

impl TcpFriendly {
    /// The weights of the two classes.
    fn weights(&self) -> [Ratio; 2] {
        [Ratio::new(1.0 - self.weight.get()), self.weight]
    }
}

impl Model for TcpFriendly {
    const SOURCE: &'static str = "Katabi, Decoupling Congestion Control and Bandwidth Allocation Policy, MIT, 2003, section 8.2";

    fn check(&self, capacity: Rate, faults: &mut Faults) {
        faults.inside("red", |faults| self.red.check(capacity, faults));
        faults.within("weight", &self.weight, &WEIGHTS);
    }

    fn class_parts(&self) -> Option<ClassParts> {
        Some(ClassParts::Weighed(self.weight))
    }

    fn marks(&self) -> bool {
        self.red.marks()
    }

    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(FairClasses::new(
            ByClass::new(&self.weights()).expect("two are within 1 to 8"),
            TQueue::at(self, link, streams),
            link,
        )))
    }
}

/// The T-queue: RED, as far as there is room at the link. The X-queue has nothing beyond that.
struct TQueue {
    red: Detector,
    /// Nominal capacity of the link.
    capacity: Rate,
    traffic: CompetingTraffic,
}

/// Place of its class.
const T_QUEUE: usize = 0;

impl TQueue {
    fn at(model: &TcpFriendly, link: &QueueContext, streams: &Streams<'_>) -> Self {
        let (capacity, traffic) = (link.capacity.nominal(), CompetingTraffic::default());
        // The link has the room.
        let own = QueueContext { room: Room::new(Limit::None, capacity), ..link.clone() };
        Self { red: model.red.detector(&own, streams), capacity, traffic }
    }
}

impl ClassQueues for TQueue {
    fn arrives(
        &mut self,
        place: usize,
        waiting: impl FnOnce() -> u64,
        arrival: &QueueArrival,
        bytes: u32,
        fits: bool,
    ) -> Admission {
        if place != T_QUEUE {
            return if fits { Admission::Taken } else { Admission::NoRoom };
        }
        let bytes = u64::from(bytes);
        self.traffic.packets += 1;
        self.traffic.bytes = self.traffic.bytes.wrapping_add(bytes);
        self.traffic.squares = self.traffic.squares.wrapping_add(bytes * bytes);
        let ahead = self.capacity.time_for(Bytes::new(waiting()));
        let through = ahead + arrival.length();
        let own = QueueArrival { ahead, through, ..*arrival };
        let admission = if fits { self.red.arrives(&own) } else { self.red.refuse(&own) };
        self.traffic.lost += u64::from(admission != Admission::Taken);
        admission
    }

    /// One with a mark has been counted.
    fn displaced(&mut self, place: usize, packet: &Packet) {
        let is_new = place == T_QUEUE && !packet.ecn.has(Ecn::EXPERIENCED);
        self.traffic.lost += u64::from(is_new);
    }

    fn emptied(&mut self, place: usize, now: Time) {
        if place == T_QUEUE {
            self.red.is_empty_from(now);
        }
    }

    fn competing(&self) -> CompetingTraffic {
        self.traffic
    }

    fn due(&self) -> Time {
        self.red.due()
    }

    fn tick(&mut self, now: Time, waiting: u64) {
        self.red.tick(now, self.capacity.time_for(Bytes::new(waiting)));
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.red.metrics(out);
    }
}

#[cfg(test)]
#[path = "tcp_friendly_tests.rs"]
mod tests;
