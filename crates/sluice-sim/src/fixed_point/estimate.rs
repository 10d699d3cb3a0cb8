//! The result of a fixed point, and why one is refused.

use std::fmt;

use sluice_units::{Bytes, Rate, Span};

use crate::check::ConfigError;
use crate::config::LinkId;

/// What models of sources and links agree on.
#[derive(Clone, Debug, PartialEq)]
pub struct SteadyState {
    /// Whether they agree.
    pub verdict: Verdict,
    /// Number of exchanges between sources and links.
    pub iterations: u32,
    /// The largest change that the last exchange would have made: of a grant, of a share or of a queue in parts of
    /// itself (of a queue, plus a packet), of losses in parts of what gets through, of a load, of a number of flows. The fixed point has 0.
    pub residual: f64,
    /// The link with that change; `None` without links.
    pub at: Option<LinkId>,
    /// One for each group, in the order of [`crate::Config::groups`].
    pub classes: Vec<ClassEstimate>,
    /// One for each link, in the order of [`crate::Config::links`].
    pub links: Vec<LinkEstimate>,
}

/// Whether sources and links agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The residual is within the tolerance.
    Converged,
    /// It is not after all iterations allowed. The numbers are those of the last one.
    NotConverged,
    /// Flows with a size bring these links as much as they can carry or more, so the number of flows grows for as
    /// long as they arrive: there is no steady state. Groups over these links have no completion time; other
    /// numbers are those of what such links let through, as far as they agree ([`SteadyState::residual`]).
    Overloaded(Vec<LinkId>),
}

/// The flows of one group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassEstimate {
    /// Mean completion time, as [`crate::FlowRecord::completion`]; `None` for flows without a size and streams,
    /// and in overload.
    pub afct: Option<Span>,
    /// Mean number of flows or streams at a time; `None` in overload.
    pub flows: Option<f64>,
    /// Data with headers that reach the receivers, all flows together.
    pub rate: Rate,
    /// Part of the packets that is lost on the way.
    pub loss: f64,
    /// Why the completion time may be far too low, if it may.
    pub doubt: Option<Doubt>,
}

/// What the models leave out, and matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Flows send less than [`FEW_PACKETS`] packets a round trip: probes, time-outs and the granularity of packets
    /// are not in the models.
    FewPackets,
    /// R is at no bound and has no damping (NCP-S), or one full buffer takes it to its least rate (RCP at RTTs of an
    /// interval): it swings, which a fixed point does not.
    Swings,
    /// More than [`MANY_LOSSES`] of the packets are lost: time-outs, and how far a law swings once a buffer
    /// overflows, are not.
    ManyLosses,
}

/// See [`Doubt::FewPackets`].
pub const FEW_PACKETS: f64 = 4.0;
/// See [`Doubt::ManyLosses`].
pub const MANY_LOSSES: f64 = 0.01;

/// One link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkEstimate {
    /// Bytes transmitted over capacity, in [0, 1].
    pub utilization: f64,
    /// Mean queue, without the packet in transmission; 1 PB where it grows for ever, at a link with streams above its
    /// capacity and an unlimited buffer.
    pub queue: Bytes,
    /// Part of the packets that it drops.
    pub loss: f64,
    /// The rate that its router grants; its capacity where it grants none.
    pub grant: Rate,
}

/// Why a configuration has no fixed point here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is no configuration.
    Invalid(ConfigError),
    /// No model has this: the path of a field, and what is missing.
    NotModelled(Vec<String>),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::NotModelled(found) => f.write_str(&found.join("\n")),
        }
    }
}

impl std::error::Error for Refused {}

impl From<ConfigError> for Refused {
    fn from(error: ConfigError) -> Self {
        Self::Invalid(error)
    }
}
