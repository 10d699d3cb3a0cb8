//! The clock of a transmitter whose capacity varies.

use std::sync::Arc;

use sluice_laws::router::MAX_TIMERS;
use sluice_units::{Bytes, Rate, Span, Time};

use super::clock::Clock;
use super::drained::Drained;
use crate::schedule::{LinkCapacity, ServiceCurve, Work, work_of};

/// Transmits packets one after another, as [`Clock`] does. It keeps what the link must have sent when
/// the queue is empty, on its service curve: whole numbers, without rounding.
///
/// Queues are measured in transmission time at the nominal capacity, so that time stands for bytes and
/// disciplines need not know of the schedule.
pub(crate) struct VaryingClock {
    curve: Arc<ServiceCurve>,
    nominal: Rate,
    free: Work,
    /// When the queue is empty, rounded up.
    freed: Time,
    /// What it had been given to send by now, dropped packets left out.
    given: Work,
    /// When the packet arrived that ended its last idle time.
    began: Time,
    /// How long it was busy before.
    busy: Span,
    /// What it had drained when each timer of the router law last ticked.
    ticked: [Drained; MAX_TIMERS],
}

impl VaryingClock {
    fn new(curve: Arc<ServiceCurve>, nominal: Rate) -> Self {
        let (never, busy, ticked) = (Time::ZERO, Span::ZERO, [Drained::default(); MAX_TIMERS]);
        Self { curve, nominal, free: 0, freed: never, given: 0, began: never, busy, ticked }
    }

    /// The clock of a link; `None` if its capacity is constant.
    pub(crate) fn of(capacity: &LinkCapacity) -> Option<Self> {
        capacity.curve().map(|curve| Self::new(Arc::clone(curve), capacity.nominal()))
    }

    /// Queues a packet that arrives at `now`. Returns when its last bit leaves, rounded up: after
    /// `now`.
    pub(super) fn send(&mut self, now: Time, bytes: u32) -> Time {
        let possible = self.curve.by(now);
        if self.free <= possible {
            self.busy = self.busy + self.freed.since(self.began);
            self.began = now;
            self.free = possible;
        }
        let work = work_of(u64::from(bytes));
        self.given += work;
        self.free += work;
        self.freed = self.curve.reaches(self.free);
        self.freed
    }

    /// What it has sent by `now`, and how long it was busy: from the arrival of a packet at an empty queue until
    /// the queue is empty again.
    pub(super) fn drained(&self, now: Time) -> Drained {
        let last = self.freed.min(now).since(self.began);
        Drained { work: self.given.saturating_sub(self.queued(now)), busy: self.busy + last }
    }

    /// The speed at which it drained since the last tick of a timer, which ticks at `now` again.
    pub(super) fn drained_since_tick(&mut self, timer: usize, now: Time) -> Option<Rate> {
        let drained = self.drained(now);
        let before = core::mem::replace(&mut self.ticked[timer], drained);
        drained.speed_since(&before)
    }

    /// When the transmission of a packet begins that has been queued since `now`, behind all others.
    pub(super) fn begins(&self, now: Time) -> Time {
        self.curve.goes_beyond(self.free.max(self.curve.by(now))).max(now)
    }

    /// When the transmission began, or will, of the packet sent last, which has this size.
    pub(super) fn began(&self, bytes: u32) -> Time {
        self.curve.goes_beyond(self.free - work_of(u64::from(bytes)))
    }

    /// Withdraws a packet of this size from the queue.
    pub(super) fn give_back(&mut self, bytes: u32) {
        let work = work_of(u64::from(bytes));
        self.free -= work;
        self.given -= work;
        self.freed = self.curve.reaches(self.free);
    }

    /// Bytes still queued at `now`, rounded up.
    pub(super) fn unsent(&self, now: Time) -> Bytes {
        Bytes::new(self.queued(now).div_ceil(work_of(1)) as u64)
    }

    /// Nominal transmission time still queued at `now`.
    pub(super) fn backlog(&self, now: Time) -> Span {
        self.nominal_time(self.queued(now))
    }

    /// The same, rounded up.
    pub(super) fn backlog_up(&self, now: Time) -> Span {
        self.nominal_time(self.queued(now) + Work::from(self.nominal.as_bps()) - 1)
    }

    /// Nominal transmission time queued at `now` with another packet.
    pub(super) fn through(&self, now: Time, bytes: u32) -> Span {
        self.nominal_time(self.queued(now) + work_of(u64::from(bytes)))
    }

    fn queued(&self, now: Time) -> Work {
        self.free.saturating_sub(self.curve.by(now))
    }

    fn nominal_time(&self, work: Work) -> Span {
        let nanos = work / Work::from(self.nominal.as_bps());
        Span::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// The transmitter of a scheduled link.
pub(crate) enum Transmitter {
    Constant(Clock),
    Varying(VaryingClock),
}

impl Transmitter {
    pub(crate) fn new(capacity: &LinkCapacity) -> Self {
        match VaryingClock::of(capacity) {
            Some(clock) => Self::Varying(clock),
            None => Self::Constant(Clock::new(capacity.nominal())),
        }
    }

    /// See [`VaryingClock::send`].
    #[inline(always)]
    pub(super) fn send(&mut self, now: Time, bytes: u32) -> Time {
        match self {
            Self::Constant(clock) => clock.take(clock.slot(now, bytes)),
            Self::Varying(clock) => clock.send(now, bytes),
        }
    }

    /// See [`VaryingClock::give_back`].
    pub(super) fn give_back(&mut self, bytes: u32) {
        match self {
            Self::Constant(clock) => clock.give_back(bytes),
            Self::Varying(clock) => clock.give_back(bytes),
        }
    }

    /// When it can begin to send the next packet, if packets have waited since `now` without a break; at
    /// the earliest, when the last one has left.
    #[inline(always)]
    pub(super) fn begins(&self, now: Time) -> Time {
        match self {
            Self::Constant(_) => now,
            Self::Varying(clock) => clock.begins(now),
        }
    }

    /// The least time from the choice of a packet to its departure. What one opportunity can send leaves
    /// at one instant.
    pub(super) fn least(&self) -> Span {
        match self {
            Self::Constant(_) => Span::NANO,
            Self::Varying(_) => Span::ZERO,
        }
    }
}
