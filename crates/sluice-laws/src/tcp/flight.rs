//! The packets a sender has outstanding, whatever the recovery.

/// The packets outstanding: the whole state while nothing is lost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flight {
    /// The first packet not acknowledged in sequence.
    pub(super) una: u64,
    /// One past the highest packet ever sent.
    pub(super) nxt: u64,
    /// Packets thought to be in the network.
    pub(super) in_flight: u32,
    /// Duplicate acknowledgements below this start no fast retransmit (`recover` of RFC 6582).
    pub(super) guard: u64,
    /// Packets marked lost so far, each as often as it was.
    pub(super) lost: u64,
    /// RACK.reordering_seen.
    pub(super) reordered: bool,
    /// RACK.reo_wnd_mult, less one.
    pub(super) patience: u8,
    /// RACK.reo_wnd_persist: number of recoveries that still keep `patience`.
    pub(super) persists: u8,
    /// RACK.dsack_round: below it no further retransmission that proves spurious is counted.
    pub(super) spurious_to: u64,
}

/// Where an episode stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Some acknowledgements were odd; nothing is known to be lost.
    #[default]
    Watching,
    /// Fast recovery.
    Fast,
    /// After a time-out, until all that was outstanding then is acknowledged.
    TimedOut,
}

/// The packet that leaves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPacket {
    /// Its sequence number.
    pub seq: u64,
    /// Whether it was sent before.
    pub again: bool,
}

impl Flight {
    /// New data, if the window and the data allow.
    #[inline]
    pub(super) fn fresh(&self, window: u32, end: u64) -> Option<NextPacket> {
        (self.in_flight < window && self.nxt < end)
            .then_some(NextPacket { seq: self.nxt, again: false })
    }

    /// Moves on to a cumulative acknowledgement, which is not below the last; by how much.
    pub(super) fn advance(&mut self, cumulative: u64) -> u32 {
        let acked = count(cumulative.saturating_sub(self.una));
        self.una = self.una.max(cumulative);
        acked
    }
}

/// A number of packets, bounded to what a window can be.
pub(super) fn count(packets: u64) -> u32 {
    u32::try_from(packets).unwrap_or(u32::MAX)
}
