//! The laws that are modelled, with what the models take of their parameters.

use serde::{Deserialize, Serialize};
use sluice_laws::registry::ProtocolName;

/// The law of all flows with a size or without an end. Streams of datagrams have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// Fluid max-min fairness, as [`crate::ideal::Ideal::MaxMin`] has it.
    MaxMin,
    /// RCP.
    Rcp,
    /// NCP, by equation (8) or, as NCP-S, (6).
    Ncp,
    /// XCP.
    Xcp,
    /// TCP Reno with drop tail.
    Tcp,
}

impl Law {
    /// Every law there is.
    pub const ALL: &'static [Self] = &[Self::MaxMin, Self::Rcp, Self::Ncp, Self::Xcp, Self::Tcp];

    /// The law of a protocol; `None` if there is no model of it.
    pub fn of(protocol: ProtocolName) -> Option<Self> {
        Self::ALL.iter().copied().find(|law| law.protocol() == Some(protocol))
    }

    /// The protocol whose law it is; `None` for the ideal.
    pub fn protocol(self) -> Option<ProtocolName> {
        match self {
            Self::MaxMin => None,
            Self::Rcp => Some(ProtocolName::Rcp),
            Self::Ncp => Some(ProtocolName::Ncp),
            Self::Xcp => Some(ProtocolName::Xcp),
            Self::Tcp => Some(ProtocolName::Tcp),
        }
    }
}

/// A law and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Model {
    /// Links share perfectly, without queues.
    Fluid,
    /// Links grant a rate.
    Granted(Granted),
    /// Links grant changes of windows.
    Xcp(Xcp),
    /// Links only queue.
    Tcp(Tcp),
}

/// Laws that grant R.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Granted {
    pub(super) kind: GrantKind,
    /// The utilization that R is steered to: RCP's gamma, NCP's alpha.
    pub(super) target: f64,
    /// RCP's alpha; 1 for NCP, which has no such gain.
    pub(super) spare_gain: f64,
    /// beta.
    pub(super) queue_gain: f64,
    /// The least rate of a flow, in packets a d0.
    pub(super) min_rate: f64,
    /// The longest interval between updates, in seconds; infinite if intervals are d0.
    pub(super) interval: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrantKind {
    Rcp,
    /// (8): N is the number of flows.
    Ncp,
    /// (6): N is what arrives over R.
    NcpS,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Xcp {
    pub(super) alpha: f64,
    pub(super) gamma: f64,
    /// In packets.
    pub(super) initial_window: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tcp {
    /// In packets.
    pub(super) initial_window: f64,
    /// The least time-out, and its least distance from the RTT, in seconds.
    pub(super) min_rto: f64,
    pub(super) rto_margin: f64,
}

impl Model {
    /// The part of a link that flows can fill.
    pub(super) fn target(&self) -> f64 {
        match self {
            Self::Granted(granted) => granted.target,
            Self::Fluid | Self::Xcp(_) | Self::Tcp(_) => 1.0,
        }
    }

    /// Whether links have to run a router law.
    pub(super) fn needs_routers(&self) -> bool {
        matches!(self, Self::Granted(_) | Self::Xcp(_))
    }
}
