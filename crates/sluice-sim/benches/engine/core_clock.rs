//! What a core gives: time that is spent on it, and clocks in a nanosecond.

use std::hint::black_box;
use std::time::Duration;

/// Clocks in a nanosecond as they are given now. By a chain of multiplications, each of which waits
/// three clocks for the one before on today's x86-64 processors; elsewhere it may be another number,
/// so that only figures of one machine compare. The quickest of many short ones, since others stop
/// this thread or take of its core.
pub fn gigahertz() -> f64 {
    const LONG: u32 = 100_000;
    let chain = |_| {
        let mut product = black_box(3_u64);
        let clock = CoreClock::start();
        for _ in 0..LONG {
            product = product.wrapping_mul(product);
        }
        black_box(product);
        clock.seconds()
    };
    let seconds = (0..100).map(chain).fold(f64::INFINITY, f64::min);
    3.0 * f64::from(LONG) / (seconds * 1e9)
}

/// Time this thread spent on a core, so that a busy machine is not timed.
pub struct CoreClock(Duration);

impl CoreClock {
    /// From now on.
    pub fn start() -> Self {
        Self(spent())
    }

    /// Spent since it started.
    pub fn seconds(&self) -> f64 {
        spent().saturating_sub(self.0).as_secs_f64()
    }
}

#[cfg(unix)]
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The wall clock, where no other is at hand.
#[cfg(not(unix))]
fn spent() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}
