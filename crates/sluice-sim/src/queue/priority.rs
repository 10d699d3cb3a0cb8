//! Strict priority among classes of traffic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Time};

use super::arrival::{Admission, QueueArrival};
use super::class_parts::{BYTES_OF_CLASS, ClassParts, MOST_BYTES_OF_CLASS};
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::{Lane, PacketStore};
use super::scheduler::{ScheduledPackets, Scheduler};
use super::shared_room::{Displaced, SharedRoom, Victims};
use crate::by_class::CLASSES;
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// Strict priority has no parameters: the highest class (`class` of a group) with packets leaves
/// first. A packet that finds no room takes it from the lowest class with packets, unless the classes
/// below its own have too little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Priority {}

impl Model for Priority {
    const SOURCE: &'static str = "IEEE 802.1Q, strict priority; Linux's prio qdisc";

    fn check(&self, _: Rate, _: &mut Faults) {}

    fn class_parts(&self) -> Option<ClassParts> {
        Some(ClassParts::Priority)
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(Classes {
            room: SharedRoom::at(link),
            lanes: [Lane::default(); CLASSES],
            most: [0; CLASSES],
            waiting: 0,
        }))
    }
}

struct Classes {
    room: SharedRoom,
    lanes: [Lane; CLASSES],
    /// Most bytes that a packet has found waiting in its class.
    most: [u64; CLASSES],
    /// A bit for each class with packets.
    waiting: u8,
}

impl Scheduler for Classes {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        let class = usize::from(arrival.traffic.class);
        if !self.room.takes(arrival) && !self.displace(class, arrival, queue) {
            return Admission::NoRoom;
        }
        self.most[class] = self.most[class].max(self.lanes[class].bytes);
        queue.store.push(&mut self.lanes[class], packet, hop);
        self.waiting |= 1 << class;
        Admission::Taken
    }

    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        self.pop(self.waiting.checked_ilog2()? as usize, &mut queue.store)
    }

    fn waiting_of(&self, class: u8) -> u64 {
        self.lanes[usize::from(class)].bytes
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let found = BYTES_OF_CLASS.iter().zip(MOST_BYTES_OF_CLASS);
        for ((waiting, most), (lane, bytes)) in found.zip(self.lanes.iter().zip(self.most)) {
            out(waiting, lane.bytes as f64);
            out(most, bytes as f64);
        }
    }
}

impl Classes {
    fn pop(&mut self, class: usize, store: &mut PacketStore) -> Option<u32> {
        let place = store.pop(&mut self.lanes[class]);
        if self.lanes[class].is_empty() {
            self.waiting &= !(1 << class);
        }
        place
    }

    /// Makes room for a packet of this class, or not.
    #[cold]
    fn displace(
        &mut self,
        class: usize,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let room = self.room;
        room.displace(LowerClasses { classes: self, below: class }, arrival, queue)
    }
}

/// The first packets of the lowest class with packets.
struct LowerClasses<'a> {
    classes: &'a mut Classes,
    below: usize,
}

impl Victims for LowerClasses<'_> {
    fn total(&self) -> Displaced {
        let lanes = &self.classes.lanes[..self.below];
        Displaced {
            packets: lanes.iter().map(|lane| u64::from(lane.packets)).sum(),
            bytes: lanes.iter().map(|lane| lane.bytes).sum(),
        }
    }

    fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        let lowest = self.classes.waiting.trailing_zeros() as usize;
        if lowest < self.below { self.classes.pop(lowest, store) } else { None }
    }
}

#[cfg(test)]
#[path = "priority_tests.rs"]
mod tests;
