//! RCP, the Rate Control Protocol: routers grant every flow the one rate that processor sharing
//! would give it.
//!
//! After N. Dukkipati, M. Kobayashi, R. Zhang-Shen, N. McKeown, "Processor Sharing Flows in the
//! Internet" (IWQoS 2005); sections and equations named in this folder are that paper's. Each
//! router keeps one rate R, and moves it by what capacity is spare and what queue is to drain
//! ([`router`]); packets carry the minimum R of their path to the receiver ([`header`]), which sends
//! it back ([`receiver`]), and the sender paces at it ([`host`]). Where the paper is silent, the
//! choice is that of the authors' ns-2 code unless a comment gives a reason.
//!
//! Known forms are parameters: the authors' code is `alpha = beta = 0.4` with
//! `rtt_filter = "per_interval"`; the form for small buffers (Kelly, Raina, Voice, 2008) is
//! `beta = 0` with `gamma` below 1, which leaves the queue out of the law. Another fairness than max-min
//! takes another header: [`crate::alpha_fair`].

pub mod header;
pub mod host;
pub mod params;
pub mod receiver;
pub mod router;
pub mod rtt;

pub use params::{RcpParams, RcpRecovery};

use core::ops::RangeInclusive;

use sluice_units::{Faults, Rate, Ratio};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::router::{LawHeader as _, LinkRouter, RouterPort};
use crate::transport::{LossRecovery, TransportOverrides};
use crate::wire::Form;

impl Protocol for RcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "rcp",
            title: "Rate Control Protocol: routers grant every flow the same rate, that of processor sharing",
            source: "Dukkipati et al., Processor Sharing Flows in the Internet, IWQoS 2005",
            equations: &[
                "rate of a link, R: equation (2)",
                "average RTT, d0: section 2.3",
                "what packets and hosts carry: section 2.2",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("alpha", &self.alpha, &params::GAINS);
        faults.within("beta", &self.beta, &params::QUEUE_GAINS);
        faults.within("gamma", &self.gamma, &params::PARTS);
        faults.within("interval", &self.interval, &params::INTERVALS);
        faults.within("initial_rate", &self.initial_rate, &params::PARTS);
        faults.within("min_rate", &self.min_rate, &params::PARTS);
        faults.within("initial_rtt", &self.initial_rtt, &params::INTERVALS);
        faults.within("rtt_gain", &self.rtt_gain, &params::PARTS);
        faults.within("rtt_every", &self.rtt_every, &params::RTT_EVERY);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn desired_rate(&self) -> Option<Rate> {
        self.desired_rate
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    /// "On every ACK the rate changes": each data packet is acknowledged.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            recovery: self.recovery.map(LossRecovery::from).into(),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
            ..TransportOverrides::RATE_GRANTED
        }
    }

    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::RcpSender::new(self, context))
    }

    fn echo(&self) -> &'static dyn Echo {
        &receiver::RcpReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::RcpHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(LinkRouter::new(router::RcpRouter::new(self, link), link.capacity)))
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Rate, Span};

    use super::*;

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
        assert_eq!(Faults::of(|faults| RcpParams::default().check(faults)), []);
        let wrong = [
            ("alpha", RcpParams { alpha: Ratio::new(0.0), ..RcpParams::default() }),
            ("beta", RcpParams { beta: Ratio::new(-0.1), ..RcpParams::default() }),
            ("gamma", RcpParams { gamma: Ratio::new(1.01), ..RcpParams::default() }),
            ("interval", RcpParams { interval: Span::ZERO, ..RcpParams::default() }),
            ("initial_rate", RcpParams { initial_rate: Ratio::new(2.0), ..RcpParams::default() }),
            ("min_rate", RcpParams { min_rate: Ratio::new(0.0), ..RcpParams::default() }),
            ("initial_rtt", RcpParams { initial_rtt: Span::from_secs(11), ..RcpParams::default() }),
            ("rtt_gain", RcpParams { rtt_gain: Ratio::new(0.0), ..RcpParams::default() }),
            ("rtt_every", RcpParams { rtt_every: 0, ..RcpParams::default() }),
            ("rtt_every", RcpParams { rtt_every: 1_001, ..RcpParams::default() }),
            ("desired_rate", RcpParams { desired_rate: Some(Rate::ZERO), ..RcpParams::default() }),
            ("min_rto", RcpParams { min_rto: Some(Span::ZERO), ..RcpParams::default() }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
