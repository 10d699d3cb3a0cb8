//! Sums over flows, made in one pass and in memory that does not grow with their number.

use super::data::{Estimates, SizePoint};
use super::digits::digits;
use super::flow::Flow;
use super::sample::FlowSample;
use super::sizes::{self, SIZES};
use crate::results::{Quantiles, Values, thousandths};

/// All flows of a system.
#[derive(Debug, Default)]
pub struct FlowStatistics {
    /// By run, by size.
    runs: Vec<Vec<Bin>>,
    /// Some of them.
    pub sample: FlowSample,
}

/// Finished flows of one size.
#[derive(Clone, Debug, Default)]
pub struct Bin {
    /// Completion times in nanoseconds.
    times: Values,
    /// In thousandths.
    slowdowns: Values,
    /// The sum of their sizes.
    bytes: u128,
    /// The sum of their completion times alone, in nanoseconds.
    alone: u128,
    /// Sums of 1/slowdown and of its square, for Jain's index.
    speed: f64,
    speed_squared: f64,
}

impl FlowStatistics {
    /// The flows that come next are of another run.
    pub fn begin_run(&mut self) {
        self.runs.push(vec![Bin::default(); SIZES]);
    }

    /// Adds a flow; `group` is the hash of its group's name.
    pub fn add(&mut self, flow: Flow, group: u64) {
        self.sample.add(flow, group);
        if let (Some(completion), Some(run)) = (flow.completion, self.runs.last_mut()) {
            run[sizes::bin(flow.size)].add(&flow, completion);
        }
    }

    /// The results of each size, and the sums behind them.
    pub fn by_size(&self) -> Vec<Size> {
        (0..SIZES).map(|size| self.of_size(size)).collect()
    }

    fn of_size(&self, size: usize) -> Size {
        let bins: Vec<&Bin> = self.runs.iter().map(|run| &run[size]).collect();
        let mut all = Bin::default();
        bins.iter().for_each(|bin| all.merge(bin));
        let estimates = |values: fn(&Bin) -> &Values, unit: f64, min: f64| {
            let runs: Vec<&Values> = bins.iter().map(|bin| values(bin)).collect();
            Estimates::of(&Quantiles::of(&runs, unit, min))
        };
        let flows = all.times.spread.total();
        let point = (flows > 0).then(|| SizePoint {
            flows,
            completion: estimates(|bin| &bin.times, 1e9, 0.0),
            slowdown: estimates(|bin| &bin.slowdowns, 1e3, 1.0),
            jain: all.jain(),
        });
        Size { point, slowdowns: all.slowdowns, bytes: all.bytes, alone: all.alone }
    }
}

/// All finished flows of a size.
#[derive(Debug)]
pub struct Size {
    /// Their results; none if there are none.
    pub point: Option<SizePoint>,
    /// In thousandths.
    pub slowdowns: Values,
    /// The sum of their sizes.
    pub bytes: u128,
    /// The sum of their completion times alone, in nanoseconds.
    pub alone: u128,
}

impl Bin {
    fn add(&mut self, flow: &Flow, completion: u64) {
        let speed = flow.alone.max(1) as f64 / completion.max(1) as f64;
        self.times.add(completion);
        // Rounded as in the tables, so that both show the same values.
        self.slowdowns.add(thousandths(completion, flow.alone));
        self.bytes += u128::from(flow.size);
        self.alone += u128::from(flow.alone);
        self.speed += speed;
        self.speed_squared += speed * speed;
    }

    fn merge(&mut self, other: &Self) {
        self.times.merge(&other.times);
        self.slowdowns.merge(&other.slowdowns);
        self.bytes += other.bytes;
        self.alone += other.alone;
        self.speed += other.speed;
        self.speed_squared += other.speed_squared;
    }

    /// 1 if all are slowed down alike.
    fn jain(&self) -> Option<f64> {
        let flows = self.times.spread.total();
        let index = self.speed * self.speed / (flows as f64 * self.speed_squared);
        (flows > 1).then(|| digits(index, 4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(index: u64, size: u64, completion: u64) -> Flow {
        let completion = Some(completion * 1_000_000);
        Flow { group: 0, index, seed: 1, size, alone: 10_000_000, completion }
    }

    #[test]
    fn estimates_by_hand() {
        let mut flows = FlowStatistics::default();
        flows.begin_run();
        flows.add(flow(0, 2_000, 10), 7);
        flows.add(flow(1, 3_000, 40), 7);
        flows.add(Flow { completion: None, ..flow(2, 2_500, 0) }, 7);
        flows.begin_run();
        flows.add(flow(0, 2_000, 20), 7);
        let by_size = flows.by_size();
        let size = &by_size[sizes::bin(2_000)];
        let point = size.point.unwrap();
        assert_eq!((point.flows, size.bytes), (3, 7_000));
        assert_eq!(point.completion.mean[0], Some(0.023_333));
        assert_eq!(point.slowdown.mean[0], Some(2.333_3));
        // Speeds 1, 1/4 and 1/2: 1.75^2 / (3 x 1.3125).
        assert_eq!(point.jain, Some(0.777_8));
        // Runs' means are 25 and 20 ms: up to 22.5 exp(12.706 x 2.5 / 22.5).
        assert_eq!(point.completion.mean[2], Some(0.092_325));
        assert_eq!(by_size.iter().filter(|size| size.point.is_some()).count(), 1);
    }
}
