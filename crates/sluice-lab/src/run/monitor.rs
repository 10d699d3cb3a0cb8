//! Progress and cancellation of runs.

/// Receives the progress of runs, and may cancel them. Called from every thread.
pub trait Monitor: Sync {
    /// Announces `runs` more runs; returns the index of the first of them.
    fn expect(&self, runs: usize) -> usize;

    /// Run `index` has done this fraction of its work.
    fn progress(&self, index: usize, fraction: f64);

    /// Whether to end the runs now, keeping finished ones.
    fn cancelled(&self) -> bool;
}

/// Ignores progress, and never cancels.
impl Monitor for () {
    fn expect(&self, _: usize) -> usize {
        0
    }

    fn progress(&self, _: usize, _: f64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
