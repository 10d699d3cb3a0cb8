//! The parameters of `tfrc`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::Span;

use crate::transport::{EcnMode, LossRecovery, TransportOverrides};

/// W_init of RFC 5348 section 4.2, min(4 MSS, max(2 MSS, 4380 bytes)), for segments of 1095 to 2190 bytes, in
/// packets.
const INITIAL_WINDOW: u32 = 3;

/// TFRC's parameters: those of a transport, and the two options of the RFC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TfrcParams {
    /// Packets in the first round trip, 1 to 1000. Default 3, W_init of RFC 5348 section 4.2 for segments of
    /// 1460 bytes; `[transport]` has that of TCP today.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_window: Option<u32>,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Whether receivers acknowledge every second packet (RFC 5681 section 4.2) or each; as in `[transport]`
    /// by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed_ack: Option<bool>,
    /// Whether packets are ECN-capable: marks count as losses (section 5.1); as in `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<EcnMode>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// Whether the rate falls while the RTT is above its average (section 4.5), which damps oscillations
    /// where few flows share a queue. Default on; the RFC leaves the choice.
    pub reduce_oscillations: bool,
    /// Whether a loss interval longer than twice the average reduces the weight of older ones (section 5.5).
    /// Default on; the RFC leaves the choice.
    pub history_discounting: bool,
}

impl Default for TfrcParams {
    fn default() -> Self {
        Self {
            initial_window: None,
            recovery: None,
            delayed_ack: None,
            ecn: None,
            min_rto: None,
            initial_rto: None,
            reduce_oscillations: true,
            history_discounting: true,
        }
    }
}

impl TfrcParams {
    /// The fields of the transport that its table overrides; the initial window is the RFC's otherwise.
    pub(super) fn transport_overrides(&self) -> TransportOverrides {
        TransportOverrides {
            initial_window: self.initial_window.or(Some(INITIAL_WINDOW)).into(),
            recovery: self.recovery.into(),
            delayed_ack: self.delayed_ack.into(),
            ecn: self.ecn.into(),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
        }
    }
}
