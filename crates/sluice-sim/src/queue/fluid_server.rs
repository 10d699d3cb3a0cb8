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
    /// Their numbers and finishing times, or earlier times: packets may have arrived since. Entries with
    /// other times than [`FluidFlow::listed`] do not count.
    finishing: BinaryHeap<Reverse<(VirtualTime, u32)>>,
}

struct FluidFlow {
    weight: f64,
    /// Finishing time of its last packet.
    finish: VirtualTime,
    /// The time of its entry, no later; [`NEVER`] once it is finished.
    listed: VirtualTime,
}

const NEVER: VirtualTime = VirtualTime(f64::INFINITY);

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
        let number = self.flows.add(packet, FluidFlow { weight, finish, listed: finish });
        self.weights += weight;
        self.finishing.push(Reverse((finish, number)));
        finish
    }

    /// A packet that arrived is dropped: what its flow has yet to be served is as if it had never
    /// arrived. All before must be served.
    #[cold]
    pub(super) fn withdraw(&mut self, packet: &Packet) {
        let Some(number) = self.flows.find(packet) else { return };
        let flow = self.flows.get_mut(number);
        flow.finish = self.time.max(flow.finish - VirtualTime::of(packet, flow.weight));
        if flow.finish < flow.listed {
            flow.listed = flow.finish;
            self.finishing.push(Reverse((flow.finish, number)));
        }
    }

    /// The link is idle, so all is served: virtual time begins again, and keeps its precision.
    pub(super) fn begin_again(&mut self) {
        while let Some(Reverse((time, number))) = self.finishing.pop() {
            if self.flows.get(number).listed == time {
                finish_flow(&mut self.flows, number);
            }
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
            let flow = self.flows.get_mut(number);
            let FluidFlow { weight, finish, listed } = *flow;
            if listed != time {
                PeekMut::pop(first);
                continue;
            }
            if finish > time {
                flow.listed = finish;
                *first = Reverse((finish, number));
                continue;
            }
            let needs = (finish - self.time).0 * self.weights;
            if needs > bytes {
                self.time.0 += bytes / self.weights;
                return;
            }
            PeekMut::pop(first);
            finish_flow(&mut self.flows, number);
            (self.time, bytes) = (finish, bytes - needs);
            self.weights -= weight;
        }
        self.weights = 0.0;
    }
}

/// Removes a flow; its other entries do not count from then on.
fn finish_flow(flows: &mut FlowTable<FluidFlow>, number: u32) {
    flows.get_mut(number).listed = NEVER;
    flows.remove(number);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
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

    /// Weights and finishing times by flow, searched in full.
    #[derive(Default)]
    struct SearchedServer {
        flows: BTreeMap<u32, (f64, f64)>,
        time: f64,
    }

    impl SearchedServer {
        fn serve(&mut self, mut bytes: f64) {
            while let Some((&slot, &(_, finish))) =
                self.flows.iter().min_by(|a, b| a.1.1.total_cmp(&b.1.1))
            {
                let weights: f64 = self.flows.values().map(|(weight, _)| weight).sum();
                if (finish - self.time) * weights > bytes {
                    self.time += bytes / weights;
                    return;
                }
                bytes -= (finish - self.time) * weights;
                self.time = finish;
                self.flows.remove(&slot);
            }
        }

        fn arrive(&mut self, slot: u32, bytes: f64, weight: f64) -> f64 {
            let flow = self.flows.entry(slot).or_insert((weight, self.time));
            flow.1 += bytes / flow.0;
            flow.1
        }

        fn withdraw(&mut self, slot: u32, bytes: f64) {
            if let Some((weight, finish)) = self.flows.get_mut(&slot) {
                *finish = self.time.max(*finish - bytes / *weight);
            }
        }
    }

    proptest! {
        /// Arrivals and withdrawals in any order: finishing times are those of a search among all flows.
        #[test]
        fn it_is_the_server_that_searches_all_flows(
            steps in prop::collection::vec((0_u64..400, 0_u32..6, 1_u32..9, 0_u8..4), 1..200),
        ) {
            let (mut server, mut searched) = (server(), SearchedServer::default());
            let mut now = 0;
            for (gap, slot, eighths, kind) in steps {
                now += gap.saturating_sub(200);
                let weight = f64::from(1 << (slot % 3));
                let packet = packet(slot, 64 * eighths);
                server.serve(Time::from_nanos(now));
                searched.serve(gap.saturating_sub(200) as f64);
                if kind == 0 {
                    server.withdraw(&packet);
                    searched.withdraw(slot, f64::from(packet.bytes));
                } else {
                    let finish = server.arrive(&packet, weight).0;
                    let expected = searched.arrive(slot, f64::from(packet.bytes), weight);
                    prop_assert!((finish - expected).abs() < 1e-6, "{finish} instead of {expected}");
                }
                if kind == 3 {
                    now += 5_000;
                    server.serve(Time::from_nanos(now));
                    searched.serve(5_000.0);
                }
            }
        }
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
