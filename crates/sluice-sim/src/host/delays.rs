//! One-way delays: their mean, and a quantile from a histogram.

use std::collections::VecDeque;

use sluice_units::Span;

/// Buckets per octave of the histogram: within 3 %.
const PER_OCTAVE: u32 = 32;

/// The delays of a stream's datagrams. Takes as much memory as they differ: of a propagation delay and a
/// queue of the same length, 32 buckets.
#[derive(Default)]
pub(crate) struct Delays {
    sum: u128,
    count: u64,
    /// The number of the first bucket.
    first: u32,
    buckets: VecDeque<u64>,
}

impl Delays {
    /// Adds a delay.
    pub(crate) fn add(&mut self, delay: Span) {
        let nanos = delay.as_nanos();
        self.sum += u128::from(nanos);
        self.count += 1;
        let bucket = bucket(nanos);
        if self.buckets.is_empty() {
            self.first = bucket;
        }
        while bucket < self.first {
            self.buckets.push_front(0);
            self.first -= 1;
        }
        let place = (bucket - self.first) as usize;
        if place >= self.buckets.len() {
            self.buckets.resize(place + 1, 0);
        }
        self.buckets[place] += 1;
    }

    /// Their mean; `None` if there are none.
    pub(crate) fn mean(&self) -> Option<Span> {
        (self.count > 0).then(|| Span::from_nanos((self.sum / u128::from(self.count)) as u64))
    }

    /// Their 99th percentile, to 3 %; `None` if there are none.
    pub(crate) fn p99(&self) -> Option<Span> {
        let rank = (u128::from(self.count) * 99).div_ceil(100) as u64;
        let mut below = 0;
        let found = self.buckets.iter().position(|count| {
            below += count;
            below >= rank
        });
        found.map(|place| Span::from_nanos(middle(self.first + place as u32)))
    }
}

/// The bucket of a value: values below [`PER_OCTAVE`] have one each, then each octave has as many.
fn bucket(value: u64) -> u32 {
    let octave = value.max(1).ilog2().saturating_sub(PER_OCTAVE.ilog2());
    octave * PER_OCTAVE + (value >> octave) as u32
}

/// The middle of a bucket.
fn middle(bucket: u32) -> u64 {
    let octave = (bucket / PER_OCTAVE).saturating_sub(1);
    let low = u64::from(bucket - octave * PER_OCTAVE) << octave;
    low + ((1 << octave) >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_within_3_percent_and_rise() {
        let values = (0..60).flat_map(|shift| (32..64_u64).map(move |part| part << shift >> 5));
        let mut last = 0;
        let mut values: Vec<u64> = values.collect();
        values.sort_unstable();
        for value in values {
            let found = bucket(value);
            assert!(found >= last, "{value}");
            last = found;
            let off = middle(found).abs_diff(value) as f64;
            assert!(off <= 0.03 * value as f64, "{value}: {}", middle(found));
        }
    }

    #[test]
    fn the_mean_is_exact_and_the_percentile_is_that_of_the_sorted_values() {
        let mut delays = Delays::default();
        assert_eq!((delays.mean(), delays.p99()), (None, None));
        (1..=1000).rev().for_each(|n| delays.add(Span::from_micros(n)));
        assert_eq!(delays.mean(), Some(Span::from_nanos(500_500)));
        let p99 = delays.p99().unwrap().as_nanos() as f64;
        assert!((p99 / 990_000.0 - 1.0).abs() < 0.03, "{p99}");
    }
}
