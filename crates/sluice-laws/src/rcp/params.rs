//! The parameters of `rcp`.

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span, above};

use super::rtt;
use crate::router::{QueueCounts, Sampled};
use crate::transport::LossRecovery;

/// Loss recovery of RCP senders.
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
    /// In rounds: two RTTs after the last packet of a round, all missing packets are retransmitted
    /// in the next round (Dukkipati and others, "Buffer sizing results for RCP congestion control
    /// under connection arrivals and departures", 2009; the authors' ns-2 code). The papers'
    /// receiver counts packets, this one reports which arrived. A flow without an end has a single
    /// round and no retransmissions.
    Rounds,
}

impl From<RcpRecovery> for LossRecovery {
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
    /// Target utilization, above 0 to 1. Default 1 (the papers; the NetFPGA router used 0.95).
    pub gamma: Ratio,
    /// tau, the maximum interval between updates of R, 1 us to 10 s. Default 10 ms (section 3.1).
    pub interval: Span,
    /// R(0) as a fraction of the capacity, above 0 to 1. Default 0.05 (figure 5).
    pub initial_rate: Ratio,
    /// Minimum R in packets per d0, above 0 to 1. Default 0.01 (authors' ns-2 code).
    pub min_rate: Ratio,
    /// Initial d0, until a header carries an RTT, 1 us to 10 s. Default 200 ms (authors' code).
    pub initial_rtt: Span,
    /// Filter that derives d0 from the RTTs in headers. Default the paper's.
    pub rtt_filter: rtt::RttFilter,
    /// Gain of the paper's filter, above 0 to 1. Default 0.02 (section 2.3).
    pub rtt_gain: Ratio,
    /// Senders state their RTT in every n-th packet, n from 1 to 1000; only those packets update
    /// d0. Default 1; "a few" suffice (footnote 4).
    pub rtt_every: u32,
    /// The bytes that count as q. Default `"waiting"`: at the paper's equilibrium, "R_e = C/N and
    /// q_e = 0" (section 2.3), the link is full.
    pub queue_counts: QueueCounts,
    /// Whether bytes dropped in an interval count as queue (an option in section 2.3). Default off,
    /// as in equation (2).
    pub losses_as_queue: bool,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<RcpRecovery>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default, 0.5
    /// s in the authors' ns-2 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
    /// When routers stamp the rate. Default at arrival ("when a router receives a packet", section
    /// 2.2); at departure the rate is more recent by the queueing delay.
    pub stamp_at: Sampled,
    /// Rate that senders request, above 0. Default none: no limit (section 2.2 allows both).
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
