//! The parameters of `ncp`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span};

use crate::router::QueueCounts;
use crate::transport::LossRecovery;

/// Equation by which routers count flows.
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
    /// Target utilization, above 0 to 1. Default 0.95 (not printed; decision 10): the rest carries
    /// acknowledgements, which no sum includes, and drains the queue.
    pub alpha: Ratio,
    /// Fraction of the queue to drain per d0, 0 to 10. Default 0.6 (not printed; decision 10). Stable
    /// below 1 if RTTs are d0, below 0.618 if they are twice that.
    pub beta: Ratio,
    /// The bytes that count as q. Default `"waiting"`: q is RCP's "instantaneous queue size" (section
    /// 2.2), which is 0 at RCP's equilibrium, on a full link.
    pub queue_counts: QueueCounts,
    /// Equation for the number of flows. Default (8), which the paper calls NCP.
    pub counted: FlowCount,
    /// Initial d0, until a header carries an RTT, 1 us to 10 s: the first interval. Default 10 ms
    /// (the paper has no value).
    pub initial_rtt: Span,
    /// Gain of the filter of d0, above 0 to 1. Default 0.02 (RCP's paper, from which section 2.2
    /// takes d0).
    pub rtt_gain: Ratio,
    /// Minimum R in packets per d0, above 0 to 1. Default 0.01 (RCP's; the paper has no value).
    pub min_rate: Ratio,
    /// Whether senders pace a window over an RTT, or send it as it opens. Default on
    /// (section 10.1; decision 10).
    pub paced: bool,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// Rate that senders request, above 0 (section 4). Default none: no limit.
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
