//! Packets of many flows, in the order in which a fluid server finishes them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::flow_table::FlowTable;
use super::fluid_server::VirtualTime;
use super::packet_store::{Lane, PacketStore};
use super::stealing::FlowQueue;
use crate::packet::{Hop, Packet};

/// When the fluid server finishes a packet; ties in the order of arrival.
pub(super) type Turn = (VirtualTime, u64);

#[derive(Default)]
pub(super) struct FinishingOrder {
    /// Those with packets.
    flows: FlowTable<FairFlow>,
    /// For each flow, the turn of its first packet, and its number. Entries of packets that were
    /// withdrawn stay until they are found.
    firsts: BinaryHeap<Reverse<(Turn, u32)>>,
    /// By place in the store, the packet's turn as it arrived, later by [`FairFlow::taken_back`].
    turns: Vec<Turn>,
}

pub(super) struct FairFlow {
    lane: Lane,
    weight: f64,
    /// Virtual time of packets that arrived and were withdrawn.
    taken_back: VirtualTime,
}

impl FlowQueue for FairFlow {
    fn lane(&self) -> &Lane {
        &self.lane
    }
}

impl FinishingOrder {
    pub(super) fn flows(&self) -> &FlowTable<FairFlow> {
        &self.flows
    }

    /// No packet waits, and virtual time begins again.
    pub(super) fn begin_again(&mut self) {
        self.firsts.clear();
    }

    /// Puts a packet of a flow with this weight, which arrives as `hop`, into the store. Returns the
    /// number and the bytes of its flow.
    pub(super) fn push(
        &mut self,
        packet: &Packet,
        hop: Hop,
        weight: f64,
        (finish, arrival): Turn,
        store: &mut PacketStore,
    ) -> (u32, u64) {
        let number = self.flows.find(packet).unwrap_or_else(|| {
            let (lane, taken_back) = Default::default();
            let number = self.flows.add(packet, FairFlow { lane, weight, taken_back });
            self.firsts.push(Reverse(((finish, arrival), number)));
            number
        });
        let flow = self.flows.get_mut(number);
        let place = store.push(&mut flow.lane, packet, hop) as usize;
        if self.turns.len() <= place {
            self.turns.resize(place + 1, Turn::default());
        }
        self.turns[place] = (finish + flow.taken_back, arrival);
        (number, flow.lane.bytes)
    }

    /// Takes the first packet of all out of its lane. Returns its place.
    pub(super) fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        let (mut first, number) = loop {
            let first = self.firsts.peek_mut()?;
            let Reverse((turn, number)) = *first;
            if self.flows.get(number).first_turn(&self.turns, store) == Some(turn) {
                break (first, number);
            }
            PeekMut::pop(first);
        };
        let flow = self.flows.get_mut(number);
        let place = store.pop(&mut flow.lane);
        match flow.first_turn(&self.turns, store) {
            Some(turn) => first.0.0 = turn,
            None => {
                PeekMut::pop(first);
                self.flows.remove(number);
            }
        }
        place
    }

    /// Takes the first packet of a flow out of its lane. The turns of those behind it are as if it had
    /// never arrived. Returns its place.
    #[cold]
    pub(super) fn withdraw_first(&mut self, number: u32, store: &mut PacketStore) -> Option<u32> {
        let flow = self.flows.get_mut(number);
        let place = store.pop(&mut flow.lane)?;
        flow.taken_back = flow.taken_back + VirtualTime::of(store.get(place), flow.weight);
        match flow.first_turn(&self.turns, store) {
            Some(turn) => self.firsts.push(Reverse((turn, number))),
            None => self.flows.remove(number),
        }
        Some(place)
    }
}

impl FairFlow {
    /// The turn of its first packet.
    fn first_turn(&self, turns: &[Turn], store: &PacketStore) -> Option<Turn> {
        let (finish, arrival) = turns[store.first_place(&self.lane)? as usize];
        Some((finish - self.taken_back, arrival))
    }
}
