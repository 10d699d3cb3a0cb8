//! The parameters of `tcp`.

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shared::tcp_params;

/// Allowed values of [`TcpParams::min_window`], in packets.
pub(super) const MIN_WINDOWS: RangeInclusive<u32> = 1..=2;

/// How the window grows in congestion avoidance (RFC 5681 section 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// A packet for every window of packets acknowledged, the recommended form: a packet an RTT, with
    /// delayed acknowledgements too. As Linux does.
    #[default]
    ByteCounting,
    /// 1/cwnd for every acknowledgement, however much it acknowledges, equation (3): with delayed
    /// acknowledgements half a packet an RTT. As ns-2 does.
    PerAck,
}

tcp_params! {
    /// TCP's parameters.
    TcpParams {
        /// How the window grows in congestion avoidance. Default `"byte_counting"`.
        growth: Growth = Growth::ByteCounting,
        /// Least window after fast retransmit in packets, 1 or 2. Default 2, RFC 5681 (4); with 1 a window
        /// of 3 packets is halved to 1.5, as ns-2 has it.
        min_window: u32 = 2,
        /// Whether the acknowledgement that ends fast recovery grows the window, as in ns-2's Reno and
        /// NewReno. Default off: RFC 5681 section 3.2 sets the window to ssthresh there.
        grow_as_recovery_ends: bool = false,
    }
}
