//! A link: queue, transmitter, wire, and the router law that watches it.
//!
//! A FIFO queue needs no events: when a packet arrives, the departure of its last bit is known.
//! What happens to the link in between (ticks of the law, samples, packets stamped at departure) is
//! settled in order, in the link's own time, before the next arrival: [`Link::due`] is when there is
//! something to settle, and [`Link::settle`] settles the earliest of it.
//!
//! What every packet touches fits in two cache lines, or in one if the link only transmits; the rest
//! is in [`LinkComponents`].

mod class_laws;
mod clock;
mod components;
mod counters;
mod drained;
mod errors;
mod ingress;
mod inspected;
mod meter;
mod outages;
mod router;
mod running_laws;
mod sampler;
mod scheduled;
mod scheduled_queue;
mod telemetry;
mod varying;
mod varying_clock;
mod verdict;

use std::mem::offset_of;

use sluice_laws::WireHeader;
use sluice_laws::telemetry::HopReading;
use sluice_units::{Span, Time};

use crate::outcome::LinkOutcome;
use crate::packet::{CacheLine, Hop, Packet};
use crate::queue::{Admission, TrafficClass};
use crate::sample_buffer::SampleBuffer;
use clock::Slot;
use counters::Counters;
use router::Departure;

pub(crate) use class_laws::ClassLaws;
pub(crate) use clock::Clock;
pub(crate) use components::LinkComponents;
pub(crate) use errors::Errors;
pub(crate) use meter::LinkMeter;
pub(crate) use outages::Outages;
pub(crate) use router::RouterDriver;
pub(crate) use running_laws::RunningLaws;
pub(crate) use sampler::{LinkSampler, SampledQueue};
pub(crate) use scheduled_queue::ScheduledQueue;
pub(crate) use telemetry::LinkTelemetry;
pub(crate) use varying_clock::{Transmitter, VaryingClock};
pub(crate) use verdict::{Fate, Passage, Settled, Verdict};

/// The order in memory lets packets of a link that only transmits touch one cache line.
#[repr(C, align(64))]
pub(crate) struct Link {
    /// Unused if the capacity varies ([`VaryingClock`]).
    clock: Clock,
    /// Whether it only transmits.
    plain: bool,
    /// Whether packets may be lost on the wire at random.
    errs: bool,
    /// Whether packets may be lost there at random or, at a scheduled link, to outages.
    may_lose: bool,
    /// Whether packets take a way of their own through it: it is traced, scheduled, inspected or varies, adds
    /// telemetry, or its law meets headers that it cannot read.
    apart: bool,
    /// Whether an agent sees packets first, or a law their flows, and there are no queues of macro-flows; it is
    /// `apart` then.
    inspected: bool,
    /// Whether it is scheduled, without queues of macro-flows before its own.
    only_scheduled: bool,
    /// Whether it has such queues, before which an agent may see packets; it is `apart` then.
    ingress: bool,
    /// Propagation delay.
    delay: Span,
    /// When there is something to settle; [`Time::ZERO`] if `apart`.
    due: Time,
    counters: Counters,
    /// Earliest departure that must be stamped at departure; packets before it are stamped on arrival.
    stamp_at_departure_from: Time,
    /// Earliest departure of a packet that must be held, or recorded ([`RouterDriver::record`]).
    records_from: Time,
    /// See [`crate::queue::Queue::asks_from`].
    asks_from: Span,
    parts: Box<LinkComponents>,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(offset_of!(Link, counters) + offset_of!(Counters, least) <= 64);

impl Link {
    pub(crate) fn new(clock: Clock, delay: Span, parts: LinkComponents) -> Self {
        let apart = parts.is_apart();
        Self {
            clock,
            delay,
            due: if apart { Time::ZERO } else { parts.next_timer() },
            counters: Counters { taken: 0, longest: Span::ZERO, least: Span::MAX },
            stamp_at_departure_from: parts.stamp_at_departure_from(),
            records_from: parts.records_from(),
            asks_from: parts.buffer.as_ref().map_or(Span::MAX, |buffer| buffer.asks_from),
            plain: parts.is_plain(),
            errs: parts.errors.is_some(),
            may_lose: parts.errors.is_some() || parts.fails() != Time::NEVER,
            apart,
            inspected: parts.counts_flows,
            only_scheduled: parts.scheduled.is_some(),
            ingress: false,
            parts: Box::new(parts),
        }
    }

    /// Enables tracing. From then on something is always due, so that packets of other links do not
    /// pay for a check.
    pub(crate) fn trace(&mut self) {
        (self.apart, self.due) = (true, Time::ZERO);
        self.parts.traced = true;
    }

    /// Makes it add telemetry to packets, all of which its law must hold.
    pub(crate) fn add_telemetry(&mut self, telemetry: LinkTelemetry) {
        (self.apart, self.due) = (true, Time::ZERO);
        self.parts.telemetry = Some(telemetry);
    }

    /// Counts a packet that leaves at `departs`. Returns what the link reports in it, if it adds telemetry.
    pub(crate) fn report(&mut self, departs: Time, bytes: u32) -> Option<HopReading> {
        let backlog = self.backlog(departs);
        let telemetry = self.parts.telemetry.as_mut()?;
        Some(telemetry.count(departs, bytes, backlog))
    }

    /// Whether packets take a way of their own through it.
    #[inline]
    pub(crate) fn is_apart(&self) -> bool {
        self.apart
    }

    /// Whether more happens to packets that leave it than at other links: it is traced, or adds telemetry.
    pub(crate) fn is_watched(&self) -> bool {
        self.apart && (self.parts.traced || self.parts.telemetry.is_some())
    }

    pub(crate) fn is_traced(&self) -> bool {
        self.apart && self.parts.traced
    }

    /// Propagation delay.
    #[inline]
    pub(crate) fn delay(&self) -> Span {
        self.delay
    }

    /// When there is something to settle.
    #[inline]
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// Whether it only transmits: no law, no limit, no losses.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    pub(crate) fn may_hold(&self) -> bool {
        !self.parts.laws.is_none() || self.is_scheduled()
    }

    /// When the first held packet reaches the end of the link, or the first that waits to be chosen
    /// could, or the link goes down before and loses it.
    pub(crate) fn first_held(&self) -> Option<Time> {
        if self.ingress {
            return self.first_of_ingress();
        }
        self.first_of_queue()
    }

    /// The same without queues of macro-flows.
    #[inline(always)]
    pub(crate) fn first_of_queue(&self) -> Option<Time> {
        if let Some(packet) = self.parts.held.front() {
            return Some(packet.0.at.min(self.parts.fails()));
        }
        let departs =
            self.parts.scheduled.as_ref().map_or(Time::NEVER, ScheduledQueue::departs_from);
        (departs != Time::NEVER).then(|| departs.plus(self.delay).min(self.parts.fails()))
    }

    /// Transmits a packet that arrives at `now` over a link that only transmits. Returns when it
    /// reaches the end of the link. Everything due by `now` must be settled.
    #[inline]
    pub(crate) fn transmit(&mut self, now: Time, bytes: u32) -> Time {
        let slot = self.clock.slot(now, bytes);
        self.join(now, bytes, slot)
    }

    #[inline]
    fn join(&mut self, now: Time, bytes: u32, slot: Slot) -> Time {
        let departs = self.clock.take(slot);
        debug_assert!(departs > now, "a packet of {bytes} bytes takes time");
        self.counters.taken += u64::from(bytes);
        // Here and below: a branch that is rarely taken costs less than writing the maximum.
        if departs.after(now) > self.counters.longest {
            self.counters.longest = departs.after(now);
        }
        departs.plus(self.delay)
    }

    /// Decides about a packet that arrives at `now`, and stamps its header unless it is to be held
    /// ([`Link::hold`]). Everything due by then must be settled.
    #[inline(always)]
    pub(crate) fn accept(
        &mut self,
        now: Time,
        packet: &Packet,
        header: &mut WireHeader,
    ) -> Verdict {
        let bytes = packet.bytes;
        if self.plain {
            return Verdict::Passes(self.transmit(now, bytes));
        }
        let backlog = self.clock.backlog(now);
        let slot = self.clock.slot(now, bytes);
        if backlog < self.counters.least {
            self.counters.least = backlog;
        }
        let through = slot.free.after(now);
        if through < self.asks_from {
            return self.take(now, bytes, slot, header);
        }
        match self.parts.admits(now, packet.ecn, backlog, through) {
            Admission::Taken => self.take(now, bytes, slot, header),
            Admission::Marked => self.take(now, bytes, slot, header).marked(),
            refused => {
                self.parts.drop_packet(*header, bytes, refused);
                Verdict::Dropped
            }
        }
    }

    /// Transmits a packet that the queue takes.
    #[inline(always)]
    fn take(&mut self, now: Time, bytes: u32, slot: Slot, header: &mut WireHeader) -> Verdict {
        let at = self.join(now, bytes, slot);
        self.send_on(now, bytes, at, header)
    }

    /// Sends a packet on that joined the queue; `at` is when it reaches the end of the link.
    #[inline(always)]
    fn send_on(&mut self, now: Time, bytes: u32, at: Time, header: &mut WireHeader) -> Verdict {
        let departs = at.minus(self.delay);
        if self.asks_from == Span::ZERO {
            self.parts.enlist(departs);
        }
        if departs >= self.records_from && self.records(now, bytes, departs) {
            return Verdict::Held(at);
        }
        if let RunningLaws::Whole(router) = &mut self.parts.laws {
            *header = router.pass(*header, bytes);
        }
        if self.errs(departs) { Verdict::Lost(at) } else { Verdict::Passes(at) }
    }

    /// Records a packet's departure if the law needs it. Whether the packet is to be held.
    #[inline(never)]
    fn records(&mut self, now: Time, bytes: u32, departs: Time) -> bool {
        if let RunningLaws::Whole(router) = &mut self.parts.laws
            && departs >= router.records_from()
        {
            let begins = self.parts.varying.as_ref().map_or(now, |clock| clock.began(bytes));
            let through = self.counters.taken;
            router.record(now, Departure { begins, at: departs, through, bytes });
        }
        departs >= self.stamp_at_departure_from
    }

    /// Holds a packet that the law must see as it departs; `at` is when it reaches the end of the link.
    /// Packets must be held in the order of departure.
    #[inline(always)]
    pub(crate) fn hold(&mut self, mut packet: Packet, traffic: impl FnOnce() -> TrafficClass) {
        if let RunningLaws::Whole(router) = &mut self.parts.laws {
            packet.header = router.arrive(packet.header, packet.bytes, traffic);
        }
        self.due = self.due.min(packet.at.minus(self.delay));
        (self.stamp_at_departure_from, self.records_from) = (Time::ZERO, Time::ZERO);
        self.parts.held.push_back(CacheLine(packet));
    }

    /// Whether [`Link::settle_scheduled`] settles it, and nothing before its queue.
    #[inline(always)]
    pub(crate) fn is_only_scheduled(&self) -> bool {
        self.only_scheduled
    }

    /// Whether packets wait in queues of macro-flows before its own.
    #[inline(always)]
    pub(crate) fn has_ingress(&self) -> bool {
        self.ingress
    }

    /// Settles the earliest event due by `now`. At one instant ticks and samples come first, then
    /// departures, then (by the caller) arrivals.
    pub(crate) fn settle(&mut self, now: Time) -> Settled {
        let parts = &mut *self.parts;
        let timer = parts.next_timer();
        let departs =
            parts.held.front().map_or(Time::NEVER, |packet| packet.0.at.minus(self.delay));
        if timer <= now && timer <= departs {
            let backlog = self.backlog(timer);
            self.parts.timer(timer, backlog, &mut self.counters);
            Settled::Timer
        } else if departs <= now || parts.may_depart(departs) {
            Settled::Departs
        } else {
            self.due = if self.apart { Time::ZERO } else { timer.min(departs) };
            self.foresee();
            Settled::Nothing
        }
    }

    /// Copies from its parts what packets that arrive before anything is due have to know.
    #[inline(always)]
    pub(crate) fn foresee(&mut self) {
        (self.stamp_at_departure_from, self.records_from) =
            (self.parts.stamp_at_departure_from(), self.parts.records_from());
    }

    /// Removes the first held packet, which departs, and stamps its header; it reaches the end of the
    /// link at `hop.at`. `traffic` gives the class of packets that wait for a step.
    #[inline(always)]
    pub(crate) fn let_go(
        &mut self,
        traffic: impl FnOnce(u32) -> TrafficClass,
    ) -> Option<(Packet, Hop)> {
        let CacheLine(packet) = self.parts.held.pop_front()?;
        let mut hop = packet.hop();
        let departs = hop.at.minus(self.delay);
        let backlog = self.backlog(departs);
        let (header, bytes) = (hop.header, packet.bytes);
        let traffic = || traffic(packet.step);
        hop.header = match &mut self.parts.laws {
            RunningLaws::None => header,
            RunningLaws::Whole(router) => router.depart(header, bytes, backlog, traffic),
            RunningLaws::Classes(laws) => match &self.parts.scheduled {
                Some(queue) => laws.depart(departs, header, bytes, traffic(), queue),
                None => header,
            },
        };
        Some((packet, hop))
    }

    /// When the packet that departs at `departs` is lost on the wire; `None` if it is not.
    #[inline]
    pub(crate) fn loses(&mut self, departs: Time) -> Option<Time> {
        if self.may_lose { self.lost_on_wire(departs) } else { None }
    }

    #[cold]
    fn lost_on_wire(&mut self, departs: Time) -> Option<Time> {
        let (parts, arrives) = (&mut *self.parts, departs.plus(self.delay));
        let errs = parts.errors.as_mut().is_some_and(Errors::strikes);
        let fails =
            parts.scheduled.as_ref().and_then(|queue| queue.fails_between(departs, arrives));
        let lost = fails.or(errs.then_some(arrives))?;
        parts.meter.lost(fails.unwrap_or(departs));
        Some(lost)
    }

    /// Whether the packet that departs at `departs` is lost on the wire at random.
    #[inline]
    fn errs(&mut self, departs: Time) -> bool {
        self.errs && self.strikes(departs)
    }

    fn strikes(&mut self, departs: Time) -> bool {
        let Some(errors) = &mut self.parts.errors else { return false };
        let lost = errors.strikes();
        if lost {
            self.parts.meter.lost(departs);
        }
        lost
    }

    /// Number of packets held, waiting to be chosen, or in queues of macro-flows.
    pub(crate) fn holding(&self) -> u64 {
        let waiting = self.parts.scheduled.as_ref().map_or(0, ScheduledQueue::waiting);
        let before = self.parts.ingress.as_ref().map_or(0, |ingress| ingress.waiting());
        self.parts.held.len() as u64 + waiting + before
    }

    pub(crate) fn outcome(&self) -> LinkOutcome {
        let police = self.parts.police.as_ref().map(|agent| agent.outcome());
        let ingress = self.parts.ingress.as_ref().map(|ingress| ingress.outcome());
        LinkOutcome { police, ingress, ..self.parts.meter.outcome() }
    }

    /// Its samples, if it is sampled.
    pub(crate) fn samples(&mut self) -> Option<&mut SampleBuffer> {
        self.parts.sampler.as_mut().map(|sampler| &mut sampler.samples)
    }
}
