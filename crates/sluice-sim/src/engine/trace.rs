//! Packets at traced links.
//!
//! A packet's departure is known, and recorded, as it arrives at the link, ahead of the clock; an
//! element that runs ahead records earlier still. [`super::trace_buffer`] restores the order.
//! Packets elsewhere pay nothing: a traced link always has something to settle before a packet
//! ([`crate::link::Link::trace`]), which takes it off the fast path.

use sluice_laws::WireHeader;
use sluice_units::{Bytes, Time};

use super::state::Engine;
use super::trace_buffer::TracedFlow;
use crate::link::{Fate, Marked, Verdict};
use crate::observer::Observer;
use crate::packet::{Ecn, Packet};
use crate::trace::{PacketAction, PacketEvent, TracedPacket};

impl Engine<'_> {
    /// Takes a packet over a link, its present step, which is traced and settled up to `now`.
    #[cold]
    #[inline(never)]
    pub(super) fn carry_traced(
        &mut self,
        packet: &Packet,
        mut words: WireHeader,
        step: u32,
        now: u64,
    ) {
        let packet = &Packet { words, step, ..*packet };
        let id = self.net.plan.steps[step as usize].id as usize;
        let verdict = self.net.links[id].accept(now, packet, &mut words);
        let (at, fate, marked) = match verdict {
            Verdict::Passes(at) => (at, Fate::Passes, false),
            Verdict::Held(at) => (at, Fate::Held, false),
            Verdict::Lost(at) => (at, Fate::Lost, false),
            Verdict::Marked(Marked { at, fate }) => (at, fate, true),
            Verdict::Dropped => {
                self.note(now, id, PacketAction::Dropped, packet);
                return self.lose(packet, now);
            }
        };
        self.note(now, id, PacketAction::Enqueued, packet);
        let ecn = if marked { packet.ecn.with(Ecn::EXPERIENCED) } else { packet.ecn };
        let next = Packet { at, words, ecn, step: packet.step + 1, ..*packet };
        if marked {
            self.note(now, id, PacketAction::Marked, &next);
        }
        if fate != Fate::Held {
            self.note_departure(id, &next, fate == Fate::Lost);
        }
        self.leave(next, id, fate, now);
    }

    /// A packet leaves link `id`, and is lost on the wire or reaches the end of the link at its `at`.
    #[cold]
    pub(super) fn note_departure(&mut self, id: usize, packet: &Packet, lost: bool) {
        self.note(packet.at - self.net.links[id].delay(), id, PacketAction::Dequeued, packet);
        self.note(
            packet.at,
            id,
            if lost { PacketAction::Lost } else { PacketAction::Delivered },
            packet,
        );
    }

    fn note(&mut self, time: u64, link: usize, what: PacketAction, packet: &Packet) {
        let TracedFlow { group, index, size } = self.trace.flow(packet.flow);
        let packet = TracedPacket {
            group,
            index,
            size,
            kind: packet.kind,
            seq: packet.seq,
            bytes: Bytes::new(u64::from(packet.bytes)),
            ecn: packet.ecn,
            words: packet.words,
            sacks: self.sacks.peek(packet.sacks),
        };
        self.trace.push(PacketEvent { time: Time::from_nanos(time), link, what, packet });
    }

    /// Emits all traced events before `now`, which the clock has reached.
    pub(super) fn emit_trace(&mut self, now: u64, observer: &mut dyn Observer) {
        for place in 0..self.config.trace.links.len() {
            // Departures of held packets are recorded as the link is settled.
            self.settle(self.config.trace.links[place], now.min(self.net.end));
        }
        self.trace.emit(now, observer);
    }
}
