//! Times in headers: 32 bits in units of 2^-28 s (draft-falk-xcp-spec-03), so 3.7 ns to 16 s.

use sluice_units::Span;

/// Fraction bits of the times in headers.
pub const FRACTION_BITS: u32 = 28;

const PER_SECOND: f64 = (1_u64 << FRACTION_BITS) as f64;
/// Parts of a tick that [`Spacing`] counts.
const FRACTIONS: f64 = (1_u64 << 32) as f64;

/// A time in ticks, to the nearest; never 0 (which means "unknown"), and at most 16 s.
pub(crate) fn ticks(seconds: f64) -> u32 {
    // Casts from floating point saturate.
    ((seconds * PER_SECOND + 0.5) as u32).max(1)
}

/// A number of ticks as a time, to the nearest nanosecond.
pub(crate) fn span(ticks: u32) -> Span {
    let half = 1 << (FRACTION_BITS - 1);
    Span::from_nanos((u64::from(ticks) * 1_000_000_000 + half) >> FRACTION_BITS)
}

/// An RTT in a header, in ticks, or none yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WireRtt(u32);

impl WireRtt {
    /// The sender has no estimate yet.
    pub const NONE: Self = Self(0);
    /// Units in a second.
    pub const PER_SECOND: u32 = 1 << FRACTION_BITS;

    /// `rtt` rounded to the nearest unit; at least one, and at most 16 s.
    pub fn new(rtt: Span) -> Self {
        let scaled = u128::from(rtt.as_nanos()) * u128::from(Self::PER_SECOND);
        let units = (scaled + 500_000_000) / 1_000_000_000;
        Self(u32::try_from(units).unwrap_or(u32::MAX).max(1))
    }

    /// The RTT in units of 2^-28 s; 0 for none.
    pub const fn units(self) -> u32 {
        self.0
    }

    /// The RTT in a word of the header.
    pub const fn from_units(units: u32) -> Self {
        Self(units)
    }
}

/// The time between two packets of a flow, stated in whole ticks.
///
/// What is rounded off one packet is carried to the next: at 400 Gb/s packets are 8 ticks apart, and
/// the sums that routers make over them must not be off by a sixteenth.
#[derive(Clone, Copy, Debug)]
pub struct Spacing {
    /// In 2^-32 ticks.
    exact: u64,
    /// What rounding left over from earlier packets, in 2^-32 ticks, plus half a tick, so that the
    /// stated value is the nearest.
    rest: u32,
}

impl Default for Spacing {
    fn default() -> Self {
        Self { exact: 0, rest: 1 << 31 }
    }
}

impl Spacing {
    /// From now on full packets are `seconds` apart.
    pub fn set(&mut self, seconds: f64) {
        // Casts from floating point saturate.
        self.exact = (seconds * (PER_SECOND * FRACTIONS)) as u64;
    }

    /// The ticks stated in the next packet, of `bytes` where a full one has `full`: 1 at least, and
    /// at most 16 s.
    pub fn say(&mut self, bytes: u32, full: u32) -> u32 {
        let exact = if bytes == full { self.exact } else { self.of(bytes, full) };
        let sum = exact.saturating_add(u64::from(self.rest));
        self.rest = sum as u32;
        ((sum >> 32) as u32).max(1)
    }

    #[cold]
    fn of(&self, bytes: u32, full: u32) -> u64 {
        (self.exact as f64 * f64::from(bytes) / f64::from(full.max(1))) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_28_fraction_bits_and_saturate() {
        assert_eq!(ticks(1.0), 1 << 28);
        assert_eq!(ticks(0.5), 1 << 27);
        assert_eq!(ticks(16.0), u32::MAX);
        assert_eq!(ticks(Span::MAX.as_secs_f64()), u32::MAX);
        assert_eq!(ticks(1e-9), 1, "short is not unknown");
    }

    #[test]
    fn a_tick_is_under_four_nanoseconds() {
        for ns in [4, 80, 12_345, 80_000_000, 15_999_999_990] {
            let there = span(ticks(Span::from_nanos(ns).as_secs_f64())).as_nanos();
            assert!(there.abs_diff(ns) <= 2, "{ns} ns came back as {there} ns");
        }
    }

    #[test]
    fn an_rtt_keeps_its_size_and_is_never_none() {
        assert_eq!(WireRtt::new(Span::from_millis(500)).units(), 1 << 27);
        assert_eq!(WireRtt::new(Span::from_micros(10)).units(), 2_684);
        assert_eq!(WireRtt::new(Span::ZERO).units(), 1);
        assert_eq!(WireRtt::new(Span::MAX).units(), u32::MAX);
    }

    #[test]
    fn at_400_gbps_a_packet_is_off_but_their_sum_is_not() {
        let mut spacing = Spacing::default();
        let seconds = 1_500.0 * 8.0 / 400e9;
        spacing.set(seconds);
        let said: Vec<u32> = (0..10_000).map(|_| spacing.say(1, 1)).collect();
        assert!(said.contains(&8) && said.contains(&9));
        let sum = said.iter().map(|&ticks| f64::from(ticks)).sum::<f64>();
        assert!((sum - 10_000.0 * seconds * PER_SECOND).abs() <= 1.0, "{sum}");
    }

    #[test]
    fn what_cannot_be_said_is_not_owed_for_ever() {
        let mut spacing = Spacing::default();
        spacing.set(1e-12);
        assert!((0..1_000).all(|_| spacing.say(1, 1) == 1));
        spacing.set(1e9);
        assert!((0..1_000).all(|_| spacing.say(1, 1) == u32::MAX));
        spacing.set(1.0);
        assert!(spacing.say(1, 2).abs_diff(1 << 27) <= 1);
    }
}
