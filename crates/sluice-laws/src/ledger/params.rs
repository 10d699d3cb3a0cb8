//! The parameters of `ledger`.

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Rate, Ratio, Span};

use crate::transport::LossRecovery;

/// The range of [`LedgerParams::send_buffer`].
pub const SEND_BUFFERS: RangeInclusive<Bytes> = Bytes::new(1)..=Bytes::new(1 << 40);
/// The range of [`LedgerParams::informed`].
pub const INFORMED: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(1.0);
/// The range of [`LedgerParams::assumed_tail`].
pub const TAILS: RangeInclusive<Ratio> = Ratio::new(0.01)..=Ratio::new(100.0);
/// The range of [`LedgerParams::target_queue`].
pub const TARGETS: RangeInclusive<Ratio> = Ratio::new(0.0)..=Ratio::new(1.0);
/// The range of [`LedgerParams::drain_time`]. Below a quarter of d0 the correction is made several times before its
/// effect shows.
pub const DRAIN_TIMES: RangeInclusive<Ratio> = Ratio::new(0.25)..=Ratio::new(100.0);

/// What a host knows of the data that its flow has yet to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stated {
    /// All of it, from the SYN on, as of a file or a response with a length.
    #[default]
    Size,
    /// What is in its send buffer of `send_buffer`, and that more may follow while this is full. The SYN knows what the
    /// application writes first, as where the SYN leaves with the first write (TCP_FASTOPEN_CONNECT).
    SendBuffer,
    /// Nothing but which packet is the last.
    Nothing,
}

/// Ledger's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LedgerParams {
    /// What hosts know of the data that follow. Default all.
    pub stated: Stated,
    /// The part of flows whose hosts know that; the others know nothing but which packet is the last. 0 to 1, default 1.
    pub informed: Ratio,
    /// The send buffer of hosts with `stated = "send_buffer"`. 1 B to 1 TiB, default 256 KiB.
    pub send_buffer: Bytes,
    /// How fast hosts expect flows to end of which they do not know: one that had k bytes so far, sent or in its buffer, has more
    /// than s with probability (k/s)^tail. 0.01 to 100. Default 0.6, below the tail of most workloads: a
    /// flow that ends unforeseen leaves capacity free for a round trip, one that goes on unforeseen makes a queue.
    pub assumed_tail: Ratio,
    /// The queue that a busy link is to have, as a part of C d0, so that errors do not leave it idle. 0 to 1,
    /// default 0.05.
    pub target_queue: Ratio,
    /// Time in which the expected queue is brought to its target, in d0. 0.25 to 100, default 1.
    pub drain_time: Ratio,
    /// d0 before a packet stated an RTT. 1 us to 10 s, default 100 ms.
    pub initial_rtt: Span,
    /// Gain of d0's moving average a packet, above 0 to 1. Default RCP's 0.02.
    pub rtt_gain: Ratio,
    /// The minimum R in packets a d0, above 0 to 1. Default 0.05.
    pub min_rate: Ratio,
    /// The most that a flow requests; none by default.
    pub desired_rate: Option<Rate>,
    /// Loss recovery; that of `[transport]` by default.
    pub recovery: Option<LossRecovery>,
    /// The least retransmission time-out; that of `[transport]` by default.
    pub min_rto: Option<Span>,
    /// The time-out before the first RTT sample; that of `[transport]` by default.
    pub initial_rto: Option<Span>,
}

impl Default for LedgerParams {
    fn default() -> Self {
        Self {
            stated: Stated::default(),
            informed: Ratio::new(1.0),
            send_buffer: Bytes::new(256 * 1024),
            assumed_tail: Ratio::new(0.6),
            target_queue: Ratio::new(0.05),
            drain_time: Ratio::new(1.0),
            initial_rtt: Span::from_millis(100),
            rtt_gain: Ratio::new(0.02),
            min_rate: Ratio::new(0.05),
            desired_rate: None,
            recovery: None,
            min_rto: None,
            initial_rto: None,
        }
    }
}
