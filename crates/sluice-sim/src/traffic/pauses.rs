//! Applications that pause.

use core::ops::RangeInclusive;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Ratio, Span, Time};

use super::period_law::{PeriodLaw, check_shape};

/// An application that has data to send and none in turn, for independent random times, over one
/// connection. It begins with data. While it has none, its sender only retransmits, and refreshes its
/// reservation if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pauses {
    /// Mean time with data, 1 us to 1000000 s.
    pub on: Span,
    /// Mean time without, in the same range.
    pub off: Span,
    /// Tail index of Pareto times, 1.01 to 1000000; at 2 and below their variance is infinite. Exponential
    /// by default.
    pub shape: Option<Ratio>,
}

/// Allowed means.
const MEANS: RangeInclusive<Span> = Span::from_micros(1)..=Span::from_secs(1_000_000);

impl Pauses {
    pub(super) fn check(&self, faults: &mut Faults) {
        faults.within("on", &self.on, &MEANS);
        faults.within("off", &self.off, &MEANS);
        check_shape(self.shape, faults);
    }
}

/// The times of one flow's application.
#[derive(Clone, Debug)]
pub(crate) struct PausingApplication {
    pauses: Pauses,
    stream: Xoshiro256PlusPlus,
    has_data: bool,
    changes: Time,
    /// When it stops for good.
    stop: Time,
}

impl PausingApplication {
    /// An application that sends from `start` until `stop`, with times drawn from this seed.
    pub(crate) fn new(pauses: Pauses, seed: u64, start: Time, stop: Time) -> Self {
        let stream = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut own = Self { pauses, stream, has_data: true, changes: start, stop };
        own.draw();
        own
    }

    /// When it next begins or ceases to have data, or stops.
    pub(crate) fn due(&self) -> Time {
        self.changes.min(self.stop)
    }

    /// When it stops for good.
    pub(crate) fn stop(&self) -> Time {
        self.stop
    }

    /// It changes now. Whether it has data from now on.
    pub(crate) fn change(&mut self) -> bool {
        self.has_data = !self.has_data;
        self.draw();
        self.has_data
    }

    fn draw(&mut self) {
        let mean = if self.has_data { self.pauses.on } else { self.pauses.off };
        let law = PeriodLaw { shape: self.pauses.shape.map(Ratio::get) };
        let seconds = law.sample(mean.as_secs_f64(), &mut self.stream);
        // At least a nanosecond, so that time advances.
        self.changes = self.changes.plus(Span::from_secs_f64(seconds).max(Span::NANO));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_alternate_with_their_means() {
        let pauses = Pauses {
            on: Span::from_secs(1),
            off: Span::from_secs(3),
            shape: Some(Ratio::new(3.0)),
        };
        let mut application = PausingApplication::new(pauses, 7, Time::ZERO, Time::NEVER);
        let mut sums = [0.0; 2];
        let mut since = Time::ZERO;
        for n in 0..40_000 {
            let at = application.due();
            sums[n % 2] += at.since(since).as_secs_f64() / 20_000.0;
            since = at;
            assert_eq!(application.change(), n % 2 == 1);
        }
        assert!((sums[0] - 1.0).abs() < 0.03 && (sums[1] - 3.0).abs() < 0.09, "{sums:?}");
    }

    #[test]
    fn it_is_due_no_later_than_it_stops() {
        let pauses = Pauses { on: Span::from_secs(1), off: Span::from_secs(1), shape: None };
        let stop = Time::from_nanos(1_000);
        let application = PausingApplication::new(pauses, 7, Time::ZERO, stop);
        assert_eq!((application.due(), application.stop()), (stop, stop));
    }

    #[test]
    fn times_and_shape_are_checked() {
        let fine = Pauses { on: *MEANS.start(), off: *MEANS.end(), shape: None };
        let wrong = [
            ("on", Pauses { on: Span::NANO, ..fine }),
            ("off", Pauses { off: Span::ZERO, ..fine }),
            ("shape", Pauses { shape: Some(Ratio::new(1.0)), ..fine }),
        ];
        assert!(Faults::of(|faults| fine.check(faults)).is_empty());
        for (field, pauses) in wrong {
            let faults = Faults::of(|faults| pauses.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
