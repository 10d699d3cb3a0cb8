//! Acknowledgements and their effects.

use sluice_units::Time;

use super::ranges::Block;
use crate::transport::Rtts;

/// An acknowledgement that reached the sender.
#[derive(Clone, Copy, Debug)]
pub struct Ack<'a> {
    /// The sender's clock.
    pub now: Time,
    /// Its time stamp: when the packet left that triggered it.
    pub sent: Time,
    /// All packets below it have arrived.
    pub cumulative: u64,
    /// Packets above that have arrived (ignored by Reno and NewReno).
    pub sacks: &'a [Block],
    /// The RTTs sampled so far, this acknowledgement's among them.
    pub rtts: Option<Rtts>,
}

/// The effect of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckProgress {
    /// Packets newly acknowledged in sequence; 0 for a duplicate.
    pub acked: u32,
    /// Packets that it is the first to acknowledge, in sequence or selectively. Reno and NewReno
    /// see only the former.
    pub delivered: u32,
    /// What it shows about losses.
    pub signal: LossSignal,
}

/// What an acknowledgement, or a timer, shows about losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossSignal {
    /// Nothing new.
    Nothing,
    /// A loss, which begins an episode of fast recovery. It takes precedence over the end of an earlier
    /// episode by the same acknowledgement: the loss is of data sent after the earlier one was
    /// found, hence a second sign of congestion (RFC 5681 section 4.3).
    Loss {
        /// FlightSize of RFC 5681: all packets sent and not acknowledged in sequence; without those
        /// that limited transmit sent (section 3.2 step 1 takes them out), but for recovery by time.
        in_flight: u32,
    },
    /// All of the episode is repaired (Reno: its first new acknowledgement came).
    Recovered,
}
