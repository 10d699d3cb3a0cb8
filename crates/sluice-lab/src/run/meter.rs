//! The progress of all runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

/// Adds up the progress of runs for a [`Monitor`](crate::Monitor).
#[derive(Debug, Default)]
pub struct Meter {
    /// Thousandths of each run.
    done: RwLock<Vec<AtomicU64>>,
}

/// The progress of all runs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunProgress {
    /// How many runs there are.
    pub runs: usize,
    /// How many of them have finished.
    pub finished: usize,
    /// The sum over runs of the part done, each at most [`Meter::WHOLE`].
    pub thousandths: u64,
}

impl Meter {
    /// The part done of a finished run.
    pub const WHOLE: u64 = 1000;

    /// See [`Monitor::expect`](crate::Monitor::expect).
    pub fn expect(&self, runs: usize) -> usize {
        // Each number is valid by itself, even if a thread panicked.
        let mut done = self.done.write().unwrap_or_else(PoisonError::into_inner);
        let first = done.len();
        done.extend((0..runs).map(|_| AtomicU64::new(0)));
        first
    }

    /// See [`Monitor::progress`](crate::Monitor::progress). Returns whether the
    /// progress changed by a thousandth.
    pub fn progress(&self, index: usize, fraction: f64) -> bool {
        let thousandths = (fraction * Self::WHOLE as f64) as u64;
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        done[index].swap(thousandths, Ordering::Relaxed) != thousandths
    }

    /// The progress of all runs together.
    pub fn total(&self) -> RunProgress {
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        let each = || done.iter().map(|run| run.load(Ordering::Relaxed));
        RunProgress {
            runs: done.len(),
            finished: each().filter(|&run| run == Self::WHOLE).count(),
            thousandths: each().sum(),
        }
    }
}
