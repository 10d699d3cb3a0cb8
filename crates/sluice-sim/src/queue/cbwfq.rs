//! Class-based weighted fair queueing: classes of traffic share the link in stated proportions.
//!
//! The order is that of self-clocked fair queueing: S. J. Golestani, "A Self-Clocked Fair Queueing
//! Scheme for Broadband Applications" (IEEE INFOCOM 1994; G below), with a class for each session.
//! Virtual time is the finishing tag of the packet in service. Over any time in which two classes have
//! packets, their bytes over their shares differ by at most the sum of the largest packet of each over
//! its share (G).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::class_parts::{BYTES_OF_CLASS, ClassParts};
use super::fluid_server::VirtualTime;
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::{Lane, PacketStore};
use super::scheduler::{ScheduledPackets, Scheduler};
use super::shared_room::{Displaced, SharedRoom, Victims};
use crate::by_class::ByClass;
use crate::limits;
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// Parameters of class-based weighted fair queueing. What a class does not use, the others share in the
/// same proportions. A packet that finds no room displaces packets of the classes with most bytes for
/// their share, if they have enough more of them than its own class would have with it. A class whose
/// share of the room is less than a packet can get less than its share of the link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cbwfq {
    /// Shares of the classes 0, 1, ... (`class` of a group), 1 to 8 numbers of 0.001 to 1000 each: only
    /// their proportions matter. Classes beyond the list belong to the last in it.
    pub shares: ByClass<Ratio>,
}

impl Model for Cbwfq {
    const SOURCE: &'static str = "self-clocked fair queueing: Golestani, 1994";

    fn check(&self, _: Rate, faults: &mut Faults) {
        for share in self.shares.as_slice() {
            faults.within("shares", share, &limits::QUEUE_WEIGHT);
        }
    }

    fn class_parts(&self) -> Option<ClassParts> {
        Some(ClassParts::Shares(self.shares))
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        let shares = self.shares.as_slice().iter();
        QueueState::Departure(Box::new(FairClasses {
            room: SharedRoom::at(link),
            shares: self.shares,
            classes: shares.map(|share| FairClass::new(share.get())).collect(),
            time: VirtualTime::default(),
        }))
    }
}

struct FairClasses {
    room: SharedRoom,
    shares: ByClass<Ratio>,
    /// One for each share.
    classes: Box<[FairClass]>,
    /// The greatest finishing tag of packets that left since the link was idle.
    time: VirtualTime,
}

struct FairClass {
    share: f64,
    lane: Lane,
    /// Finishing tag of the packet before its first, or the virtual time at which that arrived if this
    /// is later.
    start: VirtualTime,
    /// Finishing tag of its first packet.
    finish: VirtualTime,
}

impl Scheduler for FairClasses {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        if arrival.ahead == Span::ZERO && queue.store.packets() == 0 {
            // G: virtual time begins again when the link is idle, and keeps its
            // precision.
            self.time = VirtualTime::default();
        }
        let place = self.shares.place(arrival.traffic.class);
        if !self.room.takes(arrival) && !self.displace(place, packet, arrival, queue) {
            return Admission::NoRoom;
        }
        let class = &mut self.classes[place];
        let is_first = class.lane.is_empty();
        queue.store.push(&mut class.lane, packet, hop);
        if is_first {
            // All packets of the class before it have left, with tags up to the virtual time.
            class.start = self.time;
            class.tag_first(&queue.store);
        }
        Admission::Taken
    }

    /// The least finishing tag first, and at a tie the highest class.
    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        let waiting = self.classes.iter_mut().rev().filter(|class| !class.lane.is_empty());
        let class = waiting.min_by_key(|class| class.finish)?;
        // Below it is only the tag of a packet that moved up as one before it was dropped.
        self.time = self.time.max(class.finish);
        let place = queue.store.pop(&mut class.lane);
        class.start = class.finish;
        class.tag_first(&queue.store);
        place
    }

    fn waiting_of(&self, class: u8) -> u64 {
        self.classes.get(usize::from(class)).map_or(0, |class| class.lane.bytes)
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        for (name, class) in BYTES_OF_CLASS.iter().zip(&self.classes) {
            out(name, class.lane.bytes as f64);
        }
    }
}

impl FairClasses {
    /// Makes room for a packet of the class at this place, or not.
    #[cold]
    fn displace(
        &mut self,
        place: usize,
        packet: &Packet,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let own = &self.classes[place];
        let level = (own.lane.bytes + u64::from(packet.bytes)) as f64 / own.share;
        self.room.displace(PacketsAbove { classes: &mut self.classes, level }, arrival, queue)
    }
}

impl FairClass {
    fn new(share: f64) -> Self {
        let (lane, start, finish) = Default::default();
        Self { share, lane, start, finish }
    }

    /// Computes the finishing tag of the first packet (G). Of a packet behind others, the tag of the
    /// one before it is above the virtual time of its arrival, so tags of first packets suffice.
    fn tag_first(&mut self, store: &PacketStore) {
        if let Some(first) = store.first(&self.lane) {
            self.finish = self.start + VirtualTime::of(first, self.share);
        }
    }

    /// Bytes for each unit of its share.
    fn level(&self) -> f64 {
        self.lane.bytes as f64 / self.share
    }

    /// Bytes above a level.
    fn excess(&self, level: f64) -> u64 {
        self.lane.bytes.saturating_sub((level * self.share) as u64)
    }
}

/// The first packets of the classes with more bytes for each unit of share than a level; of the highest
/// such class first, at a tie the lowest number.
struct PacketsAbove<'a> {
    classes: &'a mut [FairClass],
    level: f64,
}

impl Victims for PacketsAbove<'_> {
    fn total(&self) -> Displaced {
        let excesses = self.classes.iter().map(|class| class.excess(self.level));
        excesses.filter(|&excess| excess > 0).fold(Displaced::default(), |total, excess| {
            Displaced { packets: total.packets + 1, bytes: total.bytes + excess }
        })
    }

    fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        let level = self.level;
        let above = self.classes.iter_mut().filter(|class| class.excess(level) > 0);
        let class = above.reduce(|a, b| if b.level() > a.level() { b } else { a })?;
        let place = store.pop(&mut class.lane);
        // The next packet moves up, so that the class does not pay for a packet that others displace.
        class.tag_first(store);
        place
    }
}

#[cfg(test)]
#[path = "cbwfq_tests.rs"]
mod tests;
