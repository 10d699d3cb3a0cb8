//! Samples of flows over time.

use sluice_units::Time;

use super::flows::flow_order;
use super::state::Engine;
use crate::config::{Config, FlowMetrics};
use crate::host::{FlowSampler, Owner, TimerId};
use crate::outcome::{Series, Subject};
use crate::packet::FlowKey;

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
            Some(number) => self.sample_group(number, now),
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
        let series = &mut self.flow_series[place];
        if series.columns.is_empty() {
            flow.sender.metrics(&mut |name, _| series.columns.push(name));
        }
        series.times.push(now);
        flow.sender.metrics(&mut |_, value| series.values.push(value));
        Some((flow.from as usize, timer, now + self.config.flow_metrics[place].every))
    }
}

/// A series for each of the flow metrics, empty until the flow starts.
pub(super) fn flow_series(config: &Config) -> Vec<Series> {
    let series = |sampler: &FlowMetrics| Series {
        subject: Subject::Flow { group: sampler.group, index: sampler.index },
        columns: Vec::new(),
        times: Vec::new(),
        values: Vec::new(),
    };
    config.flow_metrics.iter().map(series).collect()
}
