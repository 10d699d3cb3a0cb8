//! A link: queue, transmitter, wire, and the router law that watches it.
//!
//! A FIFO queue needs no events: as a packet arrives it is known when its last bit will leave.
//! What happens to the link in between (ticks of the law, samples, packets stamped as they leave)
//! is settled in order, in the link's own time, before the next arrival: [`Link::due`] tells when
//! there is something to settle, [`Link::settle`] does the earliest of it.

mod clock;
mod meter;
mod probe;
mod router;

use std::collections::VecDeque;

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::packet::Packet;
use crate::queue::{Backlog, Discipline};

pub(crate) use clock::Clock;
pub(crate) use meter::Meter;
pub(crate) use probe::Probe;
pub(crate) use router::Router;

pub(crate) struct Link {
    clock: Clock,
    /// Propagation delay in nanoseconds.
    delay: u64,
    /// The next tick or sample; held departures apart.
    next_timer: u64,
    buffer: Option<Buffer>,
    /// Packets not yet departed, where a law minds departures; empty elsewhere.
    held: VecDeque<Packet>,
    holds: bool,
    /// Packets on the wire that the event queue takes from here.
    pub(crate) wire: VecDeque<Packet>,
    router: Option<Router>,
    errors: Option<Errors>,
    pub(crate) meter: Meter,
    pub(crate) probe: Option<Probe>,
}

struct Buffer {
    discipline: Box<dyn Discipline>,
    backlog: Backlog,
}

pub(crate) struct Errors {
    pub(crate) probability: f64,
    pub(crate) stream: Xoshiro256PlusPlus,
}

/// What became of a packet that arrived.
pub(crate) enum Verdict {
    /// It leaves and reaches the end of the link at this time.
    Passes(u64),
    /// It is held until it departs.
    Held,
    Dropped,
}

/// The earliest thing settled.
pub(crate) enum Settled {
    /// A tick or sample.
    Timer,
    /// A held packet departed; it reaches the end of the link at its `at`.
    Departed(Packet),
    /// Nothing was due.
    Nothing,
}

impl Link {
    pub(crate) fn new(
        clock: Clock,
        delay: u64,
        discipline: Option<Box<dyn Discipline>>,
        router: Option<Router>,
        errors: Option<Errors>,
        meter: Meter,
        probe: Option<Probe>,
    ) -> Self {
        let mut link = Self {
            clock,
            delay,
            next_timer: 0,
            buffer: discipline.map(|discipline| Buffer { discipline, backlog: Backlog::default() }),
            held: VecDeque::new(),
            holds: router.as_ref().is_some_and(Router::minds_departures),
            wire: VecDeque::new(),
            router,
            errors,
            meter,
            probe,
        };
        link.refresh();
        link
    }

    /// When there is something to settle.
    #[inline]
    pub(crate) fn due(&self) -> u64 {
        self.next_timer.min(self.departure())
    }

    /// When the first held packet reaches the end of the link.
    pub(crate) fn first_held(&self) -> Option<u64> {
        self.held.front().map(|packet| packet.at)
    }

    #[inline]
    fn departure(&self) -> u64 {
        self.held.front().map_or(u64::MAX, |packet| packet.at - self.delay)
    }

    /// Takes a packet that arrives at `now`; everything due by then is settled.
    #[inline]
    pub(crate) fn accept(&mut self, now: u64, packet: &mut Packet) -> Verdict {
        let bytes = packet.bytes;
        if let Some(router) = &mut self.router {
            router.arrive(&mut packet.words, bytes, self.clock.backlog(now));
        }
        if let Some(buffer) = &mut self.buffer {
            buffer.backlog.settle(now);
            if !buffer.discipline.admits(&buffer.backlog, bytes) {
                self.meter.drops += 1;
                if let Some(router) = &mut self.router {
                    router.dropped(bytes);
                }
                return Verdict::Dropped;
            }
        }
        // Every link takes at least a nanosecond, so that no two events of one instant can cause
        // each other.
        let departs = self.clock.transmit(now, bytes).max(now + 1);
        if let Some(buffer) = &mut self.buffer {
            buffer.backlog.push(departs, bytes);
        }
        self.meter.queued(departs, bytes, departs - now);
        if let Some(probe) = &mut self.probe {
            probe.sent += u64::from(bytes);
        }
        if self.holds {
            packet.at = departs + self.delay;
            self.held.push_back(*packet);
            return Verdict::Held;
        }
        if self.errs() { Verdict::Dropped } else { Verdict::Passes(departs + self.delay) }
    }

    /// Settles the earliest thing due by `now`. At one instant: ticks and samples, then
    /// departures, then (by the caller) arrivals.
    pub(crate) fn settle(&mut self, now: u64) -> Settled {
        let departs = self.departure();
        if self.next_timer <= now && self.next_timer <= departs {
            self.timer();
            return Settled::Timer;
        }
        if departs > now {
            return Settled::Nothing;
        }
        let Some(mut packet) = self.held.pop_front() else { return Settled::Nothing };
        if let Some(router) = &mut self.router {
            router.depart(&mut packet.words, packet.bytes, self.clock.backlog(departs));
        }
        Settled::Departed(packet)
    }

    /// Whether a packet is lost on the wire.
    #[inline]
    pub(crate) fn errs(&mut self) -> bool {
        let Some(errors) = &mut self.errors else { return false };
        let lost = errors.stream.random::<f64>() < errors.probability;
        self.meter.errors += u64::from(lost);
        lost
    }

    /// Packets inside the link.
    pub(crate) fn holding(&self) -> u64 {
        (self.held.len() + self.wire.len()) as u64
    }

    #[cold]
    fn timer(&mut self) {
        let now = self.next_timer;
        if self.router.as_ref().is_some_and(|router| router.due() == now) {
            if let Some(router) = &mut self.router {
                router.tick(&self.clock);
            }
        } else if self.meter.due() == now {
            self.meter.sample(self.clock.bytes(self.clock.backlog(now)));
        } else if let Some(probe) = &mut self.probe {
            probe.sample(&self.clock, self.router.as_ref());
        }
        self.refresh();
    }

    fn refresh(&mut self) {
        let tick = self.router.as_ref().map_or(u64::MAX, Router::due);
        let probe = self.probe.as_ref().map_or(u64::MAX, Probe::due);
        self.next_timer = tick.min(self.meter.due()).min(probe);
    }
}
