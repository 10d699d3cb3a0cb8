//! Rates in integer bits a second.

use core::ops::Mul;

use crate::parse::{Kind, Shown, Unit};
use crate::{Bytes, Ratio, Span};

const fn bits(name: &'static str, also: &'static [&'static str], size: u64) -> Unit {
    Unit { name, also, size, shown: Shown::Decimal }
}

const fn bytes(name: &'static str, size: u64) -> Unit {
    Unit { name, also: &[], size: 8 * size, shown: Shown::Never }
}

/// The units of rates, those of tc(8) among them (`mbit`, `Mbit`), but for its `bps`, which are bytes. "mbps" is not one:
/// case distinguishes bits from bytes, and mega from milli, and tc's are bytes.
pub(crate) const RATE: Kind = Kind {
    what: "a rate",
    finest: "1 bit per second",
    example: "2.4 Gbps",
    units: &[
        bits("bps", &["b/s", "bit/s"], 1),
        bits("kbps", &["kb/s", "kbit/s", "kbit", "Kbps", "Kb/s", "Kbit/s", "Kbit"], 1_000),
        bits("Mbps", &["Mb/s", "Mbit/s", "mbit", "Mbit"], 1_000_000),
        bits("Gbps", &["Gb/s", "Gbit/s", "gbit", "Gbit"], 1_000_000_000),
        bits("Tbps", &["Tb/s", "Tbit/s", "tbit", "Tbit"], 1_000_000_000_000),
        bytes("B/s", 1),
        bytes("kB/s", 1_000),
        bytes("MB/s", 1_000_000),
        bytes("GB/s", 1_000_000_000),
    ],
};

/// A rate in bits a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

impl Rate {
    /// No rate at all.
    pub const ZERO: Self = Self(0);
    /// No limit.
    pub const MAX: Self = Self(u64::MAX);

    /// A rate of `bps` bits a second.
    pub const fn from_bps(bps: u64) -> Self {
        Self(bps)
    }

    /// A rate of `bytes` bytes a second (saturating).
    pub const fn from_bytes_per_sec(bytes: u64) -> Self {
        Self(bytes.saturating_mul(8))
    }

    /// A rate from bits a second as slow-path arithmetic gives it: rounded to the nearest, negative
    /// or NaN to zero, too large to [`Rate::MAX`].
    pub fn from_bps_f64(bps: f64) -> Self {
        Self(bps.round() as u64)
    }

    /// Bits a second.
    pub const fn as_bps(self) -> u64 {
        self.0
    }

    /// Bits a second, for slow-path arithmetic.
    pub fn as_bps_f64(self) -> f64 {
        self.0 as f64
    }

    /// Bytes a second, for slow-path arithmetic.
    pub fn as_bytes_per_sec_f64(self) -> f64 {
        self.0 as f64 / 8.0
    }

    /// How long `bytes` take at this rate, rounded up to a nanosecond; [`Span::MAX`] at rate zero.
    pub fn time_for(self, bytes: Bytes) -> Span {
        if self.0 == 0 {
            return Span::MAX;
        }
        let bits = u128::from(bytes.as_u64()) * 8 * 1_000_000_000;
        Span::from_nanos(u64::try_from(bits.div_ceil(u128::from(self.0))).unwrap_or(u64::MAX))
    }

    /// The whole bytes that pass in `span` at this rate.
    pub fn bytes_in(self, span: Span) -> Bytes {
        let bytes = u128::from(self.0) * u128::from(span.as_nanos()) / 8_000_000_000;
        Bytes::new(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}

/// Scales the rate; exact for a factor of 1, and saturating.
impl Mul<Ratio> for Rate {
    type Output = Self;

    fn mul(self, times: Ratio) -> Self {
        if times.get() == 1.0 { self } else { Self::from_bps_f64(self.as_bps_f64() * times.get()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_people_write_them() {
        let wanted = [
            ("2.4 Gbps", 2_400_000_000),
            ("2.4 Gb/s", 2_400_000_000),
            ("155 Mbit/s", 155_000_000),
            ("10kbps", 10_000),
            ("300 bps", 300),
            ("1e6 bps", 1_000_000),
            ("100 MB/s", 800_000_000),
            ("1.5 bps", 2),
            ("500kbit", 500_000),
            ("100mbit", 100_000_000),
            ("10 Mbit", 10_000_000),
            ("1Gbit", 1_000_000_000),
            ("2.5gbit", 2_500_000_000),
            ("1 tbit", 1_000_000_000_000),
        ];
        for (text, bps) in wanted {
            assert_eq!(text.parse(), Ok(Rate::from_bps(bps)), "{text}");
        }
    }

    #[test]
    fn an_invalid_rate_is_rejected() {
        for text in [
            "", "10", "10 mbps", "10 bit", "10 gbps", "10 MB", "-1 bps", "inf bps", "0.4 bps",
            "1e20 bps",
        ] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn floats_round_to_the_nearest_rate() {
        assert_eq!(Rate::from_bps_f64(1.5), Rate::from_bps(2));
        // The next float below a half: adding a half to it in floating point gives one.
        assert_eq!(Rate::from_bps_f64(0.499_999_999_999_999_94), Rate::ZERO);
        // An odd number to which a half cannot be added exactly.
        let odd = (1u64 << 52) + 1;
        assert_eq!(Rate::from_bps_f64(odd as f64), Rate::from_bps(odd));
        assert_eq!(Rate::from_bps_f64(-1.0), Rate::ZERO);
        assert_eq!(Rate::from_bps_f64(f64::NAN), Rate::ZERO);
        assert_eq!(Rate::from_bps_f64(f64::INFINITY), Rate::MAX);
        assert_eq!(Rate::from_bps_f64(f64::NEG_INFINITY), Rate::ZERO);
    }

    #[test]
    fn transmission_times_round_up() {
        let rate = Rate::from_bps(2_400_000_000);
        assert_eq!(rate.time_for(Bytes::new(1000)), Span::from_nanos(3334));
        assert_eq!(Rate::from_bps(8).time_for(Bytes::new(1)), Span::from_secs(1));
        assert_eq!(Rate::ZERO.time_for(Bytes::ZERO), Span::MAX);
        assert_eq!(Rate::from_bps(1).time_for(Bytes::new(u64::MAX)), Span::MAX);
    }

    #[test]
    fn only_whole_bytes_pass() {
        let rate = Rate::from_bps(8_000);
        assert_eq!(rate.bytes_in(Span::from_millis(1)), Bytes::new(1));
        assert_eq!(rate.bytes_in(Span::from_nanos(999_999)), Bytes::ZERO);
        assert_eq!(Rate::MAX.bytes_in(Span::MAX), Bytes::new(u64::MAX));
    }
}
