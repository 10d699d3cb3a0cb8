//! The parameters of `xcp_guaranteed`.

use core::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Rate, Ratio, Span, above};

use super::choices::{DeniedFlow, ProfileSender, RecentReservations};
use crate::transport::LossRecovery;

/// Allowed parts of a whole: of the capacity, of an estimate.
pub const PARTS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), Ratio::new(1.0));
/// Allowed intervals between estimates.
pub const INTERVALS: RangeInclusive<Span> = Span::from_micros(1)..=Span::from_secs(10);
/// Allowed profiles: those that a header can state.
pub const PROFILES: RangeInclusive<Rate> =
    Rate::from_bps(super::header::UNIT)..=Rate::from_bps(400_000_000_000);
/// Allowed times between requests for admission.
pub const RETRIES: RangeInclusive<Span> = Span::from_millis(1)..=Span::from_secs(3600);

/// Parameters of XCP's guaranteed bandwidth service.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct XcpGuaranteedParams {
    /// Profile of the flows of groups that set none, 100 b/s to 400 Gb/s: the rate that each asks for.
    /// Default none: each group must set its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Rate>,
    /// G, the bandwidth that may be allocated to guaranteed traffic, as a fraction of the capacity, above
    /// 0 to 1. Default 0.8 (section 6.4.6).
    pub max_reserved: Ratio,
    /// T_e, the interval between estimates of R_g, 1 us to 10 s, and at least the RTT of each path. Default 300 ms (the thesis has no
    /// value), nearly four RTTs of its simulations. In the interval of its admission a flow counts both as
    /// admitted and by its packets, by up to 1 - RTT / T_e of its profile; from one interval to the next
    /// an idle flow, which sends a packet in an RTT, counts by up to RTT / T_e more or less.
    pub interval: Span,
    /// Part of a lower estimate that enters R_g, above 0 to 1; a higher one is taken at once. Default 0.4
    /// (section 6.4.4).
    pub fall: Ratio,
    /// How profiles admitted in an interval enter its estimate. Default those of the pseudo-code, the
    /// larger of two versions.
    pub recent: RecentReservations,
    /// How admitted senders keep to their profiles. Default `"paced"`.
    pub sender: ProfileSender,
    /// How a flow goes on that is denied admission. Default `"gives_up"`.
    pub denied: DeniedFlow,
    /// Mean time after which a sender that gave up asks again, 1 ms to 1 h. Each draws its times, uniform
    /// within half of the mean, so that flows denied together do not stay together; none is below an RTT.
    /// Default none: it sends nothing until its flow stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Span>,
    /// Whether admitted senders send more than their profiles where they have the data: out-of-profile packets
    /// are those of a flow of `xcp` in class 0, with the parameters of `[xcp]`, "by simulating two flows"
    /// (section 6.4.3). It is paced at its window over its RTT. Default false: "for simplicity, the rest of
    /// this chapter assumes that a guaranteed bandwidth flow never sends beyond its reserved bandwidth".
    pub exceeds: bool,
    /// Loss recovery; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<LossRecovery>,
    /// Whether receivers acknowledge every second packet; as in `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delayed_ack: Option<bool>,
    /// Minimum retransmission time-out, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rto: Option<Span>,
    /// Time-out before the first RTT sample, above 0 to 60 s; that of `[transport]` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_rto: Option<Span>,
}

impl Default for XcpGuaranteedParams {
    fn default() -> Self {
        Self {
            profile: None,
            max_reserved: Ratio::new(0.8),
            interval: Span::from_millis(300),
            fall: Ratio::new(0.4),
            recent: RecentReservations::Added,
            sender: ProfileSender::Paced,
            denied: DeniedFlow::GivesUp,
            retry: None,
            exceeds: false,
            recovery: None,
            delayed_ack: None,
            min_rto: None,
            initial_rto: None,
        }
    }
}
