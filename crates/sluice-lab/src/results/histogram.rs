//! Percentiles of any number of values in constant memory.

/// Counts of values in buckets 1/128 of their value wide, so that a percentile is right within
/// 0.4 %. Exact below 128.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    greatest: u64,
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
        self.total += 1;
        self.greatest = self.greatest.max(value);
    }

    /// Counts all that `other` counted.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.total += other.total;
        self.greatest = self.greatest.max(other.greatest);
    }

    /// How many values were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The least value that at least `fraction` of all values do not exceed; `None` if there are
    /// none.
    pub fn percentile(&self, fraction: f64) -> Option<u64> {
        let rank = ((fraction * self.total as f64).ceil() as u64).clamp(1, self.total.max(1));
        let mut below = 0;
        let bucket = self.counts.iter().position(|count| {
            below += count;
            below >= rank
        })?;
        Some(middle(bucket).min(self.greatest))
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
        assert_eq!(all.total(), 100);
        assert_eq!(Histogram::default().percentile(0.5), None);
    }
}
