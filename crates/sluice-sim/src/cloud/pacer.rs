//! When packets of a queue may leave at a rate that changes.

use sluice_units::{Rate, Span, Time};

/// Parts of a nanosecond that are counted.
const PARTS: f64 = (1_u64 << 32) as f64;

/// Packets leave one after another, each as the transmission of the one before at this rate would end. Fractions of a
/// nanosecond are kept in units of 2^-32 ns.
#[derive(Clone, Debug)]
pub(super) struct Pacer {
    /// When the next packet may leave, rounded down ...
    free: Time,
    /// ... and the rest in units of 2^-32 ns.
    fraction: u32,
    /// The time of a byte, in units of 2^-32 ns.
    per_byte: u64,
}

impl Pacer {
    pub(super) fn new(rate: Rate) -> Self {
        Self { free: Time::ZERO, fraction: 0, per_byte: per_byte(rate) }
    }

    /// When the next packet may leave.
    pub(super) fn free(&self) -> Time {
        self.free.plus(Span::from_nanos(u64::from(self.fraction != 0)))
    }

    /// A packet leaves at `now`, not before [`Pacer::free`].
    pub(super) fn send(&mut self, now: Time, bytes: u32) {
        // Back to back, the next goes by the exact end of this one.
        if self.free() < now {
            (self.free, self.fraction) = (now, 0);
        }
        let long = u128::from(self.per_byte) * u128::from(bytes) + u128::from(self.fraction);
        self.free = self.free.plus(Span::from_nanos((long >> 32) as u64));
        self.fraction = long as u32;
    }

    /// The bytes of the last packet that are not transmitted at `now`.
    pub(super) fn unsent(&self, now: Time) -> f64 {
        if self.free < now {
            return 0.0;
        }
        let left = self.free.since(now).as_nanos() as f64 * PARTS + f64::from(self.fraction);
        left / self.per_byte as f64
    }

    /// The rate changes at `now`. What is left of the last packet is sent at the new rate.
    pub(super) fn change(&mut self, now: Time, rate: Rate) {
        let unsent = self.unsent(now);
        self.per_byte = per_byte(rate);
        if unsent > 0.0 {
            let long = (unsent * self.per_byte as f64) as u128;
            let nanos = u64::try_from(long >> 32).unwrap_or(u64::MAX);
            (self.free, self.fraction) = (now.plus(Span::from_nanos(nanos)), long as u32);
        }
    }
}

/// At least 8 b/s: a byte then takes less than 2^64 units.
fn per_byte(rate: Rate) -> u64 {
    let bps = u128::from(rate.as_bps().max(8));
    (((8_000_000_000_u128 << 32) + bps / 2) / bps) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: u64) -> Time {
        Time::ZERO + Span::from_micros(micros)
    }

    #[test]
    fn packets_leave_at_the_rate() {
        let mut pacer = Pacer::new(Rate::from_bps(8_000_000));
        assert_eq!(pacer.free(), Time::ZERO);
        pacer.send(at(10), 1000);
        assert_eq!((pacer.free(), pacer.unsent(at(10))), (at(1010), 1000.0));
        assert_eq!(pacer.unsent(at(260)), 750.0);
        pacer.send(at(1010), 500);
        assert_eq!(pacer.free(), at(1510));
        assert_eq!(pacer.unsent(at(2000)), 0.0);
    }

    /// 750 bytes are left, at twice the rate, then at a quarter of that.
    #[test]
    fn what_is_left_of_a_packet_takes_the_new_rate() {
        let mut pacer = Pacer::new(Rate::from_bps(8_000_000));
        pacer.send(at(0), 1000);
        pacer.change(at(250), Rate::from_bps(16_000_000));
        assert_eq!(pacer.free(), at(625));
        pacer.change(at(500), Rate::from_bps(4_000_000));
        assert_eq!(pacer.free(), at(1000));
        pacer.change(at(2000), Rate::from_bps(1_000));
        assert_eq!(pacer.free(), at(1000), "nothing is left");
    }

    #[test]
    fn sub_nanosecond_packets_do_not_drift() {
        let mut pacer = Pacer::new(Rate::from_bps(400_000_000_000));
        for _ in 0..1_000_000 {
            pacer.send(pacer.free(), 40);
        }
        assert!(pacer.free().as_nanos().abs_diff(800_000) <= 1, "{}", pacer.free());
    }

    #[test]
    fn extremes_do_not_overflow() {
        let mut pacer = Pacer::new(Rate::ZERO);
        pacer.send(at(0), 1 << 20);
        pacer.change(at(1), Rate::MAX);
        pacer.change(at(1), Rate::ZERO);
        assert!(pacer.free() > at(1));
    }
}
