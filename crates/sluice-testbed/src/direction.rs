//! A direction's queue, transmitter, delay, loss and reordering: arithmetic on times that the caller
//! passes, without I/O or a clock.

use std::collections::{BTreeMap, VecDeque};

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use crate::frame::Size;
use crate::{DirectionConfig, LinkCounters};

/// Transmission is counted in bits per second times nanoseconds, in which it is exact. A byte is so much.
const BYTE: u128 = 8_000_000_000;

/// The direction of a link. `T` is what is carried.
pub(crate) struct Direction<T> {
    config: DirectionConfig,
    /// The time up to which everything below is computed.
    at: Time,
    /// Frames that wait, the first in transmission.
    queue: VecDeque<(Size, T)>,
    /// What is left of the first frame, and of all.
    left: u128,
    backlog: u128,
    /// Transmitted frames, by when they arrive and in which order they were transmitted.
    wire: BTreeMap<(Time, u64), Delivery<T>>,
    random: Xoshiro256PlusPlus,
    counted: LinkCounters,
    /// Bytes that the queue admitted.
    admitted: u64,
}

/// A frame that has arrived.
pub(crate) struct Delivery<T> {
    pub carried: T,
    /// When it was to arrive.
    pub due: Time,
    /// Whether it was lost on the way.
    pub is_lost: bool,
}

impl<T> Direction<T> {
    pub(crate) fn new(config: DirectionConfig) -> Self {
        Self {
            config,
            at: Time::ZERO,
            queue: VecDeque::new(),
            left: 0,
            backlog: 0,
            wire: BTreeMap::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(config.seed),
            counted: LinkCounters::default(),
            admitted: 0,
        }
    }

    /// Replaces the configuration. Frames that wait take the new rate, delay, loss and reordering; those
    /// that are on the wire arrive as they would have.
    pub(crate) fn reconfigure(&mut self, config: DirectionConfig, now: Time) {
        self.advance(now);
        self.config = config;
        if config.rate.is_none() {
            self.left = 0;
            self.backlog = 0;
            while let Some((size, carried)) = self.queue.pop_front() {
                self.transmitted(size, carried, now);
            }
        }
    }

    /// A frame arrives at the queue, which returns it if there is no room.
    pub(crate) fn enqueue(&mut self, size: Size, carried: T, now: Time) -> Result<(), T> {
        self.advance(now);
        let work = u128::from(size.bytes) * BYTE;
        let room = u128::from(self.config.buffer.as_u64()) * BYTE;
        if self.backlog > 0 && self.backlog + work > room {
            self.counted.dropped_frames += 1;
            self.counted.dropped_packets += size.packets;
            return Err(carried);
        }
        self.admitted += size.bytes;
        if self.config.rate.is_none() {
            self.transmitted(size, carried, self.at);
            return Ok(());
        }
        if self.queue.is_empty() {
            self.left = work;
        }
        self.queue.push_back((size, carried));
        self.backlog += work;
        self.counted.max_queue = self.counted.max_queue.max(self.queued());
        Ok(())
    }

    /// The next frame that has arrived at `now`.
    pub(crate) fn delivery(&mut self, now: Time) -> Option<Delivery<T>> {
        self.advance(now);
        let first = self.wire.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }

    /// When the next frame arrives, or something earlier; `None` while none is on the way.
    pub(crate) fn next(&self) -> Option<Time> {
        let arrives = self.wire.first_key_value().map(|(&(due, _), _)| due);
        let transmitted = match self.config.rate {
            Some(rate) if rate > Rate::ZERO && !self.queue.is_empty() => {
                Some(self.at + time_for(self.left, rate) + self.config.delay)
            }
            _ => None,
        };
        arrives.into_iter().chain(transmitted).min()
    }

    /// The counters at `now`, without what only a relay knows.
    pub(crate) fn counters(&mut self, now: Time) -> LinkCounters {
        self.advance(now);
        let sent = Bytes::new(self.admitted) - self.queued();
        let elapsed = self.at.since(Time::ZERO);
        LinkCounters { elapsed, sent, queue: self.queued(), ..self.counted }
    }

    pub(crate) fn reset_max_queue(&mut self, now: Time) {
        self.advance(now);
        self.counted.max_queue = self.queued();
    }

    /// Transmits up to `now`. A time that has passed changes nothing.
    fn advance(&mut self, now: Time) {
        let Some(rate) = self.config.rate else {
            self.at = self.at.max(now);
            return;
        };
        let elapsed = now.since(self.at);
        let possible = u128::from(rate.as_bps()) * u128::from(elapsed.as_nanos());
        let done = possible.min(self.backlog);
        let busy = if done == possible { elapsed } else { time_for(done, rate) };
        self.counted.queue_area +=
            (self.backlog - done / 2) as f64 / BYTE as f64 * busy.as_secs_f64();
        self.backlog -= done;
        let mut spent = 0;
        while !self.queue.is_empty() && self.left <= done - spent {
            spent += self.left;
            let (size, carried) = self.queue.pop_front().expect("the queue is not empty");
            self.left = self.queue.front().map_or(0, |next| u128::from(next.0.bytes) * BYTE);
            self.transmitted(size, carried, self.at + time_for(spent, rate));
        }
        if !self.queue.is_empty() {
            self.left -= done - spent;
        }
        self.at = self.at.max(now);
    }

    /// The last bit of a frame has left at `at`.
    fn transmitted(&mut self, size: Size, carried: T, at: Time) {
        self.counted.frames += 1;
        self.counted.packets += size.packets;
        let mut due = at + self.config.delay;
        let is_lost = self.draw(self.config.loss);
        if is_lost {
            self.counted.lost_frames += 1;
            self.counted.lost_packets += size.packets;
        }
        if self.draw(self.config.reordering.part) {
            self.counted.reordered_frames += 1;
            due += self.config.reordering.by;
        }
        self.wire.insert((due, self.counted.frames), Delivery { carried, due, is_lost });
    }

    /// Whether something of this probability happens.
    fn draw(&mut self, probability: Ratio) -> bool {
        probability.get() > 0.0 && self.random.random_bool(probability.get())
    }

    /// The bytes that wait, begun ones included.
    fn queued(&self) -> Bytes {
        Bytes::new(self.backlog.div_ceil(BYTE) as u64)
    }
}

fn time_for(work: u128, rate: Rate) -> Span {
    let ns = work.div_ceil(u128::from(rate.as_bps()).max(1));
    Span::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
}

#[cfg(test)]
#[path = "direction_tests.rs"]
mod tests;
