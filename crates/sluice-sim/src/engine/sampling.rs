//! Samples of flows over time.

use sluice_units::Time;

use super::state::Engine;
use crate::config::{Config, FlowMetrics};
use crate::host::{FlowSampler, Owner, TimerId, flow_order};
use crate::packet::FlowKey;
use crate::sample_buffer::SampleBuffer;
use crate::samples::Subject;

impl Engine<'_> {
    /// Sets the timer of a flow's sampler, if it has one.
    pub(super) fn await_sample(&mut self, key: FlowKey, group: usize, index: u64, now: Time) {
        let mut samplers = self.config.flow_metrics.iter();
        let Some(place) = samplers.position(|p| p.group == group && p.index == index) else {
            return;
        };
        let Some(flow) = self.flows.get(key) else { return };
        let order = flow_order(group, index);
        let host = &mut self.hosts[flow.from as usize];
        let timer = host.register(order, Owner::Sampler(place as u32));
        self.sampled_flows[place] = Some(key);
        flow.sampler = Some(FlowSampler { place, timer });
        host.set(timer, now + self.config.flow_metrics[place].every);
    }

    /// The timer of a sampler fires.
    #[cold]
    pub(super) fn sample(&mut self, number: usize, now: Time) {
        let next = match number.checked_sub(self.config.flow_metrics.len()) {
            None => self.sample_flow(number, now),
            Some(number) => self.sample_group(number),
        };
        if let Some((host, timer, time)) = next {
            self.hosts[host].set(timer, time);
        }
    }

    /// Samples a flow. Returns the host and the timer of the next sample, and its time.
    fn sample_flow(&mut self, place: usize, now: Time) -> Option<(usize, TimerId, Time)> {
        let flow = self.flows.get(self.sampled_flows[place]?)?;
        let FlowSampler { place, timer } = flow.sampler?;
        if flow.sender.is_closed() {
            return None;
        }
        let samples = &mut self.flow_samples[place];
        samples
            .name_columns(|columns| flow.sender.metrics(&mut |name, _| columns.push(name.into())));
        let values = samples.add_row(now);
        flow.sender.metrics(&mut |_, value| values.push(value));
        Some((flow.from as usize, timer, now + self.config.flow_metrics[place].every))
    }

    /// Schedules the next emission, so that some ten thousand samples wait for it at most. Its time does
    /// not depend on what runs ahead, nor does then the order of samples.
    pub(super) fn await_emission(&mut self, now: Time) {
        const ROWS: u64 = 1 << 16;
        let Config { link_metrics, flow_metrics, group_metrics, .. } = self.config;
        let links = link_metrics.iter().map(|sampled| sampled.every);
        let flows = flow_metrics.iter().map(|sampled| sampled.every);
        let every = links.chain(flows).chain(group_metrics.iter().map(|sampled| sampled.every));
        let metrics = (link_metrics.len() + flow_metrics.len() + group_metrics.len()) as u64;
        if let Some(shortest) = every.min() {
            let next = now + shortest * (ROWS / metrics).max(1);
            self.net.wheel.schedule(self.sample_actor(), next);
        }
    }

    /// Samples are to be emitted, also those of idle links.
    #[cold]
    pub(super) fn samples_due(&mut self, now: Time) {
        for place in 0..self.config.link_metrics.len() {
            self.settle(self.config.link_metrics[place].link, now);
        }
        self.emit_samples(now);
        self.await_emission(now);
    }

    /// Emits all samples before `time`, which the clock has reached.
    pub(super) fn emit_samples(&mut self, time: Time) {
        for sampled in &self.config.link_metrics {
            if let Some(samples) = self.net.links[sampled.link].samples() {
                samples.emit(time, self.observer);
            }
        }
        self.flow_samples.iter_mut().for_each(|samples| samples.emit(time, self.observer));
        self.group_samplers.emit(time, self.observer);
    }
}

/// Where the samples of each of the flow metrics wait.
pub(super) fn flow_samples(config: &Config) -> Vec<SampleBuffer> {
    let subject = |sampler: &FlowMetrics| {
        let FlowMetrics { group, index, .. } = *sampler;
        Subject::Flow { group, index }
    };
    config.flow_metrics.iter().map(subject).map(SampleBuffer::without_columns).collect()
}
