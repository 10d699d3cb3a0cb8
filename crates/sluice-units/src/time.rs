//! Instants and lengths of time, in integer nanoseconds.
//!
//! Operators saturate, so that no header or parameter can make a law's arithmetic wrap or panic.
//! `plus`, `minus` and `after` are exact: for instants known to lie within a run, in code that runs per
//! packet.

use core::ops::{Add, AddAssign, Div, Mul, Sub};

use crate::parse::{Kind, Shown, Unit};

const fn unit(name: &'static str, size: u64, shown: Shown) -> Unit {
    Unit { name, also: &[], size, shown }
}

const UNITS: &[Unit] = &[
    unit("ns", 1, Shown::Decimal),
    // The micro sign and the Greek letter look alike; keyboards give either.
    Unit { name: "us", also: &["\u{b5}s", "\u{3bc}s"], size: 1_000, shown: Shown::Decimal },
    unit("ms", 1_000_000, Shown::Decimal),
    unit("s", 1_000_000_000, Shown::Decimal),
    unit("min", 60_000_000_000, Shown::Whole),
    unit("h", 3_600_000_000_000, Shown::Whole),
];

/// How instants are written: as the time since the start of the run.
pub(crate) const INSTANT: Kind =
    Kind { what: "a point in time", finest: "1 nanosecond", example: "1.5 s", units: UNITS };
/// How lengths of time are written.
pub(crate) const LENGTH: Kind =
    Kind { what: "a duration", finest: "1 nanosecond", example: "100 ms", units: UNITS };

/// An instant: nanoseconds since the start of a run (or the epoch of a router's clock).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A length of time in nanoseconds; never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

impl Time {
    /// The start of a run.
    pub const ZERO: Self = Self(0);
    /// Later than every instant a run can reach: "never".
    pub const NEVER: Self = Self(u64::MAX);

    /// The instant `ns` nanoseconds after the start.
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }

    /// Nanoseconds since the start.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for printing and for slow-path arithmetic.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The time since `earlier`, or zero if `earlier` is later than this.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// How long after `earlier` this is. `earlier` must not be later than this; debug builds check.
    #[inline(always)]
    pub const fn after(self, earlier: Self) -> Span {
        Span(self.0 - earlier.0)
    }

    /// The instant `span` later. Must not pass [`Time::NEVER`]; debug builds check.
    #[inline(always)]
    pub const fn plus(self, span: Span) -> Self {
        Self(self.0 + span.0)
    }

    /// The instant `span` earlier. Must not pass [`Time::ZERO`]; debug builds check.
    #[inline(always)]
    pub const fn minus(self, span: Span) -> Self {
        Self(self.0 - span.0)
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest length that can be written.
    pub const MAX: Self = Self(u64::MAX);
    /// The resolution of time: one nanosecond.
    pub const NANO: Self = Self(1);

    /// A length of `ns` nanoseconds.
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }

    /// A length of `us` microseconds (saturating).
    pub const fn from_micros(us: u64) -> Self {
        Self(us.saturating_mul(1_000))
    }

    /// A length of `ms` milliseconds (saturating).
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000_000))
    }

    /// A length of `s` seconds (saturating).
    pub const fn from_secs(s: u64) -> Self {
        Self(s.saturating_mul(1_000_000_000))
    }

    /// A length of `s` seconds rounded to the nearest nanosecond; negative or NaN gives zero, too
    /// long gives [`Span::MAX`].
    pub fn from_secs_f64(s: f64) -> Self {
        Self((s * 1e9).round() as u64)
    }

    /// The length in nanoseconds.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The length in seconds, for printing and for slow-path arithmetic.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The sum of both lengths. Must not pass [`Span::MAX`]; debug builds check.
    #[inline(always)]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// This length without `other`, or zero if `other` is longer.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add<Span> for Time {
    type Output = Self;
    fn add(self, rhs: Span) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, rhs: Span) {
        *self = *self + rhs;
    }
}

impl Sub<Span> for Time {
    type Output = Self;
    fn sub(self, rhs: Span) -> Self {
        Self(self.0.saturating_sub(rhs.0))
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl Sub for Span {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        self.saturating_sub(rhs)
    }
}

impl Mul<u64> for Span {
    type Output = Self;
    fn mul(self, rhs: u64) -> Self {
        Self(self.0.saturating_mul(rhs))
    }
}

impl Div<u64> for Span {
    type Output = Self;
    /// The part of the length, rounded down; [`Span::MAX`] if divided by zero.
    fn div(self, rhs: u64) -> Self {
        Self(self.0.checked_div(rhs).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_people_write_them() {
        let wanted = [
            ("100 ms", 100_000_000),
            ("10us", 10_000),
            ("10 \u{b5}s", 10_000),
            ("10 \u{3bc}s", 10_000),
            ("1.5 s", 1_500_000_000),
            ("2 min", 120_000_000_000),
            ("1 h", 3_600_000_000_000),
            ("5 ns", 5),
            ("0.7 ns", 1),
            ("0 s", 0),
        ];
        for (text, nanos) in wanted {
            assert_eq!(text.parse(), Ok(Span::from_nanos(nanos)), "{text}");
            assert_eq!(text.parse(), Ok(Time::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn an_error_states_the_input_the_mistake_and_the_range() {
        let error = |text: &str| text.parse::<Span>().unwrap_err().to_string();
        let allowed = "; write e.g. `100 ms` (units: ns, us, ms, s, min, h)";
        let not = |text: &str, why: &str| format!("`{text}` is not a duration: {why}{allowed}");
        let wanted = [
            ("100 sm", "unknown unit `sm`"),
            ("", "it is empty"),
            ("100", "a bare 100 needs a unit"),
            ("-1 s", "it is negative"),
            ("NaN s", "it does not start with a number"),
            ("1.2.3 s", "`1.2.3` is not a number"),
            ("0.3 ns", "it is less than half of 1 ns"),
            ("1e10 min", "it is more than 18446744073 s"),
        ];
        for (text, why) in wanted {
            assert_eq!(error(text), not(text, why));
        }
        assert!(error(&"x".repeat(1_000_000)).len() < 300);
    }

    #[test]
    fn floats_round_to_the_nearest_nanosecond() {
        assert_eq!(Span::from_secs_f64(0.1), Span::from_millis(100));
        assert_eq!(Span::from_secs_f64(1.5e-9), Span::from_nanos(2));
        assert_eq!(Span::from_secs_f64(0.4e-9), Span::ZERO);
        // An odd number of nanoseconds to which a half cannot be added exactly.
        let odd = Span::from_nanos((1 << 52) + 1);
        assert_eq!(Span::from_secs_f64(odd.as_secs_f64()), odd);
        assert_eq!(Span::from_secs_f64(-1.0), Span::ZERO);
        assert_eq!(Span::from_secs_f64(f64::NAN), Span::ZERO);
        assert_eq!(Span::from_secs_f64(f64::MAX), Span::MAX);
        assert_eq!(Span::from_secs_f64(f64::INFINITY), Span::MAX);
    }

    #[test]
    fn exact_arithmetic_agrees_with_the_operators_within_range() {
        let (at, span) = (Time::from_nanos(5), Span::from_nanos(3));
        assert_eq!(at.plus(span), at + span);
        assert_eq!(at.plus(span).minus(span), at);
        assert_eq!(at.plus(span).after(at), span);
        assert_eq!(span.plus(span), span * 2);
    }

    #[test]
    fn operators_saturate() {
        assert_eq!(Time::NEVER + Span::from_nanos(1), Time::NEVER);
        assert_eq!(Time::ZERO - Span::from_nanos(1), Time::ZERO);
        assert_eq!(Time::ZERO.since(Time::NEVER), Span::ZERO);
        assert_eq!(Span::from_secs(u64::MAX), Span::MAX);
        assert_eq!(Span::MAX * 2, Span::MAX);
        assert_eq!(Span::from_nanos(1) - Span::from_nanos(2), Span::ZERO);
        assert_eq!(Span::from_secs(1) / 0, Span::MAX);
    }
}
