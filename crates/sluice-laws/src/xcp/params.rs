//! The parameters of `xcp`.

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span, above};

use super::choices::{Shuffle, StatedWindow, XiBytes};
use super::feedback;
use crate::router::{QueueCounts, Sampled};
use crate::transport::LossRecovery;

/// Allowed gains on spare capacity.
pub const GAINS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(2.0));
/// Allowed gains on the persistent queue.
pub const QUEUE_GAINS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(2.0);
/// Allowed parts of the traffic to redistribute.
pub const SHUFFLED: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(1.0);
/// Allowed lengths of the first control interval and of the queue's timer.
pub const TIMES: RangeInclusive<Span> = LEAST_TIME..=Span::from_secs(10);
/// The shortest time that any parameter may be.
pub const LEAST_TIME: Span = Span::from_micros(1);

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
