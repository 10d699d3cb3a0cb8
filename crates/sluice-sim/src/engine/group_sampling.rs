//! Samples of groups over time, and the flows that they count.
//!
//! A flow that is over is counted at the next sample, or when another takes its slot: the path of
//! packets has no part in it.

use sluice_units::Time;

use super::state::Engine;
use crate::config::Config;
use crate::host::{Flow, TimerId};
use crate::traffic::FlowArrival;

impl Engine<'_> {
    /// An interval of a sampler ends. Returns the host and the timer of the next sample, and its time.
    pub(super) fn sample_group(&mut self, number: usize) -> Option<(usize, TimerId, Time)> {
        let delivered = |flow: &Flow| delivered(flow, self.config);
        let streams = self.udp.delivered(self.group_samplers.group(number));
        let next = self.group_samplers.sample(number, self.flows.slots(), delivered, streams);
        (next.2 <= self.net.end).then_some(next)
    }

    /// A flow starts, and may take the slot of one that is over.
    #[cold]
    pub(super) fn sample_started(&mut self, group: usize, arrival: &FlowArrival) {
        let slots = self.flows.slots();
        let slot = self.flows.next_slot();
        if let Some(over) = slots.get(slot) {
            self.group_samplers.replace(over, slot, delivered(over, self.config));
        }
        self.group_samplers.start(group, slot, arrival);
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
