//! What is measured over time: the capacity, and its part that is used.

use sluice_units::{Rate, Span, Time};

/// Nanoseconds in a second.
const SECOND: f64 = 1e9;
/// How long the load is measured.
const WINDOW: Span = Span::from_secs(1);

/// The capacity over time.
pub(super) struct CapacityMeter {
    capacity: Rate,
    since: Time,
    /// Capacity x time up to then, in 10^-9 bits.
    bits: u128,
}

impl CapacityMeter {
    pub fn new(capacity: Rate, now: Time) -> Self {
        Self { capacity, since: now, bits: 0 }
    }

    pub fn capacity(&self) -> Rate {
        self.capacity
    }

    pub fn set(&mut self, capacity: Rate, now: Time) {
        *self = Self { capacity, since: now, bits: self.bits_by(now) };
    }

    /// What the link could have sent by `now`, in 10^-9 bits.
    pub fn bits_by(&self, now: Time) -> u128 {
        let span = now.since(self.since).as_nanos();
        self.bits + u128::from(self.capacity.as_bps()) * u128::from(span)
    }

    /// The mean since a time at which `bits` could have been sent; the capacity now if it is now.
    pub fn mean_since(&self, bits: u128, since: Time, now: Time) -> Rate {
        let span = u128::from(now.since(since).as_nanos());
        let sent = self.bits_by(now).saturating_sub(bits);
        sent.checked_div(span).map_or(self.capacity, |bps| Rate::from_bps(bps as u64))
    }
}

/// What arrived, as a part of what the link could have sent, over the last whole second.
pub(super) struct LoadMeter {
    start: Time,
    /// Bytes that had arrived at the start.
    bytes: u64,
    /// As [`CapacityMeter::bits_by`] had it.
    capacity: u128,
    last: Option<f64>,
}

impl LoadMeter {
    pub fn new(now: Time, bytes: u64) -> Self {
        Self { start: now, bytes, capacity: 0, last: None }
    }

    /// By `now`, `bytes` arrived, and the link could have sent `capacity`. Returns the load: until the first
    /// second is over, that since the start.
    pub fn observe(&mut self, now: Time, bytes: u64, capacity: u128) -> f64 {
        let arrived = bytes.wrapping_sub(self.bytes) as f64 * 8.0 * SECOND;
        let load = arrived / (capacity.saturating_sub(self.capacity) as f64).max(1.0);
        if now.since(self.start) < WINDOW {
            return self.last.unwrap_or(load);
        }
        *self = Self { start: now, bytes, capacity, last: Some(load) };
        load
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn the_mean_of_a_capacity_is_weighted_by_time() {
        let mut meter = CapacityMeter::new(Rate::from_bps(1_000), at(0));
        let mark = meter.bits_by(at(10));
        meter.set(Rate::from_bps(5_000), at(30));
        assert_eq!(meter.mean_since(mark, at(10), at(40)), Rate::from_bps(2_333));
        assert_eq!(meter.mean_since(meter.bits_by(at(50)), at(50), at(50)), Rate::from_bps(5_000));
    }

    #[test]
    fn the_load_is_that_of_the_last_whole_second() {
        let capacity = CapacityMeter::new(Rate::from_bps(8_000), at(0));
        let mut load = LoadMeter::new(at(0), u64::MAX - 99);
        let mut at_ms = |ms, bytes| load.observe(at(ms), bytes, capacity.bits_by(at(ms)));
        assert_eq!(at_ms(0, u64::MAX - 99), 0.0);
        // The counter wraps. 250 bytes in half a second of 500.
        assert_eq!(at_ms(500, 150), 0.5);
        assert_eq!(at_ms(1_000, 400), 0.5);
        assert_eq!(at_ms(1_500, 1_400), 0.5);
        assert_eq!(at_ms(2_000, 1_400), 1.0);
    }
}
