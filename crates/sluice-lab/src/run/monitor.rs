//! Progress and cancellation of runs.

use crate::results::{StoredRun, Summary, System};

/// A run that just finished, or was found in the folder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedRun {
    /// Which protocol or ideal.
    pub system: System,
    /// Its seed.
    pub seed: u64,
    /// Measured flows that finished.
    pub flows: u64,
    /// Their mean completion time in seconds; `None` if there are none.
    pub completion: Option<f64>,
}

impl FinishedRun {
    pub(super) fn of(run: &StoredRun) -> Self {
        let times = run.flows.all_sizes().times;
        Self {
            system: run.protocol,
            seed: run.seed,
            flows: times.spread.total(),
            completion: times.mean().map(|nanos| nanos / 1e9),
        }
    }
}

/// Receives the progress of runs, and may cancel them. Called from every thread.
pub trait Monitor: Sync {
    /// Announces `runs` more runs; returns the index of the first of them.
    fn expect(&self, runs: usize) -> usize;

    /// Run `index` has done this fraction of its work.
    fn progress(&self, index: usize, fraction: f64);

    /// Whether to end the runs now, keeping finished ones.
    fn cancelled(&self) -> bool;

    /// Whether to call [`finished`](Self::finished), for which runs are summarized as they finish.
    fn watches(&self) -> bool {
        false
    }

    /// A run of a plan finished; `so_far` is the summary of those that did, without comparisons of
    /// protocols. Calls for a plan follow each other.
    fn finished(&self, _run: &FinishedRun, _so_far: &Summary) {}
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
