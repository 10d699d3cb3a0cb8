//! The clock of grants and ticks.

use rustix::time::{ClockId, clock_gettime};
use sluice_units::Time;

/// The time now on `CLOCK_MONOTONIC`, which the program reads as `bpf_ktime_get_ns`. It stands still while the machine
/// is suspended.
pub fn monotonic_now() -> Time {
    let now = clock_gettime(ClockId::Monotonic);
    Time::from_nanos(now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
}
