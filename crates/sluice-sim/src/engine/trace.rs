//! Packets at traced links.
//!
//! A packet's departure is known, and recorded, as it arrives at the link, ahead of the clock; an
//! element that runs ahead records earlier still. [`super::trace_buffer`] restores the order.
//! Packets elsewhere pay nothing: a traced link always has something to settle before a packet
//! ([`crate::link::Link::trace`]), which takes it off the fast path.

use sluice_laws::WireHeader;
use sluice_units::{Bytes, Time};

use super::state::Engine;
use super::telemetry::is_record;
use super::trace_buffer::TracedFlow;
use crate::config::LinkId;
use crate::link::{Fate, Passage};
use crate::packet::{Hop, Packet};
use crate::trace::{PacketAction, PacketEvent, TracedPacket};

impl Engine<'_> {
    /// Carries a packet over the link of its present step, which is traced and settled up to the
    /// packet's arrival.
    #[cold]
    #[inline(never)]
    pub(super) fn carry_traced(
        &mut self,
        packet: &Packet,
        header: WireHeader,
        step: u32,
        now: Time,
    ) {
        let id = self.net.plan.steps[step as usize].id as usize;
        let traffic = self.net.plan.class_of(step);
        let hop = Hop { at: now, header, step };
        let mut header = header;
        let verdict = self.net.links[id].accept_apart(now, packet, &mut header, traffic);
        if !self.is_traceable(packet) {
            return self.leave(packet, header, step, now, verdict);
        }
        let Some(Passage { at, fate, marked }) = verdict.passage() else {
            self.trace_packet(now, id, PacketAction::Dropped, packet, hop);
            return self.lose(packet, now);
        };
        self.trace_packet(now, id, PacketAction::Enqueued, packet, hop);
        let next = Hop { at, header, step: step + 1 };
        let packet = &if marked { packet.marked() } else { *packet };
        if marked {
            self.trace_packet(now, id, PacketAction::Marked, packet, next);
        }
        if fate != Fate::Held {
            self.trace_departure(id, packet, next, (fate == Fate::Lost).then_some(at));
        }
        self.go_on(packet, hop, next, fate);
    }

    /// A packet leaves link `id`; it is lost on the wire at `lost`, or reaches the end of the link at
    /// `hop.at`.
    #[cold]
    pub(super) fn trace_departure(
        &mut self,
        id: usize,
        packet: &Packet,
        hop: Hop,
        lost: Option<Time>,
    ) {
        if !self.is_traceable(packet) {
            return;
        }
        let departs = hop.at.minus(self.net.links[id].delay());
        self.trace_packet(departs, id, PacketAction::Dequeued, packet, hop);
        let end = if lost.is_some() { PacketAction::Lost } else { PacketAction::Delivered };
        self.trace_packet(lost.unwrap_or(hop.at), id, end, packet, hop);
    }

    /// Whether a packet is traced at traced links: control packets of clouds are of no flow.
    pub(super) fn is_traceable(&self, packet: &Packet) -> bool {
        self.net.plan.macro_flows.of_control(packet.flow).is_none()
    }

    pub(super) fn trace_packet(
        &mut self,
        time: Time,
        link: LinkId,
        what: PacketAction,
        packet: &Packet,
        hop: Hop,
    ) {
        let event = self.packet_event(time, link, what, packet, hop);
        self.trace.push(event);
    }

    /// A packet is marked as link `id` chooses it, at `packet.at`, and leaves at the same instant.
    #[cold]
    pub(super) fn trace_mark_at_departure(&mut self, id: LinkId, packet: &Packet) {
        let (what, hop) = (PacketAction::Marked, packet.hop());
        let event = self.packet_event(packet.at, id, what, packet, hop);
        self.trace.push_before_departures(event);
    }

    fn packet_event(
        &self,
        time: Time,
        link: LinkId,
        what: PacketAction,
        packet: &Packet,
        hop: Hop,
    ) -> PacketEvent {
        let traced = self.udp.traced(packet.flow).unwrap_or_else(|| self.trace.flow(packet.flow));
        let TracedFlow { group, index, size } = traced;
        let sacks = self.labels.beneath(packet.sacks);
        let packet = TracedPacket {
            group,
            index,
            size,
            kind: packet.kind,
            seq: packet.seq,
            bytes: Bytes::new(u64::from(packet.bytes)),
            ecn: packet.ecn,
            service: self.groups[group].service_of(self.net.plan.class_of(hop.step)),
            header: hop.header,
            sacks: if is_record(sacks) {
                self.telemetry.peek(sacks)
            } else {
                self.sacks.peek(sacks)
            },
        };
        PacketEvent { time, link, what, packet }
    }

    /// Emits all traced events before `now`, which the clock has reached.
    pub(super) fn emit_trace(&mut self, now: Time) {
        for place in 0..self.config.trace.links.len() {
            // Departures of held packets are recorded as the link is settled.
            self.settle(self.config.trace.links[place], now.min(self.net.end));
        }
        self.trace.emit(now, self.observer);
    }
}
