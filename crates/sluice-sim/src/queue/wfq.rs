//! Weighted fair queueing: packets leave in the order in which a fluid server would finish them.
//!
//! A. Demers, S. Keshav, S. Shenker, "Analysis and Simulation of a Fair Queueing Algorithm" (SIGCOMM
//! 1989), as A. Parekh and R. Gallager analyse it with weights (see [`super::fluid_server`]): a
//! packet leaves at most the transmission time of the largest packet later than the fluid server
//! finishes it (their theorem 1). If the capacity varies, that transmission takes longer or shorter, but
//! the order is that of a fluid server with the same capacity at each instant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::finishing_order::FinishingOrder;
use super::fluid_server::FluidServer;
use super::longest::LongestLane;
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::PacketStore;
use super::scheduler::{ScheduledPackets, Scheduler};
use super::shared_room::{Displaced, SharedRoom, Victims};
use super::stealing::LongerFlows;
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// Weighted fair queueing has no parameters: flows share the link by the `queue_weight` of their groups.
/// A packet that finds no room takes it from the flows with most bytes, unless those with more than its
/// own have too little above that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wfq {}

impl Model for Wfq {
    const SOURCE: &'static str = "Demers, Keshav and Shenker, 1989; Parekh and Gallager, 1993";

    fn check(&self, _: Rate, _: &mut Faults) {}

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(FairQueue {
            room: SharedRoom::at(link),
            fluid: FluidServer::new(link.capacity.clone()),
            order: FinishingOrder::default(),
            longest: LongestLane::default(),
            arrivals: 0,
        }))
    }
}

struct FairQueue {
    room: SharedRoom,
    fluid: FluidServer,
    order: FinishingOrder,
    longest: LongestLane,
    arrivals: u64,
}

impl Scheduler for FairQueue {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        self.fluid.serve(arrival.now);
        if arrival.ahead == Span::ZERO && queue.store.packets() == 0 {
            self.fluid.begin_again();
            self.order.begin_again();
        }
        if !self.room.takes(arrival) && !self.steal(packet, arrival, queue) {
            return Admission::NoRoom;
        }
        let weight = arrival.traffic.weight;
        let turn = (self.fluid.arrive(packet, weight), self.arrivals);
        self.arrivals += 1;
        let (number, bytes) = self.order.push(packet, hop, weight, turn, &mut queue.store);
        self.longest.grown(number, bytes);
        Admission::Taken
    }

    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        self.order.pop(&mut queue.store)
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("flows", self.order.flows().len() as f64);
        out("fluid_flows", self.fluid.flows() as f64);
    }
}

impl FairQueue {
    #[cold]
    fn steal(
        &mut self,
        packet: &Packet,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let Self { room, fluid, order, longest, .. } = self;
        let longer = LongerFlows::than(packet, order.flows());
        room.displace(StolenPackets { order, fluid, longest, longer }, arrival, queue)
    }
}

/// The first packets of the longest flow, for which it need not pay: otherwise a flow at a full buffer
/// would pay for packets that others took.
struct StolenPackets<'a> {
    order: &'a mut FinishingOrder,
    fluid: &'a mut FluidServer,
    longest: &'a mut LongestLane,
    longer: LongerFlows,
}

impl Victims for StolenPackets<'_> {
    fn first_part(&mut self) -> Displaced {
        self.longer.of_longest(self.order.flows(), self.longest)
    }

    fn total(&self) -> Displaced {
        self.longer.total(self.order.flows())
    }

    fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        let number = self.longer.longest(self.order.flows(), self.longest)?;
        let place = self.order.withdraw_first(number, store)?;
        self.fluid.withdraw(store.get(place));
        Some(place)
    }
}

#[cfg(test)]
#[path = "wfq_tests.rs"]
mod tests;
