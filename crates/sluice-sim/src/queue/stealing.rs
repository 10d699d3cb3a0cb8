//! Buffer stealing: a packet that finds no room takes it from the flow with most bytes.
//!
//! M. Shreedhar, G. Varghese, "Efficient Fair Queuing Using Deficit Round-Robin" (IEEE/ACM ToN 4(3),
//! 1996), section III-C, after P. McKenney, "Stochastic Fairness Queueing" (1990).

use sluice_units::{Bytes, Rate};

use super::arrival::{Admission, QueueArrival};
use super::flow_table::FlowTable;
use super::packet_store::PacketStore;
use super::room::Room;
use super::scheduler::ScheduledPackets;
use crate::packet::Packet;

/// A flow's queue.
pub(super) trait FlowQueue {
    /// Bytes of its packets.
    fn bytes(&self) -> u64;
    /// Takes out the first packet, if there is one. Returns its place.
    fn pop(&mut self, store: &mut PacketStore) -> Option<u32>;
}

/// The limits of a link whose flows steal.
pub(super) struct SharedRoom {
    pub(super) room: Room,
    pub(super) capacity: Rate,
}

impl SharedRoom {
    /// Makes room for a packet that arrives, by dropping first packets of the flow with most bytes;
    /// `false` if that is the packet's own.
    #[inline(always)]
    pub(super) fn make_room(
        &self,
        flows: &mut FlowTable<impl FlowQueue>,
        packet: &Packet,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        self.room.takes(arrival) || self.steal(flows, packet, *arrival, queue)
    }

    /// Takes time in proportion to the number of flows for each packet dropped.
    #[cold]
    fn steal(
        &self,
        flows: &mut FlowTable<impl FlowQueue>,
        packet: &Packet,
        mut arrival: QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let own = flows.find(packet);
        while !self.room.takes(&arrival) {
            let lengths = flows.iter().map(|(number, flow)| (number, flow.bytes()));
            let longest = lengths.reduce(|a, b| if b.1 > a.1 { b } else { a });
            let Some((number, 1..)) = longest.filter(|&(number, _)| own != Some(number)) else {
                return false;
            };
            let Some(victim) = flows.get_mut(number).pop(&mut queue.store) else { return false };
            let bytes = Bytes::new(u64::from(queue.store.get(victim).bytes));
            arrival.make_room(self.capacity.time_for(bytes));
            queue.drop_packet(victim, arrival.now, Admission::NoRoom);
        }
        true
    }
}
