//! Percentiles of any number of values in constant memory.

use serde::{Deserialize, Serialize};

/// Counts of values in buckets 1/128 of their value wide, so that a percentile is right within
/// 0.4 %. Exact below 128.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    #[serde(with = "sparse")]
    counts: Vec<u64>,
    total: u64,
    /// Of no value: 0.
    min: u64,
    max: u64,
}

/// Buckets to a doubling: 2^7.
const BITS: u32 = 7;

impl Histogram {
    /// Counts a value.
    pub fn add(&mut self, value: u64) {
        let bucket = bucket(value);
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
        self.min = if self.total == 0 { value } else { self.min.min(value) };
        self.total += 1;
        self.max = self.max.max(value);
    }

    /// Counts all that `other` counted.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.min = match (self.total, other.total) {
            (_, 0) => self.min,
            (0, _) => other.min,
            _ => self.min.min(other.min),
        };
        self.total += other.total;
        self.max = self.max.max(other.max);
    }

    /// How many values were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many values are greater, within 0.4 % of `limit`.
    pub fn above(&self, limit: u64) -> u64 {
        self.counts.iter().skip(bucket(limit) + 1).sum()
    }

    /// The exact minimum and maximum; `None` if there are none.
    pub fn range(&self) -> Option<(u64, u64)> {
        (self.total > 0).then_some((self.min, self.max))
    }

    /// The smallest value that at least `fraction` of all values do not exceed; `None` if there are
    /// none.
    pub fn percentile(&self, fraction: f64) -> Option<u64> {
        let rank = (fraction * self.total as f64).ceil() as u64;
        self.at_rank(rank.clamp(1, self.total.max(1)))
    }

    /// The value of that rank; the minimum has rank 1. `None` if there are fewer values.
    pub fn at_rank(&self, rank: u64) -> Option<u64> {
        let mut below = 0;
        let bucket = self.counts.iter().position(|count| {
            below += count;
            below >= rank
        })?;
        Some(middle(bucket).clamp(self.min, self.max))
    }
}

fn bucket(value: u64) -> usize {
    let magnitude = (u64::BITS - value.leading_zeros()).saturating_sub(BITS + 1);
    (magnitude << BITS) as usize + (value >> magnitude) as usize
}

fn middle(bucket: usize) -> u64 {
    let magnitude = (bucket >> BITS).saturating_sub(1) as u32;
    let value = (bucket - ((magnitude as usize) << BITS)) as u64;
    (value << magnitude) + ((1_u64 << magnitude) >> 1)
}

/// Counts on disk: the buckets that count something, with their numbers.
mod sparse {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::bucket;

    pub fn serialize<S: Serializer>(counts: &[u64], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(counts.iter().enumerate().filter(|&(_, &count)| count > 0))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
        let mut counts = Vec::new();
        for (number, count) in Vec::<(usize, u64)>::deserialize(from)? {
            if number > bucket(u64::MAX) {
                return Err(serde::de::Error::custom("no bucket has that number"));
            }
            counts.resize(counts.len().max(number + 1), 0);
            counts[number] = count;
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_within_half_a_percent_of_its_buckets_middle() {
        let values =
            (0..64).flat_map(|i| [0, 1, 3].map(|j| (1_u64 << i) + ((1_u64 << i) >> 2) * j));
        for value in values.chain([0, u64::MAX]) {
            let got = middle(bucket(value));
            assert!(got.abs_diff(value) as f64 <= value as f64 * 0.004, "{value}: {got}");
        }
    }

    #[test]
    fn percentiles_of_a_hundred_values() {
        let mut all = Histogram::default();
        (1..=50).for_each(|value| all.add(value));
        let mut rest = Histogram::default();
        (51..=100).for_each(|value| rest.add(value));
        all.merge(&rest);
        assert_eq!(all.percentile(0.5), Some(50));
        assert_eq!(all.percentile(0.99), Some(99));
        assert_eq!(all.percentile(1.0), Some(100));
        assert_eq!(all.range(), Some((1, 100)));
        assert_eq!((all.at_rank(7), all.at_rank(101)), (Some(7), None));
        assert_eq!((all.above(0), all.above(40), all.above(100)), (100, 60, 0));
        assert_eq!(all.total(), 100);
        assert_eq!(Histogram::default().percentile(0.5), None);
    }

    #[test]
    fn a_histogram_comes_back_from_disk_as_it_was() {
        let mut all = Histogram::default();
        [3, 3, 1_000_000, u64::MAX].into_iter().for_each(|value| all.add(value));
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), all);
        assert!(text.len() < 150, "{text}");
        let forged = text.replace("[3,2]", "[99999999999,2]");
        assert!(serde_json::from_str::<Histogram>(&forged).is_err());
    }

    #[test]
    fn merging_with_nothing_changes_nothing() {
        let mut some = Histogram::default();
        some.add(5);
        let mut merged = Histogram::default();
        merged.merge(&some);
        merged.merge(&Histogram::default());
        assert_eq!(merged, some);
    }
}
