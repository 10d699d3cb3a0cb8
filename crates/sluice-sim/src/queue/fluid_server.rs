//! A link as a fluid server: generalized processor sharing and its virtual time.
//!
//! A. Parekh, R. Gallager, "A Generalized Processor Sharing Approach to Flow Control in Integrated
//! Services Networks: The Single-Node Case" (IEEE/ACM ToN 1(3), 1993; PG below), section IV: virtual
//! time grows at the capacity over the sum of the weights of the backlogged flows, and the server
//! finishes a packet when virtual time reaches the packet's finishing time. If the capacity varies, so
//! does that of the fluid server: both have sent equally many bytes.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::{Add, Sub};

use sluice_units::Time;

use super::flow_table::FlowTable;
use crate::packet::Packet;
use crate::schedule::{LinkCapacity, Work, work_of};

/// A virtual time since the link was idle, in bytes for each unit of weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct VirtualTime(f64);

impl VirtualTime {
    /// In which a packet is served, of a flow with this weight.
    pub(super) fn of(packet: &Packet, weight: f64) -> Self {
        Self(f64::from(packet.bytes) / weight)
    }
}

impl Add for VirtualTime {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for VirtualTime {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Eq for VirtualTime {}

impl PartialOrd for VirtualTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for VirtualTime {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

pub(super) struct FluidServer {
    capacity: LinkCapacity,
    time: VirtualTime,
    /// What the link could have sent by then.
    updated: Work,
    /// The flows that the fluid server has not finished.
    flows: FlowTable<FluidFlow>,
    /// The sum of their weights.
    weights: f64,
    /// Their numbers and finishing times, or earlier times: packets may have arrived since.
    finishing: BinaryHeap<Reverse<(VirtualTime, u32)>>,
}

struct FluidFlow {
    weight: f64,
    /// Finishing time of its last packet.
    finish: VirtualTime,
}

impl FluidServer {
    pub(super) fn new(capacity: LinkCapacity) -> Self {
        Self {
            capacity,
            time: VirtualTime::default(),
            updated: 0,
            flows: FlowTable::default(),
            weights: 0.0,
            finishing: BinaryHeap::new(),
        }
    }

    /// Number of flows that are not finished.
    pub(super) fn flows(&self) -> usize {
        self.flows.len()
    }

    /// A packet arrives, of a flow with this weight; all before must be served. Returns its finishing
    /// time (PG, equation 10): the later of the present and the finishing time of the packet before it,
    /// plus its length over the weight.
    pub(super) fn arrive(&mut self, packet: &Packet, weight: f64) -> VirtualTime {
        let length = VirtualTime::of(packet, weight);
        if let Some(number) = self.flows.find(packet) {
            let flow = self.flows.get_mut(number);
            flow.finish = flow.finish + length;
            return flow.finish;
        }
        let finish = self.time + length;
        let number = self.flows.add(packet, FluidFlow { weight, finish });
        self.weights += weight;
        self.finishing.push(Reverse((finish, number)));
        finish
    }

    /// A packet that arrived is dropped: what its flow has yet to be served is as if it had never
    /// arrived. All before must be served. Takes time in proportion to the number of flows.
    #[cold]
    pub(super) fn withdraw(&mut self, packet: &Packet) {
        let Some(number) = self.flows.find(packet) else { return };
        let flow = self.flows.get_mut(number);
        flow.finish = self.time.max(flow.finish - VirtualTime::of(packet, flow.weight));
        self.finishing.retain(|&Reverse((_, of))| of != number);
        self.finishing.push(Reverse((flow.finish, number)));
    }

    /// The link is idle, so all is served: virtual time begins again, and keeps its precision.
    pub(super) fn begin_again(&mut self) {
        while let Some(Reverse((_, number))) = self.finishing.pop() {
            self.flows.remove(number);
        }
        (self.time, self.weights) = (VirtualTime::default(), 0.0);
    }

    /// Serves all flows up to `now`.
    pub(super) fn serve(&mut self, now: Time) {
        let by = self.capacity.by(now);
        let mut bytes = (by - self.updated) as f64 / work_of(1) as f64;
        self.updated = by;
        while let Some(mut first) = self.finishing.peek_mut() {
            let Reverse((time, number)) = *first;
            let FluidFlow { weight, finish } = *self.flows.get(number);
            if finish > time {
                *first = Reverse((finish, number));
                continue;
            }
            let needs = (finish - self.time).0 * self.weights;
            if needs > bytes {
                self.time.0 += bytes / self.weights;
                return;
            }
            PeekMut::pop(first);
            self.flows.remove(number);
            (self.time, bytes) = (finish, bytes - needs);
            self.weights -= weight;
        }
        self.weights = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::Rate;

    use super::*;
    use crate::packet::FlowKey;

    /// 1 byte a nanosecond.
    fn server() -> FluidServer {
        FluidServer::new(LinkCapacity::new(Rate::from_bps(8_000_000_000), None))
    }

    fn packet(slot: u32, bytes: u32) -> Packet {
        Packet { flow: FlowKey { slot, generation: 0 }, bytes, ..Packet::NONE }
    }

    #[test]
    fn flows_share_by_weight() {
        let mut server = server();
        let mut arrive = |now, slot, bytes, weight| {
            server.serve(Time::from_nanos(now));
            server.arrive(&packet(slot, bytes), weight).0
        };
        assert_eq!(arrive(0, 0, 1000, 1.0), 1000.0);
        // By 300, virtual time is 300; then flow 1 gets three quarters.
        assert_eq!(arrive(300, 1, 600, 3.0), 500.0);
        // Flow 1 is finished at 300 + 200 * 4 = 1100; then flow 0 has 500 left, and the whole server.
        assert_eq!(arrive(1200, 1, 3, 3.0), 601.0);
        // All is finished at 1600 + 3, when virtual time is 1000.
        assert_eq!(arrive(1700, 2, 7, 1.0), 1007.0);
        server.begin_again();
        assert_eq!((server.arrive(&packet(3, 5), 1.0).0, server.flows()), (5.0, 1));
    }

    #[test]
    fn a_flow_queues_behind_itself() {
        let mut server = server();
        let mut arrive = |now| {
            server.serve(Time::from_nanos(now));
            server.arrive(&packet(0, 100), 1.0).0
        };
        assert_eq!([arrive(0), arrive(0), arrive(150)], [100.0, 200.0, 300.0]);
        assert_eq!(arrive(301), 400.0);
    }

    #[test]
    fn a_dropped_packet_is_as_if_it_had_never_arrived() {
        let mut server = server();
        server.arrive(&packet(0, 100), 1.0);
        server.arrive(&packet(0, 900), 1.0);
        server.arrive(&packet(1, 600), 1.0);
        server.serve(Time::from_nanos(100));
        server.withdraw(&packet(0, 900));
        // Virtual time is 50. Flow 0 is finished at 100 + 2 * 50, then flow 1 is alone.
        server.serve(Time::from_nanos(300));
        assert_eq!((server.time.0, server.flows()), (200.0, 1));
        // No flow has been finished before the present.
        server.withdraw(&packet(1, 600));
        server.serve(Time::from_nanos(300));
        assert_eq!((server.time.0, server.flows()), (200.0, 0));
    }
}
