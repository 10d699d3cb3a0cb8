//! What flows add up to, as they end: constant memory for any number of flows.

use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, FlowRecord};
use sluice_units::{Span, Time};

use super::bins::{BINS, bin};
use super::histogram::Histogram;

/// Completion times and slowdowns of the flows of one size bin.
#[derive(Clone, Debug, Default)]
pub struct Completions {
    /// In nanoseconds.
    pub times: Histogram,
    /// Their sum: exact, so that it does not depend on the order.
    pub time_sum: u128,
    /// In thousandths.
    pub slowdowns: Histogram,
    /// Their sum, in thousandths.
    pub slowdown_sum: u128,
}

/// What a group's flows added up to.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupTally {
    /// Flows of any kind.
    pub flows: u64,
    /// Bytes delivered in the measured time.
    pub delivered: u128,
    /// Bytes that measured flows brought.
    pub offered: u128,
}

/// What the flows of one run, or of several, added up to.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Measured flows that finished, by size.
    pub bins: [Completions; BINS],
    /// By group.
    pub groups: Vec<GroupTally>,
    /// Measured flows that did not finish.
    pub unfinished: u64,
    /// Packets sent again, by flows of any kind.
    pub retransmissions: u64,
    /// Throughputs of flows that send until they are stopped.
    pub long: Throughputs,
}

/// What Jain's index is made of: (sum x)^2 / (n sum x^2).
#[derive(Clone, Copy, Debug, Default)]
pub struct Throughputs {
    /// How many.
    pub flows: u64,
    sum: f64,
    squares: f64,
}

impl Throughputs {
    fn add(&mut self, bits_per_second: f64) {
        self.flows += 1;
        self.sum += bits_per_second;
        self.squares += bits_per_second * bits_per_second;
    }

    fn merge(&mut self, other: &Self) {
        self.flows += other.flows;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// 1 if all are equal, 1/n if one has all; `None` for fewer than two or none that got anything.
    pub fn jain(&self) -> Option<f64> {
        (self.flows > 1 && self.squares > 0.0)
            .then(|| self.sum * self.sum / (self.flows as f64 * self.squares))
    }
}

impl Completions {
    fn add(&mut self, completion: Span, alone: Option<Span>) {
        self.times.add(completion.as_nanos());
        self.time_sum += u128::from(completion.as_nanos());
        if let Some(alone) = alone {
            let alone = u128::from(alone.as_nanos().max(1));
            let slowdown = u128::from(completion.as_nanos()) * 1000 / alone;
            self.slowdowns.add(u64::try_from(slowdown).unwrap_or(u64::MAX));
            self.slowdown_sum += slowdown;
        }
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        self.times.merge(&other.times);
        self.time_sum += other.time_sum;
        self.slowdowns.merge(&other.slowdowns);
        self.slowdown_sum += other.slowdown_sum;
    }
}

impl Tally {
    /// Nothing yet, of so many groups.
    pub fn new(groups: usize) -> Self {
        Self {
            bins: Default::default(),
            groups: vec![GroupTally::default(); groups],
            unfinished: 0,
            retransmissions: 0,
            long: Throughputs::default(),
        }
    }

    /// Adds a flow of a run of `config`.
    pub fn add(&mut self, record: &FlowRecord, config: &Config) {
        let group = &mut self.groups[record.group];
        group.flows += 1;
        group.delivered += u128::from(record.delivered.as_u64());
        self.retransmissions += record.retransmissions;
        let Some(size) = record.size else {
            if let Some(lived) = lived(record, config) {
                self.long.add(record.delivered.as_f64() * 8.0 / lived.as_secs_f64());
            }
            return;
        };
        if !record.measured {
            return;
        }
        group.offered += u128::from(size.as_u64());
        match record.completion {
            Some(completion) => self.bins[bin(size.as_u64())].add(completion, record.alone),
            None => self.unfinished += 1,
        }
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.merge(more);
        }
        for (group, more) in self.groups.iter_mut().zip(&other.groups) {
            group.flows += more.flows;
            group.delivered += more.delivered;
            group.offered += more.offered;
        }
        self.unfinished += other.unfinished;
        self.retransmissions += other.retransmissions;
        self.long.merge(&other.long);
    }

    /// Flows of all sizes together.
    pub fn all_sizes(&self) -> Completions {
        self.bins.iter().fold(Completions::default(), |mut all, bin| {
            all.merge(bin);
            all
        })
    }
}

/// How long of the measured time a flow without a size sent.
fn lived(record: &FlowRecord, config: &Config) -> Option<Span> {
    let Traffic::Long(model) = &config.groups[record.group].traffic else { return None };
    let from = record.start.max(config.warm_up);
    let to: Time = model.stop.min(config.stop);
    Some(to.since(from)).filter(|&span| span > Span::ZERO)
}
