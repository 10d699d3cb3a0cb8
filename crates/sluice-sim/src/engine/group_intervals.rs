//! The intervals of a metric of groups, until the clock has passed them.

use std::collections::{BTreeMap, VecDeque};
use std::ops::AddAssign;

use sluice_units::{Span, Time};

use crate::config::GroupMetrics;
use crate::observer::Observer;
use crate::sample_buffer::SampleBuffer;
use crate::samples::Subject;

/// What the flows of a metric received in an interval.
#[derive(Clone, Copy, Default)]
pub(super) struct GroupInterval {
    /// Bytes of data, each once.
    delivered: u64,
    /// The bytes of flows that lived from its beginning to its end, and the squares of them.
    sum: u64,
    squares: u128,
}

impl GroupInterval {
    /// What a flow received, which may have lived over the whole interval.
    pub(super) fn of(bytes: u64, is_whole: bool) -> Self {
        let sum = if is_whole { bytes } else { 0 };
        Self { delivered: bytes, sum, squares: u128::from(sum) * u128::from(sum) }
    }

    /// Jain's index of the `flows` that lived over the interval; 0, which no index is, for fewer than
    /// two, and if none received anything.
    fn jain(&self, flows: i64) -> f64 {
        let sum = self.sum as f64;
        let is_known = flows > 1 && self.sum > 0;
        if is_known { sum * sum / (flows as f64 * self.squares as f64) } else { 0.0 }
    }
}

impl AddAssign for GroupInterval {
    fn add_assign(&mut self, other: Self) {
        self.delivered += other.delivered;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// The intervals of a metric, numbered from the beginning of the run.
pub(super) struct GroupIntervals {
    every: Span,
    /// The first interval that the clock has not passed ...
    first: u64,
    /// ... and what is known of it and the next ones.
    waiting: VecDeque<GroupInterval>,
    /// Whole flows of the interval before the first, and by interval: by how many they change.
    flows: i64,
    changes: BTreeMap<u64, i64>,
    samples: SampleBuffer,
}

impl GroupIntervals {
    pub(super) fn new((number, metric): (usize, &GroupMetrics)) -> Self {
        let columns = vec!["throughput_bps", "flows", "jain"];
        Self {
            every: metric.every,
            first: 0,
            waiting: VecDeque::new(),
            flows: 0,
            changes: BTreeMap::new(),
            samples: SampleBuffer::new(Subject::Group(number), columns),
        }
    }

    pub(super) fn every(&self) -> Span {
        self.every
    }

    /// A flow lives from `start` on.
    pub(super) fn start(&mut self, start: Time) {
        self.change(self.first_whole(start), 1);
    }

    /// A flow lived from `start` to `end`.
    pub(super) fn end(&mut self, start: Time, end: Time) {
        // One that lived within an interval was counted from the next one on.
        let last = end.as_nanos() / self.every.as_nanos();
        self.change(self.first_whole(start).max(last), -1);
    }

    /// The first interval over the whole of which a flow that starts then may live.
    fn first_whole(&self, start: Time) -> u64 {
        start.as_nanos().div_ceil(self.every.as_nanos())
    }

    fn change(&mut self, interval: u64, by: i64) {
        *self.changes.entry(interval).or_default() += by;
    }

    /// Adds what flows received in the interval that began then.
    pub(super) fn add(&mut self, begin: Time, received: GroupInterval) {
        let place = (begin.as_nanos() / self.every.as_nanos() - self.first) as usize;
        if place >= self.waiting.len() {
            self.waiting.resize(place + 1, GroupInterval::default());
        }
        self.waiting[place] += received;
    }

    /// Emits the intervals that ended before `time`, which the clock has reached.
    pub(super) fn emit(&mut self, time: Time, observer: &mut dyn Observer) {
        let every = self.every.as_nanos();
        let end_of = |interval: u64| Time::from_nanos((interval + 1).saturating_mul(every));
        while end_of(self.first) < time
            && let Some(interval) = self.waiting.pop_front()
        {
            self.flows += self.changes.remove(&self.first).unwrap_or(0);
            self.samples.add_row(end_of(self.first)).extend([
                interval.delivered as f64 * 8.0 / self.every.as_secs_f64(),
                self.flows as f64,
                interval.jain(self.flows),
            ]);
            self.first += 1;
        }
        self.samples.emit(time, observer);
    }
}
