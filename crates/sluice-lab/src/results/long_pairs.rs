//! Comparison of the throughput of flows that send until they are stopped.

use serde::{Deserialize, Serialize};

use super::stats::{self, Interval};
use super::tally::Throughputs;

/// Throughputs of the same long flows under two protocols. Intervals are by Student's t over the
/// means of runs, on a logarithmic scale; `None` for a single run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LongComparison {
    /// How many flows, all runs together.
    pub flows: u64,
    /// Mean throughput of a flow under the first protocol, in bits a second.
    pub first: f64,
    /// Its confidence interval.
    pub first_interval: Option<Interval>,
    /// The same under the second protocol.
    pub second: f64,
    /// Its confidence interval.
    pub second_interval: Option<Interval>,
    /// Mean over runs of the second's throughput over the first's; `None` if the first's is 0 in a
    /// run.
    pub ratio: Option<f64>,
    /// Its confidence interval.
    pub ratio_interval: Option<Interval>,
}

impl LongComparison {
    /// Compares the long flows of runs, each under both protocols.
    pub(super) fn of(runs: &[[Throughputs; 2]]) -> Option<Self> {
        let means = |which: usize| -> Option<Vec<f64>> {
            runs.iter().map(|run| run[which].mean()).collect()
        };
        let (first, second) = (means(0)?, means(1)?);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let ratios: Option<Vec<f64>> = first
            .iter()
            .zip(&second)
            .map(|(first, second)| (*first > 0.0).then(|| second / first))
            .collect();
        (!runs.is_empty()).then(|| Self {
            flows: runs.iter().map(|run| run[0].flows).sum(),
            first: mean(&first),
            first_interval: stats::of_mean_above(&first, 0.0),
            second: mean(&second),
            second_interval: stats::of_mean_above(&second, 0.0),
            ratio: ratios.as_deref().map(mean),
            ratio_interval: ratios.and_then(|ratios| stats::of_mean_above(&ratios, 0.0)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flows(throughputs: &[f64]) -> Throughputs {
        let mut all = Throughputs::default();
        throughputs.iter().for_each(|&throughput| all.add(throughput));
        all
    }

    #[test]
    fn two_runs_by_hand() {
        let runs = [[flows(&[2.0, 4.0]), flows(&[6.0, 6.0])], [flows(&[4.0]), flows(&[4.0])]];
        let found = LongComparison::of(&runs).unwrap();
        // Means of runs: 3 and 4 against 6 and 4.
        assert_eq!((found.flows, found.first, found.second), (3, 3.5, 5.0));
        // Ratios 2 and 1: 1.5 and a factor of exp(12.7062 x 0.5 / 1.5).
        assert_eq!(found.ratio, Some(1.5));
        let [low, high] = found.ratio_interval.unwrap();
        let factor = libm::exp(12.706_205 / 3.0);
        assert!((low * factor - 1.5).abs() < 1e-4 && (high / factor - 1.5).abs() < 1e-4);
        assert!(LongComparison::of(&runs[..1]).unwrap().ratio_interval.is_none());
    }

    #[test]
    fn starved_and_missing_flows_have_no_ratio() {
        let starved = [[flows(&[0.0]), flows(&[1.0])]];
        assert_eq!(LongComparison::of(&starved).unwrap().ratio, None);
        assert!(LongComparison::of(&[[flows(&[]), flows(&[])]]).is_none());
        assert!(LongComparison::of(&[]).is_none());
    }
}
