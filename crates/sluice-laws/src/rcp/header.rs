//! RCP's header: the rate asked and granted, the sender's RTT, and the rate that comes back.
//!
//! | word | field   | unit    | what                                                              |
//! |------|---------|---------|-------------------------------------------------------------------|
//! | 0    | rate    | 100 b/s | `R_p` (section 2.2 step 2): asked by the sender, lowered by routers |
//! | 1    | rtt     | 2^-28 s | `RTT_p`: the sender's estimate; 0 before it has one               |
//! | 2    |         |         | zero                                                              |
//! | 3    | reverse | 100 b/s | `R_p` of the data packet acknowledged                              |
//!
//! The paper leaves units and widths open; `docs/wire.md` specifies them.

use crate::wire::{Coding, Form, Offer, WireRtt};
use crate::{WireHeader, router};

/// RCP's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RcpHeader {
    /// The rate asked for, as far as the routers passed so far grant it.
    pub rate: Offer,
    /// The sender's RTT.
    pub rtt: WireRtt,
    /// In an acknowledgement, the rate granted to the packets it acknowledges.
    pub reverse: Offer,
}

impl router::LawHeader for RcpHeader {
    const FORM: Form = Form { law: 1, forward: 2, echo: Coding::Rate };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let [rate, rtt, _, reverse] = wire.get();
        Self {
            rate: Offer::from_units(rate),
            rtt: WireRtt::from_units(rtt),
            reverse: Offer::from_units(reverse),
        }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        WireHeader::new([self.rate.units(), self.rtt.units(), 0, self.reverse.units()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::LawHeader as _;

    #[test]
    fn words_survive_the_wire() {
        let wire = WireHeader::new([1, 2, 0, 3]);
        assert_eq!(RcpHeader::from_wire(wire).to_wire(), wire);
    }
}
