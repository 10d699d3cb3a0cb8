//! Strict priority among classes of traffic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Rate, Time};

use super::arrival::{Admission, QueueArrival};
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::Lane;
use super::room::Room;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// Strict priority has no parameters: the highest class (`class` of a group) with packets leaves
/// first. A packet that finds no room takes it from the lowest class with packets, unless its own is
/// not above that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Priority {}

impl Model for Priority {
    const SOURCE: &'static str = "IEEE 802.1Q, strict priority; Linux's prio qdisc";

    fn check(&self, _: Rate, _: &mut Faults) {}

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(Classes {
            room: link.room,
            capacity: link.capacity,
            lanes: [Lane::default(); CLASSES],
            waiting: 0,
        }))
    }
}

/// Number of classes, from 0.
pub(super) const CLASSES: usize = 8;

struct Classes {
    room: Room,
    capacity: Rate,
    lanes: [Lane; CLASSES],
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
        let mut arrival = *arrival;
        while !self.room.takes(&arrival) {
            if !self.displace(class, &mut arrival, queue) {
                return Admission::NoRoom;
            }
        }
        queue.store.push(&mut self.lanes[class], packet, hop);
        self.waiting |= 1 << class;
        Admission::Taken
    }

    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        self.pop(self.waiting.checked_ilog2()? as usize, queue)
    }
}

impl Classes {
    fn pop(&mut self, class: usize, queue: &mut ScheduledPackets) -> Option<u32> {
        let place = queue.store.pop(&mut self.lanes[class]);
        if self.lanes[class].is_empty() {
            self.waiting &= !(1 << class);
        }
        place
    }

    /// Drops the first packet of the lowest class, if that is below `class`.
    #[cold]
    fn displace(
        &mut self,
        class: usize,
        arrival: &mut QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let lowest = self.waiting.trailing_zeros() as usize;
        if lowest >= class {
            return false;
        }
        let Some(victim) = self.pop(lowest, queue) else { return false };
        let bytes = Bytes::new(u64::from(queue.store.get(victim).bytes));
        arrival.make_room(self.capacity.time_for(bytes));
        queue.drop_packet(victim, arrival.now, Admission::NoRoom);
        true
    }
}

#[cfg(test)]
#[path = "priority_tests.rs"]
mod tests;
