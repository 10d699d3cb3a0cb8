//! What a run reports while it goes on.

use sluice_units::{Bytes, Time};

use crate::outcome::{FlowRecord, StreamRecord};
use crate::police::Conviction;
use crate::samples::Samples;
use crate::trace::{PacketEvent, SenderEvent};

/// Receives what a run reports while it goes on.
pub trait Observer {
    /// A flow ended, or the run did before it. Records are ordered by the time at which the sender
    /// learnt that its flow had finished, then group and index; unfinished flows come last.
    fn flow(&mut self, record: &FlowRecord);

    /// A stream of datagrams, once at the end of the run. Ordered by group and index, after all flows.
    fn stream(&mut self, _record: &StreamRecord) {}

    /// A flow that a policing agent convicted, at the end of the run. Ordered by time, link, group, index.
    fn conviction(&mut self, _conviction: &Conviction) {}

    /// Called every few milliseconds of real time; `false` ends the run now and keeps the flows that
    /// have finished.
    fn tick(&mut self, progress: Progress) -> bool;

    /// More samples of one of [`crate::Config::link_metrics`], [`crate::Config::flow_metrics`] or
    /// [`crate::Config::group_metrics`], soon after the clock has passed them. Those of one subject are
    /// in order of time. An ideal samples links only.
    fn samples(&mut self, _samples: &Samples<'_>) {}

    /// A packet event at a link of [`crate::TraceConfig::links`]. Ordered by time, then link; events
    /// of one link at one instant in the order in which they happened.
    fn packet(&mut self, _event: &PacketEvent) {}

    /// A sender of [`crate::TraceConfig::groups`] got a reply, or its window or pace changed. Ordered
    /// by time, group, index.
    fn sender(&mut self, _event: &SenderEvent) {}
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The run's clock.
    pub now: Time,
    /// When measuring ends.
    pub stop: Time,
    /// Measured flows that have arrived.
    pub measured: u64,
    /// Measured flows that have finished.
    pub finished: u64,
    /// Memory of what may grow without bound: packets in queues and on wires, their telemetry, flows, traced events
    /// that wait for the clock. Queues that nothing limits may take all there is.
    pub memory: Bytes,
}
