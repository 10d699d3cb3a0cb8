//! NCP's header: the rate asked and granted, what the flow sends now, and the rate that comes back.
//!
//! | word | field   | unit    | what                                                                |
//! |------|---------|---------|---------------------------------------------------------------------|
//! | 0    | rate    | 100 b/s | the desired `R_j` of section 4: asked by the sender, lowered by routers |
//! | 1    | x       | 2^-28 s | 1 / `R_j` of equation (8): the time between two packets as the flow sends now; 0 states nothing |
//! | 2    | rtt     | 2^-28 s | `RTT_j`: the sender's estimate; 0 before it has one                 |
//! | 3    | reverse | 100 b/s | `R_j` of the data packet acknowledged                                |
//!
//! Section 4 writes `R_j` for the rate that a packet requests and is granted; the `R_j` of (7) and
//! (8) is w_j / RTT_j, what the flow sends *now*. One field cannot be both: routers lower the first,
//! and a sum over lowered rates would count each flow of a bottleneck at the rate that the bottleneck granted.
//! `docs/wire.md` specifies units and widths, which the paper leaves open.

use crate::wire::{Coding, Form, Offer, WireRtt};
use crate::{WireHeader, router};

/// NCP's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NcpHeader {
    /// The rate asked for, as far as the routers passed so far grant it.
    pub rate: Offer,
    /// How long the flow takes for this packet as it sends now, s_j / R_j, in ticks; 0 states
    /// nothing.
    pub x: u32,
    /// The sender's RTT.
    pub rtt: WireRtt,
    /// In an acknowledgement, the rate granted to the packets it acknowledges.
    pub reverse: Offer,
}

impl router::LawHeader for NcpHeader {
    const FORM: Form = Form { law: 3, forward: 3, echo: Coding::Rate };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let [rate, x, rtt, reverse] = wire.get();
        Self {
            rate: Offer::from_units(rate),
            x,
            rtt: WireRtt::from_units(rtt),
            reverse: Offer::from_units(reverse),
        }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        WireHeader::new([self.rate.units(), self.x, self.rtt.units(), self.reverse.units()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::LawHeader as _;

    #[test]
    fn words_survive_the_wire_in_the_order_of_the_table() {
        let wire = WireHeader::new([1, 2, 3, 4]);
        let header = NcpHeader::from_wire(wire);
        assert_eq!((header.rate, header.x), (Offer::from_units(1), 2));
        assert_eq!((header.rtt, header.reverse), (WireRtt::from_units(3), Offer::from_units(4)));
        assert_eq!(header.to_wire(), wire);
    }
}
