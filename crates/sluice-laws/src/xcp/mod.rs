//! XCP, the eXplicit Control Protocol: routers tell every packet by how much its flow should
//! change its throughput.
//!
//! After D. Katabi, "Decoupling Congestion Control and Bandwidth Allocation Policy With Application
//! to High Bandwidth-Delay Product Networks" (PhD thesis, MIT, 2003), chapter 4 and Appendix A;
//! sections and equations named in this folder are the thesis'. Senders state their throughput and
//! RTT in each packet ([`header`], [`host`]). Each router decides once an average RTT by how much
//! the traffic as a whole should change ([`router`]) and apportions that to the packets of the next
//! interval ([`feedback`]); receivers send what is left of it back ([`receiver`]).
//!
//! Where the chapter and its appendix differ, the chapter's text is the default and the appendix an
//! option ([`XcpParams::shuffle`], [`XcpParams::queue_at`]). Corrected without an option, since they are
//! slips (each is told where it is implemented): H_rtt = -1 entering the sums, the booking of
//! feedback that a header does not take, and sums that may be zero.

mod ageing;
mod choices;
pub mod feedback;
mod fraction;
pub mod header;
pub mod host;
pub mod receiver;
pub mod router;

pub use choices::{Shuffle, StatedWindow, XiBytes};

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, above};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, WEIGHTS, check_desired_rate};
use crate::router::{LawHeader as _, LinkRouter, QueueCounts, RouterPort, Sampled};
use crate::tcp::LossRecovery;
use crate::transport::{FieldSource, TransportOverrides};
use crate::wire::Form;

/// Allowed gains on spare capacity.
pub const GAINS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(2.0));
/// Allowed gains on the persistent queue.
pub const QUEUE_GAINS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(2.0);
/// Allowed parts of the traffic to redistribute.
pub const SHUFFLED: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(1.0);
/// Allowed lengths of the first control interval and of the queue's timer.
pub const TIMES: RangeInclusive<Span> = LEAST_TIME..=Span::from_secs(10);
/// The shortest time that any parameter may be.
const LEAST_TIME: Span = Span::from_micros(1);

/// XCP's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct XcpParams {
    /// Gain on spare capacity, above 0 to 2. Default 0.4 (section 4.7.1). Stable for any delay,
    /// capacity and number of flows below pi / (4 sqrt 2), 0.555, if beta = alpha^2 sqrt 2
    /// (Theorem 1).
    pub alpha: Ratio,
    /// Gain on the persistent queue, 0 to 2. Default 0.226 (section 4.7.1).
    pub beta: Ratio,
    /// Part of the traffic redistributed each interval, 0 to 1. Default 0.1 (equation (4.4)).
    pub gamma: Ratio,
    /// Which h is used. Default the text's.
    pub shuffle: Shuffle,
    /// Which bytes share what is taken. Default those that can bear it.
    pub xi_n_counts: XiBytes,
    /// The window that H_throughput states, and that is sent. Default as it is, fractions and all
    /// (section 4.5): the fairest at windows of a few packets, with the most of the link used that
    /// is fair.
    pub stated_window: StatedWindow,
    /// Least control interval, 1 us to `max_interval`. Default 5 ms (section 7.3.2; ns-2.35 has
    /// 1 ms).
    pub min_interval: Span,
    /// Longest control interval, `min_interval` to 16 s, the longest RTT that a header states.
    /// Default 16 s: an interval below the mean RTT leaves the link idle in part. Section 7.3.2 has
    /// 1 s, "about the maximum RTT in today's Internet", against senders that overstate their RTT,
    /// which slow convergence down but do not prevent it; an operator who knows the RTTs of a link
    /// should set a tighter bound.
    pub max_interval: Span,
    /// The first control interval, and the average RTT until a header tells, 1 us to 10 s. Default
    /// 50 ms (the thesis is silent; ns-2.35).
    pub first_interval: Span,
    /// Least time over which the persistent queue is taken, 1 us to 10 s. Default 2 ms (ns-2.35 and
    /// draft-falk-xcp-spec-03; Appendix A's code gives half its 5 ms).
    pub min_queue_timer: Span,
    /// Where the least queue is sampled. Default at arrival (section 4.7.1); Appendix A does it at
    /// departure.
    pub queue_at: Sampled,
    /// Which bytes an arriving packet sees as queue. Default all that are not yet sent: "the minimum
    /// queue seen by an arriving packet" (section 4.7.1) leaves it open, and ns-2.35's utilization is
    /// met so, not with `"waiting"` (decision 3). At departure there is no difference.
    pub queue_counts: QueueCounts,
    /// Where packets are stamped. Default at departure (Appendix A).
    pub stamp_at: Sampled,
    /// Window at the start in packets, 1 to 1000; by default that of `[transport]`. The thesis is
    /// silent; its ns-2 sender was TCP's with one packet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_window: Option<u32>,
    /// The rate an application asks for, above 0 (section 4.5). Default none: as much as possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
    /// How lost packets are found and repaired; by default as `[transport]` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Whether receivers acknowledge every second packet, with the sum of its feedback (footnote
    /// 3), or each; by default as `[transport]` says (the footnote leaves it open).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed_ack: Option<bool>,
    /// Least time-out, above 0 to 60 s; by default that of `[transport]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; by default that of `[transport]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
}

impl Default for XcpParams {
    fn default() -> Self {
        Self {
            alpha: Ratio::new(0.4),
            beta: Ratio::new(0.226),
            gamma: Ratio::new(0.1),
            shuffle: Shuffle::Text,
            xi_n_counts: XiBytes::Stated,
            stated_window: StatedWindow::Exact,
            min_interval: Span::from_millis(5),
            max_interval: feedback::LONGEST_RTT,
            first_interval: Span::from_millis(50),
            min_queue_timer: Span::from_millis(2),
            queue_at: Sampled::Arrival,
            queue_counts: QueueCounts::Unsent,
            stamp_at: Sampled::Departure,
            initial_window: None,
            desired_rate: None,
            recovery: None,
            delayed_ack: None,
            min_rto: None,
            initial_rto: None,
        }
    }
}

impl Protocol for XcpParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "xcp",
            title: "eXplicit Control Protocol: routers tell every packet by how much its flow should change its rate",
            source: "Katabi, Decoupling Congestion Control and Bandwidth Allocation Policy, MIT, 2003",
            equations: &[
                "window from feedback: equation (4.1)",
                "average RTT: equation (4.2)",
                "aggregate feedback, phi: equation (4.3)",
                "shuffled traffic, h: equation (4.4)",
                "feedback of a packet, p - n: equations (4.5) to (4.11)",
                "routers and timers: Appendix A",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.within("alpha", &self.alpha, &GAINS);
        faults.within("beta", &self.beta, &QUEUE_GAINS);
        faults.within("gamma", &self.gamma, &SHUFFLED);
        let longest = LEAST_TIME..=feedback::LONGEST_RTT;
        if faults.sound(|faults| faults.within("max_interval", &self.max_interval, &longest)) {
            let shortest = LEAST_TIME..=self.max_interval;
            faults.within("min_interval", &self.min_interval, &shortest);
        }
        faults.within("first_interval", &self.first_interval, &TIMES);
        faults.within("min_queue_timer", &self.min_queue_timer, &TIMES);
        check_desired_rate(self.desired_rate, faults);
        self.overrides().check(faults);
    }

    fn weights(&self) -> Option<RangeInclusive<Ratio>> {
        Some(WEIGHTS)
    }

    /// "XCP still needs to respond to packet losses [...] in a similar manner to TCP" (section 4.5):
    /// its window, recovery and timers are that of any protocol. Marks it does not know: its routers
    /// say more.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            initial_window: self.initial_window.into(),
            recovery: self.recovery.into(),
            delayed_ack: self.delayed_ack.into(),
            ecn: FieldSource::Implied(false),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
        }
    }

    fn host(&self, setup: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(host::XcpSender::new(self, setup))
    }

    fn echo(&self) -> &'static dyn Echo {
        &receiver::XcpReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::XcpHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(LinkRouter::new(router::XcpRouter::new(*self), link.capacity)))
    }
}

#[cfg(test)]
mod closed_loop;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_allowed_and_what_is_not_is_named() {
        let good = XcpParams::default();
        assert_eq!(Faults::of(|faults| good.check(faults)), []);
        let wrong = [
            ("alpha", XcpParams { alpha: Ratio::new(0.0), ..good }),
            ("beta", XcpParams { beta: Ratio::new(-0.1), ..good }),
            ("gamma", XcpParams { gamma: Ratio::new(1.01), ..good }),
            ("max_interval", XcpParams { max_interval: Span::from_secs(17), ..good }),
            ("min_interval", XcpParams { max_interval: Span::from_millis(4), ..good }),
            ("first_interval", XcpParams { first_interval: Span::ZERO, ..good }),
            ("min_queue_timer", XcpParams { min_queue_timer: Span::ZERO, ..good }),
            ("initial_window", XcpParams { initial_window: Some(0), ..good }),
            ("min_rto", XcpParams { min_rto: Some(Span::ZERO), ..good }),
            ("initial_rto", XcpParams { initial_rto: Some(Span::from_secs(61)), ..good }),
            ("desired_rate", XcpParams { desired_rate: Some(Rate::ZERO), ..good }),
        ];
        for (field, params) in wrong {
            let faults = Faults::of(|faults| params.check(faults));
            assert_eq!(faults.iter().map(|fault| &*fault.field).collect::<Vec<_>>(), [field]);
        }
    }

    #[test]
    fn the_default_gains_satisfy_theorem_1() {
        let XcpParams { alpha, beta, .. } = XcpParams::default();
        let bound = std::f64::consts::PI / (4.0 * std::f64::consts::SQRT_2);
        assert!(alpha.get() > 0.0 && alpha.get() < bound);
        let exact = alpha.get() * alpha.get() * std::f64::consts::SQRT_2;
        assert!((beta.get() - exact).abs() < 5e-4, "{exact}");
    }
}
