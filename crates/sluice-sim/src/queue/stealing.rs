//! Buffer stealing: a packet that finds no room takes it from the flow with most bytes.
//!
//! M. Shreedhar, G. Varghese, "Efficient Fair Queuing Using Deficit Round-Robin" (IEEE/ACM ToN 4(3),
//! 1996), section III-C, after P. McKenney, "Stochastic Fairness Queueing" (1990).

use super::flow_table::FlowTable;
use super::longest::{Lanes, LongestLane};
use super::packet_store::Lane;
use super::shared_room::Displaced;
use crate::packet::Packet;

/// A flow whose packets wait in a lane.
pub(super) trait FlowQueue {
    fn lane(&self) -> &Lane;
}

impl<T: FlowQueue> Lanes for FlowTable<T> {
    fn count(&self) -> u32 {
        self.numbers()
    }

    fn lane(&self, number: u32) -> &Lane {
        self.get(number).lane()
    }
}

/// The flows of a table that have more bytes than the flow of a packet that arrives.
pub(super) struct LongerFlows {
    /// Bytes of the packet's own flow.
    own: u64,
}

impl LongerFlows {
    /// The flows longer than that of `packet`.
    pub(super) fn than(packet: &Packet, flows: &FlowTable<impl FlowQueue>) -> Self {
        Self { own: flows.find(packet).map_or(0, |number| flows.get(number).lane().bytes) }
    }

    /// The number of the longest.
    pub(super) fn longest(
        &self,
        flows: &FlowTable<impl FlowQueue>,
        longest: &mut LongestLane,
    ) -> Option<u32> {
        longest.find(flows).filter(|&(_, bytes)| bytes > self.own).map(|(number, _)| number)
    }

    /// What can be taken from the longest until it is not longer than the packet's own, at least.
    pub(super) fn of_longest(
        &self,
        flows: &FlowTable<impl FlowQueue>,
        longest: &mut LongestLane,
    ) -> Displaced {
        longest.find(flows).map_or(Displaced::default(), |(_, bytes)| self.excess(bytes))
    }

    /// What can be taken from the longest until none is longer, at least. Takes time in proportion to
    /// the number of flows.
    pub(super) fn total(&self, flows: &FlowTable<impl FlowQueue>) -> Displaced {
        let lengths = (0..flows.count()).map(|number| flows.lane(number).bytes);
        lengths.map(|bytes| self.excess(bytes)).fold(Displaced::default(), Displaced::plus)
    }

    /// What can be taken from a flow of these bytes.
    fn excess(&self, bytes: u64) -> Displaced {
        Displaced { packets: u64::from(bytes > self.own), bytes: bytes.saturating_sub(self.own) }
    }
}
