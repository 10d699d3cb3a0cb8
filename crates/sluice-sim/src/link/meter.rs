//! Measurements of a link: bytes sent, and its queue sampled at random instants.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Bytes, Span, Time};

use super::counters::Counters;
use crate::outcome::LinkOutcome;
use crate::schedule::LinkCapacity;

/// Samples of the queue: stratified sampling, one at random in each of this many equal parts of the
/// time measured, so that no period of the traffic biases the mean.
const STRATA: u64 = 2048;
/// The same for links without a router law or a limit to the queue, of which networks have many.
const STRATA_OF_PLAIN: u64 = 256;
/// Samples of all links together, where that leaves each fewer, but at least [`FEWEST`].
const SAMPLES: u64 = 1 << 20;
const FEWEST: u64 = 64;
/// Buckets per octave of the queue histogram: within 3%.
const PER_OCTAVE: u32 = 32;

/// Measures a link over [`from`, `to`].
pub(crate) struct LinkMeter {
    capacity: LinkCapacity,
    from: Time,
    to: Time,
    /// Whether the time measured has begun, or ended.
    phase: Phase,
    /// During the time measured, bytes sent before it; after it, bytes sent in it.
    sent: Bytes,
    /// Bytes that joined the queue, and that its discipline dropped all the same.
    withdrawn: Bytes,
    /// Bytes that joined the queue, and were not sent by when the link went down and lost it.
    cut: Bytes,
    drops: u64,
    early_drops: u64,
    marks: u64,
    errors: u64,
    max_queue: Span,
    samples: Samples,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    During,
    After,
}

struct Samples {
    stream: Xoshiro256PlusPlus,
    strata: u64,
    taken: u64,
    due: Time,
    sum: f64,
    histogram: Vec<u32>,
}

impl LinkMeter {
    pub(crate) fn new(
        capacity: LinkCapacity,
        (from, to): (Time, Time),
        is_plain: bool,
        links: usize,
        stream: Xoshiro256PlusPlus,
    ) -> Self {
        let most = if is_plain { STRATA_OF_PLAIN } else { STRATA };
        let strata = most.min(SAMPLES / links as u64).max(FEWEST);
        let samples =
            Samples { stream, strata, taken: 0, due: Time::NEVER, sum: 0.0, histogram: Vec::new() };
        Self {
            capacity,
            from,
            to,
            phase: Phase::Before,
            sent: Bytes::ZERO,
            withdrawn: Bytes::ZERO,
            cut: Bytes::ZERO,
            drops: 0,
            early_drops: 0,
            marks: 0,
            errors: 0,
            max_queue: Span::ZERO,
            samples,
        }
    }

    /// When it measures next.
    pub(crate) fn due(&self) -> Time {
        match self.phase {
            Phase::Before => self.from,
            Phase::During => self.samples.due.min(self.to),
            Phase::After => Time::NEVER,
        }
    }

    /// Measures the link at `now`, which must be [`LinkMeter::due`].
    pub(crate) fn measure(&mut self, now: Time, backlog: Span, counters: &mut Counters) {
        match self.phase {
            Phase::Before => {
                self.phase = Phase::During;
                self.sent = self.sent_by(backlog, counters);
                counters.longest = backlog;
                self.samples.draw(self.from, self.to);
            }
            Phase::During if self.samples.due == now => {
                self.samples.take(self.bytes(backlog));
                self.samples.draw(self.from, self.to);
            }
            _ => {
                self.phase = Phase::After;
                self.sent = self.sent_by(backlog, counters) - self.sent;
                self.max_queue = counters.longest;
            }
        }
    }

    fn sent_by(&self, backlog: Span, counters: &Counters) -> Bytes {
        Bytes::new(self.joined(counters)) - self.cut - self.bytes(backlog)
    }

    /// Bytes that have joined the queue, but for those that its discipline dropped later.
    pub(super) fn joined(&self, counters: &Counters) -> u64 {
        counters.taken - self.withdrawn.as_u64()
    }

    /// Bytes of this backlog.
    fn bytes(&self, backlog: Span) -> Bytes {
        self.capacity.bytes_in(backlog)
    }

    /// The queue dropped a packet; `early` if there was room.
    pub(crate) fn dropped(&mut self, early: bool) {
        let counted = self.phase == Phase::During;
        self.drops += u64::from(counted);
        self.early_drops += u64::from(counted && early);
    }

    /// The queue dropped a packet that it had taken; `early` if there was room.
    pub(crate) fn withdrawn(&mut self, bytes: u32, early: bool) {
        self.withdrawn += Bytes::new(u64::from(bytes));
        self.dropped(early);
    }

    /// The link went down, and lost these bytes of its queue.
    pub(super) fn cut(&mut self, unsent: Bytes) {
        self.cut += unsent;
    }

    /// One of the packets with them, as the link went down at `now`, before [`LinkMeter::measure`] at
    /// the same instant.
    pub(super) fn failed(&mut self, now: Time) {
        self.drops += u64::from(self.measures(now));
    }

    /// The queue marked a packet.
    pub(crate) fn marked(&mut self) {
        self.marks += u64::from(self.phase == Phase::During);
    }

    /// The wire lost a packet that counts at `time`, which may be ahead of the meter's time.
    pub(crate) fn lost(&mut self, time: Time) {
        self.errors += u64::from(self.measures(time));
    }

    fn measures(&self, time: Time) -> bool {
        (self.from..self.to).contains(&time)
    }

    pub(crate) fn outcome(&self) -> LinkOutcome {
        let room = self.capacity.bytes_between(self.from, self.to).as_f64();
        let taken = self.samples.taken.max(1);
        let sent = if self.phase == Phase::After { self.sent } else { Bytes::ZERO };
        LinkOutcome {
            utilization: if room > 0.0 { (sent.as_f64() / room).min(1.0) } else { 0.0 },
            sent,
            mean_queue: Bytes::new((self.samples.sum / taken as f64 + 0.5) as u64),
            p99_queue: Bytes::new(self.samples.quantile(0.99)),
            max_queue: self.bytes(self.max_queue),
            drops: self.drops,
            early_drops: self.early_drops,
            marks: self.marks,
            errors: self.errors,
            police: None,
            ingress: None,
        }
    }
}

impl Samples {
    /// Draws the next instant in [`from`, `to`].
    fn draw(&mut self, from: Time, to: Time) {
        let edge = |i: u64| {
            let length = to.since(from).as_nanos();
            let part = u128::from(length) * u128::from(i) / u128::from(self.strata);
            from.as_nanos() + part as u64
        };
        let (low, high) = (edge(self.taken), edge(self.taken + 1));
        self.due = if self.taken < self.strata && low < high {
            Time::from_nanos(self.stream.random_range(low..high))
        } else {
            Time::NEVER
        };
    }

    fn take(&mut self, queue: Bytes) {
        self.taken += 1;
        self.sum += queue.as_f64();
        let bucket = bucket_of(queue.as_u64());
        if self.histogram.len() <= bucket {
            self.histogram.resize(bucket + 1, 0);
        }
        self.histogram[bucket] += 1;
    }

    fn quantile(&self, level: f64) -> u64 {
        let rank = (level * self.taken as f64).ceil() as u64;
        let mut seen = 0;
        for (bucket, &count) in self.histogram.iter().enumerate() {
            seen += u64::from(count);
            if seen >= rank {
                return value_of(bucket);
            }
        }
        0
    }
}

/// Values below [`PER_OCTAVE`] have a bucket each; above, every octave has [`PER_OCTAVE`].
fn bucket_of(value: u64) -> usize {
    let bits = PER_OCTAVE.ilog2();
    if value < u64::from(PER_OCTAVE) {
        return value as usize;
    }
    let octave = value.ilog2() - bits;
    (octave as usize + 1) * PER_OCTAVE as usize + (value >> octave) as usize - PER_OCTAVE as usize
}

fn value_of(bucket: usize) -> u64 {
    let per = PER_OCTAVE as usize;
    if bucket < per {
        return bucket as u64;
    }
    ((bucket % per + per) as u64) << (bucket / per - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_within_three_percent() {
        for value in (0..40).map(|bit| 1_u64 << bit).flat_map(|v| [v - 1, v, v + v / 3]) {
            let low = value_of(bucket_of(value));
            assert!(low <= value && value - low <= value / 32, "{value} fell to {low}");
        }
    }
}
