//! The service curve of a link: what it can send from time zero to each instant.

use sluice_units::{Bytes, Rate, Span, Time};

use super::{CapacityCourse, CapacitySchedule, OPPORTUNITY, STAIRS};

/// Amount of transmission, in units of a bit a second for a nanosecond: a byte is 8e9. Whole numbers
/// are exact, and 100 Tb/s for 36 years is below 2^107.
pub(crate) type Work = u128;

/// The work of transmitting this many bytes.
pub(crate) fn work_of(bytes: u64) -> Work {
    Work::from(bytes) * 8_000_000_000
}

/// When packets leave that never leave: after the end of any run ([`crate::limits::LIMIT`]), with room
/// for delays after it.
pub(crate) const AFTER_ALL: Time = Time::from_nanos(1 << 62);

/// The integral of a capacity, and its inverse.
#[derive(Debug)]
pub(crate) struct ServiceCurve {
    /// In order of time; the first at time zero.
    points: Vec<CurvePoint>,
    period: Option<CurvePeriod>,
    outages: Vec<Outage>,
}

/// The curve from an instant on.
#[derive(Clone, Copy, Debug)]
struct CurvePoint {
    /// In nanoseconds, from the beginning of the period.
    at: u64,
    /// Work until then, with what can be sent at that instant.
    work: Work,
    /// Work a nanosecond from then on: bits a second.
    rate: u64,
}

#[derive(Clone, Copy, Debug)]
struct CurvePeriod {
    nanos: u64,
    /// Until its end, with what can be sent at that instant.
    work: Work,
}

/// After `from`, until `to` inclusive, the link sends nothing.
#[derive(Clone, Copy, Debug)]
struct Outage {
    from: Time,
    to: Time,
    /// Work until `from`, with all outages.
    work: Work,
    /// Work that this outage and those before it cost.
    lost: Work,
}

impl ServiceCurve {
    /// The curve of a link with this nominal capacity.
    pub(crate) fn new(nominal: Rate, schedule: &CapacitySchedule) -> Self {
        let mut curve = match &schedule.course {
            CapacityCourse::Constant => Self::repeated(integral(nominal, &[]), None),
            CapacityCourse::Steps(steps) => {
                Self::repeated(integral(nominal, steps), schedule.every)
            }
            CapacityCourse::Ramps(ramps) => {
                Self::repeated(integral(nominal, &staircase(nominal, ramps)), schedule.every)
            }
            CapacityCourse::Opportunities(times) => Self::of_opportunities(times),
        };
        for &(from, to) in &schedule.down {
            let work = curve.by(from);
            let lost = curve.lost() + (curve.by(to) - work);
            curve.outages.push(Outage { from, to, work, lost });
        }
        curve
    }

    fn repeated(points: Vec<CurvePoint>, every: Option<Span>) -> Self {
        let mut curve = Self { points, period: None, outages: Vec::new() };
        curve.period = every.map(Span::as_nanos).map(|nanos| {
            let work = curve.within_period(nanos);
            CurvePeriod { nanos, work }
        });
        curve
    }

    fn of_opportunities(times: &[Time]) -> Self {
        let end = times.last().map_or(0, |end| end.as_nanos());
        let each = work_of(OPPORTUNITY.as_u64());
        let mut points = vec![CurvePoint { at: 0, work: 0, rate: 0 }];
        let mut work = 0;
        for at in times.iter().map(|time| time.as_nanos()) {
            work += each;
            if points[points.len() - 1].at == at {
                points.pop();
            }
            // Those at the end are in the period's work.
            if at < end {
                points.push(CurvePoint { at, work, rate: 0 });
            }
        }
        let period = Some(CurvePeriod { nanos: end, work });
        Self { points, period, outages: Vec::new() }
    }

    /// Work that can have been done by `time`, with what can be done at that instant.
    pub(crate) fn by(&self, time: Time) -> Work {
        let over = self.outages.partition_point(|outage| outage.from < time);
        match over.checked_sub(1).map(|last| self.outages[last]) {
            Some(outage) if time <= outage.to => outage.work,
            Some(outage) => self.without_outages(time) - outage.lost,
            None => self.without_outages(time),
        }
    }

    /// The first instant by which this work can have been done; [`AFTER_ALL`] if it never can.
    pub(crate) fn reaches(&self, work: Work) -> Time {
        let over = self.outages.partition_point(|outage| outage.work < work);
        let lost = over.checked_sub(1).map_or(0, |last| self.outages[last].lost);
        let (first, rest) = match self.period {
            Some(CurvePeriod { work: 0, .. }) => return AFTER_ALL,
            Some(period) => {
                let before = (work + lost).saturating_sub(1) / period.work;
                (before * u128::from(period.nanos), work + lost - before * period.work)
            }
            None => (0, work + lost),
        };
        let nanos = first + u128::from(self.reaches_in_period(rest));
        Time::from_nanos(nanos.min(u128::from(AFTER_ALL.as_nanos())) as u64)
    }

    /// When more than this work begins to be done; [`AFTER_ALL`] if it never does. At an opportunity that is
    /// its instant, else the instant from which the link sends.
    pub(crate) fn goes_beyond(&self, work: Work) -> Time {
        let done = self.reaches(work + 1);
        let before = done.minus(Span::NANO);
        if self.rate(before) > Rate::ZERO { before } else { done }
    }

    /// Bytes that can be sent after `from` until `to`.
    pub(crate) fn bytes_between(&self, from: Time, to: Time) -> Bytes {
        Bytes::new(((self.by(to) - self.by(from)) / work_of(1)) as u64)
    }

    /// Mean capacity after `from` until `to`, or until a nanosecond later if they are equal.
    pub(crate) fn mean(&self, from: Time, to: Time) -> Rate {
        let to = to.max(from + Span::NANO);
        let nanos = u128::from(to.after(from).as_nanos());
        Rate::from_bps(((self.by(to) - self.by(from)) / nanos) as u64)
    }

    /// Capacity from `time` until [`ServiceCurve::next_change`], but for opportunities.
    pub(crate) fn rate(&self, time: Time) -> Rate {
        let begun = self.outages.partition_point(|outage| outage.from <= time);
        if begun.checked_sub(1).is_some_and(|last| time < self.outages[last].to) {
            return Rate::ZERO;
        }
        let (_, nanos) = self.phase(time);
        let after = self.points.partition_point(|point| point.at <= nanos);
        Rate::from_bps(self.points[after - 1].rate)
    }

    /// When the capacity changes next after `time`; [`Time::NEVER`] if it does not.
    pub(crate) fn next_change(&self, time: Time) -> Time {
        let (begin, nanos) = self.phase(time);
        let next = self.points.get(self.points.partition_point(|point| point.at <= nanos));
        let of_course = match (next, self.period) {
            (Some(point), _) => Time::from_nanos(begin + point.at),
            (None, Some(period)) => Time::from_nanos(begin + period.nanos),
            (None, None) => Time::NEVER,
        };
        let ends = self.outages.iter().flat_map(|outage| [outage.from, outage.to]);
        ends.filter(|&end| end > time).fold(of_course, Time::min)
    }

    /// When the period of `time` begins, and how far it is in it, in nanoseconds.
    fn phase(&self, time: Time) -> (u64, u64) {
        let nanos = time.as_nanos();
        let into = self.period.map_or(nanos, |period| nanos % period.nanos);
        (nanos - into, into)
    }

    fn lost(&self) -> Work {
        self.outages.last().map_or(0, |outage| outage.lost)
    }

    fn without_outages(&self, time: Time) -> Work {
        let nanos = time.as_nanos();
        match self.period {
            None => self.within_period(nanos),
            Some(period) => {
                Work::from(nanos / period.nanos) * period.work
                    + self.within_period(nanos % period.nanos)
            }
        }
    }

    fn within_period(&self, nanos: u64) -> Work {
        let after = self.points.partition_point(|point| point.at <= nanos);
        let point = self.points[after - 1];
        point.work + Work::from(point.rate) * Work::from(nanos - point.at)
    }

    fn reaches_in_period(&self, work: Work) -> u64 {
        let next = self.points.partition_point(|point| point.work < work);
        let Some(last) = next.checked_sub(1).map(|last| self.points[last]) else { return 0 };
        let end = self.period.map_or(AFTER_ALL.as_nanos(), |period| period.nanos);
        let next = self.points.get(next).map_or(end, |point| point.at);
        if last.rate == 0 {
            return next;
        }
        let nanos = (work - last.work).div_ceil(Work::from(last.rate));
        (u128::from(last.at) + nanos).min(u128::from(next)) as u64
    }
}

/// The curve of capacities, each from its instant on.
fn integral(nominal: Rate, changes: &[(Time, Rate)]) -> Vec<CurvePoint> {
    let mut points = vec![CurvePoint { at: 0, work: 0, rate: nominal.as_bps() }];
    for &(at, rate) in changes {
        let (at, rate) = (at.as_nanos(), rate.as_bps());
        let last = points[points.len() - 1];
        let work = last.work + Work::from(last.rate) * Work::from(at - last.at);
        if at == last.at {
            points.pop();
        }
        points.push(CurvePoint { at, work, rate });
    }
    points
}

/// The steps of straight lines between capacities.
fn staircase(nominal: Rate, ramps: &[(Time, Rate)]) -> Vec<(Time, Rate)> {
    let mut steps = Vec::new();
    let (mut from, mut low) = (0, i128::from(nominal.as_bps()));
    for &(to, high) in ramps {
        let (to, high) = (to.as_nanos(), i128::from(high.as_bps()));
        let count = STAIRS.min(to - from);
        for step in 0..count {
            let at = from + (u128::from(to - from) * u128::from(step) / u128::from(count)) as u64;
            let halves = i128::from(2 * step + 1);
            let rate = low + (high - low) * halves / i128::from(2 * count);
            steps.push((Time::from_nanos(at), Rate::from_bps(rate as u64)));
        }
        steps.push((Time::from_nanos(to), Rate::from_bps(high as u64)));
        (from, low) = (to, high);
    }
    steps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn change() -> impl Strategy<Value = Vec<(Time, Rate)>> {
        let rate = prop_oneof![Just(0), 1_000_u64..100_000_000_000];
        prop::collection::btree_map(1_u64..3_000_000_000, rate, 1..6).prop_map(|changes| {
            let change = |(at, bps)| (Time::from_nanos(at), Rate::from_bps(bps));
            changes.into_iter().map(change).collect()
        })
    }

    fn course() -> impl Strategy<Value = CapacityCourse> {
        let times = prop::collection::vec(0_u64..50, 1..60).prop_map(|mut ms| {
            ms.push(50);
            ms.sort_unstable();
            ms.into_iter().map(|ms| Time::from_nanos(ms * 1_000_000)).collect::<Vec<_>>()
        });
        prop_oneof![
            Just(CapacityCourse::Constant),
            change().prop_map(CapacityCourse::Steps),
            change().prop_map(CapacityCourse::Ramps),
            times.prop_map(|times| CapacityCourse::Opportunities(times.into())),
        ]
    }

    proptest! {
        /// The inverse is the first instant that has the work; the curve never falls.
        #[test]
        fn work_is_reached_at_the_first_instant_that_has_it(
            course in course(), repeats: bool, down in prop::collection::btree_set(0_u64..4_000_000_000, 0..7),
            at in prop::collection::vec(0_u64..10_000_000_000, 1..50), bytes in 1_u64..100_000,
        ) {
            let every = match &course {
                CapacityCourse::Constant | CapacityCourse::Opportunities(_) => None,
                _ => repeats.then_some(Span::from_secs(4)),
            };
            let ends: Vec<Time> = down.into_iter().map(Time::from_nanos).collect();
            let down = ends.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
            let schedule = CapacitySchedule { every, down, ..CapacitySchedule::new(course) };
            let curve = ServiceCurve::new(Rate::from_bps(8_000_000), &schedule);
            let mut at = at;
            at.sort_unstable();
            let by: Vec<Work> = at.iter().map(|&at| curve.by(Time::from_nanos(at))).collect();
            prop_assert!(by.is_sorted());
            for (at, by) in at.into_iter().zip(by) {
                let work = by + work_of(bytes);
                let reached = curve.reaches(work);
                prop_assert!(reached > Time::from_nanos(at));
                if reached < AFTER_ALL {
                    prop_assert!(curve.by(reached) >= work);
                    prop_assert!(curve.by(reached.minus(Span::NANO)) < work);
                }
            }
        }
    }

    /// From 1 kb/s to 100 Tb/s, and to the end of the longest run: nothing overflows, and a byte takes
    /// its time.
    #[test]
    fn the_slowest_and_the_fastest_capacity_hold_for_ever() {
        for bps in [1_000, 100_000_000_000_000] {
            let late = Time::from_nanos(1 << 60);
            let steps = CapacityCourse::Steps(vec![(late, Rate::from_bps(1_000))]);
            let curve = ServiceCurve::new(Rate::from_bps(bps), &CapacitySchedule::new(steps));
            let byte = 8_000_000_000_u64.div_ceil(bps);
            let at = Time::from_nanos(1 << 59);
            let reached = curve.reaches(curve.by(at) + work_of(1));
            assert_eq!(reached.after(at).as_nanos(), byte);
            assert_eq!(curve.reaches(Work::MAX / 2).as_nanos(), AFTER_ALL.as_nanos());
        }
    }
}
