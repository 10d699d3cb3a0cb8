//! Carries packets over links to their hosts.

use sluice_laws::WireHeader;
use sluice_units::{Span, Time};

use super::net::Net;
use super::state::Engine;
use super::telemetry::is_record;
use crate::link::{Fate, Passage, Settled, Verdict};
use crate::packet::{CONTROL, DATAGRAM, Hop, Packet};
use crate::plan::AHEAD;
use crate::wheel::Actor;

impl Engine<'_> {
    /// Packets arrive at an element that several others feed. Handles, in order, all that arrive
    /// before any other can; returns their number.
    pub(super) fn meet(&mut self, number: usize, now: Time) -> usize {
        for holder in 0..self.net.wires.meetings[number].holders.len() {
            let id = self.net.wires.meetings[number].holders[holder];
            if self.net.links[id].first_held().is_some() {
                // What left it by now may arrive within the window; what leaves later does not.
                self.settle(id, now);
            }
        }
        let mut batch = std::mem::take(&mut self.batch);
        let next = self.net.wires.gather(number, now, self.net.end, &mut batch);
        self.net.wheel.reschedule(number as Actor, next);
        batch.sort();
        for packet in batch.arrivals() {
            self.carry_inline(packet, packet.header, packet.at);
        }
        let arrived = batch.len();
        self.batch = batch;
        arrived
    }

    /// Carries a packet on until it waits on a wire, is held, dropped or delivered. The packet is only
    /// read. Its [`Hop`] goes field by field, here and in what nearly all packets reach, so that it
    /// stays in registers: memory just written in parts is slow to read as a whole.
    #[inline(never)]
    pub(super) fn carry(&mut self, packet: &Packet, header: WireHeader, at: Time) {
        self.carry_inline(packet, header, at);
    }

    /// The same, where nearly all packets come from: a call, with the registers that it saves,
    /// costs as much as a link.
    #[inline(always)]
    fn carry_inline(&mut self, packet: &Packet, mut header: WireHeader, mut at: Time) {
        let mut number = packet.step;
        let mut step = self.net.plan.steps[number as usize];
        loop {
            let id = step.id as usize;
            if step.is_host() {
                at = self.net.processing.at_host(id, at);
            }
            if at > self.net.end {
                self.net.totals.in_flight += 1;
                return;
            }
            if step.is_host() {
                self.net.totals.hops += step.links();
                return self.reach_host(id, packet, header, at);
            }
            if self.net.links[id].due() <= at {
                self.settle(id, at);
                if self.net.links[id].is_apart() {
                    if self.net.links[id].is_inspected() {
                        return self.carry_inspected(packet, header, number, at);
                    }
                    if self.net.links[id].has_ingress() {
                        return self.carry_to_macro_flow(packet, header, number, at);
                    }
                    return self.carry_apart(packet, header, number, at);
                }
            }
            match self.net.links[id].accept(at, packet, &mut header) {
                Verdict::Passes(reached) => at = reached,
                verdict => return self.leave(packet, header, number, at, verdict),
            }
            number += 1;
            if step.wire != AHEAD {
                return self.wait(packet, header, number, at);
            }
            step = self.net.plan.steps[number as usize];
        }
    }

    /// Puts a packet on the wire to its next step.
    #[inline(never)]
    fn wait(&mut self, packet: &Packet, header: WireHeader, step: u32, at: Time) {
        let wire = self.net.plan.wire_to(step);
        self.net.wait_on_wire(wire, packet.before(Hop { at, header, step }));
    }

    /// A packet does not simply pass the link of its present step.
    #[cold]
    #[inline(never)]
    pub(super) fn leave(
        &mut self,
        packet: &Packet,
        header: WireHeader,
        step: u32,
        now: Time,
        verdict: Verdict,
    ) {
        let Some(Passage { at, fate, marked }) = verdict.passage() else {
            return self.lose(packet, now);
        };
        let (hop, next) = (Hop { at: now, header, step }, Hop { at, header, step: step + 1 });
        if marked {
            self.go_on(&packet.marked(), hop, next, fate);
        } else {
            self.go_on(packet, hop, next, fate);
        }
    }

    /// A packet that a link took as `hop` goes on as `next`.
    #[cold]
    pub(super) fn go_on(&mut self, packet: &Packet, hop: Hop, next: Hop, fate: Fate) {
        let wire = self.net.plan.wire_to(next.step);
        match fate {
            Fate::Held => {
                let Net { links, plan, .. } = &mut self.net;
                let id = plan.steps[hop.step as usize].id as usize;
                links[id].hold(packet.before(next), || plan.class_of(hop.step));
                self.await_flush(id, next.at);
            }
            Fate::Lost => self.lose(packet, hop.at),
            Fate::Passes if wire == AHEAD => {
                self.carry(&packet.before(next), next.header, next.at);
            }
            Fate::Passes => self.net.wait_on_wire(wire, packet.before(next)),
        }
    }

    /// Settles a link up to `now`, in the link's own order, unless the run is interrupted.
    #[inline(never)]
    pub(super) fn settle(&mut self, id: usize, now: Time) {
        if self.net.links[id].is_apart() {
            if self.net.links[id].is_only_scheduled() {
                return self.settle_scheduled(id, now);
            }
            if self.net.links[id].has_ingress() {
                return self.settle_ingress(id, now);
            }
        }
        loop {
            match self.net.links[id].settle(now) {
                Settled::Departs => self.let_go(id),
                Settled::Nothing => return,
                // Only scheduled links choose.
                Settled::Timer | Settled::Leaves(..) | Settled::Holds(_) | Settled::Emptied => {}
            }
            if !self.goes_on() {
                return;
            }
        }
    }

    /// Releases the first packet that a link holds.
    #[inline(never)]
    pub(super) fn let_go(&mut self, id: usize) {
        let Net { links, plan, .. } = &mut self.net;
        let link = &mut links[id];
        let Some((packet, hop)) = link.let_go(|step| plan.class_of(step)) else { return };
        let wire = plan.wire_to(hop.step);
        let lost = link.loses(hop.at.minus(link.delay()));
        let packet = match link.is_watched() {
            true => self.watch_departure(id, packet, hop, lost),
            false => packet,
        };
        if let Some(lost) = lost {
            self.lose(&packet, lost);
        } else if wire == AHEAD {
            self.carry(&packet, hop.header, hop.at);
        } else {
            self.net.wait_on_wire(wire, packet.before(hop));
        }
    }

    /// A packet departs from a link that adds telemetry, or is traced, to wait for `hop`. Returns the packet.
    #[cold]
    pub(super) fn watch_departure(
        &mut self,
        id: usize,
        packet: Packet,
        hop: Hop,
        lost: Option<Time>,
    ) -> Packet {
        let link = &mut self.net.links[id];
        let mut packet = packet;
        if let Some(reading) = link.report(hop.at.minus(link.delay()), packet.bytes)
            // The law took the packet for one of its own.
            && packet.header != hop.header
        {
            let record = self.labels.beneath_mut(&mut packet.sacks);
            *record = self.telemetry.add(*record, reading);
        }
        if self.net.links[id].is_traced() {
            self.trace_departure(id, &packet, hop, lost);
        }
        packet
    }

    /// Schedules the release of a held packet before it is due at the end of the link.
    pub(super) fn await_flush(&mut self, id: usize, at: Time) {
        let flush = self.flush_actor(id);
        if self.net.wheel.due(flush) == Time::NEVER {
            self.net.wheel.schedule(flush, at.minus(Span::NANO));
        }
    }

    /// Releases held packets before the first of them is due at the end of the link. Acts last at
    /// its instant, so everything that arrives by `now` has, and the link may settle whatever comes
    /// before the arrivals of the next instant.
    pub(super) fn flush(&mut self, id: usize, now: Time) {
        self.settle(id, now.plus(Span::NANO).min(self.net.end));
        if !self.interrupted
            && now < self.net.end
            && let Some(at) = self.net.links[id].first_held()
        {
            self.await_flush(id, at);
        }
    }

    pub(super) fn lose(&mut self, packet: &Packet, now: Time) {
        self.lose_known(packet, now, now);
    }

    /// A packet was lost at `now`, which is known at `known` at the latest. Its flow's record must not be of an
    /// earlier time, which the clock may have passed.
    pub(super) fn lose_known(&mut self, packet: &Packet, now: Time, known: Time) {
        self.net.totals.dropped += 1;
        if packet.sacks != 0 && self.lose_attached(packet, now) {
            return;
        }
        if packet.is_forward()
            && let Some(flow) = self.flows.get(packet.flow)
        {
            flow.lost += 1;
            flow.last = flow.last.max(known);
            self.retire_if_done(packet.flow);
        }
    }

    /// What is stored beside a lost packet goes with it: blocks of an acknowledgement, a label, telemetry.
    /// Whether it is a datagram of a stream, which has no flow.
    #[cold]
    fn lose_attached(&mut self, packet: &Packet, now: Time) -> bool {
        let sacks = self.labels.detach(packet.sacks);
        if sacks == DATAGRAM {
            self.lose_datagram(packet, now);
        } else if is_record(sacks) {
            self.telemetry.discard(sacks);
        } else if sacks != CONTROL {
            self.sacks.take(sacks);
        }
        sacks == DATAGRAM
    }
}
