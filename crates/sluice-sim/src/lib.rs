//! The packet engine: links, queues, hosts, traffic and probes, driven by the laws of
//! [`sluice_laws`].
//!
//! [`run`] takes a [`Config`] and a protocol and returns an [`Outcome`]; flows are reported to the
//! [`Observer`] as they end. The same configuration and seed give the same bytes on any machine and
//! any number of threads, with and without lookahead.
//!
//! It is fast because a packet is a plain value that moves from wire to wire, FIFO queues are settled
//! analytically, and an element with a single input runs ahead of the clock, so that only packets
//! that meet others at a shared link cost an event. ARCHITECTURE.md has the details.

mod alone;
mod by_class;
mod check;
mod cloud;
mod config;
mod engine;
pub mod fixed_point;
mod forecast;
mod host;
pub mod ideal;
pub mod limits;
mod link;
mod link_law;
mod link_laws;
mod model_info;
mod observer;
mod outcome;
mod packet;
mod plan;
mod police;
pub mod queue;
mod rng;
mod route;
mod sample_buffer;
mod samples;
pub mod schedule;
mod trace;
pub mod traffic;
mod wheel;

pub use by_class::{ByClass, ByClassError};
pub use check::ConfigError;
pub use cloud::{CloudConfig, IngressOutcome};
pub use config::{
    Config, FlowMetrics, GroupConfig, GroupMetrics, LinkConfig, LinkId, LinkMetrics, NodeId,
    Reroute, Routing, TraceConfig, WeightedPath,
};
pub use engine::{largest_rtpds, run};
pub use forecast::Forecast;
pub use link_law::LinkLaw;
pub use link_laws::LinkLaws;
pub use observer::{Observer, Progress};
pub use outcome::{DatagramCounts, FlowRecord, LinkOutcome, Outcome, PacketTotals, StreamRecord};
pub use police::{Conviction, Isolation, Police, PoliceOutcome, SampleAndHold};
pub use route::{Paths, RouteEpochs, Routes, Ways};
pub use samples::{Samples, Subject};
pub use trace::{PacketAction, PacketEvent, SenderEvent, TracedPacket};
