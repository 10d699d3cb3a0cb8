//! Samples of groups over time, and the flows that they count.
//!
//! A flow that is over is counted at the next sample, or when another takes its slot: the path of
//! packets has no part in it.

use sluice_units::Time;

use super::group_samplers::GroupInterval;
use super::state::Engine;
use crate::config::Config;
use crate::host::{Flow, TimerId};
use crate::traffic::FlowArrival;

impl Engine<'_> {
    /// An interval of a sampler ends. Returns the host and the timer of the next sample, and its time.
    pub(super) fn sample_group(
        &mut self,
        number: usize,
        now: Time,
    ) -> Option<(usize, TimerId, Time)> {
        let sampler = &mut self.group_samplers.samplers[number];
        let mut found = std::mem::take(&mut sampler.ended);
        for (slot, flow) in self.flows.slots().iter().enumerate() {
            if flow.group as usize == sampler.group {
                found = found.plus(sampler.take(flow, slot, delivered(flow, self.config)));
            }
        }
        let every = self.config.group_metrics[sampler.metric].every;
        sampler.interval = [now, now + every];
        let next = (sampler.host, sampler.timer, now + every);
        let place = (now.as_nanos() / every.as_nanos() - 1) as usize;
        let intervals = &mut self.group_samplers.found[sampler.metric];
        if place >= intervals.len() {
            intervals.resize(place + 1, GroupInterval::default());
        }
        intervals[place] = intervals[place].plus(found);
        (next.2 <= self.net.end).then_some(next)
    }

    /// A flow starts, and takes the slot of one that is over. A flow without a size also has its end.
    #[cold]
    pub(super) fn sample_started(&mut self, group: usize, arrival: &FlowArrival) {
        if let Some(slot) = self.flows.next_slot() {
            self.sample_replaced(slot);
        }
        self.group_samplers.start(self.config, group, arrival.start);
        if arrival.size.is_none() {
            self.group_samplers.end(self.config, group, [arrival.start, arrival.stop]);
        }
    }

    /// Counts what the flow of a slot received since the last sample, and its end.
    fn sample_replaced(&mut self, slot: usize) {
        let flow = &self.flows.slots()[slot];
        let (bytes, group) = (delivered(flow, self.config), flow.group as usize);
        let samplers = self.group_samplers.samplers.iter_mut();
        for sampler in samplers.filter(|sampler| sampler.group == group) {
            let found = sampler.take(flow, slot, bytes);
            sampler.ended = sampler.ended.plus(found);
        }
        if let Some(end) = flow.receiver.completed() {
            self.group_samplers.end(self.config, group, [flow.start, end]);
        }
    }

    /// At the end of the run, counts the ends of the flows that are still in their slots.
    pub(super) fn sample_completed(&mut self) {
        for flow in self.flows.slots() {
            if let Some(end) = flow.receiver.completed() {
                let group = flow.group as usize;
                self.group_samplers.end(self.config, group, [flow.start, end]);
            }
        }
    }
}

/// The data that a flow's receiver has, each byte once. The last packet counts as a full one until the
/// flow is complete.
fn delivered(flow: &Flow, config: &Config) -> u64 {
    let packets = flow.receiver.received() * (config.packet - config.header).as_u64();
    match flow.size {
        Some(size) if flow.receiver.completed().is_some() => size,
        _ => packets,
    }
}
