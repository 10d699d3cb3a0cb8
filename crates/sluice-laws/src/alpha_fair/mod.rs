//! Alpha-fair RCP: routers add up prices instead of taking the minimum rate, so that the shares on a
//! network have a chosen fairness.
//!
//! After F. Kelly, G. Raina, T. Voice, "Stability and fairness of explicit congestion control with
//! small buffers" (CCR 38:3, 2008). RCP's minimum rate is max-min fair. Here a flow on route r sends
//!
//! ```text
//! x_r = w_r (sum over links j of r of R_j^-alpha)^(-1/alpha)
//! ```
//!
//! and each link moves its R_j as RCP does, without a queue term. At equilibrium the rates are
//! alpha-fair (Mo and Walrand, 2000): proportional fairness for alpha = 1, nearer to max-min the
//! larger alpha is. On a single link, any alpha equals RCP.
//!
//! So this is RCP with another header: [`router`] and [`host`] hold RCP's own and translate between
//! its rates and what packets carry ([`price`]). RCP's receiver copies the header and is used unchanged.

pub mod header;
pub mod host;
pub mod params;
pub mod price;
pub mod router;
pub mod xcp_router;

pub use params::{AlphaFairParams, PriceControl};

use core::ops::RangeInclusive;

use sluice_units::{Faults, Rate, Ratio};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::router::{LawHeader as _, LinkRouter, RouterPort};
use crate::transport::TransportOverrides;
use crate::wire::Form;
use crate::{rcp, xcp};

impl Protocol for AlphaFairParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "alpha_fair",
            title: "alpha-fair RCP: routers add up prices; proportionally fair by default",
            source: "Kelly, Raina, Voice, Stability and fairness of explicit congestion control with \
                     small buffers, CCR 2008",
            equations: &[
                "rate of a flow: w_r (sum over its links of R_j^-alpha)^(-1/alpha)",
                "rate of a link, R: RCP's equation (2) without a queue term, or by XCP's equation (4.3)",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("fairness", &self.fairness, &params::FAIRNESS);
        match self.efficiency {
            params::PriceControl::Rcp => faults.within("gain", &self.gain, &rcp::params::GAINS),
            params::PriceControl::Xcp => faults.within("gain", &self.gain, &xcp::params::GAINS),
        }
        faults.within("gamma", &self.gamma, &rcp::params::PARTS);
        faults.within("interval", &self.interval, &rcp::params::INTERVALS);
        faults.within("initial_rate", &self.initial_rate, &rcp::params::PARTS);
        faults.within("max_rate", &self.max_rate, &params::MAX_RATES);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn desired_rate(&self) -> Option<Rate> {
        self.desired_rate
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    fn overrides(&self) -> TransportOverrides {
        self.rcp().overrides()
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::AlphaFairSender::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &rcp::receiver::RcpReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::AlphaFairHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(match self.efficiency {
            PriceControl::Rcp => {
                let law = router::AlphaFairRouter::new(self, link);
                Box::new(LinkRouter::new(law, link.capacity))
            }
            PriceControl::Xcp => {
                let law = xcp_router::XcpPriceRouter::new(self, link);
                Box::new(LinkRouter::new(law, link.capacity))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Rate, Span};

    use super::*;

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
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
