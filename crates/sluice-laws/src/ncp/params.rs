//! The parameters of `ncp`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span};

use crate::router::QueueCounts;
use crate::transport::LossRecovery;

/// By which equation a router counts flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlowCount {
    /// (8): the sum of 1 / R_j over d0. The number of flows whatever their RTTs; of flows that
    /// send for a part of the time, that part.
    #[default]
    Eq8,
    /// (5): the sum of 1 / w_j. Counts a flow of RTT_i as d0 / RTT_i of one.
    Eq5,
    /// (6), NCP-S: what arrives over the last R, "less work at the routers". Undamped in its own
    /// delay: R swings with a period of 6 d0.
    Eq6,
}

/// NCP's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NcpParams {
    /// Part of the capacity to fill, above 0 to 1. Default 0.95 (not printed; decision 10): the rest
    /// is for acknowledgements, which are in no sum, and to drain the queue.
    pub alpha: Ratio,
    /// Part of the queue to drain in a d0, 0 to 10. Default 0.6 (not printed; decision 10). Stable
    /// below 1 if RTTs are d0, below 0.618 if they are twice that.
    pub beta: Ratio,
    /// Which bytes are q. Default those that wait: q is RCP's "instantaneous queue size" (section
    /// 2.2), which is 0 at RCP's equilibrium, on a full link.
    pub queue_counts: QueueCounts,
    /// How flows are counted. Default (8), which the paper calls NCP.
    pub counted: FlowCount,
    /// d0 until the first header with an RTT arrives, 1 us to 10 s: a new link's first interval.
    /// Default 10 ms (the paper is silent).
    pub initial_rtt: Span,
    /// By how much each packet moves d0 to its RTT, above 0 to 1. Default 0.02 (that of RCP's paper,
    /// from which section 2.2 takes d0).
    pub rtt_gain: Ratio,
    /// Least R in packets a d0, above 0 to 1. Default 0.01 (RCP's; the paper names none).
    pub min_rate: Ratio,
    /// Whether senders space a window over an RTT, or send it as it opens. Default on
    /// (section 10.1; decision 10).
    pub paced: bool,
    /// How lost packets are found and repaired; by default as `[transport]` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Least time-out, above 0 to 60 s; by default that of `[transport]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; by default that of `[transport]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// The rate a sender asks for, above 0 (section 4). Default none: as much as possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
}

impl Default for NcpParams {
    fn default() -> Self {
        Self {
            alpha: Ratio::new(0.95),
            beta: Ratio::new(0.6),
            queue_counts: QueueCounts::Waiting,
            counted: FlowCount::Eq8,
            initial_rtt: Span::from_millis(10),
            rtt_gain: Ratio::new(0.02),
            min_rate: Ratio::new(0.01),
            paced: true,
            recovery: None,
            min_rto: None,
            initial_rto: None,
            desired_rate: None,
        }
    }
}
