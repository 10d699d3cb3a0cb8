//! The header: four fields and a mark in three words, and the rate that comes back.
//!
//! | word | bits  | field | unit    | meaning                                                                     |
//! |------|-------|-------|---------|-----------------------------------------------------------------------------|
//! | 0    | all   | rate  | 100 b/s | requested, lowered by routers; 0: none, or denied                            |
//! | 1    | all   | x     | 2^-28 s | the time between two packets of the flow at its present rate; 0: not stated  |
//! | 2    | 31    | asks  |         | the flow is not admitted: its SYN, and its data until it is                  |
//! | 2    | 0..16 | left  | byte    | left to send after this packet, to 1 in 1024, rounded down; all ones: no end |
//! | 3    | all   | grant | 100 b/s | in an acknowledgement, the rate granted                                      |

use sluice_laws::WireHeader;
use sluice_laws::router::LawHeader;
use sluice_laws::wire::{Coding, Form, HeaderField, Offer, SmallFloat};

const RATE: HeaderField = HeaderField::bits(0, 0..32);
const X: HeaderField = HeaderField::bits(1, 0..32);
const ASKS: HeaderField = HeaderField::bit(2, 31);
const LEFT: HeaderField = HeaderField::bits(2, 0..16);
const _: () = assert!(HeaderField::are_disjoint(&[RATE, X, ASKS, LEFT]));

const BYTES: SmallFloat = SmallFloat::new(6, 10);

/// The header of this law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdmissionHeader {
    /// The rate requested, as far as the routers passed so far grant it.
    pub rate: Offer,
    /// The time between two packets of the flow.
    pub x: u32,
    /// Whether the flow asks to be admitted.
    pub asks: bool,
    /// Bytes left to send; [`u64::MAX`] without an end.
    pub left: u64,
    /// In an acknowledgement, the rate granted.
    pub grant: Offer,
}

impl LawHeader for AdmissionHeader {
    // 15 is the number of laws outside Sluice.
    const FORM: Form = Form { law: 15, forward: 3, echo: Coding::Rate };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        let words = wire.get();
        Self {
            rate: Offer::from_units(RATE.get(&words)),
            x: X.get(&words),
            asks: ASKS.is_marked(&words),
            left: BYTES.value(LEFT.get(&words)),
            grant: Offer::from_units(words[3]),
        }
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        let mut words = [0, 0, 0, self.grant.units()];
        RATE.set(&mut words, self.rate.units());
        X.set(&mut words, self.x);
        ASKS.mark(&mut words, self.asks);
        LEFT.set(&mut words, BYTES.code(self.left));
        WireHeader::new(words)
    }
}
