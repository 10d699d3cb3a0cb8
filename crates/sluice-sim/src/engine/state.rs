//! The state of a run.

use sluice_units::Time;

use super::agents::PlacedAgent;
use super::batch::Batch;
use super::group::GroupState;
use super::group_samplers::GroupSamplers;
use super::labels::Labels;
use super::measured::Measured;
use super::net::Net;
use super::records::Records;
use super::sacks::Sacks;
use super::telemetry::Telemetry;
use super::trace_buffer::TraceBuffer;
use super::udp_streams::UdpStreams;
use crate::config::Config;
use crate::host::{Flows, Timers};
use crate::observer::Observer;
use crate::packet::FlowKey;
use crate::police::Conviction;
use crate::sample_buffer::SampleBuffer;

/// A run. Each of the files beside this one implements a part of it.
pub(super) struct Engine<'a> {
    pub(super) config: &'a Config,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) net: Net,
    pub(super) hosts: Vec<Timers>,
    pub(super) flows: Flows,
    pub(super) udp: UdpStreams,
    pub(super) agents: Vec<PlacedAgent>,
    pub(super) groups: Vec<GroupState<'a>>,
    pub(super) sacks: Sacks,
    pub(super) telemetry: Telemetry,
    pub(super) labels: Labels,
    pub(super) records: Records,
    pub(super) batch: Batch,
    pub(super) flow_samples: Vec<SampleBuffer>,
    pub(super) measured: Measured,
    pub(super) trace: TraceBuffer,
    /// When the present event began; elements that run ahead are later.
    pub(super) clock: Time,
    pub(super) interrupted: bool,
    /// By metric: its flow, once it has started.
    pub(super) sampled_flows: Vec<Option<FlowKey>>,
    pub(super) group_samplers: GroupSamplers,
    /// Flows convicted, in the order in which links handled their packets.
    pub(super) convictions: Vec<Conviction>,
}
