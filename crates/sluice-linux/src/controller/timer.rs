use sluice_laws::router::Sums;
use sluice_units::Time;

/// A timer of the law, and what stood when it last ticked.
pub(super) struct Timer<S> {
    /// When it ticks next.
    pub next: Time,
    /// When it last ticked.
    pub since: Time,
    /// The sums of each CPU then.
    pub sums: Vec<S>,
    /// Bytes that had arrived, as the program counts.
    pub arrived: u64,
    /// What the link could have sent, as the capacity meter counts.
    pub capacity: u128,
}

impl<S: Sums> Timer<S> {
    /// The growth of each CPU's sums since then.
    pub fn growth(&self, sums: &[S]) -> Vec<S> {
        sums.iter().zip(&self.sums).map(|(sums, mark)| sums.since(mark)).collect()
    }
}
