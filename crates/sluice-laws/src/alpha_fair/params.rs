//! The parameters of `alpha_fair`.

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span};

use crate::rcp;

/// Allowed values of [`AlphaFairParams::fairness`].
pub const FAIRNESS: RangeInclusive<Ratio> = Ratio::new(0.25)..=Ratio::new(6.0);
/// Allowed values of [`AlphaFairParams::max_rate`].
pub const MAX_RATES: RangeInclusive<Ratio> = Ratio::new(1.0)..=Ratio::new(100.0);

/// Which law decides how the traffic as a whole changes at a link of alpha-fair RCP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriceControl {
    /// RCP's, equation (2), without its queue term.
    #[default]
    Rcp,
    /// XCP's efficiency controller: equation (4.3) of its thesis, with the persistent queue and `gain` as alpha,
    /// decided once an average RTT. Links are used in full, so `gamma` and `interval` have no effect. beta is 0.226,
    /// for which the loop is stable with `gain` below 0.555 (XCP's Theorem 1).
    Xcp,
}

/// Alpha-fair RCP's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AlphaFairParams {
    /// alpha of alpha-fairness, 0.25 to 6. Default 1, proportional fairness. RCP is the limit of
    /// large values.
    pub fairness: Ratio,
    /// What steers the traffic as a whole. Default `"rcp"`; `"xcp"` has other fairness behind XCP's efficiency
    /// controller.
    pub efficiency: PriceControl,
    /// a, the gain on spare capacity (RCP's `alpha`), above 0 to 10 (to 2 with
    /// `efficiency = "xcp"`). Default 0.4, that of RCP's authors' code.
    pub gain: Ratio,
    /// Target utilization, above 0 to 1. Default 0.9: there is no queue term, and spare capacity
    /// keeps queues short.
    pub gamma: Ratio,
    /// Maximum interval between updates of R, 1 us to 10 s. Default RCP's, 10 ms.
    pub interval: Span,
    /// R(0) as a fraction of the capacity, above 0 to 1. Default RCP's, 0.05.
    pub initial_rate: Ratio,
    /// Maximum R, as a multiple of gamma times the capacity (with `efficiency = "xcp"`, of the
    /// capacity), 1 to 100. Default 4. A single flow over n equal links fills them if R is
    /// n^(1/alpha) times its rate. On a link that is not the bottleneck R stays at this maximum; the
    /// higher it is, the less the link affects the rates of its flows.
    pub max_rate: Ratio,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<rcp::RcpRecovery>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// Rate that senders request, above 0. Default none: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
}

impl Default for AlphaFairParams {
    fn default() -> Self {
        let rcp = rcp::RcpParams::default();
        Self {
            fairness: Ratio::new(1.0),
            efficiency: PriceControl::Rcp,
            gain: Ratio::new(0.4),
            gamma: Ratio::new(0.9),
            interval: rcp.interval,
            initial_rate: rcp.initial_rate,
            max_rate: Ratio::new(4.0),
            recovery: None,
            min_rto: None,
            initial_rto: None,
            desired_rate: None,
        }
    }
}

impl AlphaFairParams {
    /// The RCP that this is but for its header. Without a queue term: "feedback based on queue size
    /// may cause the queue to be less accurately controlled" (abstract).
    pub(super) fn rcp(&self) -> rcp::RcpParams {
        rcp::RcpParams {
            alpha: self.gain,
            beta: Ratio::new(0.0),
            gamma: self.gamma,
            interval: self.interval,
            initial_rate: self.initial_rate,
            recovery: self.recovery,
            min_rto: self.min_rto,
            initial_rto: self.initial_rto,
            desired_rate: self.desired_rate,
            ..rcp::RcpParams::default()
        }
    }
}
