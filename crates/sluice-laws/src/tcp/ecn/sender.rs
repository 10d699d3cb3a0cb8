//! The sender's part of ECN.

use super::bits::{ACE_AT_FIRST, Ecn};
use super::feedback::EcnFeedback;
use crate::transport::EcnMode;

/// The sender's part: whether a sign of congestion is a new one (RFC 3168 section 6.1.2), or how many
/// packets were marked, and the bits of its packets. Without ECN every loss is new, and packets have no
/// bits.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    /// Of new packets; [`Ecn::NONE`] without ECN.
    codepoint: Ecn,
    feedback: EcnFeedback,
    /// s.cep of RFC 9768, modulo 8: marked packets of which the law knows.
    seen: u8,
    /// The bits of the next new packet.
    next: Ecn,
    /// Whether the window was reduced for a mark: then losses below `until` belong to the same
    /// congestion.
    by_mark: bool,
    /// One past the highest packet sent when the window was last reduced: marks of packets below
    /// belong to the congestion that it was reduced for.
    until: u64,
}

impl Signals {
    /// A sender at its start.
    pub const fn new(mode: EcnMode, feedback: EcnFeedback) -> Self {
        let codepoint = Ecn::codepoint(mode);
        let seen = ACE_AT_FIRST;
        Self { codepoint, feedback, seen, next: codepoint, by_mark: false, until: 0 }
    }

    /// Whether [`Signals::newly_marked`] may be more than 0.
    #[inline(always)]
    pub fn counts_marks(&self) -> bool {
        self.feedback.counts()
    }

    /// An acknowledgement with these bits arrives, the first to acknowledge `delivered` packets: the
    /// packets newly reported as marked. 0 with [`EcnFeedback::Classic`].
    pub fn newly_marked(&mut self, ack: Ecn, delivered: u32) -> u32 {
        match self.feedback {
            EcnFeedback::Classic => 0,
            // RFC 8257 section 3.3: all bytes that an acknowledgement with ECE newly acknowledges.
            EcnFeedback::Dctcp if ack.has(Ecn::ECHO) => delivered,
            EcnFeedback::Dctcp => 0,
            EcnFeedback::Accurate => {
                // RFC 9768 appendix A.2.1: d.cep, the counter's increase modulo 8
                let increase = u32::from(ack.ace().wrapping_sub(self.seen) & 7);
                self.seen = ack.ace();
                // It may have cycled if more than 7 packets were acknowledged; "conservatively", as
                // often as they allow (d.cep.safer).
                match delivered.checked_sub(increase) {
                    Some(other) if delivered > 7 => delivered - other % 8,
                    _ => increase,
                }
            }
        }
    }

    /// An acknowledgement of all below `ack` echoes a mark, as `nxt` is the next new packet:
    /// whether to reduce the window. "TCP should not react to congestion indications more than once
    /// every window of data" (RFC 3168 section 6.1.2). Never with another feedback than
    /// [`EcnFeedback::Classic`].
    pub fn marked(&mut self, ack: u64, nxt: u64) -> bool {
        let news = self.is_classic() && ack > self.until;
        if news {
            self.reduced(nxt, true);
        }
        news
    }

    /// Whether an acknowledgement with these bits must not raise the window: "the sending TCP SHOULD NOT
    /// increase the congestion window in response to the receipt of an ECN-Echo ACK packet" (RFC 3168
    /// section 6.1.2). Never with another feedback than [`EcnFeedback::Classic`].
    ///
    /// A departure, as in Linux: after a loss or a time-out, echoes of older marks do not count. The
    /// receiver repeats them until new data confirm the reduction, and a window of one packet would
    /// stay that small until all that was lost is sent again.
    #[inline(always)]
    pub fn forbid_growth(&self, ack: Ecn) -> bool {
        ack.has(Ecn::ECHO) && self.by_mark && self.is_classic()
    }

    /// Packet `una` is lost, as `nxt` is the next new one: whether to reduce the window. It "should
    /// be reduced only once in response to a series of dropped and/or CE packets from a single
    /// window of data".
    pub fn lost(&mut self, una: u64, nxt: u64) -> bool {
        let news = !self.by_mark || una >= self.until;
        if news {
            self.reduced(nxt, false);
        }
        news
    }

    /// The retransmission timer expired; the window is reduced.
    pub fn timed_out(&mut self, nxt: u64) {
        self.reduced(nxt, false);
    }

    fn reduced(&mut self, nxt: u64, by_mark: bool) {
        (self.until, self.by_mark) = (nxt, by_mark);
        if self.is_classic() {
            self.next = self.codepoint.with(Ecn::REDUCED);
        }
    }

    /// Whether marks are echoed until it confirms.
    fn is_classic(&self) -> bool {
        !self.feedback.counts() && self.codepoint != Ecn::NONE
    }

    /// The bits of a data packet. With [`EcnFeedback::Classic`], one sent `again` cannot be marked
    /// (RFC 3168 section 6.1.5), and CWR goes with "the first new data packet sent after the window
    /// reduction".
    #[inline]
    pub fn of_data(&mut self, again: bool) -> Ecn {
        if again {
            // RFC 8257 section 3.5 and RFC 8311 section 4.3 allow ECT on retransmissions.
            return if self.feedback.counts() { self.codepoint } else { Ecn::NONE };
        }
        core::mem::replace(&mut self.next, self.codepoint)
    }
}
