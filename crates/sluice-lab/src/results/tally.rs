//! What flows add up to, as they end: constant memory for any number of flows.

use serde::{Deserialize, Serialize};
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, Conviction, FlowRecord, StreamRecord};
use sluice_units::{Span, Time};

use super::bins::{BINS, bin};
use super::classes::packets;
use super::histogram::Histogram;
use super::statuses::Statuses;
use super::streams::StreamTally;
use super::wide;

/// Values and their sum, which is exact, so that it does not depend on the order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values {
    /// How they are spread.
    pub spread: Histogram,
    #[serde(with = "wide")]
    sum: u128,
}

impl Values {
    /// Adds a value.
    pub fn add(&mut self, value: u64) {
        self.spread.add(value);
        self.sum += u128::from(value);
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        self.spread.merge(&other.spread);
        self.sum += other.sum;
    }

    /// Their mean; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        let count = self.spread.total();
        (count > 0).then(|| self.sum as f64 / count as f64)
    }
}

/// The finished flows of one size bin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Completions {
    /// Completion times in nanoseconds.
    pub times: Values,
    /// Slowdowns in thousandths.
    pub slowdowns: Values,
    /// Completion time over that under the max-min ideal, in thousandths.
    pub ideal_ratios: Values,
    /// What they would take alone, in nanoseconds, all together.
    #[serde(with = "wide")]
    pub alone: u128,
    /// Their data and headers in bytes, all together.
    #[serde(with = "wide")]
    pub wire: u128,
}

/// What a group's flows added up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupTally {
    /// Flows of any kind.
    pub flows: u64,
    /// Bytes delivered in the measured time.
    #[serde(with = "wide")]
    pub delivered: u128,
    /// Bytes offered by measured flows.
    #[serde(with = "wide")]
    pub offered: u128,
    /// Measured flows that finished.
    pub finished: u64,
    /// Their completion times in nanoseconds, all together.
    #[serde(with = "wide")]
    pub times: u128,
    /// Their slowdowns in thousandths, all together.
    #[serde(with = "wide")]
    pub slowdowns: u128,
    /// Its streams of datagrams, which are in no other field but `flows` and `delivered`.
    pub streams: StreamTally,
    /// Flows with a status.
    #[serde(default)]
    pub statuses: Statuses,
}

impl GroupTally {
    fn finish(&mut self, flow: &FlowRecord, completion: Span) {
        let ns = completion.as_nanos();
        self.finished += 1;
        self.times += u128::from(ns);
        let slowdown = flow.alone.map_or(0, |alone| thousandths(ns, alone.as_nanos()));
        self.slowdowns += u128::from(slowdown);
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        self.flows += other.flows;
        self.delivered += other.delivered;
        self.offered += other.offered;
        self.finished += other.finished;
        self.times += other.times;
        self.slowdowns += other.slowdowns;
        self.streams.merge(&other.streams);
        self.statuses.merge(&other.statuses);
    }
}

/// What the flows of one run, or of several, added up to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Measured flows that finished, by size.
    pub bins: [Completions; BINS],
    /// By group.
    pub groups: Vec<GroupTally>,
    /// Measured flows that did not finish.
    pub unfinished: u64,
    /// Throughputs of flows that send until they are stopped.
    pub long: Throughputs,
}

/// What Jain's index is made of: (sum x)^2 / (n sum x^2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Throughputs {
    /// How many.
    pub flows: u64,
    sum: f64,
    squares: f64,
}

impl Throughputs {
    /// Adds a flow.
    pub fn add(&mut self, bits_per_second: f64) {
        self.flows += 1;
        self.sum += bits_per_second;
        self.squares += bits_per_second * bits_per_second;
    }

    fn merge(&mut self, other: &Self) {
        self.flows += other.flows;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Mean throughput of a flow in bits a second; `None` if there are no flows.
    pub fn mean(&self) -> Option<f64> {
        (self.flows > 0).then(|| self.sum / self.flows as f64)
    }

    /// 1 if all are equal, 1/n if one has all; `None` for fewer than two or none that got anything.
    pub fn jain(&self) -> Option<f64> {
        (self.flows > 1 && self.squares > 0.0)
            .then(|| self.sum * self.sum / (self.flows as f64 * self.squares))
    }
}

impl Completions {
    fn add(&mut self, flow: &FlowRecord, completion: Span, ideal: Option<u64>, config: &Config) {
        let ns = completion.as_nanos();
        self.times.add(ns);
        if let Some(alone) = flow.alone {
            self.slowdowns.add(thousandths(ns, alone.as_nanos()));
            self.alone += u128::from(alone.as_nanos());
        }
        if let Some(ideal) = ideal {
            self.ideal_ratios.add(thousandths(ns, ideal));
        }
        let size = flow.size.unwrap_or_default();
        let headers = u128::from(packets(size, config)) * u128::from(config.header.as_u64());
        self.wire += u128::from(size.as_u64()) + headers;
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        self.times.merge(&other.times);
        self.slowdowns.merge(&other.slowdowns);
        self.ideal_ratios.merge(&other.ideal_ratios);
        self.alone += other.alone;
        self.wire += other.wire;
    }

    /// How many flows.
    pub fn flows(&self) -> u64 {
        self.times.spread.total()
    }
}

/// A ratio in thousandths, rounded to the nearest: a flow that is a nanosecond early is not below 1.
pub fn thousandths(value: u64, of: u64) -> u64 {
    let of = u128::from(of.max(1));
    let ratio = (u128::from(value) * 1000 + of / 2) / of;
    u64::try_from(ratio).unwrap_or(u64::MAX)
}

impl Tally {
    /// An empty tally of this number of groups.
    pub fn new(groups: usize) -> Self {
        Self {
            bins: Default::default(),
            groups: vec![GroupTally::default(); groups],
            unfinished: 0,
            long: Throughputs::default(),
        }
    }

    /// Adds a flow of a run of `config`, with its completion time under the max-min ideal in
    /// nanoseconds.
    pub fn add(&mut self, record: &FlowRecord, ideal: Option<u64>, config: &Config) {
        let group = &mut self.groups[record.group];
        group.flows += 1;
        group.delivered += u128::from(record.delivered.as_u64());
        group.offered += u128::from(record.offered().as_u64());
        if let Some(status) = record.status {
            group.statuses.add(status);
        }
        let Some(size) = record.size else {
            if let Some(lived) = lived(record, config) {
                self.long.add(record.delivered.as_f64() * 8.0 / lived.as_secs_f64());
            }
            return;
        };
        if !record.measured {
            return;
        }
        match record.completion {
            Some(completion) => {
                group.finish(record, completion);
                self.bins[bin(size.as_u64())].add(record, completion, ideal, config);
            }
            None => self.unfinished += 1,
        }
    }

    /// Adds a stream of datagrams.
    pub fn add_stream(&mut self, record: &StreamRecord) {
        let group = &mut self.groups[record.group];
        group.flows += 1;
        group.delivered += u128::from(record.delivered.as_u64());
        group.streams.add(record);
    }

    /// Adds a conviction of a flow by a policing agent.
    pub fn add_conviction(&mut self, found: &Conviction) {
        self.groups[found.group].statuses.convictions += 1;
    }

    /// Adds all that `other` has.
    pub fn merge(&mut self, other: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.merge(more);
        }
        for (group, more) in self.groups.iter_mut().zip(&other.groups) {
            group.merge(more);
        }
        self.unfinished += other.unfinished;
        self.long.merge(&other.long);
    }

    /// Finished flows of all sizes together.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_rounded_to_the_nearest_thousandth() {
        assert_eq!(thousandths(999_999_999, 1_000_000_000), 1000);
        assert_eq!(thousandths(1_000_499, 1_000_000), 1000);
        assert_eq!(thousandths(1_000_500, 1_000_000), 1001);
        assert_eq!(thousandths(7, 0), 7000);
    }
}
