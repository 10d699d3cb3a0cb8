//! Carries packets over links and hosts.

use sluice_laws::WireHeader;

use super::state::Engine;
use crate::link::{Fate, Marked, Settled, Verdict};
use crate::packet::{Ecn, Packet};
use crate::plan::AHEAD;
use crate::wheel::Actor;

impl Engine<'_> {
    /// Packets arrive where those of several elements meet. Takes, in order, all that do before any
    /// other can; gives how many.
    pub(super) fn meet(&mut self, number: usize, now: u64) -> usize {
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
            self.carry_in_line(packet, packet.words, packet.at);
        }
        let arrived = batch.len();
        self.batch = batch;
        arrived
    }

    /// Carries a packet on from `now`, until it waits on a wire, is held, dropped or delivered. The
    /// packet is only read: what changes on the way stays in registers, since memory that was just
    /// written in parts is slow to read as a whole.
    #[inline(never)]
    pub(super) fn carry(&mut self, packet: &Packet, words: WireHeader, now: u64) {
        self.carry_in_line(packet, words, now);
    }

    /// The same, for where nearly every packet comes from: calls, with what must be kept over them,
    /// cost as much as links.
    #[inline(always)]
    fn carry_in_line(&mut self, packet: &Packet, mut words: WireHeader, mut now: u64) {
        let mut number = packet.step;
        let mut step = self.net.plan.steps[number as usize];
        loop {
            let id = step.id as usize;
            if step.is_host() {
                now = self.net.processing.at_host(id, now);
            }
            if now > self.net.end {
                self.net.totals.in_flight += 1;
                return;
            }
            if step.is_host() {
                self.net.totals.hops += step.links();
                return self.reach_host(id, packet, words, now);
            }
            if self.net.links[id].due() <= now {
                self.settle(id, now);
                if self.net.links[id].is_traced() {
                    return self.carry_traced(packet, words, number, now);
                }
            }
            match self.net.links[id].accept(now, packet, &mut words) {
                Verdict::Passes(at) => now = at,
                verdict => return self.stop(packet, words, number, now, verdict),
            }
            number += 1;
            if step.wire != AHEAD {
                return self.wait(packet, words, number, now);
            }
            step = self.net.plan.steps[number as usize];
        }
    }

    /// A packet waits for its next step until the clock comes to `at`.
    #[inline(never)]
    fn wait(&mut self, packet: &Packet, words: WireHeader, step: u32, at: u64) {
        let wire = self.net.plan.wire_to(step);
        self.net.wait_on_wire(wire, Packet { at, words, step, ..*packet });
    }

    /// A packet that came to a link at `now`, its present step, does not simply pass it.
    #[cold]
    #[inline(never)]
    fn stop(&mut self, packet: &Packet, words: WireHeader, step: u32, now: u64, verdict: Verdict) {
        let id = self.net.plan.steps[step as usize].id as usize;
        let (at, fate, ecn) = match verdict {
            Verdict::Passes(at) => (at, Fate::Passes, packet.ecn),
            Verdict::Held(at) => (at, Fate::Held, packet.ecn),
            Verdict::Marked(Marked { at, fate }) => (at, fate, packet.ecn.with(Ecn::EXPERIENCED)),
            Verdict::Lost(_) | Verdict::Dropped => return self.lose(packet, now),
        };
        self.leave(Packet { at, words, ecn, step: step + 1, ..*packet }, id, fate, now);
    }

    /// A packet that link `id` took at `now` goes on as another, since the one that came is only read.
    #[cold]
    pub(super) fn leave(&mut self, packet: Packet, id: usize, fate: Fate, now: u64) {
        let wire = self.net.plan.wire_to(packet.step);
        match fate {
            Fate::Held => {
                self.net.links[id].hold(packet);
                self.await_flush(id, packet.at);
            }
            Fate::Lost => self.lose(&packet, now),
            Fate::Passes if wire == AHEAD => self.carry(&packet, packet.words, packet.at),
            Fate::Passes => self.net.wait_on_wire(wire, packet),
        }
    }

    /// Settles a link up to `now` in its own order.
    #[inline(never)]
    pub(super) fn settle(&mut self, id: usize, now: u64) {
        loop {
            match self.net.links[id].settle(now) {
                Settled::Timer => {}
                Settled::Departs => self.let_go(id),
                Settled::Nothing => return,
            }
        }
    }

    /// Lets go of the first packet that a link holds.
    #[inline(never)]
    fn let_go(&mut self, id: usize) {
        let link = &mut self.net.links[id];
        let Some((packet, words)) = link.let_go() else { return };
        let wire = self.net.plan.wire_to(packet.step);
        let lost = link.errs(packet.at - link.delay());
        if link.is_traced() {
            self.note_departure(id, &Packet { words, ..packet }, lost);
        }
        if lost {
            self.lose(&packet, packet.at);
        } else if wire == AHEAD {
            self.carry(&packet, words, packet.at);
        } else {
            self.net.wait_on_wire(wire, Packet { words, ..packet });
        }
    }

    /// Makes sure that a held packet is let go before it is due at the end of the link.
    fn await_flush(&mut self, id: usize, at: u64) {
        let flush = self.flush_actor(id);
        if self.net.wheel.due(flush) == u64::MAX {
            self.net.wheel.schedule(flush, at - 1);
        }
    }

    /// Lets go of held packets before the first of them is due at the end of the link. Acts last
    /// at its instant, so everything that arrives by `now` has, and the link may settle whatever
    /// comes before the next instant's arrivals.
    pub(super) fn flush(&mut self, id: usize, now: u64) {
        self.settle(id, now + 1);
        if let Some(at) = self.net.links[id].first_held() {
            self.await_flush(id, at);
        }
    }

    pub(super) fn lose(&mut self, packet: &Packet, now: u64) {
        self.net.totals.dropped += 1;
        self.sacks.take(packet.sacks);
        if packet.is_forward()
            && let Some(flow) = self.flows.get(packet.flow)
        {
            flow.lost += 1;
            flow.last = flow.last.max(now);
            self.retire_if_done(packet.flow);
        }
    }
}
