//! A transmitter's clock: when the last bit of each packet leaves.

use sluice_units::{Rate, Span, Time};

/// Transmits packets one after another, and keeps fractions of a nanosecond in units of 2^-32 ns, so
/// that 40 bytes at 400 Gb/s (0.8 ns) do not drift.
pub(crate) struct Clock {
    /// When the queue is empty, rounded down ...
    free: Time,
    /// ... and the rest in units of 2^-32 ns.
    fraction: u32,
    /// Transmission time of a byte, in units of 2^-32 ns.
    per_byte: u64,
}

/// A packet's slot in the transmitter.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    /// When its last bit leaves, rounded down.
    pub(crate) free: Time,
    fraction: u32,
}

impl Clock {
    pub(crate) fn new(rate: Rate) -> Self {
        let bps = u128::from(rate.as_bps());
        let per_byte = ((8_000_000_000_u128 << 32) + bps / 2) / bps;
        Self { free: Time::ZERO, fraction: 0, per_byte: per_byte as u64 }
    }

    /// The slot of a packet that arrives at `now`.
    #[inline]
    pub(crate) fn slot(&self, now: Time, bytes: u32) -> Slot {
        let (free, fraction) = if self.free < now { (now, 0) } else { (self.free, self.fraction) };
        let long = u128::from(self.per_byte) * u128::from(bytes) + u128::from(fraction);
        Slot { free: free.plus(Span::from_nanos((long >> 32) as u64)), fraction: long as u32 }
    }

    /// Queues the packet of a slot. Returns when its last bit leaves, rounded up. That is after its
    /// arrival, since a packet has at least a byte and a byte takes at least 2^-32 ns: no two events
    /// of one instant can cause each other.
    #[inline]
    pub(crate) fn take(&mut self, slot: Slot) -> Time {
        (self.free, self.fraction) = (slot.free, slot.fraction);
        self.freed()
    }

    /// When the queue is empty, rounded up.
    #[inline]
    pub(crate) fn freed(&self) -> Time {
        self.free.plus(Span::from_nanos(u64::from(self.fraction != 0)))
    }

    /// Withdraws a packet of this size from the queue.
    pub(crate) fn give_back(&mut self, bytes: u32) {
        let all = (u128::from(self.free.as_nanos()) << 32) + u128::from(self.fraction);
        let rest = all - u128::from(self.per_byte) * u128::from(bytes);
        (self.free, self.fraction) = (Time::from_nanos((rest >> 32) as u64), rest as u32);
    }

    /// Transmission time still queued at `now`.
    #[inline]
    pub(crate) fn backlog(&self, now: Time) -> Span {
        self.free.since(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nanoseconds in and out.
    fn transmit(clock: &mut Clock, now: u64, bytes: u32) -> u64 {
        clock.take(clock.slot(Time::from_nanos(now), bytes)).as_nanos()
    }

    #[test]
    fn sub_nanosecond_packets_do_not_drift() {
        let mut clock = Clock::new(Rate::from_bps(400_000_000_000));
        let last = (0..1_000_000).map(|_| transmit(&mut clock, 0, 40)).last();
        // Rounded up, and a byte's time is kept to 2^-33 ns.
        assert!(matches!(last, Some(800_000 | 800_001)), "a million 40-byte packets: {last:?} ns");
    }

    #[test]
    fn a_packet_of_1000_bytes_takes_its_time() {
        let mut clock = Clock::new(Rate::from_bps(155_000_000));
        assert_eq!(transmit(&mut clock, 5, 1000), 5 + 51_613, "51612.9 ns, rounded up");
        assert_eq!(transmit(&mut clock, 5, 1000), 5 + 103_226, "103225.8 ns");
        assert_eq!(clock.backlog(Time::from_nanos(5)), Span::from_nanos(103_225));
    }

    #[test]
    fn the_slowest_link_holds() {
        let mut clock = Clock::new(Rate::from_bps(1_000));
        assert_eq!(transmit(&mut clock, 0, 1 << 20), (1 << 20) * 8_000_000);
    }
}
