//! The fraction of a window: 6.4 packets are sent as 6 or 7 a round trip, 6.4 on average.
//!
//! A sender that always rounds down sends less than the cwnd / rtt that its header states, by up to
//! a packet. It then gets what the thesis' section 7.3.1 shows of a flow that overstates its
//! throughput: less increase a packet, since its X = rtt / cwnd is too short, but the full
//! decrease, which goes by bytes. How much less depends on the window, and so on the RTT.

/// Decides once a round of acknowledgements whether one packet more may be in flight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fraction {
    /// The fractions of past rounds that were not sent, in packets: 0 to below 1.
    owed: f64,
    /// The packet that this round may send more, 0 or 1.
    packet: u32,
    /// Packets whose acknowledgement ends the round.
    left: u32,
}

impl Fraction {
    /// What the window of whole packets is raised by.
    pub(super) const fn packet(&self) -> u32 {
        self.packet
    }

    /// Takes in that `packets` were acknowledged, with the window now at `cwnd` packets.
    pub(super) fn acked(&mut self, packets: u32, cwnd: f64) {
        let whole = cwnd as u32;
        // A round is no longer than the window, which may have shrunk since it began.
        self.left = self.left.min(whole + self.packet).saturating_sub(packets);
        if self.left == 0 {
            self.owed += cwnd - f64::from(whole);
            self.packet = u32::from(self.owed >= 1.0);
            self.owed -= f64::from(self.packet);
            self.left = whole + self.packet;
        }
    }
}
