//! Buffer stealing: a packet that finds no room takes it from the flow with most bytes.
//!
//! M. Shreedhar, G. Varghese, "Efficient Fair Queuing Using Deficit Round-Robin" (IEEE/ACM ToN 4(3),
//! 1996), section III-C, after P. McKenney, "Stochastic Fairness Queueing" (1990).

use super::flow_table::FlowTable;
use super::packet_store::Lane;
use super::shared_room::Displaced;
use crate::packet::Packet;

/// A flow whose packets wait in a lane.
pub(super) trait FlowQueue {
    fn lane(&self) -> &Lane;
}

/// The flows of a table that have more bytes than the flow of a packet that arrives. Looking for them
/// takes time in proportion to the number of flows.
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
    pub(super) fn longest(&self, flows: &FlowTable<impl FlowQueue>) -> Option<u32> {
        let longest = self.lengths(flows).reduce(|a, b| if b.1 > a.1 { b } else { a });
        longest.map(|(number, _)| number)
    }

    /// What can be taken from the longest until none is longer, at least.
    pub(super) fn total(&self, flows: &FlowTable<impl FlowQueue>) -> Displaced {
        self.lengths(flows).fold(Displaced::default(), |total, (_, bytes)| Displaced {
            packets: total.packets + 1,
            bytes: total.bytes + (bytes - self.own),
        })
    }

    /// The number and bytes of each.
    fn lengths<T: FlowQueue>(&self, flows: &FlowTable<T>) -> impl Iterator<Item = (u32, u64)> {
        let lengths = flows.iter().map(|(number, flow)| (number, flow.lane().bytes));
        lengths.filter(|&(_, bytes)| bytes > self.own)
    }
}
