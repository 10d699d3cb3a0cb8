//! Ledger's header: the rate asked and granted, the current time between packets, and what is left to send.
//!
//! | word | bits  | field   | unit    | what                                                                |
//! |------|-------|---------|---------|---------------------------------------------------------------------|
//! | 0    |       | rate    | 100 b/s | requested by the sender, lowered by routers                          |
//! | 1    |       | x       | 2^-28 s | the time between two packets as the flow sends now; 0 states nothing |
//! | 2    | 31    | syn     |         | requests the first rate of its flow                                  |
//! |      | 16-30 | rtt     | 2^-28 s | the sender's estimate, rounded down to 1 in 512; 0 before it has one |
//! |      | 0-15  | left    | byte    | what will be left as the answer arrives, to 1 in 1024; all ones: no end |
//! | 3    |       | reverse | 100 b/s | the rate granted to the packet acknowledged                          |
//!
//! `left` is what follows this packet less what the flow sends in an RTT at its present rate: that much is granted
//! already. So a router need not know the flow's RTT to tell whether it will use another grant.

use crate::wire::{Coding, Form, HeaderField, Offer, SmallFloat, WireRtt};
use crate::{WireHeader, router};

const SYN: HeaderField = HeaderField::bit(2, 31);
const RTT: HeaderField = HeaderField::bits(2, 16..31);
const LEFT: HeaderField = HeaderField::bits(2, 0..16);
const _: () = assert!(HeaderField::are_disjoint(&[SYN, RTT, LEFT]));

/// RTTs in ticks.
const TICKS: SmallFloat = SmallFloat::new(5, 10);
/// Bytes.
const BYTES: SmallFloat = SmallFloat::new(5, 11);

/// Ledger's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LedgerHeader {
    /// The rate requested, as far as the routers passed so far grant it.
    pub rate: Offer,
    /// The time that the flow takes for this packet as it sends now, in ticks; 0 states nothing.
    pub x: u32,
    /// Whether it requests the first rate of its flow.
    pub syn: bool,
    /// The sender's RTT.
    pub rtt: WireRtt,
    /// Bytes left as the answer to this packet arrives; [`u64::MAX`] without an end.
    pub left: u64,
    /// In an acknowledgement, the rate granted to the packet that it acknowledges.
    pub reverse: Offer,
}

impl router::LawHeader for LedgerHeader {
    const FORM: Form = Form { law: 7, forward: 3, echo: Coding::Rate };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let words = wire.get();
        // The most that a sender states is 2^32 - 1 ticks; other codes saturate.
        let rtt = TICKS.value(RTT.get(&words)).min(u64::from(u32::MAX));
        Self {
            rate: Offer::from_units(words[0]),
            x: words[1],
            syn: SYN.is_marked(&words),
            rtt: WireRtt::from_units(rtt as u32),
            left: BYTES.value(LEFT.get(&words)),
            reverse: Offer::from_units(words[3]),
        }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        let mut words = [self.rate.units(), self.x, 0, self.reverse.units()];
        SYN.mark(&mut words, self.syn);
        RTT.set(&mut words, TICKS.code(u64::from(self.rtt.units())));
        LEFT.set(&mut words, BYTES.code(self.left));
        WireHeader::new(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::LawHeader as _;
    use proptest::prelude::*;

    #[test]
    fn a_header_by_hand() {
        let header = LedgerHeader {
            rate: Offer::from_units(1),
            x: 2,
            syn: true,
            // 100 ms are 26,843,546 ticks: 819 x 2^15 and a rest.
            rtt: WireRtt::from_units(26_843_546),
            // 1465 x 2^10 and a rest.
            left: 1_500_500,
            reverse: Offer::from_units(3),
        };
        let words = [1, 2, 1 << 31 | (15 << 10 | 819) << 16 | (10 << 11 | 1465), 3];
        assert_eq!(header.to_wire(), WireHeader::new(words));
        let read = LedgerHeader::from_wire(header.to_wire());
        assert_eq!((read.rtt.units(), read.left), (819 << 15, 1465 << 10));
    }

    proptest! {
        #[test]
        fn a_header_reads_back_a_little_less(rtt: u32, left: u64, x: u32, syn: bool) {
            let rtt = WireRtt::from_units(rtt);
            let header = LedgerHeader { x, syn, rtt, left, ..LedgerHeader::default() };
            let read = LedgerHeader::from_wire(header.to_wire());
            prop_assert_eq!((read.x, read.syn), (x, syn));
            prop_assert!(read.rtt <= rtt && rtt.units() - read.rtt.units() <= rtt.units() >> 9);
            prop_assert!(read.left <= left);
            if left < 1 << 41 {
                prop_assert!(left - read.left <= left >> 10);
            }
            prop_assert_eq!(LedgerHeader::from_wire(read.to_wire()), read, "what was read can be said again");
        }
    }
}
