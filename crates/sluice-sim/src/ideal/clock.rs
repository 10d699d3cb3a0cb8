//! Time with fractions of a nanosecond.

use sluice_units::{Span, Time};

/// An instant: whole nanoseconds and a fraction in [0, 1), so that precision does not depend on the
/// length of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(super) struct Clock {
    pub(super) whole: Time,
    fraction: f64,
}

impl Clock {
    /// Nanoseconds until `instant`; 0 if it has passed.
    pub(super) fn until(&self, instant: Time) -> f64 {
        (instant.since(self.whole).as_nanos() as f64 - self.fraction).max(0.0)
    }

    /// Nanoseconds since `instant`, which must have passed.
    pub(super) fn since(&self, instant: Time) -> f64 {
        self.whole.since(instant).as_nanos() as f64 + self.fraction
    }

    /// Advances by `nanos` nanoseconds.
    pub(super) fn advance(&mut self, nanos: f64) {
        let reached = self.fraction + nanos;
        let whole = reached.floor();
        self.whole += Span::from_nanos(whole as u64);
        self.fraction = reached - whole;
    }

    /// Advances to a whole nanosecond, unless it has passed.
    pub(super) fn set(&mut self, instant: Time) {
        if instant > self.whole {
            *self = Self { whole: instant, fraction: 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirds_of_a_nanosecond_add_up_years_from_the_start() {
        let (mut clock, begin) = (Clock::default(), Time::from_nanos(1 << 59));
        clock.set(begin);
        for _ in 0..3_000 {
            clock.advance(1.0 / 3.0);
        }
        assert!((clock.since(begin) - 1_000.0).abs() < 1e-9, "{clock:?}");
        assert!((clock.until(begin.plus(Span::from_nanos(1_001))) - 1.0).abs() < 1e-9, "{clock:?}");
    }

    #[test]
    fn it_does_not_go_back() {
        let mut clock = Clock::default();
        clock.advance(5.5);
        clock.set(Time::from_nanos(5));
        let found = (clock.since(Time::from_nanos(5)), clock.until(Time::from_nanos(3)));
        assert_eq!(found, (0.5, 0.0));
    }
}
