//! NCP, the Network congestion Control Protocol: routers count the flows from what packets say of
//! their own rate, and tell every flow its share.
//!
//! After D. Fesehaye, K. Nahrstedt, M. Caesar, "A Network Congestion control Protocol (NCP)"
//! (technical report, UIUC); sections and equations named in this folder are that paper's. Every
//! packet states what its flow sends now ([`header`], [`host`]); each router adds up the inverses,
//! which is how many flows there are, and divides what capacity and queue leave ([`router`]);
//! receivers send the least share of the path back ([`receiver`]).
//!
//! (5) and (8) are two derivations of one rate and equal while every RTT is d0. Otherwise (8) is
//! exact and (5) counts the sum of d0 / RTT_i: two flows of 50 and 200 ms are 3.125 at a d0 of 125 ms.
//! (8) is the default, and (5) and NCP-S, (6), are options ([`FlowCount`]). Section 2.1's example
//! divides 20 packets among four flows as four each; it is five.
//!
//! The paper prints no alpha or beta. They are not RCP's: NCP's alpha scales C itself, and 1 - alpha
//! is capacity left idle (RCP's 0.1 would hold a link at a load of 10%).
//! `docs/decisions/010-ncp-gains.md` tells how ours were found.

pub mod header;
pub mod host;
pub mod receiver;
pub mod router;
mod sums;

pub use sums::NcpSums;

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::rcp::{INTERVALS, PARTS, QUEUE_GAINS};
use crate::router::{LawHeader as _, LinkRouter, QueueCounts, RouterPort};
use crate::tcp::LossRecovery;
use crate::transport::TransportOverrides;
use crate::wire::Form;

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
    /// Whether senders space a window over an RTT, or send it as it opens ([`host`]). Default on
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

impl Protocol for NcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "ncp",
            title: "Network congestion Control Protocol: routers count flows by what packets state, and tell each its share",
            source: "Fesehaye, Nahrstedt, Caesar, A Network Congestion control Protocol (NCP), UIUC",
            equations: &[
                "rate of a link: equation (10)",
                "number of flows by inverse rates: equation (8) (default); by windows: (5); by packets: (6)",
                "hosts: section 4",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("alpha", &self.alpha, &PARTS);
        faults.within("beta", &self.beta, &QUEUE_GAINS);
        faults.within("initial_rtt", &self.initial_rtt, &INTERVALS);
        faults.within("rtt_gain", &self.rtt_gain, &PARTS);
        faults.within("min_rate", &self.min_rate, &PARTS);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    /// As RCP's, so that a comparison compares the laws; the paper is silent.
    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    /// "Upon receipt of the ACK packet" the window is set (section 4): each packet is answered.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            recovery: self.recovery.into(),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
            ..TransportOverrides::RATE_TOLD
        }
    }

    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::NcpSender::new(self, setup))
    }

    fn echo(&self) -> &'static dyn Echo {
        &receiver::NcpReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::NcpHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(LinkRouter::new(router::NcpRouter::new(self, link), link.capacity)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_allowed_and_what_is_not_is_named() {
        let good = NcpParams::default();
        assert_eq!(Faults::of(|faults| good.check(faults)), []);
        let wrong = [
            ("alpha", NcpParams { alpha: Ratio::new(0.0), ..good }),
            ("alpha", NcpParams { alpha: Ratio::new(1.01), ..good }),
            ("beta", NcpParams { beta: Ratio::new(-0.1), ..good }),
            ("initial_rtt", NcpParams { initial_rtt: Span::from_secs(11), ..good }),
            ("rtt_gain", NcpParams { rtt_gain: Ratio::new(0.0), ..good }),
            ("min_rate", NcpParams { min_rate: Ratio::new(1.1), ..good }),
            ("desired_rate", NcpParams { desired_rate: Some(Rate::ZERO), ..good }),
            ("initial_rto", NcpParams { initial_rto: Some(Span::ZERO), ..good }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }
}
