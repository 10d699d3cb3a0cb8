//! A link as a fluid server: generalized processor sharing and its virtual time.
//!
//! A. Parekh, R. Gallager, "A Generalized Processor Sharing Approach to Flow Control in Integrated
//! Services Networks: The Single-Node Case" (IEEE/ACM ToN 1(3), 1993; PG below), section IV: virtual
//! time grows at the capacity over the sum of the weights of the backlogged flows, and the server
//! finishes a packet when virtual time reaches the packet's finishing time.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use sluice_units::{Rate, Time};

use super::flow_table::FlowTable;
use crate::packet::Packet;

/// A virtual time since all flows were idle, in bytes for each unit of weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct VirtualTime(f64);

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
    /// Bytes a nanosecond.
    rate: f64,
    time: VirtualTime,
    /// When virtual time was that, in nanoseconds.
    updated: f64,
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
    pub(super) fn new(capacity: Rate) -> Self {
        Self {
            rate: capacity.as_bytes_per_sec_f64() / 1e9,
            time: VirtualTime::default(),
            updated: 0.0,
            flows: FlowTable::default(),
            weights: 0.0,
            finishing: BinaryHeap::new(),
        }
    }

    /// Number of flows that are not finished.
    pub(super) fn flows(&self) -> usize {
        self.flows.len()
    }

    /// A packet arrives, of a flow with this weight. Returns its finishing time (PG, equation 10): the
    /// later of the present and the finishing time of the packet before it, plus its length over
    /// the weight.
    pub(super) fn arrive(&mut self, now: Time, packet: &Packet, weight: f64) -> VirtualTime {
        self.advance(now.as_nanos() as f64);
        let length = f64::from(packet.bytes) / weight;
        if let Some(number) = self.flows.find(packet) {
            let flow = self.flows.get_mut(number);
            flow.finish.0 += length;
            return flow.finish;
        }
        let finish = VirtualTime(self.time.0 + length);
        let number = self.flows.add(packet, FluidFlow { weight, finish });
        self.weights += weight;
        self.finishing.push(Reverse((finish, number)));
        finish
    }

    /// Serves all flows up to `now`.
    fn advance(&mut self, now: f64) {
        while let Some(Reverse((time, number))) = self.finishing.pop() {
            let FluidFlow { weight, finish } = *self.flows.get(number);
            if finish > time {
                self.finishing.push(Reverse((finish, number)));
                continue;
            }
            let finished = self.updated + (finish.0 - self.time.0) * self.weights / self.rate;
            if finished > now {
                self.finishing.push(Reverse((time, number)));
                self.time.0 += (now - self.updated) * self.rate / self.weights;
                break;
            }
            (self.time, self.updated) = (finish, finished);
            self.weights -= weight;
            self.flows.remove(number);
        }
        if self.finishing.is_empty() {
            // Idle: virtual time begins again, and keeps its precision.
            (self.time, self.weights) = (VirtualTime::default(), 0.0);
        }
        self.updated = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::FlowKey;

    /// 1 byte a nanosecond.
    fn server() -> FluidServer {
        FluidServer::new(Rate::from_bps(8_000_000_000))
    }

    fn packet(slot: u32, bytes: u32) -> Packet {
        Packet { flow: FlowKey { slot, generation: 0 }, bytes, ..Packet::NONE }
    }

    #[test]
    fn flows_share_by_weight() {
        let mut server = server();
        let mut arrive = |now, slot, bytes, weight| {
            server.arrive(Time::from_nanos(now), &packet(slot, bytes), weight).0
        };
        assert_eq!(arrive(0, 0, 1000, 1.0), 1000.0);
        // By 300, virtual time is 300; then flow 1 gets three quarters.
        assert_eq!(arrive(300, 1, 600, 3.0), 500.0);
        // Flow 1 is finished at 300 + 200 * 4 = 1100; then flow 0 has 500 left, and the whole server.
        assert_eq!(arrive(1200, 1, 3, 3.0), 601.0);
        // All is finished at 1600 + 3.
        assert_eq!(arrive(1700, 2, 7, 1.0), 7.0, "virtual time begins again");
    }

    #[test]
    fn a_flow_queues_behind_itself() {
        let mut server = server();
        let mut arrive = |now| server.arrive(Time::from_nanos(now), &packet(0, 100), 1.0).0;
        assert_eq!([arrive(0), arrive(0), arrive(150)], [100.0, 200.0, 300.0]);
        assert_eq!(arrive(301), 100.0);
    }
}
