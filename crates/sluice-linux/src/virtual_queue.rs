//! The queue that a link would have: `src/bpf/virtual_queue.h`, which says how it is kept.

use std::sync::atomic::{Ordering, fence};

use libbpf_rs::ProgramInput;
use sluice_units::{Bytes, Rate, Span, Time};

use crate::error::Error;
use crate::map;
use crate::router::KernelRouter;
use crate::traffic::Unfolded;

/// Bits of the fraction of a nanosecond.
const FRACTION: u32 = 20;
/// Above the time of a full queue, in parts of a nanosecond.
const MOST_PARTS: u64 = 1 << 62;
/// CPUs collect the bytes that the link sends in this time.
const FOLDED_AFTER: Span = Span::from_micros(100);
/// The capacities for which the program's arithmetic is made.
const CAPACITIES: std::ops::RangeInclusive<Rate> =
    Rate::from_bps(1_000)..=Rate::from_bps(400_000_000_000);

/// What a virtual queue holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueSample {
    /// Bytes now, a packet in transmission included as far as it is not sent.
    pub now: Bytes,
    /// The fewest bytes since [`KernelRouter::begin_queue_interval`], now included, that a packet found. Trains of packets that
    /// hosts send at once (segmentation offload) stand in `now`, but not here, if they have left before the next comes.
    pub least: Bytes,
}

/// The state that all CPUs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VirtualQueue {
    /// When it will be empty, in nanoseconds, and the parts beyond.
    empty_at: u64,
    fraction: u64,
    /// Parts that a byte takes.
    per_byte: u64,
    /// Bytes that it holds at most.
    limit: u64,
}

impl VirtualQueue {
    /// An empty queue of a link of `capacity`, with that limit as far as the arithmetic allows it: 549 kB at 1 kb/s.
    fn new(capacity: Rate, limit: Bytes) -> Self {
        let parts = u128::from(8_000_000_000_u64) << FRACTION;
        let bps = u128::from(capacity.as_bps().max(1));
        let per_byte = u64::try_from((parts + bps / 2) / bps).unwrap_or(u64::MAX).max(1);
        let limit = limit.as_u64().min(MOST_PARTS / per_byte);
        Self { empty_at: 0, fraction: 0, per_byte, limit }
    }

    /// Adds bytes that came since then, or later; as `queue_add` does.
    fn add(&mut self, since: u64, bytes: u64) {
        if self.empty_at < since {
            (self.empty_at, self.fraction) = (since, 0);
        }
        let parts = bytes.min(self.limit) * self.per_byte + self.fraction;
        self.empty_at += parts >> FRACTION;
        self.fraction = parts & ((1 << FRACTION) - 1);
    }

    /// The bytes that are left at `now`, rounded to the nearest.
    fn bytes(&self, now: u64) -> u64 {
        if self.empty_at <= now || self.per_byte == 0 {
            return 0;
        }
        let parts = u128::from(self.empty_at - now) << FRACTION | u128::from(self.fraction);
        let per_byte = u128::from(self.per_byte);
        u64::try_from((parts + per_byte / 2) / per_byte).unwrap_or(u64::MAX).min(self.limit)
    }
}

impl KernelRouter<'_> {
    /// Sets the capacity by which the virtual queue drains, 1 kb/s to 400 Gb/s, and the bytes that it holds at most, as a
    /// buffer of that size would. What is in it stays in it. There is no queue before the first call.
    ///
    /// At 1 kb/s it holds 549 kB at most, and more in proportion at higher capacities.
    pub fn set_virtual_queue(&self, capacity: Rate, limit: Bytes) -> Result<(), Error> {
        if !CAPACITIES.contains(&capacity) {
            return Err(Error::Capacity(capacity));
        }
        let set = VirtualQueue::new(capacity, limit);
        let mut variables = self.variables();
        variables.queue_per_byte = set.per_byte;
        variables.queue_limit = set.limit;
        fence(Ordering::SeqCst);
        // The kernel demands a packet for the run: one with an Ethernet header.
        let input = ProgramInput { data_in: Some(&[0; 64]), ..ProgramInput::default() };
        self.set_queue_program().test_run(input).map_err(Error::SetQueue)?;
        // Packets fold only when there is a queue to fold into.
        variables.fold_bytes = capacity.bytes_in(FOLDED_AFTER).as_u64().max(1);
        Ok(())
    }

    /// The virtual queue at `now`, on `CLOCK_MONOTONIC`. Each CPU that passes packets adds an error of 100 us of transmission
    /// at most; none on links so slow that a packet takes longer.
    pub fn virtual_queue(&self, now: Time) -> Result<QueueSample, Error> {
        // Before the counts of CPUs: a packet folded in between is missed rather than seen twice.
        let words = map::read_locked(&self.maps().virtual_queues, 0)?;
        let [_lock, empty_at, fraction, per_byte, limit, interval, least] = words[..] else {
            return Err(Error::Layout("virtual_queues"));
        };
        let mut queue = VirtualQueue { empty_at, fraction, per_byte, limit };
        let least = VirtualQueue { empty_at: least, fraction: 0, ..queue }.bytes(0);
        let mut unfolded: Vec<_> = self.traffic_by_cpu()?.iter().map(|(_, bytes)| *bytes).collect();
        unfolded.sort_unstable_by_key(|of| of.since);
        unfolded.iter().for_each(|Unfolded { bytes, since }| queue.add(*since, *bytes));
        let found = queue.bytes(now.as_nanos());
        let is_noted = interval == self.variables().queue_interval;
        let least = if is_noted { least.min(found) } else { found };
        Ok(QueueSample { now: Bytes::new(found), least: Bytes::new(least) })
    }

    /// Begins the interval of which [`QueueSample::least`] is.
    pub fn begin_queue_interval(&self) {
        self.variables().queue_interval += 1;
    }
}

#[cfg(test)]
#[path = "virtual_queue_tests.rs"]
mod tests;
