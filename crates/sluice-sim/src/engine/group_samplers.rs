//! What samplers of groups keep: throughput and fairness over time.
//!
//! A sampler has a timer at the host that its group sends to. What flows received is read in that
//! host's own time, and how many flows there were follows from their starts and ends, so samples are
//! the same whatever runs ahead. Packets pay nothing for them.

use sluice_units::Time;

use super::group_intervals::{GroupInterval, GroupIntervals};
use crate::config::Config;
use crate::host::{Flow, Owner, TimerId, Timers};
use crate::observer::Observer;
use crate::traffic::FlowArrival;

/// The samplers of a run, and what they found.
#[derive(Default)]
pub(super) struct GroupSamplers {
    samplers: Vec<GroupSampler>,
    /// By group: its samplers, at most one for each metric.
    of_group: Vec<Vec<usize>>,
    metrics: Vec<GroupIntervals>,
    /// By metric and slot: how far the flow there has been sampled.
    sampled: Vec<Vec<SampledFlow>>,
}

/// Samples one group of a metric.
struct GroupSampler {
    metric: usize,
    group: usize,
    host: usize,
    timer: TimerId,
    /// When the current interval began, and ends.
    interval: [Time; 2],
    /// Of flows that lost their slots in the current interval.
    gone: GroupInterval,
    /// Bytes of streams of datagrams at the last sample.
    streams: u64,
    /// The slots of flows that may not have ended.
    slots: Vec<usize>,
}

/// A flow as a sampler knows it.
#[derive(Clone, Copy, Default)]
struct SampledFlow {
    /// Its place in the list of its sampler, if it is there.
    place: Option<usize>,
    /// Its data at the last sample.
    bytes: u64,
}

impl GroupSamplers {
    /// The samplers of a run, with their timers set.
    pub(super) fn new(config: &Config, hosts: &mut [Timers]) -> Self {
        let mut all = Self {
            of_group: vec![Vec::new(); config.groups.len()],
            metrics: (0..).zip(&config.group_metrics).map(GroupIntervals::new).collect(),
            sampled: vec![Vec::new(); config.group_metrics.len()],
            ..Self::default()
        };
        for (metric, sampled) in config.group_metrics.iter().enumerate() {
            for &group in &sampled.groups {
                let host = config.groups[group].to;
                let number = config.flow_metrics.len() + all.samplers.len();
                let order = u64::MAX - number as u64;
                let timer = hosts[host].register(order, Owner::Sampler(number as u32));
                let interval = [Time::ZERO, Time::ZERO + sampled.every];
                hosts[host].set(timer, interval[1]);
                all.of_group[group].push(all.samplers.len());
                let (gone, slots) = (GroupInterval::default(), Vec::new());
                all.samplers.push(GroupSampler {
                    metric,
                    group,
                    host,
                    timer,
                    interval,
                    gone,
                    streams: 0,
                    slots,
                });
            }
        }
        all
    }

    /// Whether the run has any.
    #[inline]
    pub(super) fn is_used(&self) -> bool {
        !self.samplers.is_empty()
    }

    /// Emits the intervals that ended before `time`, which the clock has reached.
    pub(super) fn emit(&mut self, time: Time, observer: &mut dyn Observer) {
        self.metrics.iter_mut().for_each(|metric| metric.emit(time, observer));
    }

    /// A flow starts in a slot. One without a size also has its end.
    pub(super) fn start(&mut self, group: usize, slot: usize, arrival: &FlowArrival) {
        for &number in &self.of_group[group] {
            let sampler = &mut self.samplers[number];
            let sampled = &mut self.sampled[sampler.metric];
            if slot >= sampled.len() {
                sampled.resize(slot + 1, SampledFlow::default());
            }
            sampled[slot] = SampledFlow { place: Some(sampler.slots.len()), bytes: 0 };
            sampler.slots.push(slot);
            let metric = &mut self.metrics[sampler.metric];
            metric.start(arrival.start);
            if arrival.size.is_none() {
                metric.end(arrival.start, arrival.stop);
            }
        }
    }

    /// The flow of a slot is over, has received `bytes`, and loses the slot.
    pub(super) fn replace(&mut self, flow: &Flow, slot: usize, bytes: u64) {
        for place in 0..self.of_group[flow.group as usize].len() {
            let number = self.of_group[flow.group as usize][place];
            if self.sampled[self.samplers[number].metric][slot].place.is_some() {
                let received = self.take(number, flow, slot, bytes);
                self.samplers[number].gone += received;
                self.forget(number, flow, slot);
            }
        }
    }

    /// The group of a sampler.
    pub(super) fn group(&self, number: usize) -> usize {
        self.samplers[number].group
    }

    /// An interval of a sampler ends, by when each flow has received `delivered` and the streams of
    /// datagrams together `streams` bytes. Returns the host and the timer of the next sample, and its
    /// time.
    pub(super) fn sample(
        &mut self,
        number: usize,
        flows: &[Flow],
        delivered: impl Fn(&Flow) -> u64,
        streams: u64,
    ) -> (usize, TimerId, Time) {
        let mut received = std::mem::take(&mut self.samplers[number].gone);
        let mut place = 0;
        while let Some(&slot) = self.samplers[number].slots.get(place) {
            let flow = &flows[slot];
            received += self.take(number, flow, slot, delivered(flow));
            if flow.receiver.completed().is_some() {
                // The last of the list takes its place.
                self.forget(number, flow, slot);
            } else {
                place += 1;
            }
        }
        let sampler = &mut self.samplers[number];
        let new = streams - std::mem::replace(&mut sampler.streams, streams);
        // They are no flows whose shares could be fair.
        received += GroupInterval::of(new, false);
        let metric = &mut self.metrics[sampler.metric];
        let [begin, end] = sampler.interval;
        metric.add(begin, received);
        sampler.interval = [end, end + metric.every()];
        (sampler.host, sampler.timer, sampler.interval[1])
    }

    /// What a flow with that many bytes adds to the current interval of a sampler.
    fn take(&mut self, number: usize, flow: &Flow, slot: usize, bytes: u64) -> GroupInterval {
        let sampler = &self.samplers[number];
        let before = &mut self.sampled[sampler.metric][slot].bytes;
        let new = bytes - std::mem::replace(before, bytes);
        let [begin, end] = sampler.interval;
        let is_whole =
            flow.start <= begin && flow.receiver.completed().is_none() && flow.sender.stop() >= end;
        GroupInterval::of(new, is_whole)
    }

    /// Removes a flow that is over from a sampler's list.
    fn forget(&mut self, number: usize, flow: &Flow, slot: usize) {
        let GroupSampler { metric, slots, .. } = &mut self.samplers[number];
        let sampled = &mut self.sampled[*metric];
        if let Some(place) = sampled[slot].place.take() {
            slots.swap_remove(place);
            if let Some(&moved) = slots.get(place) {
                sampled[moved].place = Some(place);
            }
        }
        if let Some(end) = flow.receiver.completed() {
            self.metrics[*metric].end(flow.start, end);
        }
    }
}
