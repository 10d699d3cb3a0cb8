//! The receiver's part of ECN.

use super::bits::{ACE_AT_FIRST, Ecn};
use super::feedback::EcnFeedback;

/// The receiver's part: the bits of acknowledgements.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    feedback: EcnFeedback,
    /// The bits of acknowledgements.
    answer: Ecn,
    /// DCTCP.CE: whether the last data packet was marked.
    experienced: bool,
    /// The highest bits of a data packet that change nothing.
    plain: Ecn,
}

impl Marks {
    /// A receiver that has seen no mark.
    pub const fn new(feedback: EcnFeedback) -> Self {
        let answer = match feedback {
            EcnFeedback::Accurate => Ecn::of_ace(ACE_AT_FIRST),
            EcnFeedback::Classic | EcnFeedback::Dctcp => Ecn::NONE,
        };
        let plain = if feedback.counts() { Ecn::NONE } else { Ecn::ECT1 };
        Self { feedback, answer, experienced: false, plain }
    }

    /// Whether a packet with these bits has to be taken in by [`Marks::on_data`]: with
    /// [`EcnFeedback::Classic`] one that is marked or confirms, else each that can be marked.
    #[inline(always)]
    pub fn are_changed_by(&self, ecn: Ecn) -> bool {
        ecn.is_above(self.plain)
    }

    /// Whether a packet with these bits is to be acknowledged at once because it is marked and the one
    /// before it was not, or the reverse (RFC 8257 section 3.2; RFC 9768 section 3.2.2.5.1 for the
    /// former). To be asked before [`Marks::on_data`].
    #[inline]
    pub fn turns(&self, ecn: Ecn) -> bool {
        self.feedback.counts()
            && ecn.has(Ecn::CAPABLE)
            && ecn.has(Ecn::EXPERIENCED) != self.experienced
    }

    /// Whether an acknowledgement that waits must leave before that of such a packet, since one
    /// acknowledgement cannot report both.
    pub fn separates(&self) -> bool {
        self.feedback == EcnFeedback::Dctcp
    }

    /// A packet arrived.
    pub fn on_data(&mut self, ecn: Ecn) {
        if self.feedback.counts() {
            self.count(ecn);
        } else if self.are_changed_by(ecn) {
            // RFC 3168 section 6.1.3: every acknowledgement echoes a mark until the sender has
            // confirmed it. A packet that is marked and has CWR carries a new mark.
            self.answer = if ecn.has(Ecn::EXPERIENCED) { Ecn::ECHO } else { Ecn::NONE };
        }
    }

    fn count(&mut self, ecn: Ecn) {
        if !ecn.has(Ecn::CAPABLE) {
            return; // a SYN or a probe
        }
        self.experienced = ecn.has(Ecn::EXPERIENCED);
        match self.feedback {
            EcnFeedback::Accurate if self.experienced => {
                self.answer = Ecn::of_ace(self.answer.ace().wrapping_add(1));
            }
            EcnFeedback::Accurate => {}
            _ if self.experienced => self.answer = Ecn::ECHO,
            _ => self.answer = Ecn::NONE,
        }
    }

    /// The bits of an acknowledgement; it cannot be marked (RFC 3168 section 6.1.4).
    #[inline]
    pub fn of_ack(&self) -> Ecn {
        self.answer
    }
}
