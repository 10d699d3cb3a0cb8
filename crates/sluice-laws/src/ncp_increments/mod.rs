//! XCP derived from NCP: routers share the spare bandwidth among the flows that NCP counts, and senders add it.
//!
//! After section 8.2 of D. Fesehaye, K. Nahrstedt, M. Caesar, "A Network Congestion control Protocol (NCP)",
//! whose equations this folder names. Each router computes Delta R = d0 S / (sum of 1 / R_j), (20), with the spare
//! bandwidth S = C - Lambda - q / d0 ([`router`]). Packets of a flow take it back once in each d0 ([`grant`]), and
//! the sender adds it, (21).
//!
//! It is XCP but for two differences. Without XCP's shuffling, (20) is what XCP gives where S is above zero; where
//! it is below, XCP takes from flows in proportion to their rates, and (20) from all alike. So nothing here makes
//! unequal rates equal, and hosts, receivers and header are XCP's. Two factors of (21) are options ([`Sharing`]).

pub mod grant;
pub mod header;
pub mod params;
pub mod router;

pub use params::{NcpIncrementsParams, Sharing};

use core::ops::RangeInclusive;

use sluice_units::{Faults, Rate, Ratio};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, check_desired_rate};
use crate::rcp::params::{INTERVALS, PARTS};
use crate::router::{LawHeader as _, LinkRouter, RouterPort};
use crate::transport::TransportOverrides;
use crate::wire::Form;
use crate::xcp::{self, XcpParams};

impl Protocol for NcpIncrementsParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "ncp_increments",
            title: "XCP derived from NCP: routers share the spare bandwidth among the flows that NCP counts",
            source: "Fesehaye, Nahrstedt, Caesar, A Network Congestion control Protocol (NCP), UIUC",
            equations: &[
                "increment of a flow: equations (19) and (20)",
                "rate from increments: equation (21), and its two factors",
                "hosts: equation (4.1) of XCP's thesis",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("alpha", &self.alpha, &xcp::params::GAINS);
        faults.within("beta", &self.beta, &xcp::params::QUEUE_GAINS);
        faults.within("initial_rtt", &self.initial_rtt, &INTERVALS);
        faults.within("rtt_gain", &self.rtt_gain, &PARTS);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn desired_rate(&self) -> Option<Rate> {
        self.desired_rate
    }

    /// XCP's: a sender states R_j / p_j, so that it counts as p_j flows.
    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        self.xcp().weights()
    }

    fn overrides(&self) -> TransportOverrides {
        self.xcp().overrides()
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        self.xcp().host(context)
    }

    fn echo(&self) -> &'static dyn Echo {
        XcpParams::default().echo()
    }

    fn wire(&self) -> Option<Form> {
        Some(header::IncrementHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(LinkRouter::new(router::IncrementRouter::new(self, link), link.capacity)))
    }
}

#[cfg(test)]
mod closed_loop;

#[cfg(test)]
mod tests {
    use sluice_units::{Rate, Span};

    use super::*;

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
        let good = NcpIncrementsParams::default();
        assert_eq!(Faults::of(|faults| good.check(faults)), []);
        let wrong = [
            ("alpha", NcpIncrementsParams { alpha: Ratio::new(0.0), ..good }),
            ("beta", NcpIncrementsParams { beta: Ratio::new(2.1), ..good }),
            ("initial_rtt", NcpIncrementsParams { initial_rtt: Span::from_secs(11), ..good }),
            ("rtt_gain", NcpIncrementsParams { rtt_gain: Ratio::new(0.0), ..good }),
            ("desired_rate", NcpIncrementsParams { desired_rate: Some(Rate::ZERO), ..good }),
            ("initial_window", NcpIncrementsParams { initial_window: Some(0), ..good }),
            ("min_rto", NcpIncrementsParams { min_rto: Some(Span::ZERO), ..good }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
