//! Summary statistics of a distribution, with confidence intervals.

use serde::{Deserialize, Serialize};

use super::stats::{self, Interval};
use super::tally::Values;

/// Summary statistics of a distribution, over all runs; `None` where there are no values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    /// Mean.
    pub mean: Option<f64>,
    /// Median, within 0.4 %.
    pub p50: Option<f64>,
    /// 99th percentile, within 0.4 %.
    pub p99: Option<f64>,
    /// 99.9th percentile, within 0.4 %.
    pub p999: Option<f64>,
    /// The minimum.
    pub min: Option<f64>,
    /// The maximum.
    pub max: Option<f64>,
    /// Confidence intervals.
    pub intervals: Intervals,
}

/// 95 % confidence intervals; `None` where none is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// Method of computation.
    pub method: Option<Method>,
    /// Of the mean; never within one run, whose flows are not independent.
    pub mean: Option<Interval>,
    /// Of the median.
    pub p50: Option<Interval>,
    /// Of the 99th percentile.
    pub p99: Option<Interval>,
    /// Of the 99.9th percentile.
    pub p999: Option<Interval>,
}

/// Method of computation of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Student's t over the statistics of the runs, which are independent, on a logarithmic scale
    /// above the lower bound: 0, or 1 for slowdowns. The interval encloses their mean, which
    /// differs slightly from the statistic over all flows of all runs.
    Replications,
    /// Between order statistics of the flows of one run, assumed independent: valid for any
    /// distribution, but too narrow where flows that compete at the same time are correlated.
    OrderStatistics,
}

impl Quantiles {
    /// From the values of each run, in units of 1 / `unit`; none is below `min` units.
    pub(crate) fn of(runs: &[&Values], unit: f64, min: f64) -> Self {
        let runs: Vec<&Values> =
            runs.iter().copied().filter(|run| run.spread.total() > 0).collect();
        let mut all = Values::default();
        runs.iter().for_each(|run| all.merge(run));
        let at = |p: f64| all.spread.percentile(p).map(|value| value as f64 / unit);
        let range = all.spread.range();
        Self {
            mean: all.mean().map(|mean| mean / unit),
            p50: at(0.5),
            p99: at(0.99),
            p999: at(0.999),
            min: range.map(|(min, _)| min as f64 / unit),
            max: range.map(|(_, max)| max as f64 / unit),
            intervals: match runs[..] {
                [] => Intervals::default(),
                [only] => Intervals::within(only, unit),
                _ => Intervals::over(&runs, unit, min),
            },
        }
    }
}

impl Intervals {
    fn within(run: &Values, unit: f64) -> Self {
        let of = |p: f64| {
            let (low, high) = stats::ranks(run.spread.total(), p)?;
            let at = |rank| run.spread.at_rank(rank).map(|value| value as f64 / unit);
            Some([at(low)?, at(high)?])
        };
        let method = Some(Method::OrderStatistics);
        Self { method, mean: None, p50: of(0.5), p99: of(0.99), p999: of(0.999) }
    }

    fn over(runs: &[&Values], unit: f64, min: f64) -> Self {
        let of = |figure: &dyn Fn(&Values) -> Option<f64>| {
            let figures: Vec<f64> =
                runs.iter().filter_map(|run| Some(figure(run)? / unit)).collect();
            stats::of_mean_above(&figures, min)
        };
        let at = |p: f64| of(&|run| run.spread.percentile(p).map(|value| value as f64));
        let method = Some(Method::Replications);
        Self { method, mean: of(&Values::mean), p50: at(0.5), p99: at(0.99), p999: at(0.999) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(all: impl IntoIterator<Item = u64>) -> Values {
        let mut values = Values::default();
        all.into_iter().for_each(|value| values.add(value));
        values
    }

    #[test]
    fn figures_are_over_all_runs_and_intervals_over_each_runs_own() {
        let runs = [values([10, 10, 10]), values([12]), values([14]), values([])];
        let runs: Vec<&Values> = runs.iter().collect();
        let found = Quantiles::of(&runs, 2.0, 0.0);
        assert_eq!(found.mean, Some(56.0 / 5.0 / 2.0));
        assert_eq!((found.min, found.max), (Some(5.0), Some(7.0)));
        assert_eq!(found.intervals.method, Some(Method::Replications));
        let [low, high] = found.intervals.mean.unwrap();
        // Student's t has 12 -+ 4.968275.
        let factor = libm::exp(4.968_275 / 12.0);
        assert!((low - 6.0 / factor).abs() < 1e-5, "{low}");
        assert!((high - 6.0 * factor).abs() < 1e-5, "{high}");
    }

    #[test]
    fn one_run_has_intervals_of_quantiles_but_not_of_the_mean() {
        let found = Quantiles::of(&[&values(1..=100)], 1.0, 0.0);
        // P(40 <= B(100, 1/2) <= 60) = 0.965; with 41, 0.943.
        assert_eq!(found.intervals.p50, Some([40.0, 61.0]));
        assert_eq!((found.intervals.mean, found.intervals.p99), (None, None));
        assert_eq!(Quantiles::of(&[&values([])], 1.0, 0.0), Quantiles::default());
    }
}
