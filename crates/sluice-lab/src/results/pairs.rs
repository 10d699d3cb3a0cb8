//! Comparison of two protocols flow by flow: both get the same flows, so that paired differences
//! are more precise than the difference of two means.

use std::path::Path;

use parquet::data_type::{BoolType, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use serde::{Deserialize, Serialize};

use super::bins::{self, BINS, bin};
use super::read::{Reader, column};
use super::stats::{self, Interval};
use super::system::System;
use super::times::{Times, group_numbers};
use crate::Plan;

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
    /// Compares the flows of two files of one plan and seed.
    pub fn read(plan: &Plan, first: &Path, second: &Path) -> Result<Self, ParquetError> {
        let times = Times::read(first, plan)?;
        let groups = group_numbers(plan);
        let mut tally = Self::default();
        for rows in Reader::open(second)?.groups()? {
            let names = column::<ByteArrayType>(&*rows, "group")?;
            let indices = column::<Int64Type>(&*rows, "index")?;
            let sizes = column::<Int64Type>(&*rows, "size_bytes")?;
            let completions = column::<Int64Type>(&*rows, "completion_ns")?;
            let measured = column::<BoolType>(&*rows, "measured")?;
            for (row, name) in names.iter().enumerate() {
                let first = || {
                    let group = *groups.get(name.as_ref()?.data())?;
                    times.of(group, indices[row]? as u64)
                };
                if let (Some(true), Some(size), Some(second), Some(first)) =
                    (measured[row], sizes[row], completions[row], first())
                {
                    tally.0[bin(size as u64)].add(first, second as u64);
                }
            }
        }
        Ok(tally)
    }
}

impl Comparison {
    /// Compares two protocols over all runs.
    pub fn of(first: System, second: System, runs: &[ComparisonTally]) -> Self {
        // Without randomness, all runs are equal and count as one.
        let repeats = runs.len() > 1 && runs.windows(2).all(|two| two[0] == two[1]);
        let runs = if repeats { &runs[..1] } else { runs };
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
        }
    }
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
        let pair = Comparison::of(System::Protocol(rcp), System::Protocol(tcp), &runs);
        assert_eq!(pair.by_size.len(), 1);
        let ComparisonBin { flows, difference, ratio, faster, .. } = pair.all;
        // Differences 1, -2 and 3 s; ratios 2, 1/2 and 4.
        assert_eq!(flows, 3);
        assert!((difference - 2.0 / 3.0).abs() < 1e-12 && (faster - 1.0 / 3.0).abs() < 1e-12);
        assert!((ratio - 4.0_f64.cbrt()).abs() < 1e-12);
        // Runs' means -1/2 and 3 s: 1.25 -+ 12.7062 x 3.5 / 2.
        let [low, _] = pair.all.difference_interval.unwrap();
        assert!((low - (1.25 - 12.706_205 * 1.75)).abs() < 1e-5, "{low}");
        assert!(Comparison::of(pair.first, pair.second, &runs[..1]).all.ratio_interval.is_none());
        let same = [runs[0].clone(), runs[0].clone(), runs[0].clone()];
        let found = Comparison::of(pair.first, pair.second, &same).all;
        assert_eq!((found.flows, found.ratio_interval), (2, None), "one run, made three times");
    }
}
