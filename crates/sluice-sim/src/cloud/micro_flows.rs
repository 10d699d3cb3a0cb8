//! The micro-flows of a macro-flow, and its weight.

use sluice_units::{Span, Time};

use crate::packet::Packet;
use crate::queue::FlowTable;

/// Parts of the timeout after which flows that are over are removed.
const SWEEPS: u64 = 8;

/// The flows that sent packets within the last `timeout`, or an eighth of that more at most.
pub(super) struct MicroFlows {
    timeout: Span,
    flows: FlowTable<Option<MicroFlow>>,
    /// The sum of their weights, added up anew as those that are over are removed.
    weight: f64,
    /// The weight of the flow whose packet came last.
    latest: f64,
    /// When those that are over are removed next.
    sweeps: Time,
}

#[derive(Clone, Copy)]
struct MicroFlow {
    /// When its last packet came.
    last: Time,
    weight: f64,
}

impl MicroFlows {
    pub(super) fn new(timeout: Span) -> Self {
        let flows = FlowTable::default();
        Self { timeout, flows, weight: 0.0, latest: 1.0, sweeps: Time::ZERO }
    }

    /// A packet arrives of a flow of this weight. One without data counts as any other: acknowledgements need a part of the
    /// rate too, and without it hold up the data that they acknowledge.
    pub(super) fn saw(&mut self, now: Time, packet: &Packet, weight: f64) {
        let seen = Some(MicroFlow { last: now, weight });
        self.latest = weight;
        match self.flows.find(packet) {
            Some(number) => *self.flows.get_mut(number) = seen,
            None => {
                self.flows.add(packet, seen);
                self.weight += weight;
            }
        }
    }

    /// The sum of their weights at `now`; that of the last flow if all are over, since packets of it may wait.
    pub(super) fn weight(&mut self, now: Time) -> f64 {
        if self.sweeps <= now {
            let mut sum = 0.0;
            self.flows.expire(|flow| {
                let Some(MicroFlow { last, weight }) = *flow else { return false };
                let is_over = now.since(last) > self.timeout;
                sum += if is_over { 0.0 } else { weight };
                is_over
            });
            (self.weight, self.sweeps) = (sum, now + self.timeout / SWEEPS);
        }
        if self.weight > 0.0 { self.weight } else { self.latest }
    }
}

#[cfg(test)]
mod tests {
    use sluice_laws::host::PacketKind;

    use super::*;
    use crate::packet::FlowKey;

    fn packet(flow: u32, kind: PacketKind) -> Packet {
        Packet { flow: FlowKey { slot: flow, generation: 0 }, kind, ..Packet::NONE }
    }

    fn ms(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    #[test]
    fn flows_count_while_they_send_anything() {
        let mut flows = MicroFlows::new(Span::from_millis(80));
        for flow in 0..3 {
            (0..2).for_each(|_| flows.saw(ms(1), &packet(flow, PacketKind::Data), 1.0));
        }
        (0..2).for_each(|_| flows.saw(ms(2), &packet(9, PacketKind::Ack), 1.0));
        assert_eq!(
            flows.weight(ms(50)),
            4.0,
            "one for each flow, and one for acknowledgements of another"
        );
        flows.saw(ms(60), &packet(1, PacketKind::Data), 1.0);
        assert_eq!(flows.weight(ms(100)), 1.0, "the one that went on");
        flows.saw(ms(110), &packet(0, PacketKind::Data), 1.0);
        assert_eq!(flows.weight(ms(110)), 2.0, "and one that came back");
    }

    #[test]
    fn weights_add_up_and_the_last_one_stays() {
        let mut flows = MicroFlows::new(Span::from_millis(80));
        assert_eq!(flows.weight(ms(0)), 1.0, "before any packet");
        for (flow, weight) in [(0, 2.0), (1, 0.25), (0, 2.0)] {
            flows.saw(ms(1), &packet(flow, PacketKind::Data), weight);
        }
        assert_eq!(flows.weight(ms(1)), 2.25);
        flows.saw(ms(60), &packet(1, PacketKind::Data), 0.25);
        assert_eq!(flows.weight(ms(100)), 0.25);
        assert_eq!(flows.weight(ms(500)), 0.25, "packets of it may wait");
    }
}
