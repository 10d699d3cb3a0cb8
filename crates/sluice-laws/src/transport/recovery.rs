//! Which loss recovery a sender has, and in which variant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How lost packets are found and repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LossRecovery {
    /// Fast retransmit and fast recovery that any new acknowledgement ends (RFC 5681 section 3.2).
    Reno,
    /// Fast recovery that lasts until the whole window is repaired, a packet an RTT (RFC 6582).
    NewReno,
    /// Recovery from a scoreboard of selective acknowledgements (RFC 6675), to the letter: a lost
    /// retransmission waits for the time-out, which discards the scoreboard.
    Sack,
    /// Losses found by the times at which packets left, retransmissions included, and tail loss
    /// probes (RACK-TLP, RFC 8985); the window falls in proportion to what is delivered (RFC 6937);
    /// selective acknowledgements outlast a time-out. As Linux does.
    #[default]
    Rack,
    /// Not TCP's: all that is not acknowledged is sent again in the next round, and a round ends a
    /// fixed time after its last packet ([`crate::rcp::RcpRecovery`]).
    #[serde(skip)]
    Rounds,
}

impl LossRecovery {
    /// Whether a [`RecoveryVariant`] changes anything of it.
    pub fn has_variants(self) -> bool {
        matches!(self, Self::Reno | Self::NewReno | Self::Sack)
    }

    /// Whether it heeds selective acknowledgements.
    pub fn is_selective(self) -> bool {
        matches!(self, Self::Sack | Self::Rack)
    }
}

impl core::fmt::Display for LossRecovery {
    /// The name in scenarios.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(match self {
            Self::Reno => "reno",
            Self::NewReno => "new_reno",
            Self::Sack => "sack",
            Self::Rack => "rack",
            Self::Rounds => "rounds",
        })
    }
}

/// Rules of ns-2 that recovery by [`LossRecovery::Reno`], [`LossRecovery::NewReno`] and [`LossRecovery::Sack`] can
/// follow where they differ from the RFCs. All are off by default. The other recoveries have no
/// variants, and of the protocols only TCP and CUBIC do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecoveryVariant {
    /// Whether fast retransmit restarts the retransmission timer, with recovery `"sack"`, `"new_reno"`
    /// or `"reno"`. Default off: RFC 6298 section 5 restarts it only as new data is acknowledged.
    pub restart_timer_at_fast_retransmit: bool,
    /// Whether a window has one fast retransmit with recovery `"reno"` too: a second loss in it ends in
    /// a time-out ("Avoiding Multiple Fast Retransmits", RFC 2582 section 5; `recover` of RFC 6582; ns-2's
    /// `bugFix_`). Default off, as in RFC 5681.
    pub avoid_multiple_fast_retransmits: bool,
    /// Whether each of the first two duplicate acknowledgements lets a packet leave after a time-out
    /// too, when that packet is a retransmission (ns-2's `singledup_`), with recovery `"new_reno"` or
    /// `"reno"`. Default off: limited transmit (RFC 3042) sends new data.
    pub limited_transmit_after_time_out: bool,
    /// Whether fast recovery counts what is in flight by acknowledgements, one packet less for each and
    /// two for one of new data, whatever it acknowledges, one more for each packet sent but for the first
    /// copy; and sends any hole below the highest SACK again before new data; with recovery `"sack"` (K.
    /// Fall, S. Floyd, "Simulation-based Comparisons of Tahoe, Reno, and SACK TCP", 1996; ns-2's `Sack1`).
    /// Default off: RFC 6675's Pipe is without what is lost or SACKed, and a hole waits for three SACKs
    /// above it.
    pub pipe_counts_acks: bool,
    /// Whether selective acknowledgements are ignored after a time-out until all that was outstanding is
    /// acknowledged, and all of it is sent again, with recovery `"sack"` (ns-2's `Sack1`). Default off:
    /// RFC 6675 heeds them.
    pub ignore_sacks_after_time_out: bool,
    /// Whether an acknowledgement of new data discards the scoreboard, unless fast recovery or the repair
    /// after a time-out goes on, with recovery `"sack"` (ns-2's `Sack1`): all that is outstanding counts
    /// as in flight again, and three more duplicates start the next fast retransmit. Default off: RFC 6675
    /// keeps what was SACKed.
    pub forget_sacks_at_new_ack: bool,
}

impl RecoveryVariant {
    /// Whether it is no variant: all is as the RFCs have it.
    pub fn is_of_the_rfcs(&self) -> bool {
        *self == Self::default()
    }
}
