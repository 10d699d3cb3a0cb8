//! Comparison of two protocols flow by flow: both get the same flows, so that paired differences
//! are more precise than the difference of two means.

use serde::{Deserialize, Serialize};

use super::bins::{self, BINS, bin};
use super::long_pairs::LongComparison;
use super::matched::MatchedFlow;
use super::stats::{self, Interval};
use super::system::System;
use super::tally::Throughputs;

/// Completion times of the same flows under two protocols.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The protocol compared against.
    pub first: System,
    /// The other protocol.
    pub second: System,
    /// Measured flows that finished under both, of all sizes.
    pub all: ComparisonBin,
    /// The same by size; sizes without a flow are left out.
    pub by_size: Vec<ComparisonBin>,
    /// Flows that send until they are stopped; `None` if there are none under both.
    pub long: Option<LongComparison>,
}

/// Flows of some sizes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ComparisonBin {
    /// The smallest size in bytes.
    pub from: u64,
    /// Sizes are less than this; `None` for no limit.
    pub to: Option<u64>,
    /// Number of flows that finished under both.
    pub flows: u64,
    /// Mean of the second's completion time less the first's, in seconds.
    pub difference: f64,
    /// Its confidence interval, by Student's t over the means of runs; `None` for a single run.
    pub difference_interval: Option<Interval>,
    /// Geometric mean of the second's completion time over the first's.
    pub ratio: f64,
    /// Its confidence interval, likewise, computed on logarithms.
    pub ratio_interval: Option<Interval>,
    /// Fraction of the flows that finish sooner under the second.
    pub faster: f64,
}

/// Sums over the flows of one run, by size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparisonTally(pub [PairSums; BINS]);

/// The sums of one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairSums {
    flows: u64,
    /// Seconds.
    difference: f64,
    /// Natural logarithms of ratios.
    log_ratio: f64,
    faster: u64,
}

impl PairSums {
    fn add(&mut self, first: u64, second: u64) {
        self.flows += 1;
        self.difference += (second as f64 - first as f64) / 1e9;
        self.log_ratio += libm::log(second.max(1) as f64 / first.max(1) as f64);
        self.faster += u64::from(second < first);
    }

    fn plus(mut self, more: &Self) -> Self {
        self.flows += more.flows;
        self.difference += more.difference;
        self.log_ratio += more.log_ratio;
        self.faster += more.faster;
        self
    }
}

impl ComparisonTally {
    /// Adds a flow; one that did not finish in both runs is left out.
    pub fn add(&mut self, flow: &MatchedFlow) {
        if let (Some(first), Some(second)) = (flow.first, flow.second) {
            self.0[bin(flow.size)].add(first, second);
        }
    }
}

impl Comparison {
    /// Compares two protocols over all runs.
    pub fn of(
        first: System,
        second: System,
        runs: &[ComparisonTally],
        long: &[[Throughputs; 2]],
    ) -> Self {
        let (runs, long) = (distinct(runs), distinct(long));
        let sum = |run: &ComparisonTally| run.0.iter().fold(PairSums::default(), PairSums::plus);
        let all: Vec<PairSums> = runs.iter().map(sum).collect();
        let by_size = (0..BINS).filter_map(|bin| {
            let runs: Vec<PairSums> = runs.iter().map(|run| run.0[bin]).collect();
            of_bin(bins::edges(bin), &runs)
        });
        let none = ComparisonBin {
            from: 0,
            to: None,
            flows: 0,
            difference: 0.0,
            difference_interval: None,
            ratio: 1.0,
            ratio_interval: None,
            faster: 0.0,
        };
        Self {
            first,
            second,
            all: of_bin((0, None), &all).unwrap_or(none),
            by_size: by_size.collect(),
            long: LongComparison::of(long),
        }
    }
}

/// The runs; only the first if all are equal, because nothing is random.
pub(super) fn distinct<T: PartialEq>(runs: &[T]) -> &[T] {
    let repeats = runs.len() > 1 && runs.windows(2).all(|two| two[0] == two[1]);
    if repeats { &runs[..1] } else { runs }
}

fn of_bin((from, to): (u64, Option<u64>), runs: &[PairSums]) -> Option<ComparisonBin> {
    let runs: Vec<&PairSums> = runs.iter().filter(|run| run.flows > 0).collect();
    let all = runs.iter().fold(PairSums::default(), |sum, run| sum.plus(run));
    let flows = all.flows as f64;
    let of_runs = |sum: fn(&PairSums) -> f64| {
        let means: Vec<f64> = runs.iter().map(|run| sum(run) / run.flows as f64).collect();
        stats::of_mean(&means)
    };
    (all.flows > 0).then(|| ComparisonBin {
        from,
        to,
        flows: all.flows,
        difference: all.difference / flows,
        difference_interval: of_runs(|run| run.difference),
        ratio: libm::exp(all.log_ratio / flows),
        ratio_interval: of_runs(|run| run.log_ratio).map(|ends| ends.map(libm::exp)),
        faster: all.faster as f64 / flows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(pairs: &[(u64, u64)]) -> ComparisonTally {
        let mut tally = ComparisonTally::default();
        pairs.iter().for_each(|&(first, second)| tally.0[2].add(first, second));
        tally
    }

    #[test]
    fn two_runs_by_hand() {
        const S: u64 = 1_000_000_000;
        let runs = [run(&[(S, 2 * S), (4 * S, 2 * S)]), run(&[(S, 4 * S)])];
        let (rcp, tcp) =
            (sluice_laws::registry::ProtocolName::Rcp, sluice_laws::registry::ProtocolName::Tcp);
        let pair = Comparison::of(System::Protocol(rcp), System::Protocol(tcp), &runs, &[]);
        assert_eq!(pair.by_size.len(), 1);
        let ComparisonBin { flows, difference, ratio, faster, .. } = pair.all;
        // Differences 1, -2 and 3 s; ratios 2, 1/2 and 4.
        assert_eq!(flows, 3);
        assert!((difference - 2.0 / 3.0).abs() < 1e-12 && (faster - 1.0 / 3.0).abs() < 1e-12);
        assert!((ratio - 4.0_f64.cbrt()).abs() < 1e-12);
        // Runs' means -1/2 and 3 s: 1.25 -+ 12.7062 x 3.5 / 2.
        let [low, _] = pair.all.difference_interval.unwrap();
        assert!((low - (1.25 - 12.706_205 * 1.75)).abs() < 1e-5, "{low}");
        assert!(
            Comparison::of(pair.first, pair.second, &runs[..1], &[]).all.ratio_interval.is_none()
        );
        let same = [runs[0].clone(), runs[0].clone(), runs[0].clone()];
        let found = Comparison::of(pair.first, pair.second, &same, &[]).all;
        assert_eq!((found.flows, found.ratio_interval), (2, None), "one run, made three times");
    }
}
