//! Time with fractions of a nanosecond.

/// An instant: whole nanoseconds and a fraction in [0, 1), so that precision does not depend on the
/// length of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub(super) struct Clock {
    pub(super) whole: u64,
    fraction: f64,
}

impl Clock {
    /// Nanoseconds until `instant`; 0 if it has passed.
    pub(super) fn until(&self, instant: u64) -> f64 {
        (instant.saturating_sub(self.whole) as f64 - self.fraction).max(0.0)
    }

    /// Nanoseconds since `instant`, which must have passed.
    pub(super) fn since(&self, instant: u64) -> f64 {
        self.whole.saturating_sub(instant) as f64 + self.fraction
    }

    /// Advances by `nanos` nanoseconds.
    pub(super) fn advance(&mut self, nanos: f64) {
        let reached = self.fraction + nanos;
        let whole = reached.floor();
        self.whole = self.whole.saturating_add(whole as u64);
        self.fraction = reached - whole;
    }

    /// Advances to a whole nanosecond, unless it has passed.
    pub(super) fn set(&mut self, instant: u64) {
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
        let mut clock = Clock::default();
        clock.set(1 << 59);
        for _ in 0..3_000 {
            clock.advance(1.0 / 3.0);
        }
        assert!((clock.since(1 << 59) - 1_000.0).abs() < 1e-9, "{clock:?}");
        assert!((clock.until((1 << 59) + 1_001) - 1.0).abs() < 1e-9, "{clock:?}");
    }

    #[test]
    fn it_does_not_go_back() {
        let mut clock = Clock::default();
        clock.advance(5.5);
        clock.set(5);
        assert_eq!((clock.since(5), clock.until(3)), (0.5, 0.0));
    }
}
