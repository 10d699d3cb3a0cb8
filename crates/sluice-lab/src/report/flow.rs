//! A flow as the runs' files have it.

/// A measured flow that has a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// Its group, numbered as the reader likes, the same under every system.
    pub group: u32,
    /// Its place among its group's arrivals.
    pub index: u64,
    /// Its run's seed.
    pub seed: u64,
    /// Bytes.
    pub size: u64,
    /// Completion time alone on the empty path, in nanoseconds.
    pub alone: u64,
    /// Completion time in nanoseconds; none if it did not finish.
    pub completion: Option<u64>,
}

impl Flow {
    /// Completion time over that alone.
    pub fn slowdown(&self) -> Option<f64> {
        self.completion.map(|completion| completion as f64 / self.alone.max(1) as f64)
    }
}
