//! A link: queue, transmitter, wire, and the router law that watches it.
//!
//! A FIFO queue needs no events: as a packet arrives it is known when its last bit will leave.
//! What happens to the link in between (ticks of the law, samples, packets stamped as they leave)
//! is settled in order, in the link's own time, before the next arrival: [`Link::due`] tells when
//! there is something to settle, [`Link::settle`] does the earliest of it.
//!
//! What every packet touches fits in two cache lines, or one where packets only pass the clock; the
//! rest is in [`LinkParts`].

mod clock;
mod meter;
mod router;
mod sampler;

use std::collections::VecDeque;
use std::mem::offset_of;

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_laws::WireHeader;

use crate::outcome::{LinkOutcome, Series};
use crate::packet::{CacheLine, Ecn, Packet};
use crate::queue::{Admission, Buffer, QueueArrival};

pub(crate) use clock::{Clock, Slot};
pub(crate) use meter::LinkMeter;
pub(crate) use router::RouterClock;
pub(crate) use sampler::LinkSampler;

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
    /// A packet that leaves before this need not be held, nor noted ([`RouterClock::note`]).
    looks_from: u64,
    /// See [`crate::queue::Queue::asks_from`].
    asks_from: u64,
    watched: Box<LinkParts>,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(offset_of!(Link, counters) + offset_of!(Counters, least) <= 64);

/// What is counted of every packet.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Counters {
    /// Bytes that joined the queue since the start.
    taken: u64,
    /// Longest queue in nanoseconds of transmission, since the meter last looked.
    longest: u64,
    /// Least queue that a packet found, since the law last ticked.
    least: u64,
}

/// The parts of a link that look at packets or at time.
pub(crate) struct LinkParts {
    pub(crate) router: Option<RouterClock>,
    pub(crate) buffer: Option<Buffer>,
    pub(crate) errors: Option<Errors>,
    pub(crate) meter: LinkMeter,
    pub(crate) sampler: Option<LinkSampler>,
    /// Packets not yet departed that a law must see as they do.
    held: VecDeque<CacheLine>,
}

/// Packets lost on the wire: at random, and as a script says.
pub(crate) struct Errors {
    probability: f64,
    stream: Xoshiro256PlusPlus,
    script: std::iter::Peekable<std::vec::IntoIter<u64>>,
    left: u64,
}

/// What became of a packet that arrived.
pub(crate) enum Verdict {
    /// It leaves and reaches the end of the link at this time.
    Passes(u64),
    /// It is to be held until it departs, and reaches the end of the link at this time.
    Held(u64),
    /// It is told of congestion, and passes or not as [`Marked::fate`] says.
    Marked(Marked),
    /// The queue took it and the wire loses it, at whose end it would be at this time.
    Lost(u64),
    /// The queue dropped it.
    Dropped,
}

/// A packet that the queue marks.
pub(crate) struct Marked {
    /// When it reaches the end of the link.
    pub(crate) at: u64,
    /// What becomes of it there.
    pub(crate) fate: Fate,
}

/// What becomes of a packet that the queue took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It reaches the end of the link.
    Passes,
    /// It is to be held until it departs.
    Held,
    /// The wire loses it.
    Lost,
}

/// The earliest thing settled.
pub(crate) enum Settled {
    /// A tick or sample.
    Timer,
    /// The first held packet departs; see [`Link::let_go`].
    Departs,
    /// Nothing was due.
    Nothing,
}

impl Errors {
    /// `None` where nothing is ever lost.
    pub(crate) fn new(
        probability: f64,
        script: Vec<u64>,
        stream: Xoshiro256PlusPlus,
    ) -> Option<Self> {
        let script = script.into_iter().peekable();
        (probability > 0.0 || script.len() > 0).then_some(Self {
            probability,
            stream,
            script,
            left: 0,
        })
    }

    fn strikes(&mut self) -> bool {
        let place = self.left;
        self.left += 1;
        self.script.next_if_eq(&place).is_some() || self.stream.random::<f64>() < self.probability
    }
}

impl LinkParts {
    pub(crate) fn new(
        router: Option<RouterClock>,
        buffer: Option<Buffer>,
        errors: Option<Errors>,
        meter: LinkMeter,
        sampler: Option<LinkSampler>,
    ) -> Self {
        Self { router, buffer, errors, meter, sampler, held: VecDeque::new() }
    }

    fn is_plain(&self) -> bool {
        self.router.is_none() && self.buffer.is_none() && self.errors.is_none()
    }

    /// When the next tick or sample is.
    fn next_timer(&self) -> u64 {
        let tick = self.router.as_ref().map_or(u64::MAX, RouterClock::due);
        let sampler = self.sampler.as_ref().map_or(u64::MAX, LinkSampler::due);
        tick.min(self.meter.due()).min(sampler)
    }
}

impl Link {
    pub(crate) fn new(clock: Clock, delay: u64, watched: LinkParts) -> Self {
        Self {
            clock,
            delay,
            due: watched.next_timer(),
            counters: Counters { taken: 0, longest: 0, least: u64::MAX },
            stamp_at_departure_from: watched.stamp_at_departure_from(),
            looks_from: watched.looks_from(),
            asks_from: watched.buffer.as_ref().map_or(u64::MAX, |buffer| buffer.asks_from),
            plain: watched.is_plain(),
            errs: watched.errors.is_some(),
            traced: false,
            watched: Box::new(watched),
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
        self.watched.router.is_some()
    }

    /// When the first held packet reaches the end of the link.
    pub(crate) fn first_held(&self) -> Option<u64> {
        self.watched.held.front().map(|packet| packet.0.at)
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
        match self.watched.admits(now, packet.ecn, backlog, through) {
            Admission::Taken => self.take(now, bytes, slot, words),
            Admission::Marked => match self.take(now, bytes, slot, words) {
                Verdict::Passes(at) => Verdict::Marked(Marked { at, fate: Fate::Passes }),
                Verdict::Held(at) => Verdict::Marked(Marked { at, fate: Fate::Held }),
                Verdict::Lost(at) => Verdict::Marked(Marked { at, fate: Fate::Lost }),
                other => other,
            },
            refused => {
                self.watched.drop_packet(*words, bytes, refused);
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
            self.watched.enlist(departs);
        }
        if departs >= self.looks_from && self.looks(now, bytes, departs) {
            return Verdict::Held(at);
        }
        if let Some(router) = &mut self.watched.router {
            *words = router.pass(*words, bytes);
        }
        if self.errs(departs) { Verdict::Lost(at) } else { Verdict::Passes(at) }
    }

    /// Notes a packet if what waits is known from it; says whether it is to be held.
    #[inline(never)]
    fn looks(&mut self, now: u64, bytes: u32, departs: u64) -> bool {
        if let Some(router) = &mut self.watched.router
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
        if let Some(router) = &mut self.watched.router {
            packet.words = router.arrive(packet.words, packet.bytes);
        }
        self.due = self.due.min(packet.at - self.delay);
        (self.stamp_at_departure_from, self.looks_from) = (0, 0);
        self.watched.held.push_back(CacheLine(packet));
    }

    /// Settles the earliest thing due by `now`. At one instant: ticks and samples, then
    /// departures, then (by the caller) arrivals.
    pub(crate) fn settle(&mut self, now: u64) -> Settled {
        let watched = &mut *self.watched;
        let timer = watched.next_timer();
        let departs = watched.held.front().map_or(u64::MAX, |packet| packet.0.at - self.delay);
        if timer <= now && timer <= departs {
            watched.timer(timer, &self.clock, &mut self.counters);
            Settled::Timer
        } else if departs <= now || watched.may_depart(departs) {
            Settled::Departs
        } else {
            self.due = if self.traced { 0 } else { timer.min(departs) };
            (self.stamp_at_departure_from, self.looks_from) =
                (watched.stamp_at_departure_from(), watched.looks_from());
            Settled::Nothing
        }
    }

    /// Takes out the first held packet, which departs, and its words as they do; it reaches the end
    /// of the link at its `at`.
    #[inline(always)]
    pub(crate) fn let_go(&mut self) -> Option<(Packet, WireHeader)> {
        let CacheLine(packet) = self.watched.held.pop_front()?;
        let mut words = packet.words;
        if let Some(router) = &mut self.watched.router {
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
        let Some(errors) = &mut self.watched.errors else { return false };
        let lost = errors.strikes();
        if lost {
            self.watched.meter.lost(departs);
        }
        lost
    }

    /// Packets inside the link.
    pub(crate) fn holding(&self) -> u64 {
        self.watched.held.len() as u64
    }

    pub(crate) fn outcome(&self) -> LinkOutcome {
        self.watched.meter.outcome()
    }

    pub(crate) fn series(&self) -> Option<Series> {
        self.watched.sampler.as_ref().map(|sampler| sampler.series.clone())
    }
}

impl LinkParts {
    /// Asks the queue's discipline.
    fn admits(&mut self, now: u64, ecn: Ecn, ahead: u64, through: u64) -> Admission {
        let Some(buffer) = &mut self.buffer else { return Admission::Taken };
        let ecn_capable = ecn.has(Ecn::CAPABLE);
        let admission =
            buffer.arrives(QueueArrival { now, ahead, through, waiting: 0, ecn_capable });
        if admission == Admission::Marked {
            self.meter.marked();
        }
        admission
    }

    #[cold]
    fn drop_packet(&mut self, words: WireHeader, bytes: u32, why: Admission) {
        self.meter.dropped(why == Admission::Early);
        if let Some(router) = &mut self.router {
            router.drop(&words, bytes);
        }
    }

    /// Counts a packet that leaves at `departs` where the discipline counts packets.
    fn enlist(&mut self, departs: u64) {
        if let Some(buffer) = &mut self.buffer {
            buffer.enlist(departs);
        }
    }

    /// Packets that leave before this need not be held.
    fn stamp_at_departure_from(&self) -> u64 {
        match &self.router {
            None => u64::MAX,
            Some(_) if !self.held.is_empty() => 0,
            Some(router) => router.stamp_at_departure_from(),
        }
    }

    /// Packets that leave before this need neither be held nor noted.
    fn looks_from(&self) -> u64 {
        self.stamp_at_departure_from()
            .min(self.router.as_ref().map_or(u64::MAX, RouterClock::notes_from))
    }
}

impl LinkParts {
    #[cold]
    fn timer(&mut self, now: u64, clock: &Clock, counters: &mut Counters) {
        if let Some(router) = &mut self.router
            && router.due() == now
        {
            router.tick(clock, counters);
        } else if self.meter.due() == now {
            self.meter.look(now, clock, counters);
        } else if let Some(sampler) = &mut self.sampler {
            sampler.sample(clock, counters, self.buffer.as_ref(), self.router.as_ref());
        }
    }

    /// Whether the first held packet may be stamped before it departs, since no tick comes between.
    fn may_depart(&self, departs: u64) -> bool {
        !self.held.is_empty()
            && self.router.as_ref().is_none_or(|router| departs < router.stamp_at_departure_from())
    }
}
