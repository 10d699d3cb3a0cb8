//! A sign of life: what takes long has to give it again and again.

use std::sync::atomic::{AtomicU64, Ordering};

static BEATS: AtomicU64 = AtomicU64::new(0);

/// Gives a sign of life.
pub fn beat() {
    BEATS.fetch_add(1, Ordering::Relaxed);
}

/// The number of signs given by this process so far.
pub fn beats() -> u64 {
    BEATS.load(Ordering::Relaxed)
}
