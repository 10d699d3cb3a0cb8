//! A link: queue, transmitter, wire, and the router law that watches it.
//!
//! A FIFO queue needs no events: as a packet arrives it is known when its last bit will leave.
//! What happens to the link in between (ticks of the law, samples, packets stamped as they leave)
//! is settled in order, in the link's own time, before the next arrival: [`Link::due`] tells when
//! there is something to settle, [`Link::settle`] does the earliest of it.
//!
//! What every packet touches fits in two cache lines, or one where packets only pass the clock; the
//! rest is in [`LinkComponents`].

mod clock;
mod components;
mod counters;
mod errors;
mod meter;
mod router;
mod sampler;
mod verdict;

use std::mem::offset_of;

use sluice_laws::WireHeader;

use crate::outcome::{LinkOutcome, Series};
use crate::packet::{CacheLine, Packet};
use crate::queue::Admission;
use clock::Slot;
use counters::Counters;

pub(crate) use clock::Clock;
pub(crate) use components::LinkComponents;
pub(crate) use errors::Errors;
pub(crate) use meter::LinkMeter;
pub(crate) use router::RouterDriver;
pub(crate) use sampler::LinkSampler;
pub(crate) use verdict::{Fate, Marked, Settled, Verdict};

/// In this order in memory: packets that only pass the clock touch but the first cache line.
#[repr(C, align(64))]
pub(crate) struct Link {
    clock: Clock,
    /// Whether arriving packets only pass the clock.
    plain: bool,
    /// Whether packets are lost on the wire.
    errs: bool,
    /// Whether what happens to packets is told.
    traced: bool,
    /// Propagation delay in nanoseconds.
    delay: u64,
    /// When there is something to settle.
    due: u64,
    counters: Counters,
    /// A packet that leaves before this need not be held.
    stamp_at_departure_from: u64,
    /// A packet that leaves before this need not be held, nor noted ([`RouterDriver::note`]).
    looks_from: u64,
    /// See [`crate::queue::Queue::asks_from`].
    asks_from: u64,
    parts: Box<LinkComponents>,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(offset_of!(Link, counters) + offset_of!(Counters, least) <= 64);

impl Link {
    pub(crate) fn new(clock: Clock, delay: u64, parts: LinkComponents) -> Self {
        Self {
            clock,
            delay,
            due: parts.next_timer(),
            counters: Counters { taken: 0, longest: 0, least: u64::MAX },
            stamp_at_departure_from: parts.stamp_at_departure_from(),
            looks_from: parts.looks_from(),
            asks_from: parts.buffer.as_ref().map_or(u64::MAX, |buffer| buffer.asks_from),
            plain: parts.is_plain(),
            errs: parts.errors.is_some(),
            traced: false,
            parts: Box::new(parts),
        }
    }

    /// Has what happens to packets told: there is something to settle before each, so that others'
    /// packets need not be asked whether their link is traced.
    pub(crate) fn trace(&mut self) {
        (self.traced, self.due) = (true, 0);
    }

    #[inline]
    pub(crate) fn is_traced(&self) -> bool {
        self.traced
    }

    /// Propagation delay in nanoseconds.
    #[inline]
    pub(crate) fn delay(&self) -> u64 {
        self.delay
    }

    /// When there is something to settle.
    #[inline]
    pub(crate) fn due(&self) -> u64 {
        self.due
    }

    /// Whether arriving packets only pass through the transmitter.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    pub(crate) fn may_hold(&self) -> bool {
        self.parts.router.is_some()
    }

    /// When the first held packet reaches the end of the link.
    pub(crate) fn first_held(&self) -> Option<u64> {
        self.parts.held.front().map(|packet| packet.0.at)
    }

    /// Takes a packet that arrives at `now` into a link that only transmits; gives when it reaches
    /// the end. Everything due by then is settled.
    #[inline]
    pub(crate) fn transmit(&mut self, now: u64, bytes: u32) -> u64 {
        let slot = self.clock.slot(now, bytes);
        self.join(now, bytes, slot)
    }

    #[inline]
    fn join(&mut self, now: u64, bytes: u32, slot: Slot) -> u64 {
        let departs = self.clock.take(slot);
        debug_assert!(departs > now, "a packet of {bytes} bytes takes time");
        self.counters.taken += u64::from(bytes);
        // Here and below: a branch that is nearly never taken costs less than writing the maximum.
        if departs - now > self.counters.longest {
            self.counters.longest = departs - now;
        }
        departs + self.delay
    }

    /// Takes a packet that arrives at `now`; everything due by then is settled. One that is to be
    /// held comes back with [`Link::hold`]. What may change on the way, `words`, is apart from the
    /// packet as it arrived.
    #[inline(always)]
    pub(crate) fn accept(&mut self, now: u64, packet: &Packet, words: &mut WireHeader) -> Verdict {
        let bytes = packet.bytes;
        if self.plain {
            return Verdict::Passes(self.transmit(now, bytes));
        }
        let backlog = self.clock.backlog(now);
        let slot = self.clock.slot(now, bytes);
        if backlog < self.counters.least {
            self.counters.least = backlog;
        }
        let through = slot.free - now;
        if through < self.asks_from {
            return self.take(now, bytes, slot, words);
        }
        match self.parts.admits(now, packet.ecn, backlog, through) {
            Admission::Taken => self.take(now, bytes, slot, words),
            Admission::Marked => match self.take(now, bytes, slot, words) {
                Verdict::Passes(at) => Verdict::Marked(Marked { at, fate: Fate::Passes }),
                Verdict::Held(at) => Verdict::Marked(Marked { at, fate: Fate::Held }),
                Verdict::Lost(at) => Verdict::Marked(Marked { at, fate: Fate::Lost }),
                other => other,
            },
            refused => {
                self.parts.drop_packet(*words, bytes, refused);
                Verdict::Dropped
            }
        }
    }

    /// Takes a packet that the queue has room for.
    #[inline(always)]
    fn take(&mut self, now: u64, bytes: u32, slot: Slot, words: &mut WireHeader) -> Verdict {
        let at = self.join(now, bytes, slot);
        let departs = at - self.delay;
        if self.asks_from == 0 {
            self.parts.enlist(departs);
        }
        if departs >= self.looks_from && self.looks(now, bytes, departs) {
            return Verdict::Held(at);
        }
        if let Some(router) = &mut self.parts.router {
            *words = router.pass(*words, bytes);
        }
        if self.errs(departs) { Verdict::Lost(at) } else { Verdict::Passes(at) }
    }

    /// Notes a packet if what waits is known from it; says whether it is to be held.
    #[inline(never)]
    fn looks(&mut self, now: u64, bytes: u32, departs: u64) -> bool {
        if let Some(router) = &mut self.parts.router
            && departs >= router.notes_from()
        {
            router.note(now, bytes, departs, self.counters.taken);
        }
        departs >= self.stamp_at_departure_from
    }

    /// Keeps a packet that the law must see as it leaves, for the end of the link at its `at`.
    /// Departures come in order.
    #[inline(always)]
    pub(crate) fn hold(&mut self, mut packet: Packet) {
        if let Some(router) = &mut self.parts.router {
            packet.words = router.arrive(packet.words, packet.bytes);
        }
        self.due = self.due.min(packet.at - self.delay);
        (self.stamp_at_departure_from, self.looks_from) = (0, 0);
        self.parts.held.push_back(CacheLine(packet));
    }

    /// Settles the earliest thing due by `now`. At one instant: ticks and samples, then
    /// departures, then (by the caller) arrivals.
    pub(crate) fn settle(&mut self, now: u64) -> Settled {
        let parts = &mut *self.parts;
        let timer = parts.next_timer();
        let departs = parts.held.front().map_or(u64::MAX, |packet| packet.0.at - self.delay);
        if timer <= now && timer <= departs {
            parts.timer(timer, &self.clock, &mut self.counters);
            Settled::Timer
        } else if departs <= now || parts.may_depart(departs) {
            Settled::Departs
        } else {
            self.due = if self.traced { 0 } else { timer.min(departs) };
            (self.stamp_at_departure_from, self.looks_from) =
                (parts.stamp_at_departure_from(), parts.looks_from());
            Settled::Nothing
        }
    }

    /// Takes out the first held packet, which departs, and its words as they do; it reaches the end
    /// of the link at its `at`.
    #[inline(always)]
    pub(crate) fn let_go(&mut self) -> Option<(Packet, WireHeader)> {
        let CacheLine(packet) = self.parts.held.pop_front()?;
        let mut words = packet.words;
        if let Some(router) = &mut self.parts.router {
            let backlog = self.clock.backlog(packet.at - self.delay);
            words = router.depart(words, packet.bytes, backlog);
        }
        Some((packet, words))
    }

    /// Whether the packet that departs at `departs` is lost on the wire.
    #[inline]
    pub(crate) fn errs(&mut self, departs: u64) -> bool {
        self.errs && self.strikes(departs)
    }

    fn strikes(&mut self, departs: u64) -> bool {
        let Some(errors) = &mut self.parts.errors else { return false };
        let lost = errors.strikes();
        if lost {
            self.parts.meter.lost(departs);
        }
        lost
    }

    /// Packets inside the link.
    pub(crate) fn holding(&self) -> u64 {
        self.parts.held.len() as u64
    }

    pub(crate) fn outcome(&self) -> LinkOutcome {
        self.parts.meter.outcome()
    }

    pub(crate) fn series(&self) -> Option<Series> {
        self.parts.sampler.as_ref().map(|sampler| sampler.series.clone())
    }
}
