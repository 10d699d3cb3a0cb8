//! Values over time in bounded memory: the minimum and maximum of each interval, of which there
//! are about a thousand.

use super::digits::digits;

/// The maximum number of intervals; each gives up to two points.
const MAX_INTERVALS: usize = 1_000;

/// A series, thinned as it grows. Intervals are powers of two in nanoseconds and begin at zero, so
/// that those of different systems can be made to agree.
#[derive(Clone, Debug, Default)]
pub struct ThinnedSeries {
    /// An interval is 2^this nanoseconds long.
    doublings: u32,
    intervals: Vec<Interval>,
}

#[derive(Clone, Copy, Debug)]
struct Interval {
    number: u64,
    /// When its first sample was taken, in nanoseconds.
    time: u64,
    samples: u64,
    first: f64,
    last: f64,
    low: f64,
    high: f64,
}

impl ThinnedSeries {
    /// Adds a sample, in order of time.
    pub fn add(&mut self, time: u64, value: f64) {
        let number = time >> self.doublings;
        let (first, last, low, high) = (value, value, value, value);
        self.push(Interval { number, time, samples: 1, first, last, low, high });
        self.thin_to(MAX_INTERVALS);
    }

    /// Leaves no more intervals than that.
    pub fn thin_to(&mut self, intervals: usize) {
        while self.intervals.len() > intervals.max(1) {
            self.widen(self.doublings + 1);
        }
    }

    /// Whether nothing was sampled.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    fn push(&mut self, next: Interval) {
        match self.intervals.last_mut().filter(|open| open.number == next.number) {
            Some(open) => {
                open.samples += next.samples;
                open.last = next.last;
                open.low = open.low.min(next.low);
                open.high = open.high.max(next.high);
            }
            None => self.intervals.push(next),
        }
    }

    fn widen(&mut self, doublings: u32) {
        let by = doublings - self.doublings;
        self.doublings = doublings;
        for mut interval in std::mem::take(&mut self.intervals) {
            interval.number >>= by;
            self.push(interval);
        }
    }
}

/// SharedPoints of several series over times that they share.
#[derive(Debug, Default, PartialEq)]
pub struct SharedPoints {
    /// In seconds.
    pub times: Vec<f64>,
    /// Of each series; an empty list for one without samples.
    pub values: Vec<Vec<Option<f64>>>,
    /// Whether an interval holds more than one sample of a series.
    pub thinned: bool,
}

/// Puts series over the same times.
pub fn together(mut series: Vec<ThinnedSeries>) -> SharedPoints {
    let doublings = series.iter().map(|one| one.doublings).max().unwrap_or(0);
    series.iter_mut().for_each(|one| one.widen(doublings));
    let all = || series.iter().flat_map(|one| &one.intervals);
    let thinned = all().any(|interval| interval.samples > 1);
    // Unthinned, series may still differ in when they are sampled.
    let mut places: Vec<u64> = all().map(|interval| place(interval, thinned)).collect();
    places.sort_unstable();
    places.dedup();
    let seconds = |nanos: u64| digits(nanos as f64 / 1e9, 7);
    let times = if thinned {
        let half = (1_u64 << doublings) / 2;
        let begin = |number: u64| number << doublings;
        places.iter().flat_map(|&n| [seconds(begin(n)), seconds(begin(n) + half)]).collect()
    } else {
        places.iter().map(|&time| seconds(time)).collect()
    };
    let values = series.iter().map(|one| one.at(&places, thinned)).collect();
    SharedPoints { times, values, thinned }
}

/// The position of an interval among those of all series.
fn place(interval: &Interval, thinned: bool) -> u64 {
    if thinned { interval.number } else { interval.time }
}

impl ThinnedSeries {
    /// The values at `places`: one at each, or where samples were left out two.
    fn at(&self, places: &[u64], thinned: bool) -> Vec<Option<f64>> {
        if self.intervals.is_empty() {
            return Vec::new();
        }
        let mut own = self.intervals.iter().peekable();
        let mut values = Vec::new();
        for &wanted in places {
            let found = own.next_if(|interval| place(interval, thinned) == wanted);
            let (low, high) = (found.map(|i| digits(i.low, 4)), found.map(|i| digits(i.high, 4)));
            let rises = found.is_none_or(|interval| interval.first <= interval.last);
            match (thinned, rises) {
                (false, _) => values.push(low),
                (true, true) => values.extend([low, high]),
                (true, false) => values.extend([high, low]),
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(samples: impl Iterator<Item = (u64, f64)>) -> ThinnedSeries {
        let mut series = ThinnedSeries::default();
        samples.for_each(|(time, value)| series.add(time, value));
        series
    }

    #[test]
    fn a_short_series_is_left_as_it_is() {
        let short = series((1..=900).map(|i| (i * 100_000_000, i as f64)));
        let late = series((5..=900).map(|i| (i * 100_000_000, 7.0)));
        let points = together(vec![short, ThinnedSeries::default(), late]);
        assert!(!points.thinned);
        assert_eq!(points.times.len(), 900);
        assert_eq!((points.times[4], points.values[0][4]), (0.5, Some(5.0)));
        assert_eq!(points.values[1], []);
        assert_eq!((points.values[2][3], points.values[2][4]), (None, Some(7.0)));
    }

    #[test]
    fn a_long_series_keeps_its_peaks() {
        let long = |peak: u64| {
            series((0..1_000_000).map(move |i| (i * 1_000, if i == peak { 50.0 } else { 1.0 })))
        };
        let points = together(vec![long(777_777), long(5), series([(3, 2.0)].into_iter())]);
        assert!(points.thinned);
        assert!((1_000..=2_002).contains(&points.times.len()), "{}", points.times.len());
        assert!(points.times.is_sorted());
        for (peak, values) in [(0.777_777, &points.values[0]), (0.000_005, &points.values[1])] {
            assert_eq!(values.len(), points.times.len());
            let at = values.iter().position(|value| *value == Some(50.0)).unwrap();
            assert!((points.times[at] - peak).abs() < 0.003, "{}", points.times[at]);
        }
        assert_eq!(points.values[2].iter().flatten().count(), 2);
    }
}
