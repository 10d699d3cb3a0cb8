//! RCP, the Rate Control Protocol: routers tell every flow the one rate that processor sharing
//! would give it.
//!
//! After N. Dukkipati, M. Kobayashi, R. Zhang-Shen, N. McKeown, "Processor Sharing Flows in the
//! Internet" (IWQoS 2005); sections and equations named in this folder are that paper's. Each
//! router keeps one rate R, and moves it by what capacity is spare and what queue is to drain
//! ([`router`]); packets carry the least R of their path to the receiver ([`header`]), which sends
//! it back ([`receiver`]), and the sender paces at it ([`host`]). Where the paper is silent, the
//! choice is that of the authors' ns-2 code unless a comment says why not.
//!
//! Known forms are parameters: the authors' code is `alpha = beta = 0.4` with
//! `rtt_filter = "per_interval"`; the form for small buffers (Kelly, Raina, Voice, 2008) is
//! `beta = 0` with `gamma` below 1, which leaves the queue out of the law. Another fairness than max-min
//! takes another header: [`crate::alpha_fair`].

pub mod header;
pub mod host;
pub mod receiver;
pub mod router;
pub mod rtt;

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, above};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::router::{LawHeader as _, LinkRouter, QueueCounts, RouterPort, Sampled};
use crate::tcp;
use crate::transport::TransportOverrides;
use crate::wire::Form;

/// How a sender finds and repairs what was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RcpRecovery {
    /// "Just like TCP" (section 2.3) as hosts have it today, RACK-TLP (RFC 8985).
    Rack,
    /// "Just like TCP", from selective acknowledgements to the letter of RFC 6675.
    Sack,
    /// "Just like TCP", as RFC 6582 has it.
    NewReno,
    /// "Just like TCP", as RFC 5681 has it.
    Reno,
    /// In rounds: what is missing twice the RTT after a round's last packet is sent again, all of it,
    /// in the next (Dukkipati and others, "Buffer sizing results for RCP congestion control under
    /// connection arrivals and departures", 2009; the authors' ns-2 code). There a receiver counts
    /// what came, here it says which. A flow without an end has one round and repairs nothing.
    Rounds,
}

impl From<RcpRecovery> for tcp::LossRecovery {
    fn from(recovery: RcpRecovery) -> Self {
        match recovery {
            RcpRecovery::Rack => Self::Rack,
            RcpRecovery::Sack => Self::Sack,
            RcpRecovery::NewReno => Self::NewReno,
            RcpRecovery::Reno => Self::Reno,
            RcpRecovery::Rounds => Self::Rounds,
        }
    }
}

/// Allowed gains on spare capacity.
pub const GAINS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(10.0));
/// Allowed gains on the queue.
pub const QUEUE_GAINS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(10.0);
/// Allowed parts of a whole: of the capacity, of a packet a d0, gains of filters.
pub const PARTS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1.0));
/// Allowed intervals between updates, and RTTs assumed before one is known.
pub const INTERVALS: RangeInclusive<Span> = Span::from_micros(1)..=Span::from_secs(10);
/// Allowed values of [`RcpParams::rtt_every`].
pub const RTT_EVERY: RangeInclusive<u32> = 1..=1000;

/// RCP's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RcpParams {
    /// Gain on spare capacity, above 0 to 10. Default 0.1 (section 3.1).
    pub alpha: Ratio,
    /// Gain on the queue, 0 to 10. Default 1 (section 3.1).
    pub beta: Ratio,
    /// Part of the capacity to fill, above 0 to 1. Default 1 (the papers'; the NetFPGA router took
    /// 0.95).
    pub gamma: Ratio,
    /// tau, the longest interval between updates of R, 1 us to 10 s. Default 10 ms (section 3.1).
    pub interval: Span,
    /// R(0) as a part of the capacity, above 0 to 1. Default 0.05 (figure 5).
    pub initial_rate: Ratio,
    /// Least R in packets a d0, above 0 to 1. Default 0.01 (authors' ns-2 code).
    pub min_rate: Ratio,
    /// d0 until the first header with an RTT arrives, 1 us to 10 s. Default 200 ms (authors' code).
    pub initial_rtt: Span,
    /// How d0 follows the RTTs in headers. Default the paper's filter.
    pub rtt_filter: rtt::RttFilter,
    /// The gain of the paper's filter, above 0 to 1. Default 0.02 (section 2.3).
    pub rtt_gain: Ratio,
    /// One packet in so many states its sender's RTT, 1 to 1000: d0 follows those alone. Default 1,
    /// every packet; "a few" suffice (footnote 4).
    pub rtt_every: u32,
    /// Which bytes are q. Default those that wait: at the paper's equilibrium, "R_e = C/N and q_e = 0"
    /// (section 2.3), the link is full.
    pub queue_counts: QueueCounts,
    /// Counts what was lost in an interval as queue (section 2.3 offers it). Default off: the
    /// paper's equation (2) does not.
    pub losses_as_queue: bool,
    /// How lost packets are found and repaired; by default as `[transport]` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<RcpRecovery>,
    /// Least time-out, above 0 to 60 s; by default that of `[transport]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; by default that of `[transport]`, 0.5 s in the
    /// authors' ns-2 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// Where packets are stamped. Default at arrival ("when a router receives a packet", section
    /// 2.2); at departure the rate is fresher by the time in the queue.
    pub stamp_at: Sampled,
    /// The rate a sender asks for, above 0. Default none: as much as possible (section 2.2 allows
    /// both).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
}

impl Default for RcpParams {
    fn default() -> Self {
        Self {
            alpha: Ratio::new(0.1),
            beta: Ratio::new(1.0),
            gamma: Ratio::new(1.0),
            interval: Span::from_millis(10),
            initial_rate: Ratio::new(0.05),
            min_rate: Ratio::new(0.01),
            initial_rtt: Span::from_millis(200),
            rtt_filter: rtt::RttFilter::PerPacket,
            rtt_gain: Ratio::new(0.02),
            rtt_every: 1,
            queue_counts: QueueCounts::Waiting,
            losses_as_queue: false,
            recovery: None,
            min_rto: None,
            initial_rto: None,
            stamp_at: Sampled::Arrival,
            desired_rate: None,
        }
    }
}

impl Protocol for RcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "rcp",
            title: "Rate Control Protocol: routers tell every flow one rate, that of processor sharing",
            source: "Dukkipati et al., Processor Sharing Flows in the Internet, IWQoS 2005",
            equations: &[
                "rate of a link, R: equation (2)",
                "average RTT, d0: section 2.3",
                "what packets and hosts carry: section 2.2",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("alpha", &self.alpha, &GAINS);
        faults.within("beta", &self.beta, &QUEUE_GAINS);
        faults.within("gamma", &self.gamma, &PARTS);
        faults.within("interval", &self.interval, &INTERVALS);
        faults.within("initial_rate", &self.initial_rate, &PARTS);
        faults.within("min_rate", &self.min_rate, &PARTS);
        faults.within("initial_rtt", &self.initial_rtt, &INTERVALS);
        faults.within("rtt_gain", &self.rtt_gain, &PARTS);
        faults.within("rtt_every", &self.rtt_every, &RTT_EVERY);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    /// "On every ACK the rate changes": each data packet is answered.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            recovery: self.recovery.map(tcp::LossRecovery::from).into(),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
            ..TransportOverrides::RATE_TOLD
        }
    }

    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::RcpSender::new(self, setup))
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
    use super::*;

    #[test]
    fn the_defaults_are_allowed_and_what_is_not_is_named() {
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
