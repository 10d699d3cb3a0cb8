//! What samplers of groups keep: throughput and fairness over time.
//!
//! A sampler has a timer at the host that its group sends to. What flows received is read in that
//! host's own time, and how many flows there were follows from their starts and ends, so samples are
//! the same whatever runs ahead. Packets pay nothing for them.

use std::collections::BTreeMap;

use sluice_units::Time;

use crate::config::Config;
use crate::host::{Flow, Owner, TimerId, Timers};
use crate::outcome::{Series, Subject};

/// The samplers of a run, and what they found.
#[derive(Default)]
pub(super) struct GroupSamplers {
    pub(super) samplers: Vec<GroupSampler>,
    /// By metric: its intervals, from the beginning.
    pub(super) found: Vec<Vec<GroupInterval>>,
    /// By metric and interval: by how many its whole flows are more than in the interval before.
    changes: Vec<BTreeMap<u64, i64>>,
}

/// Samples one group of a metric.
pub(super) struct GroupSampler {
    pub(super) metric: usize,
    pub(super) group: usize,
    pub(super) host: usize,
    pub(super) timer: TimerId,
    /// When the current interval began, and ends.
    pub(super) interval: [Time; 2],
    /// Of flows that ended in the current interval.
    pub(super) ended: GroupInterval,
    /// By slot: the index of the group's last flow there, and its data at the last sample.
    seen: Vec<(u64, u64)>,
}

/// What the flows of a metric received in an interval.
#[derive(Clone, Copy, Default)]
pub(super) struct GroupInterval {
    /// Bytes of data, each once.
    delivered: u64,
    /// The bytes of flows that lived from its beginning to its end, and the squares of them.
    sum: u64,
    squares: u128,
}

impl GroupInterval {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            delivered: self.delivered + other.delivered,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// Jain's index of the `flows` that lived over the interval; 0, which no index is, for fewer than
    /// two, and if none received anything.
    fn jain(&self, flows: i64) -> f64 {
        let sum = self.sum as f64;
        let is_known = flows > 1 && self.sum > 0;
        if is_known { sum * sum / (flows as f64 * self.squares as f64) } else { 0.0 }
    }
}

impl GroupSamplers {
    /// The samplers of a run, with their timers set.
    pub(super) fn new(config: &Config, hosts: &mut [Timers]) -> Self {
        let mut samplers = Vec::new();
        for (metric, sampled) in config.group_metrics.iter().enumerate() {
            for &group in &sampled.groups {
                let host = config.groups[group].to;
                let number = config.flow_metrics.len() + samplers.len();
                let order = u64::MAX - number as u64;
                let timer = hosts[host].register(order, Owner::Sampler(number as u32));
                let interval = [Time::ZERO, Time::ZERO + sampled.every];
                hosts[host].set(timer, interval[1]);
                let (ended, seen) = (GroupInterval::default(), Vec::new());
                samplers.push(GroupSampler { metric, group, host, timer, interval, ended, seen });
            }
        }
        let metrics = config.group_metrics.len();
        Self { samplers, found: vec![Vec::new(); metrics], changes: vec![BTreeMap::new(); metrics] }
    }

    /// Whether the run has any.
    #[inline]
    pub(super) fn is_used(&self) -> bool {
        !self.samplers.is_empty()
    }

    /// A flow lives from `start` on.
    pub(super) fn start(&mut self, config: &Config, group: usize, start: Time) {
        self.change(config, group, 1, |every| start.as_nanos().div_ceil(every));
    }

    /// A flow lived from `start` to `end`.
    pub(super) fn end(&mut self, config: &Config, group: usize, [start, end]: [Time; 2]) {
        // One that lived within an interval was counted from the next one on.
        let first = |every| start.as_nanos().div_ceil(every);
        self.change(config, group, -1, |every| first(every).max(end.as_nanos() / every));
    }

    fn change(&mut self, config: &Config, group: usize, by: i64, at: impl Fn(u64) -> u64) {
        for (metric, changes) in config.group_metrics.iter().zip(&mut self.changes) {
            if metric.groups.contains(&group) {
                *changes.entry(at(metric.every.as_nanos())).or_default() += by;
            }
        }
    }

    /// A series for each metric.
    pub(super) fn into_series(self, config: &Config) -> impl Iterator<Item = Series> {
        let found = self.found.into_iter().zip(self.changes).zip(&config.group_metrics);
        found.enumerate().map(|(metric, ((intervals, changes), sampled))| {
            let seconds = sampled.every.as_secs_f64();
            let mut flows = 0;
            let rows = (0..).zip(&intervals).flat_map(|(number, found)| {
                flows += changes.get(&number).copied().unwrap_or(0);
                [found.delivered as f64 * 8.0 / seconds, flows as f64, found.jain(flows)]
            });
            Series {
                subject: Subject::Group(metric),
                columns: vec!["throughput_bps", "flows", "jain"],
                values: rows.collect(),
                times: (1..=intervals.len() as u64)
                    .map(|n| Time::ZERO + sampled.every * n)
                    .collect(),
            }
        })
    }
}

impl GroupSampler {
    /// What a flow adds to the current interval; remembers its data.
    pub(super) fn take(&mut self, flow: &Flow, slot: usize, bytes: u64) -> GroupInterval {
        if slot >= self.seen.len() {
            self.seen.resize(slot + 1, (0, 0));
        }
        let (index, before) = self.seen[slot];
        let new = bytes - if index == flow.index { before } else { 0 };
        self.seen[slot] = (flow.index, bytes);
        let [begin, end] = self.interval;
        let is_whole =
            flow.start <= begin && flow.receiver.completed().is_none() && flow.sender.stop() >= end;
        if !is_whole {
            return GroupInterval { delivered: new, ..GroupInterval::default() };
        }
        let squares = u128::from(new) * u128::from(new);
        GroupInterval { delivered: new, sum: new, squares }
    }
}
