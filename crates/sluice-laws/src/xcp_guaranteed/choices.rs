//! Choices that the thesis leaves open or answers twice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where R_r, the sum of the profiles admitted in the last interval, enters R_g.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecentReservations {
    /// R_g = max(sum of profiles, R_u) + R_r, as in the pseudo-code: R_u is the traffic of flows that
    /// send already, so what was admitted since comes on top of it.
    #[default]
    Added,
    /// R_g = max(sum of profiles + R_r, R_u), as in equation (6.1).
    WithinMaximum,
}

/// How an admitted sender keeps to its profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileSender {
    /// Packets leave at the rate of the profile: "the network also requires a guaranteed bandwidth flow
    /// to pace its packets" (section 6.4.1).
    #[default]
    Paced,
    /// A window of profile x RTT, without pacing, as in the thesis' simulations: it "sets cwnd always to
    /// the reservations times the RTT" (section 6.4.6), here to the nearest packet, and at least one. The
    /// first window leaves in a burst, at the rate of the host's link.
    Window,
}

/// How a flow goes on that is denied admission: "the sender has two options. The sender can either give up and
/// try later, or revert to best-effort" (section 6.4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeniedFlow {
    /// It sends nothing, as in the thesis' simulations ("flows that did not obtain admission to the network
    /// did not send any traffic", section 6.4.6), until it asks again after `retry`, if that is set.
    #[default]
    GivesUp,
    /// It becomes a flow of `xcp` in class 0, with the parameters of `[xcp]`, for good.
    BestEffort,
}
