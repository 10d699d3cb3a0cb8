//! Alpha-fair RCP: routers add up prices instead of taking the least rate, so that the shares on a
//! network are those of a fairness that one chooses.
//!
//! After F. Kelly, G. Raina, T. Voice, "Stability and fairness of explicit congestion control with
//! small buffers" (CCR 38:3, 2008). RCP's least rate is max-min fair. There a flow on route r sends
//!
//! ```text
//! x_r = w_r (sum over links j of r of R_j^-alpha)^(-1/alpha)
//! ```
//!
//! and each link moves its R_j as RCP does, without a queue term. At equilibrium the rates are
//! alpha-fair (Mo and Walrand, 2000): proportional fairness for alpha = 1, nearer to max-min the
//! larger alpha is. On one link all are RCP.
//!
//! So this is RCP with another header: [`router`] and [`host`] hold RCP's own and translate between
//! its rates and what packets carry ([`price`]). RCP's receiver copies words, and serves as it is.

pub mod header;
pub mod host;
pub mod price;
pub mod router;

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::rcp;
use crate::router::{LawHeader as _, LinkRouter, RouterPort};
use crate::transport::TransportOverrides;
use crate::wire::Form;

/// Allowed values of [`AlphaFairParams::fairness`].
pub const FAIRNESS: RangeInclusive<Ratio> = Ratio::new(0.25)..=Ratio::new(6.0);
/// Allowed values of [`AlphaFairParams::max_rate`].
pub const MAX_RATES: RangeInclusive<Ratio> = Ratio::new(1.0)..=Ratio::new(100.0);

/// Alpha-fair RCP's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AlphaFairParams {
    /// alpha of alpha-fairness, 0.25 to 6. Default 1, proportional fairness. RCP is the limit for
    /// ever larger ones.
    pub fairness: Ratio,
    /// a, the gain on spare capacity (RCP's `alpha`), above 0 to 10. Default 0.4, that of RCP's
    /// authors' code.
    pub gain: Ratio,
    /// Part of the capacity to fill, above 0 to 1. Default 0.9: without a queue term, what is left
    /// keeps queues short.
    pub gamma: Ratio,
    /// The longest interval between updates of R, 1 us to 10 s. Default RCP's, 10 ms.
    pub interval: Span,
    /// R(0) as a part of the capacity, above 0 to 1. Default RCP's, 0.05.
    pub initial_rate: Ratio,
    /// R at most, as a multiple of what is to be filled, 1 to 100. Default 4. A flow alone on n such
    /// links in a row fills them with R n^(1/alpha) times what it sends; where a link is not the
    /// bottleneck R stays at most, and weighs less in its flows' rates the more that is.
    pub max_rate: Ratio,
    /// How lost packets are found and repaired; by default as `[transport]` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<rcp::RcpRecovery>,
    /// Least time-out, above 0 to 60 s; by default that of `[transport]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; by default that of `[transport]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// The rate a sender asks for, above 0. Default none: as much as possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
}

impl Default for AlphaFairParams {
    fn default() -> Self {
        let rcp = rcp::RcpParams::default();
        Self {
            fairness: Ratio::new(1.0),
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
    fn rcp(&self) -> rcp::RcpParams {
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

impl Protocol for AlphaFairParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "alpha_fair",
            title: "alpha-fair RCP: routers add up prices; proportionally fair by default",
            source: "Kelly, Raina, Voice, Stability and fairness of explicit congestion control with \
                     small buffers, CCR 2008",
            equations: &[
                "rate of a flow: w_r (sum over its links of R_j^-alpha)^(-1/alpha)",
                "rate of a link, R: RCP's equation (2) without a queue term",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("fairness", &self.fairness, &FAIRNESS);
        faults.within("gain", &self.gain, &rcp::GAINS);
        faults.within("gamma", &self.gamma, &rcp::PARTS);
        faults.within("interval", &self.interval, &rcp::INTERVALS);
        faults.within("initial_rate", &self.initial_rate, &rcp::PARTS);
        faults.within("max_rate", &self.max_rate, &MAX_RATES);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    fn overrides(&self) -> TransportOverrides {
        self.rcp().overrides()
    }

    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::AlphaFairSender::new(self, setup))
    }

    fn echo(&self) -> &'static dyn Echo {
        &rcp::receiver::RcpReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::AlphaFairHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(LinkRouter::new(router::AlphaFairRouter::new(self, link), link.capacity)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_allowed_and_what_is_not_is_named() {
        assert_eq!(Faults::of(|faults| AlphaFairParams::default().check(faults)), []);
        let wrong = [
            (
                "fairness",
                AlphaFairParams { fairness: Ratio::new(0.2), ..AlphaFairParams::default() },
            ),
            (
                "fairness",
                AlphaFairParams { fairness: Ratio::new(6.1), ..AlphaFairParams::default() },
            ),
            ("gain", AlphaFairParams { gain: Ratio::new(0.0), ..AlphaFairParams::default() }),
            ("gamma", AlphaFairParams { gamma: Ratio::new(1.01), ..AlphaFairParams::default() }),
            (
                "max_rate",
                AlphaFairParams { max_rate: Ratio::new(0.9), ..AlphaFairParams::default() },
            ),
            (
                "desired_rate",
                AlphaFairParams { desired_rate: Some(Rate::ZERO), ..AlphaFairParams::default() },
            ),
            (
                "min_rto",
                AlphaFairParams { min_rto: Some(Span::ZERO), ..AlphaFairParams::default() },
            ),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
