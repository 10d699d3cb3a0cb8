//! The queues of the macro-flows that enter a cloud at a link.

use sluice_laws::WireHeader;
use sluice_laws::xcp_cloud::{self, CloudHeader, Forwarded};
use sluice_units::{Bytes, Limit, Span, Time};

use super::config::CloudConfig;
use super::earliest::Earliest;
use super::micro_flows::MicroFlows;
use super::outcome::IngressOutcome;
use super::pacer::Pacer;
use crate::packet::{Hop, Packet};
use crate::queue::{Lane, PacketStore};

/// The decision about a packet of a macro-flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IngressVerdict {
    /// It goes on to the link at once.
    Passes,
    /// It waits.
    Waits,
    /// It is dropped.
    Dropped,
}

/// The queues of a link, before its own.
pub(crate) struct Ingress {
    queues: Vec<MacroFlowQueue>,
    store: PacketStore,
    /// When the first packet of each queue leaves.
    due: Earliest,
    /// The time measured.
    measured: (Time, Time),
    counts: IngressOutcome,
    /// The sum of times in the queues, in nanoseconds.
    waited: u128,
}

/// The queue of one macro-flow.
struct MacroFlowQueue {
    law: xcp_cloud::MacroFlow,
    pacer: Pacer,
    lane: Lane,
    room: Limit,
    flows: MicroFlows,
    /// Bytes that left.
    left: u64,
    /// Bytes transmitted by the last control packet.
    stated: f64,
    /// The sum of weights of micro-flows that the last control packet stated.
    weight: f64,
}

impl MacroFlowQueue {
    fn takes(&self, bytes: u32) -> bool {
        match self.room {
            Limit::None => true,
            Limit::Packets(packets) => u64::from(self.lane.packets) < packets,
            Limit::Bytes(room) => self.lane.bytes + u64::from(bytes) <= room.as_u64(),
        }
    }

    /// When its first packet may leave.
    fn due(&self) -> Time {
        if self.lane.is_empty() { Time::NEVER } else { self.pacer.free() }
    }

    fn send(&mut self, now: Time, bytes: u32) {
        self.pacer.send(now, bytes);
        self.left += u64::from(bytes);
    }
}

impl Ingress {
    /// Of a link where that many macro-flows enter, over which `measured` is the time measured.
    pub(crate) fn new(macro_flows: usize, measured: (Time, Time)) -> Self {
        Self {
            queues: Vec::with_capacity(macro_flows),
            store: PacketStore::default(),
            due: Earliest::new(macro_flows),
            measured,
            counts: IngressOutcome::default(),
            waited: 0,
        }
    }

    /// Adds the queue of the next macro-flow, with this room.
    pub(crate) fn add(&mut self, cloud: &CloudConfig, room: Limit, packet: Bytes, first_rtt: Span) {
        let law = xcp_cloud::MacroFlow::new(packet, first_rtt);
        self.queues.push(MacroFlowQueue {
            pacer: Pacer::new(law.rate()),
            law,
            lane: Lane::default(),
            room,
            flows: MicroFlows::new(cloud.flow_timeout),
            left: 0,
            stated: 0.0,
            weight: 1.0,
        });
        self.counts.macro_flows += 1;
    }

    /// When the next packet leaves; [`Time::NEVER`] if none waits.
    pub(crate) fn due(&self) -> Time {
        self.due.time()
    }

    /// Number of packets that wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.store.packets()
    }

    /// A packet of a flow of this weight arrives as `hop` at the macro-flow at this place. Packets due by then must have
    /// left.
    pub(crate) fn arrive(
        &mut self,
        (place, weight): (u32, f64),
        packet: &Packet,
        hop: Hop,
    ) -> IngressVerdict {
        let queue = &mut self.queues[place as usize];
        queue.flows.saw(hop.at, packet, weight);
        if queue.lane.is_empty() && queue.pacer.free() <= hop.at {
            queue.send(hop.at, packet.bytes);
            self.count(hop.at, Span::ZERO);
            return IngressVerdict::Passes;
        }
        if !queue.takes(packet.bytes) {
            self.counts.dropped += u64::from(self.measures(hop.at));
            return IngressVerdict::Dropped;
        }
        self.store.push(&mut queue.lane, packet, hop);
        self.due.set(place as usize, queue.due());
        IngressVerdict::Waits
    }

    /// The packet that leaves next, at [`Ingress::due`].
    pub(crate) fn release(&mut self) -> Option<Packet> {
        let (number, now) = (self.due.place(), self.due.time());
        let queue = &mut self.queues[number];
        let place = self.store.pop(&mut queue.lane)?;
        let packet = self.store.take(place);
        queue.send(now, packet.bytes);
        self.due.set(number, queue.due());
        self.count(now, now.since(packet.at));
        Some(packet)
    }

    /// A control packet of the macro-flow at this place passes with the agent's report. Returns its statement.
    pub(crate) fn control(&mut self, place: u32, report: WireHeader, now: Time) -> WireHeader {
        let queue = &mut self.queues[place as usize];
        let sent = queue.left as f64 - queue.pacer.unsent(now);
        queue.weight = queue.flows.weight(now);
        let seen = Forwarded {
            now,
            bytes: (sent - queue.stated).max(0.0),
            backlogged: !queue.lane.is_empty(),
            weight: queue.weight,
        };
        queue.stated = sent;
        let statement = queue.law.control(CloudHeader::from_wire(report), &seen);
        queue.pacer.change(now, queue.law.rate());
        self.due.set(place as usize, queue.due());
        self.counts.capped += u64::from(statement.is_capped() && self.measures(now));
        statement.to_wire()
    }

    /// Of each macro-flow, by its place: the rate in bits a second, the sum of weights of micro-flows that it stated last,
    /// and the bytes in its queue.
    pub(crate) fn metrics(&self, out: &mut dyn FnMut(usize, &'static str, f64)) {
        for (place, queue) in self.queues.iter().enumerate() {
            out(place, "rate_bps", queue.law.rate().as_bps_f64());
            out(place, "weight", queue.weight);
            out(place, "queue_bytes", queue.lane.bytes as f64);
        }
    }

    /// What became of packets.
    pub(crate) fn outcome(&self) -> IngressOutcome {
        let mean = self.waited.checked_div(u128::from(self.counts.forwarded)).unwrap_or(0);
        IngressOutcome { mean_wait: Span::from_nanos(mean as u64), ..self.counts }
    }

    fn measures(&self, now: Time) -> bool {
        let (warm_up, stop) = self.measured;
        (warm_up..stop).contains(&now)
    }

    fn count(&mut self, now: Time, waited: Span) {
        if self.measures(now) {
            self.counts.forwarded += 1;
            self.waited += u128::from(waited.as_nanos());
        }
    }
}

#[cfg(test)]
#[path = "ingress_tests.rs"]
mod tests;
