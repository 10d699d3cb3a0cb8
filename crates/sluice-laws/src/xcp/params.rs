//! The parameters of `xcp`.

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span, above};

use super::choices::{Balance, Efficiency, Shuffle, StatedWindow, TcpWindow, XiBytes};
use super::feedback;
use super::rtt_groups::RttGroups;
use crate::router::{QueueCounts, Sampled};
use crate::transport::LossRecovery;

/// Allowed gains on spare capacity.
pub const GAINS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(2.0));
/// Allowed gains on the persistent queue.
pub const QUEUE_GAINS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(2.0);
/// Allowed parts of the traffic to redistribute.
pub const SHUFFLED: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(1.0);
/// Allowed parts of the packets that check the receiver.
pub const CHECKED: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(0.5);
/// Allowed lengths of the first control interval and of the queue's timer.
pub const TIMES: RangeInclusive<Span> = MIN_TIME..=Span::from_secs(10);
/// Allowed steps of the weights of queues for TCP and XCP.
pub const STEPS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(0.5));
/// Allowed increases of the rate while the queue is empty.
pub const INCREASES: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1.0));
/// Allowed capacities that a router is configured with, over the nominal one.
pub const CONFIGURED: RangeInclusive<Ratio> = Ratio::new(0.01)..=Ratio::new(100.0);
/// Allowed RTTs that divide groups.
pub const GROUP_RTTS: RangeInclusive<Span> = MIN_TIME..=feedback::LONGEST_RTT;
/// The shortest time that any parameter may be.
pub const MIN_TIME: Span = Span::from_micros(1);

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
    /// How routers compute the aggregate feedback. Default `"spare"`, equation (4.3); `"queue"` is the second
    /// proposal of section 9.3.1.
    pub efficiency: Efficiency,
    /// Increase of the traffic per interval under `efficiency = "queue"` while the queue is empty, as a part of
    /// the capacity, above 0 to 1. Default 0.1 (the thesis has none): an idle link is full after 1 / `increase`
    /// RTTs, and a full one has queues of twice `increase` of a BDP with flows one way, of half a BDP or more both ways.
    pub increase: Ratio,
    /// Capacity that routers are configured with, over the nominal one of their link, 0.01 to 100. Default
    /// none: they know the capacity, and its mean over each interval where it varies. With 1, they
    /// know the nominal one alone; with another, a wrong one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configured_capacity: Option<Ratio>,
    /// Whether routers measure the capacity as the speed at which they drain packets (first proposal of
    /// section 9.3.1). Until they have seen a packet they take the configured one. A law over a class knows the
    /// capacity of its class. Default false.
    pub measure_capacity: bool,
    /// Step of the weights of a router's queues for TCP and XCP (`queue = "tcp_friendly"`) in a control interval,
    /// above 0 to 0.5. Default 0.01: the thesis has "a small constant in the range (0, 1)". A weight moves by at
    /// most this. Such a queue refuses `shuffle = "need"` and `rtt_groups`, which have no sums for it.
    pub kappa: Ratio,
    /// What these weights make equal. Default the average congestion windows of both kinds of flows.
    pub balance: Balance,
    /// The equation for TCP's average window there. Default (8.1) as printed.
    pub tcp_window: TcpWindow,
    /// Fraction of the traffic redistributed per interval, 0 to 1. Default 0.1 (equation (4.4)).
    pub gamma: Ratio,
    /// Definition of h. Default that of the text.
    pub shuffle: Shuffle,
    /// Largest fraction redistributed per interval with `shuffle = "need"`, `gamma` to 1. Default 0.36: shares
    /// converge as (1 - gamma)^n, and a round trip late they swing from 1 / e on.
    pub max_gamma: Ratio,
    /// RTTs that divide flows into groups, each with its own control interval, controllers and fair share of the
    /// link (section 9.3.2), at most 5, rising, 1 us to 16 s: `["500 ms", "1 s"]` are three groups. Default none:
    /// all flows are one group.
    #[serde(skip_serializing_if = "RttGroups::is_one")]
    pub rtt_groups: RttGroups,
    /// Bytes over which negative feedback is divided. Default those of packets that can carry it.
    pub xi_n_counts: XiBytes,
    /// The window stated in H_throughput, and sent. Default `"exact"`, with its fraction (section
    /// 4.5): the fairest at windows of a few packets, and of the fair variants the one with the
    /// highest utilization.
    pub stated_window: StatedWindow,
    /// Minimum control interval, 1 us to `max_interval`. Default 5 ms (section 7.3.2; ns-2.35 has
    /// 1 ms).
    pub min_interval: Span,
    /// Maximum control interval, `min_interval` to 16 s, the longest RTT that a header states.
    /// Default 16 s: an interval below the mean RTT reduces utilization. Section 7.3.2 has
    /// 1 s, "about the maximum RTT in today's Internet", against senders that overstate their RTT,
    /// which slow convergence down but do not prevent it; an operator who knows the RTTs of a link
    /// should set a tighter bound.
    pub max_interval: Span,
    /// First control interval, and the average RTT until a header carries one, 1 us to 10 s.
    /// Default 50 ms (ns-2.35; the thesis has no value).
    pub first_interval: Span,
    /// Minimum interval of the persistent queue, 1 us to 10 s. Default 2 ms (ns-2.35 and
    /// draft-falk-xcp-spec-03; Appendix A's code gives half its 5 ms).
    pub min_queue_timer: Span,
    /// When the minimum queue is sampled. Default at arrival (section 4.7.1); at departure in
    /// Appendix A.
    pub queue_at: Sampled,
    /// The bytes that an arriving packet sees as queue. Default `"unsent"`: "the minimum queue seen
    /// by an arriving packet" (section 4.7.1) leaves it open, and only this one reproduces the
    /// utilization of ns-2.35 (decision 3). No effect at departure.
    pub queue_counts: QueueCounts,
    /// When routers stamp feedback. Default at departure (Appendix A).
    pub stamp_at: Sampled,
    /// Initial window in packets, 1 to 1000; that of `[transport]` by default. The thesis has no
    /// value; its ns-2 sender started with one packet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_window: Option<u32>,
    /// Rate that applications request, above 0 (section 4.5). Default none: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_rate: Option<Rate>,
    /// Part of the packets that begin with a random limit of feedback around what was returned recently, 0 to
    /// 0.5 (section 7.4). A receiver that returns more than the limit lies, and its sender keeps a window of one
    /// packet. Up to half of these packets detect a receiver that adds to feedback. With delayed
    /// acknowledgements, needs selective ones (`recovery`): else it does nothing. Default 0: none.
    pub check_receiver: Ratio,
    /// Whether flows ask in their SYN whether the receiver and all links of the path run XCP, and follow TCP if not
    /// (section 8.2), with the window of `[tcp]` and in packets of class 0. They keep the transport of their SYN, so
    /// `recovery`, `delayed_ack`, `min_rto` and `initial_rto` must be those of `[tcp]`. Default false: they rely on it.
    /// Counts every link, also those of hosts: on a `dumbbell`, whose access links have no law by default, all
    /// flows revert unless `[[link]]` gives them one. A flow that reverts does not use ECN.
    pub fallback: bool,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Whether receivers acknowledge every second packet, with the sum of its feedback (footnote
    /// 3), or each; as in `[transport]` by default (the footnote leaves it open).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed_ack: Option<bool>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
}

impl Default for XcpParams {
    fn default() -> Self {
        Self {
            alpha: Ratio::new(0.4),
            beta: Ratio::new(0.226),
            efficiency: Efficiency::Spare,
            increase: Ratio::new(0.1),
            configured_capacity: None,
            measure_capacity: false,
            kappa: Ratio::new(0.01),
            balance: Balance::Windows,
            tcp_window: TcpWindow::Printed,
            gamma: Ratio::new(0.1),
            shuffle: Shuffle::Text,
            max_gamma: Ratio::new(0.36),
            rtt_groups: RttGroups::default(),
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
            check_receiver: Ratio::new(0.0),
            fallback: false,
            recovery: None,
            delayed_ack: None,
            min_rto: None,
            initial_rto: None,
        }
    }
}
