//! The event queue: a timing wheel, exact in the order of (time, tie).
//!
//! An actor (a meeting, a host with timers, one end of a flow, ...) has at most one event pending, so
//! events are linked lists in per-actor arrays and cost no allocation. A bucket is narrower than the
//! mean gap between events, so that it seldom holds two; events past the wheel's horizon wait in a
//! heap.
//!
//! Buckets come in spans of 64, with a bitmap of those that are occupied. The wheel takes the lowest
//! bit of its current span until none is left; only then does it look for the next span, and for
//! events that have come within its horizon.
//!
//! Events of one instant share a bucket however narrow it is. Once many are found in the bucket whose
//! turn it is, they move to a second heap, the crowd, so that each costs a logarithm of their number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sluice_units::Time;

/// The number of an actor, to which an event belongs.
pub(crate) type Actor = u32;

const NONE: u32 = u32::MAX;
/// In place of the next actor: the event waits in the heap.
const FAR: u32 = u32::MAX - 1;
/// The same: the event waits in the crowd.
const IN_CROWD: u32 = u32::MAX - 2;
/// Not pending.
const IDLE: Time = Time::NEVER;
/// Work between two reviews of the buckets' width.
const REVIEW: u32 = 4096;
/// Events of one bucket whose comparison counts as the work of one pop.
const CROWD: u32 = 8;
/// Most events of one bucket that are compared one by one.
const FEW: u32 = 64;
/// log2 of the buckets in a span.
const SPAN: u32 = 6;

pub(crate) struct Wheel {
    pending: Vec<Pending>,
    spans: Vec<Buckets>,
    /// Slots of time (time >> shift) from here on are past the horizon.
    horizon: u64,
    /// log2 of a bucket's width in nanoseconds.
    shift: u32,
    /// Work left until the next review: a pop counts one, and so do [`CROWD`] comparisons.
    left: u32,
    /// The current span, by its place in `spans`; the horizon is one turn away.
    at: usize,
    /// Work since the last review that was not pops.
    looks: u32,
    reviewed: Time,
    /// Events past the horizon; an entry whose time is not its actor's is stale.
    far: BinaryHeap<Reverse<(Time, Actor)>>,
    /// Events of crowded buckets, by time and tie; may have stale entries too.
    crowd: BinaryHeap<Reverse<(Time, u64, Actor)>>,
    /// The order in which actors act at one instant.
    ties: Vec<u64>,
}

/// An actor's event.
#[derive(Clone, Copy)]
struct Pending {
    /// The event's time; [`IDLE`] for none.
    due: Time,
    /// The next actor in the same bucket, [`NONE`], [`FAR`] or [`IN_CROWD`].
    next: u32,
}

/// A span of buckets.
#[derive(Clone, Copy)]
struct Buckets {
    /// One bit per bucket: whether it holds an event.
    occupied: u64,
    /// The first actor of each bucket.
    heads: [u32; 1 << SPAN],
}

const EMPTY: Buckets = Buckets { occupied: 0, heads: [NONE; 1 << SPAN] };

impl Wheel {
    /// A wheel for actors 0 to `actors` - 1, which act in this order at one instant.
    pub(crate) fn new(actors: usize) -> Self {
        let spans = spans_for(actors);
        Self {
            pending: vec![Pending { due: IDLE, next: NONE }; actors],
            spans: vec![EMPTY; spans],
            horizon: (spans as u64) << SPAN,
            shift: 12,
            left: REVIEW,
            at: 0,
            looks: 0,
            reviewed: Time::ZERO,
            far: BinaryHeap::new(),
            crowd: BinaryHeap::new(),
            ties: (0..actors as u64).collect(),
        }
    }

    /// Adds an actor; at one instant actors act in the order of `tie`.
    pub(crate) fn add(&mut self, tie: u64) -> Actor {
        self.pending.push(Pending { due: IDLE, next: NONE });
        self.ties.push(tie);
        (self.pending.len() - 1) as Actor
    }

    /// Gives an idle actor another `tie`.
    pub(crate) fn rename(&mut self, actor: Actor, tie: u64) {
        self.ties[actor as usize] = tie;
    }

    /// The time of `actor`'s event, [`Time::NEVER`] for none.
    #[inline]
    pub(crate) fn due(&self, actor: Actor) -> Time {
        self.pending[actor as usize].due
    }

    /// Adds the event of an idle `actor`, not before the last time popped.
    #[inline]
    pub(crate) fn schedule(&mut self, actor: Actor, time: Time) {
        debug_assert_eq!(self.due(actor), IDLE);
        let slot = self.slot(time);
        if slot >= self.horizon {
            return self.schedule_far(actor, time);
        }
        debug_assert!(slot >= self.start(), "an event in the past");
        let span = self.span_of(slot);
        let Buckets { occupied, heads } = &mut self.spans[span];
        let head = &mut heads[slot as usize % (1 << SPAN)];
        self.pending[actor as usize] = Pending { due: time, next: *head };
        *head = actor;
        *occupied |= 1 << (slot % (1 << SPAN));
    }

    /// Moves `actor`'s event to `time`, whether or not it has one; [`Time::NEVER`] removes it.
    pub(crate) fn reschedule(&mut self, actor: Actor, time: Time) {
        let Pending { due, next } = self.pending[actor as usize];
        if due == time {
            return;
        }
        if due != IDLE {
            if next != FAR && next != IN_CROWD {
                self.unlink(actor, due);
            }
            self.pending[actor as usize].due = IDLE;
        }
        if time != IDLE {
            self.schedule(actor, time);
        }
    }

    /// When the earliest event is, [`Time::NEVER`] if there is none.
    pub(crate) fn first(&mut self) -> Time {
        if !self.crowd.is_empty()
            && let Some((time, _)) = self.first_in_crowd()
        {
            return time;
        }
        let Some(ahead) = self.first_occupied() else { return self.first_far().unwrap_or(IDLE) };
        let span = self.span_ahead(ahead);
        let Buckets { occupied, heads } = &self.spans[span];
        let bucket = occupied.trailing_zeros() as usize;
        let mut actor = heads[bucket];
        let (mut earliest, mut seen) = (IDLE, 0);
        while actor != NONE {
            let Pending { due, next } = self.pending[actor as usize];
            earliest = earliest.min(due);
            (actor, seen) = (next, seen + 1);
        }
        if seen > FEW {
            self.crowd_bucket(span, bucket);
        }
        earliest
    }

    /// Removes the earliest event; of several at one instant, the first by tie.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(Time, Actor)> {
        let (time, actor) =
            if self.crowd.is_empty() { self.pop_bucket()? } else { self.pop_beside_crowd()? };
        self.left -= 1;
        if self.left == 0 {
            self.review(time);
        }
        Some((time, actor))
    }

    #[cold]
    #[inline(never)]
    fn pop_beside_crowd(&mut self) -> Option<(Time, Actor)> {
        let Some(first) = self.first_in_crowd() else { return self.pop_bucket() };
        self.crowd.pop();
        self.pending[first.1 as usize].due = IDLE;
        Some(first)
    }

    /// Removes the earliest event where there is no crowd.
    #[inline(always)]
    fn pop_bucket(&mut self) -> Option<(Time, Actor)> {
        if self.spans[self.at].occupied == 0 && !self.turn() {
            return None;
        }
        let Buckets { occupied, heads } = &mut self.spans[self.at];
        let bucket = occupied.trailing_zeros() as usize % (1 << SPAN);
        let first = heads[bucket];
        let pending = &mut self.pending[first as usize];
        if pending.next != NONE {
            return Some(self.pop_among(bucket));
        }
        heads[bucket] = NONE;
        *occupied &= *occupied - 1;
        Some((std::mem::replace(&mut pending.due, IDLE), first))
    }

    /// Removes the earliest of several events in a bucket of the current span.
    fn pop_among(&mut self, bucket: usize) -> (Time, Actor) {
        let head = self.spans[self.at].heads[bucket];
        let (mut best, mut before_best) = (head, NONE);
        let mut earliest = self.pending[best as usize].due;
        let mut at = best;
        let mut seen = 0;
        loop {
            let after = self.pending[at as usize].next;
            if after == NONE {
                break;
            }
            let due = self.pending[after as usize].due;
            let ties = |a: u32, b: u32| self.ties[a as usize] < self.ties[b as usize];
            if due < earliest || (due == earliest && ties(after, best)) {
                (earliest, best, before_best) = (due, after, at);
            }
            at = after;
            seen += 1;
        }
        let looks = (seen / CROWD).min(self.left - 1);
        self.left -= looks;
        self.looks += looks;
        let Pending { due, next } = &mut self.pending[best as usize];
        *due = IDLE;
        let after = *next;
        if before_best == NONE {
            self.spans[self.at].heads[bucket] = after;
        } else {
            self.pending[before_best as usize].next = after;
        }
        if seen > FEW {
            self.crowd_bucket(self.at, bucket);
        }
        (earliest, best)
    }

    /// Moves the events of a bucket to the crowd.
    #[cold]
    fn crowd_bucket(&mut self, span: usize, bucket: usize) {
        let Buckets { occupied, heads } = &mut self.spans[span];
        *occupied &= !(1 << bucket);
        let mut actor = std::mem::replace(&mut heads[bucket], NONE);
        while actor != NONE {
            let Pending { due, next } = &mut self.pending[actor as usize];
            let next = std::mem::replace(next, IN_CROWD);
            self.crowd.push(Reverse((*due, self.ties[actor as usize], actor)));
            actor = next;
        }
        // Stale entries stay in proportion to the actors.
        if self.crowd.len() > 64 + 4 * self.pending.len() {
            let mut crowd = std::mem::take(&mut self.crowd);
            crowd.retain(|Reverse(entry)| self.is_in_crowd(*entry));
            self.crowd = crowd;
        }
    }

    /// The earliest event where there is a crowd, which events of earlier buckets, and of the same one,
    /// have joined; `None` if all of the crowd was stale.
    fn first_in_crowd(&mut self) -> Option<(Time, Actor)> {
        loop {
            let Reverse(first) = *self.crowd.peek()?;
            if !self.is_in_crowd(first) {
                self.crowd.pop();
                continue;
            }
            let (time, _, actor) = first;
            match self.bucket_by(self.slot(time)) {
                Some((span, bucket)) => self.crowd_bucket(span, bucket),
                None => return Some((time, actor)),
            }
        }
    }

    /// The first occupied bucket up to that of `slot`, which the wheel has not passed.
    fn bucket_by(&self, slot: u64) -> Option<(usize, usize)> {
        let (start, last) = (self.start() >> SPAN, slot >> SPAN);
        let ahead = (0..=(last - start) as usize)
            .find(|&ahead| self.spans[self.span_ahead(ahead)].occupied != 0)?;
        let span = self.span_ahead(ahead);
        let bucket = self.spans[span].occupied.trailing_zeros();
        let found = (start + ahead as u64) << SPAN | u64::from(bucket);
        (found <= slot).then_some((span, bucket as usize))
    }

    /// Whether an entry of the crowd is not stale.
    fn is_in_crowd(&self, (time, tie, actor): (Time, u64, Actor)) -> bool {
        let Pending { due, next } = self.pending[actor as usize];
        due == time && next == IN_CROWD && self.ties[actor as usize] == tie
    }

    /// The slot of an instant.
    #[inline(always)]
    fn slot(&self, time: Time) -> u64 {
        time.as_nanos() >> self.shift
    }

    /// The first slot of the current span.
    fn start(&self) -> u64 {
        self.horizon - ((self.spans.len() as u64) << SPAN)
    }

    /// The span of a slot within the horizon, by its place in `spans`.
    #[inline]
    fn span_of(&self, slot: u64) -> usize {
        (slot >> SPAN) as usize & (self.spans.len() - 1)
    }

    fn span_ahead(&self, ahead: usize) -> usize {
        (self.at + ahead) & (self.spans.len() - 1)
    }

    #[cold]
    fn schedule_far(&mut self, actor: Actor, time: Time) {
        self.pending[actor as usize] = Pending { due: time, next: FAR };
        if self.far.len() > 64 + 4 * self.pending.len() {
            self.drop_stale();
        } else {
            self.far.push(Reverse((time, actor)));
        }
    }

    /// Removes an actor that is about to be idle from its bucket.
    fn unlink(&mut self, actor: Actor, due: Time) {
        let slot = self.slot(due);
        let (span, bucket) = (self.span_of(slot), slot as usize % (1 << SPAN));
        let Buckets { occupied, heads } = &mut self.spans[span];
        let head = &mut heads[bucket];
        let after = self.pending[actor as usize].next;
        if *head == actor {
            *head = after;
            if after == NONE {
                *occupied &= !(1 << bucket);
            }
            return;
        }
        let (mut at, mut seen) = (*head, 0);
        while self.pending[at as usize].next != actor {
            at = self.pending[at as usize].next;
            seen += 1;
        }
        self.pending[at as usize].next = after;
        if seen > FEW {
            self.crowd_bucket(span, bucket);
        }
    }

    /// How many spans ahead the first occupied one is.
    fn first_occupied(&self) -> Option<usize> {
        (0..self.spans.len()).find(|&ahead| self.spans[self.span_ahead(ahead)].occupied != 0)
    }

    /// Turns the wheel to the first occupied span. Whether there is one.
    #[inline(never)]
    fn turn(&mut self) -> bool {
        let start = match self.first_occupied() {
            Some(ahead) => self.start() + ((ahead as u64) << SPAN),
            None => match self.first_far() {
                Some(time) => self.slot(time) & (u64::MAX << SPAN),
                None => return false,
            },
        };
        self.stand(start);
        self.fetch_far();
        true
    }

    fn stand(&mut self, start: u64) {
        self.at = self.span_of(start);
        self.horizon = start + ((self.spans.len() as u64) << SPAN);
    }

    /// The time of the first event past the horizon.
    #[cold]
    fn first_far(&mut self) -> Option<Time> {
        loop {
            let Reverse((time, actor)) = *self.far.peek()?;
            if self.is_far(actor, time) {
                return Some(time);
            }
            self.far.pop();
        }
    }

    /// Rebuilds the heap from the pending events, so that its size stays proportional to the number
    /// of actors.
    fn drop_stale(&mut self) {
        let far = self.pending.iter().enumerate().filter(|(_, pending)| pending.next == FAR);
        let far = far.map(|(actor, pending)| Reverse((pending.due, actor as Actor)));
        self.far = far.filter(|Reverse((due, _))| *due != IDLE).collect();
    }

    /// Whether an entry of the heap is not stale.
    fn is_far(&self, actor: Actor, time: Time) -> bool {
        let Pending { due, next } = self.pending[actor as usize];
        due == time && next == FAR
    }

    /// Moves events that have come within the horizon from the heap to the wheel.
    fn fetch_far(&mut self) {
        while let Some(&Reverse((time, actor))) = self.far.peek()
            && (self.slot(time) < self.horizon || !self.is_far(actor, time))
        {
            self.far.pop();
            if self.is_far(actor, time) {
                self.pending[actor as usize].due = IDLE;
                self.schedule(actor, time);
            }
        }
    }

    /// Resizes buckets to a quarter of the mean gap between events if they are off by more than a
    /// factor of 4, and adds buckets if actors outnumber them.
    #[cold]
    fn review(&mut self, now: Time) {
        let gap = (now.since(self.reviewed).as_nanos() / u64::from(REVIEW - self.looks)).max(1);
        (self.left, self.looks, self.reviewed) = (REVIEW, 0, now);
        // Skipping an empty bucket costs less than comparing the events of a full one.
        let wanted = gap.ilog2().saturating_sub(2);
        let outnumbered = self.pending.len() > self.spans.len() << SPAN;
        let spans = if outnumbered { spans_for(self.pending.len()) } else { self.spans.len() };
        if wanted.abs_diff(self.shift) <= 2 && spans == self.spans.len() {
            return;
        }
        self.spans.clear();
        self.spans.resize(spans, EMPTY);
        self.shift = wanted;
        self.stand(self.slot(now) & (u64::MAX << SPAN));
        self.far.clear();
        self.crowd.clear();
        for actor in 0..self.pending.len() as u32 {
            let time = std::mem::replace(&mut self.pending[actor as usize].due, IDLE);
            if time != IDLE {
                self.schedule(actor, time);
            }
        }
    }
}

/// Spans for four buckets per event, if every actor has one.
fn spans_for(actors: usize) -> usize {
    (actors * 4 / (1 << SPAN)).next_power_of_two().clamp(1, 1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sluice_units::Span;

    proptest! {
        /// The wheel pops what a sorted set pops, whatever is scheduled, moved and removed.
        #[test]
        fn order_is_exact(steps in prop::collection::vec((0u32..40, 0u64..1 << 40, 0u32..44), 1..9000)) {
            let mut wheel = Wheel::new(40);
            let mut model = std::collections::BTreeSet::new();
            let mut now = Time::ZERO;
            for (actor, ahead, scale) in steps {
                if scale >= 40 {
                    let expected = model.pop_first();
                    prop_assert_eq!(wheel.pop(), expected);
                    now = expected.map_or(now, |(time, _)| time);
                    continue;
                }
                prop_assert_eq!(wheel.first(), model.first().map_or(Time::NEVER, |&(time, _)| time));
                let due = wheel.due(actor);
                model.remove(&(due, actor));
                // Some times coincide, near and far.
                let ahead = if ahead % 2 == 0 { ahead >> scale } else { ahead >> 36 << 36 };
                let time = if scale == 39 { Time::NEVER } else { now.plus(Span::from_nanos(ahead)) };
                wheel.reschedule(actor, time);
                if time != Time::NEVER {
                    model.insert((time, actor));
                }
            }
            while let Some(expected) = model.pop_first() {
                prop_assert_eq!(wheel.pop(), Some(expected));
            }
            prop_assert_eq!(wheel.pop(), None);
        }

        /// The same where hundreds of events share an instant, which ties then order.
        #[test]
        fn order_is_exact_in_a_crowd(
            steps in prop::collection::vec((0u32..400, 0u64..4, 0u32..10, any::<u64>()), 1..9000),
        ) {
            let mut wheel = Wheel::new(400);
            let mut ties: Vec<u64> = (0..400).collect();
            let mut model = std::collections::BTreeSet::new();
            let mut now = Time::ZERO;
            for (actor, ahead, action, tie) in steps {
                if action == 0 {
                    let expected = model.pop_first().map(|(time, _, actor)| (time, actor));
                    prop_assert_eq!(wheel.pop(), expected);
                    now = expected.map_or(now, |(time, _)| time);
                    continue;
                }
                let due = wheel.due(actor);
                model.remove(&(due, ties[actor as usize], actor));
                if action == 1 {
                    wheel.reschedule(actor, Time::NEVER);
                    // Each actor's ties are its own.
                    ties[actor as usize] = tie % 1000 * 400 + u64::from(actor);
                    wheel.rename(actor, ties[actor as usize]);
                    continue;
                }
                let slot = (now.as_nanos() >> 20) + ahead;
                let time = Time::from_nanos(slot << 20).max(now);
                wheel.reschedule(actor, time);
                model.insert((time, ties[actor as usize], actor));
                prop_assert_eq!(wheel.first(), model.first().map_or(Time::NEVER, |first| first.0));
            }
            while let Some((time, _, actor)) = model.pop_first() {
                prop_assert_eq!(wheel.pop(), Some((time, actor)));
            }
            prop_assert_eq!(wheel.pop(), None);
        }
    }
}
