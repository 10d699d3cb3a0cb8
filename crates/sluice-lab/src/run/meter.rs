//! How far all runs together have got.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

/// Counts for a [`Monitor`](crate::Monitor) how far runs have got.
#[derive(Debug, Default)]
pub struct Meter {
    /// Thousandths of each run.
    done: RwLock<Vec<AtomicU64>>,
}

/// How far runs have got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How many runs there are.
    pub runs: usize,
    /// How many of them are through.
    pub through: usize,
    /// What all have done together, each [`Meter::WHOLE`] at most.
    pub thousandths: u64,
}

impl Meter {
    /// A run that is through.
    pub const WHOLE: u64 = 1000;

    /// See [`Monitor::expect`](crate::Monitor::expect).
    pub fn expect(&self, runs: usize) -> usize {
        // A thread that panicked left numbers that are as good as any.
        let mut done = self.done.write().unwrap_or_else(PoisonError::into_inner);
        let first = done.len();
        done.extend((0..runs).map(|_| AtomicU64::new(0)));
        first
    }

    /// See [`Monitor::progress`](crate::Monitor::progress). Says whether it is a step that can be
    /// seen.
    pub fn progress(&self, index: usize, fraction: f64) -> bool {
        let thousandths = (fraction * Self::WHOLE as f64) as u64;
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        done[index].swap(thousandths, Ordering::Relaxed) != thousandths
    }

    /// How far they have got.
    pub fn reached(&self) -> Reached {
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        let each = || done.iter().map(|run| run.load(Ordering::Relaxed));
        Reached {
            runs: done.len(),
            through: each().filter(|&run| run == Self::WHOLE).count(),
            thousandths: each().sum(),
        }
    }
}
