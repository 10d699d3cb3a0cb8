//! The parameters of `ncp_increments`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span};

use crate::router::QueueCounts;
use crate::transport::LossRecovery;
use crate::xcp::XcpParams;

/// What section 8.2 multiplies equation (21), R_i' = R_i + Delta R, with. R is NCP's rate.
///
/// It names two factors, and not whether they multiply Delta R or all of R_i'. Each of its two aims fits one
/// reading alone. *R_j / R* keeps rates in proportion if it multiplies Delta R; of all of R_i' it would
/// leave R_i^2 / R at Delta R = 0, which doubles every deviation from R. *R / R_j* makes rates equal if it
/// multiplies all: R_i' is R at Delta R = 0, as NCP's. Of Delta R alone it would take more from small flows than from
/// large ones while Delta R is below zero, and leave them as they are at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// Nothing, as printed: all rates change by the same amount, up and down.
    #[default]
    Equal,
    /// Delta R by R_j / R: "to keep the flow sending rate proportional to its current rate".
    Proportional,
    /// All of it by R / R_j, of Delta R by at most 1: "to adjust the sending rates to the equal share".
    EqualShare,
}

/// The parameters of XCP derived from NCP.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NcpIncrementsParams {
    /// Part of the spare capacity to divide per d0, above 0 to 2. Default 0.4, XCP's. Section 8.2 divides
    /// all of it, 1, with which the loop is unstable (decision 27).
    pub alpha: Ratio,
    /// Part of the queue to drain per d0, 0 to 2. Default 0.226, XCP's; 1 in section 8.2.
    pub beta: Ratio,
    /// The factor of equation (21). Default none.
    pub sharing: Sharing,
    /// The bytes that count as q. Default `"waiting"`, as for `ncp`.
    pub queue_counts: QueueCounts,
    /// Initial d0, until a header carries an RTT, 1 us to 10 s: the first interval. Default 10 ms, as for `ncp`.
    pub initial_rtt: Span,
    /// Gain of the filter of d0, above 0 to 1. Default 0.02, as for `ncp`.
    pub rtt_gain: Ratio,
    /// Initial window in packets, 1 to 1000; that of `[transport]` by default. Section 8.2 has none, as XCP's
    /// thesis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_window: Option<u32>,
    /// Rate that applications request, above 0. Default none: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Whether receivers acknowledge every second packet, with the sum of its feedback, or each; as in
    /// `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed_ack: Option<bool>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
}

impl Default for NcpIncrementsParams {
    fn default() -> Self {
        let xcp = XcpParams::default();
        Self {
            alpha: xcp.alpha,
            beta: xcp.beta,
            sharing: Sharing::Equal,
            queue_counts: QueueCounts::Waiting,
            initial_rtt: Span::from_millis(10),
            rtt_gain: Ratio::new(0.02),
            initial_window: None,
            desired_rate: None,
            recovery: None,
            delayed_ack: None,
            min_rto: None,
            initial_rto: None,
        }
    }
}

impl NcpIncrementsParams {
    /// The XCP whose hosts these are.
    pub(super) fn xcp(&self) -> XcpParams {
        XcpParams {
            initial_window: self.initial_window,
            desired_rate: self.desired_rate,
            recovery: self.recovery,
            delayed_ack: self.delayed_ack,
            min_rto: self.min_rto,
            initial_rto: self.initial_rto,
            ..XcpParams::default()
        }
    }
}
