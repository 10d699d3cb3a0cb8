//! A queue of events: a wheel of buckets over time, exact in (time, tie).
//!
//! An actor (a link whose packets meet others, a host with timers, one end of a flow, ...) has at
//! most one event pending, so events are links in per-actor arrays and cost no allocation. Buckets
//! are as wide as a part of the gap between events, so that one seldom holds two; events past the
//! wheel's horizon wait in a heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Whose event it is.
pub(crate) type Actor = u32;

const NONE: u32 = u32::MAX;
/// In the place of the next actor: it waits in the heap.
const FAR: u32 = u32::MAX - 1;
/// Not pending.
const IDLE: u64 = u64::MAX;
/// Work between two looks at whether buckets have the right width.
const REVIEW: u32 = 4096;
/// Events in one bucket that may be looked at for one pop's worth of work.
const CROWD: u32 = 8;

pub(crate) struct Wheel {
    pending: Vec<Pending>,
    /// The order in which actors act at one instant.
    ties: Vec<u64>,
    /// First actor of each bucket.
    heads: Vec<u32>,
    /// A bit a bucket: whether it holds anyone.
    occupied: Vec<u64>,
    /// log2 of a bucket's width in nanoseconds.
    shift: u32,
    /// The slot (time >> shift) the wheel stands at; it covers `heads.len()` slots from here.
    slot: u64,
    /// Actors past the horizon; entries whose time is no longer the actor's are stale.
    far: BinaryHeap<Reverse<(u64, Actor)>>,
    /// The slot of the first of them, at hand because every turn of the wheel asks.
    far_slot: u64,
    /// Actors that have an event.
    len: usize,
    /// Work since the last review: a pop, and a few events looked at, each count one.
    work: u32,
    pops: u32,
    reviewed: u64,
}

/// An actor's event.
#[derive(Clone, Copy)]
struct Pending {
    /// When the actor acts; [`IDLE`] if it has nothing to do.
    due: u64,
    /// The next actor in the same bucket.
    next: u32,
}

impl Wheel {
    /// A wheel for actors 0, 1, ... `actors`, which act in this order at one instant.
    pub(crate) fn new(actors: usize) -> Self {
        let buckets = buckets_for(actors);
        Self {
            pending: vec![Pending { due: IDLE, next: NONE }; actors],
            ties: (0..actors as u64).collect(),
            heads: vec![NONE; buckets],
            occupied: vec![0; buckets / 64],
            shift: 12,
            slot: 0,
            far: BinaryHeap::new(),
            far_slot: u64::MAX,
            len: 0,
            work: 0,
            pops: 0,
            reviewed: 0,
        }
    }

    /// Adds an actor that acts at its place by `tie` at one instant.
    pub(crate) fn add(&mut self, tie: u64) -> Actor {
        self.pending.push(Pending { due: IDLE, next: NONE });
        self.ties.push(tie);
        (self.pending.len() - 1) as Actor
    }

    /// Gives an idle actor another `tie`.
    pub(crate) fn rename(&mut self, actor: Actor, tie: u64) {
        self.ties[actor as usize] = tie;
    }

    /// When `actor` acts, [`u64::MAX`] if it does not.
    #[inline]
    pub(crate) fn due(&self, actor: Actor) -> u64 {
        self.pending[actor as usize].due
    }

    /// Sets when an idle `actor` acts; not before the last time popped.
    #[inline]
    pub(crate) fn schedule(&mut self, actor: Actor, time: u64) {
        debug_assert_eq!(self.due(actor), IDLE);
        self.len += 1;
        self.place(actor, time);
    }

    /// Moves `actor`'s event to `time`, whether or not it has one; [`u64::MAX`] removes it.
    pub(crate) fn reschedule(&mut self, actor: Actor, time: u64) {
        let due = self.due(actor);
        if due == time {
            return;
        }
        if due != IDLE {
            self.len -= 1;
            if self.in_reach(due) {
                self.unlink(actor, due);
            }
            self.pending[actor as usize].due = IDLE;
        }
        if time != IDLE {
            self.schedule(actor, time);
        }
    }

    /// When the earliest event is, [`u64::MAX`] if there is none.
    pub(crate) fn first(&mut self) -> u64 {
        let Some(slot) = self.first_occupied() else { return self.first_far().unwrap_or(IDLE) };
        let mut actor = self.heads[slot as usize & (self.heads.len() - 1)];
        let mut earliest = IDLE;
        while actor != NONE {
            let Pending { due, next } = self.pending[actor as usize];
            earliest = earliest.min(due);
            actor = next;
        }
        earliest
    }

    /// Takes the earliest event, of the actor first by tie if several are.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(u64, Actor)> {
        let bucket = self.advance()?;
        let first = self.heads[bucket];
        let Pending { due, next } = self.pending[first as usize];
        let (time, actor) = if next == NONE {
            self.heads[bucket] = NONE;
            self.occupied[bucket / 64] &= !(1 << (bucket % 64));
            (due, first)
        } else {
            self.pop_among(bucket)
        };
        self.pending[actor as usize].due = IDLE;
        self.len -= 1;
        self.pops += 1;
        self.work += 1;
        if self.work >= REVIEW {
            self.review(time);
        }
        Some((time, actor))
    }

    /// Takes the earliest of the several events in a bucket.
    fn pop_among(&mut self, bucket: usize) -> (u64, Actor) {
        let (mut best, mut before_best) = (self.heads[bucket], NONE);
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
        self.work += seen / CROWD;
        let after = self.pending[best as usize].next;
        if before_best == NONE {
            self.heads[bucket] = after;
        } else {
            self.pending[before_best as usize].next = after;
        }
        (earliest, best)
    }

    #[inline]
    fn in_reach(&self, time: u64) -> bool {
        (time >> self.shift) < self.slot + self.heads.len() as u64
    }

    #[inline]
    fn place(&mut self, actor: Actor, time: u64) {
        debug_assert!(time >> self.shift >= self.slot, "an event in the past");
        if !self.in_reach(time) {
            return self.place_far(actor, time);
        }
        let bucket = (time >> self.shift) as usize & (self.heads.len() - 1);
        let head = &mut self.heads[bucket];
        self.pending[actor as usize] = Pending { due: time, next: *head };
        *head = actor;
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
    }

    #[cold]
    fn place_far(&mut self, actor: Actor, time: u64) {
        self.pending[actor as usize] = Pending { due: time, next: FAR };
        if self.far.len() > 64 + 4 * self.pending.len() {
            self.drop_stale();
        } else {
            self.far.push(Reverse((time, actor)));
        }
        self.far_slot = self.far_slot.min(time >> self.shift);
    }

    fn unlink(&mut self, actor: Actor, due: u64) {
        let bucket = (due >> self.shift) as usize & (self.heads.len() - 1);
        let after = self.pending[actor as usize].next;
        if self.heads[bucket] == actor {
            self.heads[bucket] = after;
            if after == NONE {
                self.occupied[bucket / 64] &= !(1 << (bucket % 64));
            }
            return;
        }
        let mut at = self.heads[bucket];
        while self.pending[at as usize].next != actor {
            at = self.pending[at as usize].next;
        }
        self.pending[at as usize].next = after;
    }

    /// Turns the wheel to the first bucket that holds anyone.
    #[inline]
    fn advance(&mut self) -> Option<usize> {
        let slot = match self.first_occupied() {
            Some(slot) => slot,
            None => self.first_far()? >> self.shift,
        };
        if slot != self.slot {
            self.slot = slot;
            if self.far_slot < slot + self.heads.len() as u64 {
                self.fetch_far();
            }
        }
        Some(slot as usize & (self.heads.len() - 1))
    }

    /// When the first far event is.
    #[cold]
    fn first_far(&mut self) -> Option<u64> {
        loop {
            let Reverse((time, actor)) = *self.far.peek()?;
            if self.is_far(actor, time) {
                return Some(time);
            }
            self.far.pop();
        }
    }

    #[inline]
    fn first_occupied(&self) -> Option<u64> {
        let start = self.slot as usize & (self.heads.len() - 1);
        let ahead = self.occupied[start / 64] >> (start % 64);
        if ahead != 0 {
            return Some(self.slot + u64::from(ahead.trailing_zeros()));
        }
        self.first_occupied_beyond(start)
    }

    fn first_occupied_beyond(&self, start: usize) -> Option<u64> {
        let words = self.occupied.len();
        for turn in 1..=words {
            let word = (start / 64 + turn) % words;
            let mut bits = self.occupied[word];
            if turn == words {
                bits &= !(u64::MAX << (start % 64));
            }
            if bits != 0 {
                let ahead = turn * 64 + bits.trailing_zeros() as usize - start % 64;
                return Some(self.slot + ahead as u64);
            }
        }
        None
    }

    /// Rebuilds the heap from what is pending, so that it stays in proportion to the actors.
    fn drop_stale(&mut self) {
        let far = self.pending.iter().enumerate().filter(|(_, pending)| pending.next == FAR);
        let far = far.map(|(actor, pending)| Reverse((pending.due, actor as Actor)));
        self.far = far.filter(|Reverse((due, _))| *due != IDLE).collect();
    }

    /// Whether an entry of the heap is its actor's event, and not one that has moved since.
    fn is_far(&self, actor: Actor, time: u64) -> bool {
        let Pending { due, next } = self.pending[actor as usize];
        due == time && next == FAR
    }

    /// Brings in far events that the wheel now reaches.
    #[cold]
    fn fetch_far(&mut self) {
        while let Some(&Reverse((time, actor))) = self.far.peek() {
            let live = self.is_far(actor, time);
            if live && !self.in_reach(time) {
                break;
            }
            self.far.pop();
            if live {
                self.place(actor, time);
            }
        }
        self.far_slot = self.far.peek().map_or(u64::MAX, |Reverse((time, _))| time >> self.shift);
    }

    /// Gives buckets a quarter of the width of the gap between events, if they are off by more than 4, and the
    /// wheel a bucket an event, if it has grown out of its own.
    #[cold]
    fn review(&mut self, now: u64) {
        let gap = ((now - self.reviewed) / u64::from(self.pops)).max(1);
        (self.work, self.pops, self.reviewed) = (0, 0, now);
        // Looking past an empty bucket costs less than choosing among the events of a full one.
        let wanted = gap.ilog2().saturating_sub(2);
        let grown = self.len > self.heads.len();
        if wanted.abs_diff(self.shift) <= 2 && !grown {
            return;
        }
        if grown {
            let buckets = buckets_for(self.len);
            self.heads.resize(buckets, NONE);
            self.occupied.resize(buckets / 64, 0);
        }
        self.shift = wanted;
        self.slot = now >> self.shift;
        self.heads.fill(NONE);
        self.occupied.fill(0);
        self.far.clear();
        self.far_slot = u64::MAX;
        for actor in 0..self.pending.len() as u32 {
            let time = self.due(actor);
            if time != IDLE {
                self.place(actor, time);
            }
        }
    }
}

fn buckets_for(events: usize) -> usize {
    (4 * events).next_power_of_two().clamp(64, 1 << 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The wheel gives what a sorted list gives, whatever is scheduled, moved and removed.
        #[test]
        fn order_is_exact(steps in prop::collection::vec((0u32..40, 0u64..1 << 40, 0u32..44), 1..9000)) {
            let mut wheel = Wheel::new(40);
            let mut model = std::collections::BTreeSet::new();
            let mut now = 0u64;
            for (actor, ahead, scale) in steps {
                if scale >= 40 {
                    let expected = model.pop_first();
                    prop_assert_eq!(wheel.pop(), expected);
                    now = expected.map_or(now, |(time, _)| time);
                    continue;
                }
                prop_assert_eq!(wheel.first(), model.first().map_or(u64::MAX, |&(time, _)| time));
                let due = wheel.due(actor);
                model.remove(&(due, actor));
                // Some times coincide, near and far.
                let ahead = if ahead % 2 == 0 { ahead >> scale } else { ahead >> 36 << 36 };
                let time = if scale == 39 { u64::MAX } else { now + ahead };
                wheel.reschedule(actor, time);
                if time != u64::MAX {
                    model.insert((time, actor));
                }
            }
            while let Some(expected) = model.pop_first() {
                prop_assert_eq!(wheel.pop(), Some(expected));
            }
            prop_assert_eq!(wheel.pop(), None);
        }
    }
}
