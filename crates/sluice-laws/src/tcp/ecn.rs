//! Explicit congestion notification (RFC 3168): a router marks a packet instead of dropping it, the
//! receiver echoes the mark until the sender confirms, and the sender reduces its window as for a loss.
//! ECT(1) instead of ECT(0) (RFC 9331) changes the queue of a packet, not this response.
//!
//! Both ends are taken to have agreed on it in the SYN exchange (section 6.1.1), whose packets
//! cannot be marked.

use crate::transport::EcnMode;

/// The congestion bits of a packet: two of IP's header (section 5) and two of TCP's
/// (section 6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ecn(u8);

impl Ecn {
    /// No bits: the packet cannot be marked.
    pub const NONE: Self = Self(0);
    /// ECT: a router may mark it. By itself, the codepoint ECT(0).
    pub const CAPABLE: Self = Self(1);
    /// ECT(1), of L4S packets (RFC 9331): a router may mark it, too.
    pub const ECT1: Self = Self(1 | 1 << 1);
    /// CE: a router did. It takes the place of the codepoint that the packet left with.
    pub const EXPERIENCED: Self = Self(1 << 2);
    /// ECE: the receiver got a marked packet.
    pub const ECHO: Self = Self(1 << 3);
    /// CWR: the sender has reduced its window.
    pub const REDUCED: Self = Self(1 << 4);

    /// The codepoint of the packets of a flow.
    pub const fn codepoint(mode: EcnMode) -> Self {
        match mode {
            EcnMode::Off => Self::NONE,
            EcnMode::Ect0 => Self::CAPABLE,
            EcnMode::Ect1 => Self::ECT1,
        }
    }

    /// Whether it is an L4S packet: ECT(1) or CE (RFC 9331, section 5.1).
    #[inline]
    pub const fn is_l4s(self) -> bool {
        self.has(Self::ECT1) || self.has(Self::EXPERIENCED)
    }

    /// Whether it has all bits of `other`.
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of both.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The sender's part (section 6.1.2): whether a sign of congestion is a new one, and the bits of
/// its packets. Without ECN every loss is new, and packets have no bits.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    /// Of new packets; [`Ecn::NONE`] without ECN.
    codepoint: Ecn,
    /// One past the highest packet sent when the window was last reduced: marks of packets below
    /// belong to the congestion that it was reduced for.
    until: u64,
    /// Whether it was reduced for a mark: then losses below belong to the same congestion.
    by_mark: bool,
    /// The bits of the next new packet.
    next: Ecn,
}

impl Signals {
    /// A sender at its start.
    pub const fn new(mode: EcnMode) -> Self {
        let codepoint = Ecn::codepoint(mode);
        Self { codepoint, until: 0, by_mark: false, next: codepoint }
    }

    const fn is_on(&self) -> bool {
        self.codepoint.0 != Ecn::NONE.0
    }

    /// An acknowledgement of all below `ack` echoes a mark, as `nxt` is the next new packet:
    /// whether to reduce the window. "TCP should not react to congestion indications more than once
    /// every window of data".
    pub fn marked(&mut self, ack: u64, nxt: u64) -> bool {
        let news = self.is_on() && ack > self.until;
        if news {
            self.reduced(nxt, true);
        }
        news
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
        if self.is_on() {
            self.next = self.codepoint.with(Ecn::REDUCED);
        }
    }

    /// The bits of a data packet. One sent `again` cannot be marked (section
    /// 6.1.5). CWR goes with "the first new data packet sent after the window reduction".
    #[inline]
    pub fn of_data(&mut self, again: bool) -> Ecn {
        if again {
            return Ecn::NONE;
        }
        core::mem::replace(&mut self.next, self.codepoint)
    }
}

/// The receiver's part (section 6.1.3): every acknowledgement echoes a mark until the sender
/// has confirmed it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks {
    /// The bits of acknowledgements.
    answer: Ecn,
}

impl Marks {
    /// A packet arrived. One that is marked and has CWR carries a new mark.
    #[inline]
    pub fn on_data(&mut self, ecn: Ecn) {
        if ecn.0 > Ecn::ECT1.0 {
            self.answer = if ecn.has(Ecn::EXPERIENCED) { Ecn::ECHO } else { Ecn::NONE };
        }
    }

    /// The bits of an acknowledgement; it cannot be marked (section 6.1.4).
    #[inline]
    pub fn of_ack(&self) -> Ecn {
        self.answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPABLE_REDUCED: Ecn = Ecn::CAPABLE.with(Ecn::REDUCED);

    #[test]
    fn marks_of_one_window_reduce_it_once() {
        let mut sender = Signals::new(EcnMode::Ect0);
        assert!(sender.marked(5, 20));
        assert!((6..=20).all(|ack| !sender.marked(ack, 20 + ack)));
        assert!(sender.marked(21, 40));
    }

    #[test]
    fn a_loss_and_a_mark_of_one_window_reduce_it_once() {
        let mut sender = Signals::new(EcnMode::Ect0);
        assert!(sender.marked(5, 20));
        assert!(!sender.lost(19, 30), "sent before the window was reduced");
        assert!(sender.lost(20, 30), "sent after it");
        assert!(!sender.marked(30, 40), "the loss has reduced it");
        assert!(sender.marked(31, 40));
    }

    /// Reno's recovery may find several losses of one window, and each counts (RFC 5681).
    #[test]
    fn every_loss_counts_that_no_mark_came_before() {
        for mode in [EcnMode::Off, EcnMode::Ect0, EcnMode::Ect1] {
            let mut sender = Signals::new(mode);
            assert!(sender.lost(5, 20) && sender.lost(6, 21));
            sender.timed_out(22);
            assert!(sender.lost(7, 22));
        }
    }

    #[test]
    fn the_first_new_packet_after_a_reduction_says_so() {
        let mut sender = Signals::new(EcnMode::Ect0);
        assert_eq!(sender.of_data(false), Ecn::CAPABLE);
        assert!(sender.lost(5, 20));
        assert_eq!(sender.of_data(true), Ecn::NONE);
        assert_eq!(sender.of_data(false), CAPABLE_REDUCED);
        assert_eq!(sender.of_data(false), Ecn::CAPABLE);
    }

    #[test]
    fn packets_with_ect1_keep_it_and_confirm_nothing_by_it() {
        let mut sender = Signals::new(EcnMode::Ect1);
        let mut receiver = Marks::default();
        assert_eq!(sender.of_data(false), Ecn::ECT1);
        receiver.on_data(Ecn::ECT1.with(Ecn::EXPERIENCED));
        receiver.on_data(Ecn::ECT1);
        assert_eq!(receiver.of_ack(), Ecn::ECHO);
        assert!(sender.marked(5, 20));
        let confirms = sender.of_data(false);
        assert_eq!(confirms, Ecn::ECT1.with(Ecn::REDUCED));
        receiver.on_data(confirms);
        assert_eq!(receiver.of_ack(), Ecn::NONE);
        assert_eq!(sender.of_data(false), Ecn::ECT1);
    }

    #[test]
    fn l4s_packets_are_those_with_ect1_or_ce() {
        let marked = Ecn::CAPABLE.with(Ecn::EXPERIENCED);
        assert!(
            [Ecn::ECT1, marked, Ecn::ECT1.with(Ecn::EXPERIENCED)].map(Ecn::is_l4s) == [true; 3]
        );
        let classic = [Ecn::NONE, Ecn::CAPABLE, CAPABLE_REDUCED, Ecn::ECHO];
        assert!(classic.map(Ecn::is_l4s) == [false; 4]);
    }

    #[test]
    fn without_ecn_a_sender_neither_sets_nor_uses_marks() {
        let mut sender = Signals::new(EcnMode::Off);
        assert!(!sender.marked(5, 20) && sender.lost(5, 20));
        assert_eq!(sender.of_data(false), Ecn::NONE);
    }

    #[test]
    fn a_mark_is_echoed_until_the_sender_answers() {
        let mut receiver = Marks::default();
        receiver.on_data(Ecn::CAPABLE);
        assert_eq!(receiver.of_ack(), Ecn::NONE);
        receiver.on_data(Ecn::CAPABLE.with(Ecn::EXPERIENCED));
        receiver.on_data(Ecn::CAPABLE);
        assert_eq!(receiver.of_ack(), Ecn::ECHO);
        receiver.on_data(CAPABLE_REDUCED.with(Ecn::EXPERIENCED));
        assert_eq!(receiver.of_ack(), Ecn::ECHO, "a new mark");
        receiver.on_data(CAPABLE_REDUCED);
        assert_eq!(receiver.of_ack(), Ecn::NONE);
    }
}
