//! Alpha-fair RCP's header: RCP's with prices in place of rates.
//!
//! | word | field   | unit       | what                                                         |
//! |------|---------|------------|--------------------------------------------------------------|
//! | 0    | price   | [`Price`]  | the sum of `R_j^-alpha` over the links passed so far         |
//! | 1    | rtt     | 2^-28 s    | the sender's estimate; 0 before it has one                   |
//! | 2    |         |            | zero                                                         |
//! | 3    | reverse | [`Price`]  | the price of the data packet acknowledged                    |

use super::price::Price;
use crate::wire::{Coding, Form, WireRtt};
use crate::{WireHeader, router};

/// Alpha-fair RCP's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlphaFairHeader {
    /// What the links passed so far add up to.
    pub price: Price,
    /// The sender's RTT.
    pub rtt: WireRtt,
    /// In an acknowledgement, the price of the packets it acknowledges.
    pub reverse: Price,
}

impl router::LawHeader for AlphaFairHeader {
    const FORM: Form = Form { law: 4, forward: 2, echo: Coding::Price };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let [price, rtt, _, reverse] = wire.get();
        Self {
            price: Price::from_units(price),
            rtt: WireRtt::from_units(rtt),
            reverse: Price::from_units(reverse),
        }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        WireHeader::new([self.price.units(), self.rtt.units(), 0, self.reverse.units()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::LawHeader as _;

    #[test]
    fn words_survive_the_wire() {
        let wire = WireHeader::new([1, 2, 0, 3]);
        assert_eq!(AlphaFairHeader::from_wire(wire).to_wire(), wire);
    }
}
