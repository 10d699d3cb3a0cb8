//! The laws that are modelled, with what the models take of their parameters.

use serde::{Deserialize, Serialize};
use sluice_laws::ncp::FlowCount;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::tcp::SlowStart;
use sluice_laws::transport::EcnMode;
use sluice_laws::xcp::Efficiency;

use super::estimate::Refused;

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
    /// In seconds.
    pub(super) min_rto: f64,
}

impl Model {
    /// The model of a law with these parameters.
    pub(super) fn of(law: Law, parameters: &Parameters) -> Result<Self, Refused> {
        let Some(name) = law.protocol() else { return Ok(Self::Fluid) };
        let mut missing = Vec::new();
        let mut need = |holds: bool, what: &str| {
            if !holds {
                missing.push(format!("{name}.{what}"));
            }
        };
        let protocol = parameters.protocol(name);
        let transport = protocol.transport(&parameters.transport);
        need(protocol.desired_rate().is_none(), "desired_rate: limits are not modelled");
        need(transport.ecn == EcnMode::Off, "ecn: marks are not modelled");
        let initial_window = f64::from(transport.initial_window);
        let model = match law {
            Law::MaxMin => Self::Fluid,
            Law::Rcp => {
                let rcp = &parameters.rcp;
                Self::Granted(Granted {
                    kind: GrantKind::Rcp,
                    target: rcp.gamma.get(),
                    spare_gain: rcp.alpha.get(),
                    queue_gain: rcp.beta.get(),
                    min_rate: rcp.min_rate.get(),
                    interval: rcp.interval.as_secs_f64(),
                })
            }
            Law::Ncp => {
                let ncp = &parameters.ncp;
                let kind = match ncp.counted {
                    FlowCount::Eq6 => Some(GrantKind::NcpS),
                    FlowCount::Eq8 => Some(GrantKind::Ncp),
                    FlowCount::Eq5 | FlowCount::Eq12 => None,
                };
                need(kind.is_some(), "counted: only \"eq8\" and \"eq6\" are modelled");
                need(!ncp.compensated, "compensated: not modelled");
                need(ncp.paced, "paced: windows that are not paced are not modelled");
                Self::Granted(Granted {
                    kind: kind.unwrap_or(GrantKind::Ncp),
                    target: ncp.alpha.get(),
                    spare_gain: 1.0,
                    queue_gain: ncp.beta.get(),
                    // "At least a packet an RTT": its senders go no slower, whatever is granted.
                    min_rate: 1.0,
                    interval: f64::INFINITY,
                })
            }
            Law::Xcp => {
                let xcp = &parameters.xcp;
                let spare = xcp.efficiency == Efficiency::Spare;
                need(spare, "efficiency: only \"spare\" is modelled");
                need(xcp.rtt_groups.is_one(), "rtt_groups: groups are not modelled");
                need(xcp.configured_capacity.is_none(), "configured_capacity: not modelled");
                need(!xcp.fallback, "fallback: not modelled");
                let (alpha, gamma) = (xcp.alpha.get(), xcp.gamma.get());
                Self::Xcp(Xcp { alpha, gamma, initial_window })
            }
            Law::Tcp => {
                let tcp = &parameters.tcp;
                need(tcp.initial_ssthresh.is_none(), "initial_ssthresh: not modelled");
                let standard = tcp.slow_start == SlowStart::Standard;
                need(standard, "slow_start: only \"standard\" is modelled");
                Self::Tcp(Tcp { initial_window, min_rto: transport.min_rto.as_secs_f64() })
            }
        };
        if missing.is_empty() { Ok(model) } else { Err(Refused::NotModelled(missing)) }
    }

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
