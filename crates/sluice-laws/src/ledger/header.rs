//! Ledger's header: the rate asked and granted, the current time between packets, and what is left to send.
//!
//! | word | bits  | field   | unit    | what                                                                |
//! |------|-------|---------|---------|---------------------------------------------------------------------|
//! | 0    |       | rate    | 100 b/s | requested by the sender, lowered by routers                          |
//! | 1    |       | x       | 2^-28 s | the time between two packets as the flow sends now; 0 states nothing |
//! | 2    | 31    | syn     |         | requests the first rate of its flow                                  |
//! |      | 18-30 | rtt     | 2^-28 s | the sender's estimate, rounded down to 1 in 256; 0 before it has one |
//! |      | 7-17  | left    | byte    | what will be left as the answer arrives, to 1 in 32; all ones: no end |
//! |      | 0-6   | stretch | 1/64    | factor by which queues stretch x; 1 (64) by senders                  |
//! | 3    |       | reverse | 100 b/s | the rate granted to the packet acknowledged                          |
//!
//! `left` is what follows this packet less what the flow sends in an RTT at its present rate: that much is granted
//! already. So a router need not know the flow's RTT to tell whether it will use another grant.
//!
//! A router counts flows by x over the time in which their packets arrive. A queue on the way that grows spreads packets, so that fewer come in
//! that time, and one that shrinks brings more. Its router multiplies `stretch` by the factor of that, so that the next router counts the
//! same flows. Whether a flow follows a router's R is seen by x alone.

use crate::wire::{Coding, Form, HeaderField, Offer, SmallFloat, WireRtt};
use crate::{WireHeader, router};

const SYN: HeaderField = HeaderField::bit(2, 31);
const RTT: HeaderField = HeaderField::bits(2, 18..31);
const LEFT: HeaderField = HeaderField::bits(2, 7..18);
const STRETCH: HeaderField = HeaderField::bits(2, 0..7);
const _: () = assert!(HeaderField::are_disjoint(&[SYN, RTT, LEFT, STRETCH]));

/// RTTs in ticks.
const TICKS: SmallFloat = SmallFloat::new(5, 8);
/// Bytes.
pub(super) const BYTES: SmallFloat = SmallFloat::new(6, 5);
/// A factor of 1 in the unit of [`FlowState::stretch`].
pub(super) const EVEN: u32 = 64;
/// The largest factor, as is stated of larger ones.
const MOST_STRETCH: u32 = 127;

/// Ledger's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LedgerHeader {
    /// The rate requested, as far as the routers passed so far grant it.
    pub rate: Offer,
    /// The time that the flow takes for this packet as it sends now, in ticks; 0 states nothing.
    pub x: u32,
    /// The flow at its sender.
    pub flow: FlowState,
    /// In an acknowledgement, the rate granted to the packet that it acknowledges.
    pub reverse: Offer,
}

/// What a packet states of its flow: word 2. Of this, routers change `stretch` alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowState([u32; 4]);

impl FlowState {
    /// Of a flow with `left` bytes left as the answer to this packet arrives, [`u64::MAX`] without an end. `syn` says that the
    /// packet requests the flow's first rate.
    pub fn new(syn: bool, rtt: WireRtt, left: u64) -> Self {
        let mut words = [0; 4];
        SYN.mark(&mut words, syn);
        RTT.set(&mut words, TICKS.code(u64::from(rtt.units())));
        LEFT.set(&mut words, BYTES.code(left));
        STRETCH.set(&mut words, EVEN);
        Self(words)
    }

    /// Whether the packet requests the first rate of its flow.
    #[inline]
    pub fn is_syn(&self) -> bool {
        SYN.is_marked(&self.0)
    }

    /// The sender's RTT.
    #[inline]
    pub fn rtt(&self) -> WireRtt {
        match RTT.get(&self.0) {
            0 => WireRtt::NONE,
            // A number with an exponent of 5 bits is below 2^32.
            code => WireRtt::from_units(TICKS.number(code) as u32),
        }
    }

    /// Bytes left as the answer arrives; [`u64::MAX`] without an end.
    pub fn left(&self) -> u64 {
        BYTES.value(self.left_code())
    }

    /// The same as a number of [`BYTES`], which routers need not decode to compare.
    #[inline]
    pub(super) fn left_code(&self) -> u32 {
        LEFT.get(&self.0)
    }

    /// Factor by which the queues passed so far stretch x, in 1/64.
    #[inline]
    pub fn stretch(&self) -> u32 {
        STRETCH.get(&self.0)
    }

    /// The same behind a queue with the factor `by` / 64, to the nearest.
    #[inline]
    pub(super) fn stretch_by(&mut self, by: u32) {
        let behind = (self.stretch().wrapping_mul(by).wrapping_add(EVEN / 2)) / EVEN;
        STRETCH.set(&mut self.0, behind.min(MOST_STRETCH));
    }
}

impl router::LawHeader for LedgerHeader {
    const FORM: Form = Form { law: 7, forward: 3, echo: Coding::Rate };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let [rate, x, flow, reverse] = wire.get();
        Self {
            rate: Offer::from_units(rate),
            x,
            flow: FlowState([0, 0, flow, 0]),
            reverse: Offer::from_units(reverse),
        }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        WireHeader::new([self.rate.units(), self.x, self.flow.0[2], self.reverse.units()])
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
            // 100 ms are 26,843,546 ticks: (1 + 153/256) x 2^24 and a rest. 1,500,500 bytes are (1 + 13/32) x 2^20 and a rest.
            flow: FlowState::new(true, WireRtt::from_units(26_843_546), 1_500_500),
            reverse: Offer::from_units(3),
        };
        let words =
            [1, 2, 1 << 31 | ((24 << 8 | 153) + 1) << 18 | ((20 << 5 | 13) + 1) << 7 | 64, 3];
        assert_eq!(header.to_wire(), WireHeader::new(words));
        let read = LedgerHeader::from_wire(header.to_wire());
        assert_eq!((read.flow.rtt().units(), read.flow.left()), (409 << 16, 45 << 15));
    }

    /// A queue that grows by half of what the link sends, and one that shrinks by a quarter.
    #[test]
    fn queues_multiply_the_stretch() {
        let mut flow = FlowState::new(true, WireRtt::from_units(9), 1_000);
        let of = |flow: &FlowState| (flow.is_syn(), flow.rtt().units(), flow.left());
        let before = of(&flow);
        for (by, behind) in [(64, 64), (96, 96), (48, 72), (65, 73), (0, 0), (127, 0)] {
            flow.stretch_by(by);
            assert_eq!((flow.stretch(), of(&flow)), (behind, before));
        }
        let mut flow = FlowState::default();
        STRETCH.set(&mut flow.0, 100);
        flow.stretch_by(90);
        assert_eq!(flow.stretch(), 127, "more than there is a number for");
    }

    proptest! {
        #[test]
        fn a_header_reads_back_a_little_less(rtt: u32, left: u64, x: u32, syn: bool) {
            let rtt = WireRtt::from_units(rtt);
            let header = LedgerHeader { x, flow: FlowState::new(syn, rtt, left), ..LedgerHeader::default() };
            let read = LedgerHeader::from_wire(header.to_wire());
            prop_assert_eq!(read, header);
            let flow = read.flow;
            prop_assert_eq!(flow.is_syn(), syn);
            // Longer ones are the longest.
            let rtt = rtt.units().min(TICKS.largest() as u32);
            let read_rtt = flow.rtt().units();
            prop_assert!(read_rtt <= rtt && rtt - read_rtt <= rtt >> 8);
            prop_assert!(flow.left() <= left && left - flow.left() <= left >> 4);
            prop_assert_eq!(FlowState::new(syn, flow.rtt(), flow.left()), flow, "what was read can be said again");
        }
    }
}
