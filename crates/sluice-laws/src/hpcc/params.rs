//! The parameters of `hpcc`.

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Ratio, Span, above};

use crate::transport::LossRecovery;

/// Allowed target utilizations.
pub const TARGETS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(0.999));
/// Allowed numbers of stages.
pub const STAGES: RangeInclusive<u32> = 0..=1000;
/// Allowed numbers of flows.
pub const FLOWS: RangeInclusive<u32> = 1..=1_000_000;
/// Allowed base RTTs.
pub const RTTS: RangeInclusive<Span> = Span::from_nanos(100)..=Span::from_secs(10);

/// HPCC's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HpccParams {
    /// `eta`, the target utilization: the bytes in flight that senders aim at, over B T. Above 0 to 0.999.
    /// Default 0.95 (section 5.1).
    pub eta: Ratio,
    /// `maxStage`, the number of round trips of additive increase before a multiplicative one, 0 to 1000.
    /// Default 5 (section 5.1). The authors' published simulations have 0.
    pub max_stage: u32,
    /// `N`, the number of flows that share a link without a queue: a round trip adds
    /// `W_AI = W_init (1 - eta) / N` (section 3.3). 1 to 1,000,000. Default 100, which is close to the 80
    /// bytes of section 5.1 at 100 Gb/s and 13 us.
    pub flows: u32,
    /// `T`, the base RTT: one for all flows of a network, "slightly greater than the maximum" (section 5.1). From
    /// 100 ns to 10 s. Default: of each flow, the RTT of a full packet over its path without queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_rtt: Option<Span>,
    /// Loss recovery; that of `[transport]` by default. The paper's NICs retransmit all packets from the lost
    /// one on, or selectively; neither changes the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
}

impl Default for HpccParams {
    fn default() -> Self {
        Self {
            eta: Ratio::new(0.95),
            max_stage: 5,
            flows: 100,
            base_rtt: None,
            recovery: None,
            min_rto: None,
            initial_rto: None,
        }
    }
}
