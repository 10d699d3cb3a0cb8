//! What a link is measured by: bytes sent, and its queue sampled at random instants.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Bytes, Rate};

use crate::outcome::LinkOutcome;

/// Instants at which the queue is sampled: one in each of so many equal parts of the time
/// measured, at random within it, so that no period of the traffic biases the mean.
const STRATA: u64 = 8192;
/// Buckets an octave of the queue histogram: within 3%.
const PER_OCTAVE: u32 = 32;

pub(crate) struct Meter {
    from: u64,
    to: u64,
    sent: u64,
    pub(crate) drops: u64,
    pub(crate) errors: u64,
    max_queue: u64,
    samples: Samples,
}

struct Samples {
    stream: Xoshiro256PlusPlus,
    taken: u64,
    due: u64,
    sum: f64,
    histogram: Vec<u32>,
}

impl Meter {
    pub(crate) fn new(from: u64, to: u64, stream: Xoshiro256PlusPlus) -> Self {
        let samples = Samples { stream, taken: 0, due: 0, sum: 0.0, histogram: Vec::new() };
        let mut meter = Self { from, to, sent: 0, drops: 0, errors: 0, max_queue: 0, samples };
        meter.draw();
        meter
    }

    /// When the queue is sampled next.
    pub(crate) fn due(&self) -> u64 {
        self.samples.due
    }

    fn draw(&mut self) {
        let taken = self.samples.taken;
        let edge = |i: u64| {
            let part = u128::from(self.to - self.from) * u128::from(i) / u128::from(STRATA);
            self.from + part as u64
        };
        let (low, high) = (edge(taken), edge(taken + 1));
        self.samples.due = if taken < STRATA && low < high {
            self.samples.stream.random_range(low..high)
        } else {
            u64::MAX
        };
    }

    /// Takes the sample that is due: `queue` bytes.
    pub(crate) fn sample(&mut self, queue: Bytes) {
        let samples = &mut self.samples;
        samples.taken += 1;
        samples.sum += queue.as_f64();
        let bucket = bucket_of(queue.as_u64());
        if samples.histogram.len() <= bucket {
            samples.histogram.resize(bucket + 1, 0);
        }
        samples.histogram[bucket] += 1;
        self.draw();
    }

    /// A packet of `bytes` joins the queue and leaves at `leaves`; `backlog` is then the queue in
    /// nanoseconds of transmission.
    #[inline]
    pub(crate) fn queued(&mut self, leaves: u64, bytes: u32, backlog: u64) {
        if leaves.wrapping_sub(self.from) < self.to - self.from {
            self.sent += u64::from(bytes);
            self.max_queue = self.max_queue.max(backlog);
        }
    }

    pub(crate) fn outcome(&self, capacity: Rate) -> LinkOutcome {
        let seconds = (self.to - self.from) as f64 / 1e9;
        let room = capacity.as_bytes_per_sec_f64() * seconds;
        let taken = self.samples.taken.max(1);
        LinkOutcome {
            utilization: if room > 0.0 { self.sent as f64 / room } else { 0.0 },
            sent: Bytes::new(self.sent),
            mean_queue: Bytes::new((self.samples.sum / taken as f64 + 0.5) as u64),
            p99_queue: Bytes::new(self.samples.quantile(0.99)),
            max_queue: capacity.bytes_in(sluice_units::Span::from_nanos(self.max_queue)),
            drops: self.drops,
            errors: self.errors,
        }
    }
}

impl Samples {
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

/// Values under [`PER_OCTAVE`] have a bucket each; above, so many an octave.
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
