//! What a core gives: time that is spent on it, and clocks in a nanosecond.

use std::hint::black_box;
use std::time::Instant;

/// Clocks in a nanosecond as they are given now: other users of the machine take of them too. By a
/// chain of multiplications, each of which waits three clocks for the one before on today's
/// processors (x86-64 and AArch64).
pub fn gigahertz() -> f64 {
    const LONG: u32 = 10_000_000;
    let clock = CoreClock::start();
    let mut product = black_box(3_u64);
    for _ in 0..LONG {
        product = product.wrapping_mul(product);
    }
    black_box(product);
    3.0 * f64::from(LONG) / (clock.seconds() * 1e9)
}

/// Time this thread spent on a core, so that a busy machine is not timed; the wall clock where the
/// kernel does not tell.
pub struct CoreClock(Instant, Option<u64>);

impl CoreClock {
    /// From now on.
    pub fn start() -> Self {
        Self(Instant::now(), Self::nanos())
    }

    /// Spent since it started.
    pub fn seconds(&self) -> f64 {
        match (self.1, Self::nanos()) {
            (Some(start), Some(end)) => (end - start) as f64 / 1e9,
            _ => self.0.elapsed().as_secs_f64(),
        }
    }

    fn nanos() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    }
}
