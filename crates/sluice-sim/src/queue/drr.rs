//! Deficit round robin: each flow in turn sends up to a quantum of bytes.
//!
//! M. Shreedhar, G. Varghese, "Efficient Fair Queuing Using Deficit Round-Robin" (IEEE/ACM ToN 4(3),
//! 1996; SV below), with a lane for each flow and direction instead of a hash.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Rate, Time};

use super::arrival::{Admission, QueueArrival};
use super::flow_table::FlowTable;
use super::longest::LongestLane;
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::{Lane, PacketStore};
use super::scheduler::{ScheduledPackets, Scheduler};
use super::shared_room::{Displaced, SharedRoom, Victims};
use super::stealing::{FlowQueue, LongerFlows};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// Deficit round robin's parameters. A packet that finds no room takes it from the flows with most bytes,
/// unless those with more than its own have too little above that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Drr {
    /// Bytes that each flow may send in its turn, at least 64; the size of a full packet by default.
    /// Below that size, a choice takes longer to compute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantum: Option<Bytes>,
}

/// The least quantum.
pub(super) const LEAST_QUANTUM: Bytes = Bytes::new(64);

/// Checks a quantum.
pub(super) fn check_quantum(quantum: Option<Bytes>, faults: &mut Faults) {
    let enough = quantum.is_none_or(|quantum| quantum >= LEAST_QUANTUM);
    faults.need(enough, "quantum", "a quantum is at least 64 B");
}

impl Model for Drr {
    const SOURCE: &'static str = "Shreedhar and Varghese, 1996";

    fn check(&self, _: Rate, faults: &mut Faults) {
        check_quantum(self.quantum, faults);
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(RoundRobin {
            quantum: self.quantum.unwrap_or(link.packet).as_u64(),
            room: SharedRoom::at(link),
            flows: FlowTable::default(),
            longest: LongestLane::default(),
            turns: VecDeque::new(),
            in_turn: false,
        }))
    }
}

struct RoundRobin {
    quantum: u64,
    room: SharedRoom,
    flows: FlowTable<FlowLane>,
    longest: LongestLane,
    /// `ActiveList`: the flows with packets, in the order of their turns.
    turns: VecDeque<u32>,
    /// Whether the first of them has been given its quantum.
    in_turn: bool,
}

#[derive(Default)]
struct FlowLane {
    lane: Lane,
    /// The bytes that it may still send in its turn: its deficit counter.
    deficit: u64,
}

impl Scheduler for RoundRobin {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        if !self.room.takes(arrival) && !self.steal(packet, arrival, queue) {
            return Admission::NoRoom;
        }
        let number = self.flows.find(packet).unwrap_or_else(|| {
            let number = self.flows.add(packet, FlowLane::default());
            self.turns.push_back(number);
            number
        });
        let lane = &mut self.flows.get_mut(number).lane;
        queue.store.push(lane, packet, hop);
        self.longest.grown(number, lane.bytes);
        Admission::Taken
    }

    /// SV, figure 4.
    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        loop {
            let number = *self.turns.front()?;
            let flow = self.flows.get_mut(number);
            if !std::mem::replace(&mut self.in_turn, true) {
                flow.deficit += self.quantum;
            }
            let Some(first) = queue.store.first(&flow.lane) else {
                // Others took its packets.
                self.leave(number);
                continue;
            };
            let bytes = u64::from(first.bytes);
            if bytes > flow.deficit {
                self.in_turn = false;
                self.turns.rotate_left(1);
                continue;
            }
            flow.deficit -= bytes;
            let place = queue.store.pop(&mut flow.lane);
            if flow.lane.is_empty() {
                self.leave(number);
            }
            return place;
        }
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("flows", self.flows.len() as f64);
    }
}

impl RoundRobin {
    #[cold]
    fn steal(
        &mut self,
        packet: &Packet,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let Self { room, flows, longest, .. } = self;
        let longer = LongerFlows::than(packet, flows);
        room.displace(StolenPackets { flows, longest, longer }, arrival, queue)
    }

    /// The first flow in turn has no packets: it leaves the list and loses its deficit.
    fn leave(&mut self, number: u32) {
        self.turns.pop_front();
        self.in_turn = false;
        self.flows.remove(number);
    }
}

impl FlowQueue for FlowLane {
    fn lane(&self) -> &Lane {
        &self.lane
    }
}

/// The first packets of the longest flow.
struct StolenPackets<'a> {
    flows: &'a mut FlowTable<FlowLane>,
    longest: &'a mut LongestLane,
    longer: LongerFlows,
}

impl Victims for StolenPackets<'_> {
    fn first_part(&mut self) -> Displaced {
        self.longer.of_longest(self.flows, self.longest)
    }

    fn total(&self) -> Displaced {
        self.longer.total(self.flows)
    }

    fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        let number = self.longer.longest(self.flows, self.longest)?;
        store.pop(&mut self.flows.get_mut(number).lane)
    }
}

#[cfg(test)]
#[path = "drr_tests.rs"]
mod tests;
