//! The speed at which a link drains packets ([`sluice_laws::router::LinkSample::drained`]).

use sluice_units::{Rate, Span};

use crate::limits;
use crate::schedule::Work;

/// What a transmitter has sent since time zero, and how long it was busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Drained {
    pub(super) work: Work,
    pub(super) busy: Span,
}

impl Drained {
    /// The speed since `earlier`; `None` if it was not busy. What one opportunity of a trace sends takes no
    /// time, so that it has an upper bound: the highest capacity of any link.
    pub(super) fn speed_since(&self, earlier: &Self) -> Option<Rate> {
        let nanos = self.busy.as_nanos().checked_sub(earlier.busy.as_nanos())?;
        let work = self.work.saturating_sub(earlier.work);
        let bps = work.checked_div(Work::from(nanos))?;
        let rate = Rate::from_bps(u64::try_from(bps).unwrap_or(u64::MAX));
        Some(rate.clamp(*limits::CAPACITY.start(), *limits::CAPACITY.end()))
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::Time;

    use super::super::varying_clock::VaryingClock;
    use super::*;
    use crate::schedule::{CapacityCourse, CapacitySchedule, LinkCapacity};

    const NOMINAL: Rate = Rate::from_bps(8_000_000);

    fn at_us(us: u64) -> Time {
        Time::ZERO + Span::from_micros(us)
    }

    /// A link of 8 Mb/s, and from 10 ms on of 4 Mb/s.
    fn halved() -> VaryingClock {
        let course = CapacityCourse::Steps(vec![(at_us(10_000), Rate::from_bps(4_000_000))]);
        let capacity = LinkCapacity::new(NOMINAL, Some(&CapacitySchedule::new(course)));
        VaryingClock::of(&capacity).expect("it varies")
    }

    fn speed(clock: &VaryingClock, since: Drained, now: u64) -> Option<u64> {
        clock.drained(at_us(now)).speed_since(&since).map(Rate::as_bps)
    }

    #[test]
    fn the_speed_is_what_is_sent_over_the_time_in_which_there_was_something_to_send() {
        let mut clock = halved();
        let none = Drained::default();
        assert_eq!(speed(&clock, none, 1_000), None);
        // 1000 bytes in 1 ms, and 1 ms of rest, twice: half of the capacity is used, and all is seen.
        clock.send(at_us(1_000), 1_000);
        assert_eq!(speed(&clock, none, 1_500), Some(8_000_000));
        clock.send(at_us(3_000), 1_000);
        assert_eq!(clock.drained(at_us(5_000)).busy, Span::from_millis(2));
        assert_eq!(speed(&clock, none, 5_000), Some(8_000_000));
        let idle = clock.drained(at_us(5_000));
        assert_eq!(speed(&clock, idle, 9_000), None);
        // 3000 bytes from 9 ms: 1 ms at 8 Mb/s, 4 ms at 4 Mb/s.
        clock.send(at_us(9_000), 3_000);
        assert_eq!(speed(&clock, idle, 14_000), Some(24_000_000 / 5));
        assert_eq!(speed(&clock, idle, 20_000), Some(24_000_000 / 5));
        let half = clock.drained(at_us(12_000));
        assert_eq!(speed(&clock, half, 14_000), Some(4_000_000));
    }

    /// Opportunities to send 1504 bytes each take no time: how fast a packet is drained depends on when it came.
    #[test]
    fn what_a_trace_shows_depends_on_arrivals() {
        // The last of them 10 at once.
        let times: Vec<Time> = [1_000, 2_000].into_iter().chain([3_000; 10]).map(at_us).collect();
        let course = CapacityCourse::Opportunities(times.into());
        let capacity = LinkCapacity::new(NOMINAL, Some(&CapacitySchedule::new(course)));
        let drained_from = |arrival: u64, bytes: u32| {
            let mut clock = VaryingClock::of(&capacity).expect("it varies");
            clock.send(Time::ZERO + Span::from_nanos(arrival), bytes);
            speed(&clock, Drained::default(), 4_000)
        };
        // 1504 bytes in a whole, and in a quarter, of the time between two of them.
        assert_eq!(drained_from(0, 1_504), Some(12_032_000));
        assert_eq!(drained_from(750_000, 1_504), Some(48_128_000));
        // 15,040 bytes a nanosecond before would be 120 Tb/s.
        assert_eq!(drained_from(2_999_999, 15_040), Some(100_000_000_000_000));
    }

    #[test]
    fn packets_that_are_dropped_late_are_not_drained() {
        let mut clock = halved();
        clock.send(at_us(0), 1_000);
        clock.send(at_us(0), 1_000);
        clock.give_back(1_000);
        let drained = clock.drained(at_us(2_000));
        assert_eq!(drained.busy, Span::from_millis(1));
        assert_eq!(speed(&clock, Drained::default(), 2_000), Some(8_000_000));
    }
}
