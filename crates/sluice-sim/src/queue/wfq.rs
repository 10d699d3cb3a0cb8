//! Weighted fair queueing: packets leave in the order in which a fluid server would finish them.
//!
//! A. Demers, S. Keshav, S. Shenker, "Analysis and Simulation of a Fair Queueing Algorithm" (SIGCOMM
//! 1989), as A. Parekh and R. Gallager analyse it with weights (see [`super::fluid_server`]): a
//! packet leaves at most the transmission time of the largest packet later than the fluid server
//! finishes it (their theorem 1).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Time};

use super::arrival::{Admission, QueueArrival};
use super::flow_table::FlowTable;
use super::fluid_server::{FluidServer, VirtualTime};
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::{Lane, PacketStore};
use super::scheduler::{ScheduledPackets, Scheduler};
use super::stealing::{FlowQueue, SharedRoom};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// Weighted fair queueing has no parameters: flows share the link by the `queue_weight` of their groups.
/// A packet that finds no room takes it from the flow with most bytes, unless that is its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wfq {}

impl Model for Wfq {
    const SOURCE: &'static str = "Demers, Keshav and Shenker, 1989; Parekh and Gallager, 1993";

    fn check(&self, _: Rate, _: &mut Faults) {}

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(FairQueue {
            room: SharedRoom { room: link.room, capacity: link.capacity },
            fluid: FluidServer::new(link.capacity),
            flows: FlowTable::default(),
            order: BinaryHeap::new(),
            arrivals: 0,
        }))
    }
}

struct FairQueue {
    room: SharedRoom,
    fluid: FluidServer,
    flows: FlowTable<FairFlow>,
    /// For each flow of the table, the turn of its first packet, or of one dropped since, and its
    /// number.
    order: BinaryHeap<Reverse<(Turn, u32)>>,
    arrivals: u64,
}

/// When the fluid server finishes a packet; ties in the order of arrival.
type Turn = (VirtualTime, u64);

#[derive(Default)]
struct FairFlow {
    lane: Lane,
    /// Of its packets.
    turns: VecDeque<Turn>,
}

impl Scheduler for FairQueue {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        if !self.room.make_room(&mut self.flows, packet, arrival, queue) {
            return Admission::NoRoom;
        }
        let finish = self.fluid.arrive(arrival.now, packet, arrival.traffic.weight);
        let turn = (finish, self.arrivals);
        self.arrivals += 1;
        let number = self.flows.find(packet).unwrap_or_else(|| {
            let number = self.flows.add(packet, FairFlow::default());
            self.order.push(Reverse((turn, number)));
            number
        });
        let flow = self.flows.get_mut(number);
        flow.turns.push_back(turn);
        queue.store.push(&mut flow.lane, packet, hop);
        Admission::Taken
    }

    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        loop {
            let Reverse((turn, number)) = self.order.pop()?;
            let flow = self.flows.get_mut(number);
            match flow.turns.front() {
                // Others took its packets.
                None => self.flows.remove(number),
                Some(&first) if first > turn => self.order.push(Reverse((first, number))),
                Some(_) => {
                    let place = flow.pop(&mut queue.store);
                    match flow.turns.front() {
                        Some(&next) => self.order.push(Reverse((next, number))),
                        None => self.flows.remove(number),
                    }
                    return place;
                }
            }
        }
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("flows", self.flows.len() as f64);
        out("fluid_flows", self.fluid.flows() as f64);
    }
}

impl FlowQueue for FairFlow {
    fn bytes(&self) -> u64 {
        self.lane.bytes
    }

    /// The fluid server has served the packet, or will, even if it is dropped: its flow pays for it.
    fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        self.turns.pop_front();
        store.pop(&mut self.lane)
    }
}

#[cfg(test)]
#[path = "wfq_tests.rs"]
mod tests;
