//! What a page needs to know of flows, in one pass over them and in memory that does not grow with
//! their number.

use super::data::{Figures, SizePoint};
use super::digits::digits;
use super::sample::Least;
use super::sizes::{self, SIZES};
use crate::results::Values;
use crate::results::stats;

/// A measured flow that has a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// Its group, numbered as the reader likes, the same under every system.
    pub group: u32,
    /// Its place among its group's arrivals.
    pub index: u64,
    /// Its run's seed.
    pub seed: u64,
    /// Bytes.
    pub size: u64,
    /// Completion time alone on the empty path, in nanoseconds.
    pub alone: u64,
    /// Completion time in nanoseconds; none if it did not finish.
    pub completion: Option<u64>,
}

impl Flow {
    /// Completion time over that alone.
    pub fn slowdown(&self) -> Option<f64> {
        self.completion.map(|completion| completion as f64 / self.alone.max(1) as f64)
    }
}

/// All flows of a system.
#[derive(Debug)]
pub struct Flows {
    bins: Vec<Bin>,
    /// The run that is being read.
    run: Vec<Bin>,
    /// What whole runs found, by size.
    runs: Vec<Vec<Option<Found>>>,
    /// Some of the flows.
    pub sample: Least,
}

/// Completion time and slowdown of one run: mean, median and 99th percentile of each.
type Found = [[f64; 3]; 2];

/// Flows of some sizes.
#[derive(Clone, Debug, Default)]
pub struct Bin {
    /// Completion times in nanoseconds.
    times: Values,
    /// In thousandths.
    pub slowdowns: Values,
    /// Their bytes together.
    pub bytes: u128,
    /// Sums of 1/slowdown and of its square, for Jain's index.
    speed: f64,
    speed_squared: f64,
}

impl Default for Flows {
    fn default() -> Self {
        let (bins, run) = (vec![Bin::default(); SIZES], vec![Bin::default(); SIZES]);
        Self { bins, run, runs: Vec::new(), sample: Least::default() }
    }
}

impl Flows {
    /// Adds a flow of the run that is being read; `group` is the hash of its group's name.
    pub fn add(&mut self, flow: Flow, group: u64) {
        self.sample.add(flow, group);
        if let Some(completion) = flow.completion {
            self.run[sizes::bin(flow.size)].add(&flow, completion);
        }
    }

    /// The run has ended.
    pub fn end_run(&mut self) {
        self.runs.push(self.run.iter().map(Bin::found).collect());
        for (all, bin) in self.bins.iter_mut().zip(&mut self.run) {
            all.merge(&std::mem::take(bin));
        }
    }

    /// Flows of each size, all runs together.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// What a page tells of the flows of a size; none if no flow has it.
    pub fn point(&self, size: usize) -> Option<SizePoint> {
        let bin = &self.bins[size];
        let found = bin.found()?;
        let runs: Vec<Found> = self.runs.iter().filter_map(|run| run[size]).collect();
        let interval = |what: usize, which: usize, values: &Values, unit: f64| {
            let over: Vec<f64> = runs.iter().map(|run| run[what][which]).collect();
            match (self.runs.len(), FRACTIONS[which]) {
                (1, Some(fraction)) => within(values, fraction, unit),
                _ => stats::of_mean(&over),
            }
        };
        let figures = |what: usize, values: &Values, unit: f64| {
            let figure = |which: usize| {
                let ends = interval(what, which, values, unit);
                let [low, high] = ends.map_or([None; 2], |ends| ends.map(Some));
                [Some(found[what][which]), low, high].map(|value| value.map(|v| digits(v, 5)))
            };
            Figures { mean: figure(0), p50: figure(1), p99: figure(2) }
        };
        Some(SizePoint {
            flows: bin.flows(),
            completion: figures(0, &bin.times, NANOS),
            slowdown: figures(1, &bin.slowdowns, THOUSANDTHS),
            jain: bin.jain(),
        })
    }
}

/// What the second and third of [`Found`] are.
const FRACTIONS: [Option<f64>; 3] = [None, Some(0.5), Some(0.99)];
const NANOS: f64 = 1e9;
const THOUSANDTHS: f64 = 1e3;

impl Bin {
    fn add(&mut self, flow: &Flow, completion: u64) {
        let slowdown = completion as f64 / flow.alone.max(1) as f64;
        self.times.add(completion);
        // As the tables have it, so that both show the same figures.
        self.slowdowns.add(thousandths(completion, flow.alone));
        self.bytes += u128::from(flow.size);
        self.speed += 1.0 / slowdown;
        self.speed_squared += 1.0 / (slowdown * slowdown);
    }

    fn merge(&mut self, other: &Self) {
        self.times.merge(&other.times);
        self.slowdowns.merge(&other.slowdowns);
        self.bytes += other.bytes;
        self.speed += other.speed;
        self.speed_squared += other.speed_squared;
    }

    /// How many flows.
    pub fn flows(&self) -> u64 {
        self.times.spread.total()
    }

    fn found(&self) -> Option<Found> {
        let of = |values: &Values, unit: f64| {
            let at = |fraction| values.spread.percentile(fraction).map(|value| value as f64 / unit);
            Some([values.mean()? / unit, at(0.5)?, at(0.99)?])
        };
        Some([of(&self.times, NANOS)?, of(&self.slowdowns, THOUSANDTHS)?])
    }

    /// 1 if all are slowed down alike.
    fn jain(&self) -> Option<f64> {
        let index = self.speed * self.speed / (self.flows() as f64 * self.speed_squared);
        (self.flows() > 1).then(|| digits(index, 4))
    }
}

/// A quantile's interval within one run, flows taken as independent.
fn within(values: &Values, fraction: f64, unit: f64) -> Option<stats::Interval> {
    let (low, high) = stats::ranks(values.spread.total(), fraction)?;
    let at = |rank| values.spread.at_rank(rank).map(|value| value as f64 / unit);
    Some([at(low)?, at(high)?])
}
