//! The configuration of a cloud.

use std::collections::BTreeSet;

use sluice_laws::xcp::{Shuffle, XcpParams};
use sluice_units::{BufferSize, Bytes, Faults, Limit, Rate, Ratio, Span};

use crate::limits;

/// Packets for which the queue of a macro-flow has room by default: over short round trips, a BDP is less than an initial
/// window.
const LEAST_ROOM: u64 = 20;

/// A cloud of routers between its edges. Its core links run XCP with the parameters of [`sluice_laws::xcp`].
#[derive(Clone, Debug, PartialEq)]
pub struct CloudConfig {
    /// The numbers of its border routers, at least two.
    pub edges: Vec<usize>,
    /// Whether flows that respond to congestion share macro-flows with streams of datagrams, which do not.
    pub mixed: bool,
    /// Room of the queue of a macro-flow, at the capacity of the slowest link of its path through the cloud; `None` for a
    /// BDP, but 20 packets at least.
    pub buffer: Option<BufferSize>,
    /// The least time between two control packets of a macro-flow ([`limits::CONTROL_INTERVAL`]).
    pub min_interval: Span,
    /// How long after its last packet a micro-flow counts in the weight of its macro-flow
    /// ([`limits::MICRO_FLOW_TIMEOUT`]).
    pub flow_timeout: Span,
}

impl CloudConfig {
    /// A cloud between these edges: responsive and unresponsive flows apart, queues of a BDP, a control packet every
    /// RTT but not within a millisecond, and micro-flows that count for five seconds.
    pub fn new(edges: Vec<usize>) -> Self {
        Self {
            edges,
            mixed: false,
            buffer: None,
            min_interval: Span::from_millis(1),
            flow_timeout: Span::from_secs(5),
        }
    }

    /// The room of the queue of a macro-flow whose slowest link has this capacity, on paths of at most this RTPD.
    pub(crate) fn room(&self, slowest: Rate, rtpd: Span, packet: Bytes) -> Limit {
        let size = self.buffer.unwrap_or(BufferSize::Bdp(Ratio::new(1.0)));
        match (size.limit(slowest, rtpd), self.buffer) {
            (Limit::Bytes(room), None) => {
                Limit::Bytes(room.max(Bytes::new(LEAST_ROOM * packet.as_u64())))
            }
            (room, _) => room,
        }
    }

    /// Adds what is wrong with it in a network of `nodes` nodes, whatever the paths, to `faults`.
    pub fn check(&self, nodes: usize, faults: &mut Faults) {
        let edges: BTreeSet<usize> = self.edges.iter().copied().collect();
        let several = edges.len() == self.edges.len() && edges.len() >= 2;
        faults.need(several, "edges", "a cloud has at least two edges, each named once");
        let known = edges.last().is_none_or(|&last| last < nodes);
        faults.need(known, "edges", "there is no such node");
        faults.within("min_interval", &self.min_interval, &limits::CONTROL_INTERVAL);
        faults.within("flow_timeout", &self.flow_timeout, &limits::MICRO_FLOW_TIMEOUT);
    }
}

/// Adds parameters of XCP that no cloud can have to `faults`.
pub(crate) fn check_xcp(xcp: &XcpParams, faults: &mut Faults) {
    let what = "a cloud needs one group: its routers decide about all macro-flows at once";
    faults.need(xcp.rtt_groups.is_one(), "rtt_groups", what);
    let what =
        "a cloud cannot have `need`: a control packet does not show how unequal micro-flows are";
    faults.need(xcp.shuffle != Shuffle::Need, "shuffle", what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_room_is_a_bdp_or_twenty_packets() {
        let (slowest, packet) = (Rate::from_bps(8_000_000), Bytes::new(1000));
        let cloud = CloudConfig::new(Vec::new());
        let room = |millis| cloud.room(slowest, Span::from_millis(millis), packet);
        assert_eq!(room(60), Limit::Bytes(Bytes::new(60_000)), "a MB/s for 60 ms");
        assert_eq!(room(1), Limit::Bytes(Bytes::new(20_000)));
        let stated = CloudConfig { buffer: Some(BufferSize::Bdp(Ratio::new(1.0))), ..cloud };
        let room = stated.room(slowest, Span::from_millis(1), packet);
        assert_eq!(room, Limit::Bytes(Bytes::new(1_000)), "a stated size is kept");
    }
}
