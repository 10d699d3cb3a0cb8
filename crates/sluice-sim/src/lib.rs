//! The packet engine: links, queues, hosts, traffic and probes, driven by the laws of
//! [`sluice_laws`].
//!
//! [`run`] takes a [`Config`] and a protocol and gives back an [`Outcome`]; flows go to the
//! [`Observer`] as they end. The same configuration and seed give the same bytes on any machine and
//! any number of threads, with and without lookahead.
//!
//! How it is fast: a packet is a plain value that moves from wire to wire; FIFO queues are settled
//! analytically; an element with a single input runs ahead of the clock, so that only packets that
//! meet others at a shared link cost an event. ARCHITECTURE.md tells the whole of it.

mod alone;
mod check;
mod config;
mod engine;
mod host;
pub mod ideal;
mod link;
mod outcome;
mod packet;
mod plan;
pub mod queue;
mod rng;
mod route;
mod trace;
pub mod traffic;
mod wheel;

pub use check::ConfigError;
pub use config::{
    Config, FlowMetrics, GroupConfig, LinkConfig, LinkId, LinkMetrics, NodeId, TraceConfig,
};
pub use engine::run;
pub use outcome::{FlowRecord, LinkOutcome, Outcome, PacketTotals, Series, Subject};
pub use route::{Paths, Routes};
pub use trace::{PacketAction, PacketEvent, SenderEvent, TracedPacket};

use sluice_units::Time;

/// Who a run reports to while it goes on.
pub trait Observer {
    /// A flow ended, or the run did before it. Records come ordered by the time the sender learnt
    /// that its flow had finished, then group and index; unfinished flows come last.
    fn flow(&mut self, record: &FlowRecord);

    /// Called every few milliseconds of real time; `false` ends the run now, keeping what finished.
    fn tick(&mut self, progress: Progress) -> bool;

    /// Something happened to a packet at a link of [`TraceConfig::links`]. Ordered by time, then link;
    /// those of one link at one instant as they happened there.
    fn packet(&mut self, _event: &PacketEvent) {}

    /// A sender of [`TraceConfig::groups`] may do something else than before, or was answered. Ordered by
    /// time, group, index.
    fn sender(&mut self, _event: &SenderEvent) {}
}

/// How far a run has got.
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
}
