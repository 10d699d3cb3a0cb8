//! The echo: the part of a header that an acknowledgement returns, in 24 bits, so that it fits beside
//! the kind, length and names of an option of 8 bytes (`docs/wire.md`, "The echo").

use super::Offer;
use super::scale::{scaled, unscaled};

/// How the 24 bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// An [`Offer`]: exponent (4 bits), mantissa (20 bits).
    Rate,
    /// A sum of feedback in bytes a second: sign (1 bit), exponent (4 bits), mantissa (19 bits).
    Feedback,
    /// A price ([`crate::alpha_fair::price::Price`]): exponent (8 bits), the upper 16 of 24 bits of
    /// the mantissa, rounded up, so that no sender exceeds its grant.
    Price,
}

const RATE_BITS: u32 = 20;
const FEEDBACK_BITS: u32 = 19;
/// Of rates and feedback.
const EXPONENT_BITS: u32 = 4;
/// Bits of a price that the echo leaves out.
const PRICE_CUT: u32 = 8;
const SIGN: u32 = 1 << 23;
const UNLIMITED: u32 = 0xFF_FFFF;

impl Coding {
    /// The 24 bits for `word`, rounded towards zero (a price: up).
    pub const fn code(self, word: u32) -> u32 {
        match self {
            Self::Rate if word == Offer::UNLIMITED.units() => UNLIMITED,
            Self::Rate => scaled(word as u64, RATE_BITS),
            Self::Feedback => {
                let feedback = word as i32;
                let sign = if feedback < 0 { SIGN } else { 0 };
                sign | scaled(feedback.unsigned_abs() as u64, FEEDBACK_BITS)
            }
            Self::Price => price_code(word),
        }
    }

    /// The word for 24 bits, at most the largest that fits.
    pub const fn word(self, code: u32) -> u32 {
        match self {
            Self::Rate if code == UNLIMITED => Offer::UNLIMITED.units(),
            Self::Rate => {
                min(unscaled(code, RATE_BITS, EXPONENT_BITS), max_value(RATE_BITS, 12)) as u32
            }
            Self::Feedback => {
                let size = unscaled(code & !SIGN, FEEDBACK_BITS, EXPONENT_BITS);
                if code & SIGN == 0 {
                    min(size, max_value(FEEDBACK_BITS, 12)) as u32
                } else {
                    min(size, 1 << 31).wrapping_neg() as u32
                }
            }
            Self::Price => code << PRICE_CUT,
        }
    }

    /// `word` as encoded and decoded: what the other end receives.
    pub const fn rounded(self, word: u32) -> u32 {
        let size = match self {
            Self::Rate => word,
            Self::Feedback => (word as i32).unsigned_abs(),
            Self::Price => return self.word(self.code(word)),
        };
        // These codings are exact for small sizes; most feedback is small.
        if size >> FEEDBACK_BITS == 0 { word } else { self.word(self.code(word)) }
    }

    /// The most that [`Coding::rounded`] leaves out of a sum of feedback, in size, where `returned` is the
    /// sum as rounded.
    pub(crate) const fn feedback_rest(returned: i32) -> u32 {
        let bits = u32::BITS - returned.unsigned_abs().leading_zeros();
        (1 << bits.saturating_sub(FEEDBACK_BITS)) - 1
    }
}

/// `word` without its lowest bits, rounded up. What does not fit a mantissa then carries into the
/// exponent, where half of it is the mantissa.
const fn price_code(word: u32) -> u32 {
    let code = (word as u64).div_ceil(1 << PRICE_CUT) as u32;
    let carried = code & 0xFFFF == 0 && code > word >> PRICE_CUT;
    let code = if carried { code | 0x8000 } else { code };
    if code > UNLIMITED { UNLIMITED } else { code }
}

/// The largest value of `bits` bits with this exponent.
const fn max_value(bits: u32, exponent: u32) -> u64 {
    ((1 << bits) - 1) << exponent
}

const fn min(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sluice_units::Rate;

    #[test]
    fn codes_by_hand() {
        assert_eq!(Coding::Rate.code(0), 0);
        assert_eq!(Coding::Rate.code((1 << 20) - 1), (1 << 20) - 1);
        assert_eq!(Coding::Rate.code(1 << 20), 1 << 20 | 1 << 19);
        assert_eq!(Coding::Rate.code(u32::MAX), 0xFF_FFFF);
        assert_eq!(Coding::Feedback.code(-5_i32 as u32), 1 << 23 | 5);
        assert_eq!(Coding::Feedback.code(i32::MIN as u32), 1 << 23 | 13 << 19 | 1 << 18);
        assert_eq!(Coding::Feedback.rounded(i32::MIN as u32), i32::MIN as u32);
        assert_eq!(Coding::Price.code(1), 1);
        assert_eq!(Coding::Price.code(7 << 24 | 0x80_0100), 7 << 16 | 0x8001);
        assert_eq!(Coding::Price.code(7 << 24 | 0x80_0101), 7 << 16 | 0x8002);
        assert_eq!(Coding::Price.code(7 << 24 | 0xFF_FF01), 8 << 16 | 0x8000);
        assert_eq!(Coding::Price.code(u32::MAX), 0xFF_FFFF);
    }

    #[test]
    fn a_rate_granted_anywhere_comes_back_as_it_was() {
        for bps in [1_000, 64_000, 155_000_100, 2_488_320_000, 399_999_999_900, u64::MAX] {
            let granted = Offer::granting(Rate::from_bps(bps));
            assert_eq!(Coding::Rate.rounded(granted.units()), granted.units());
        }
        assert_eq!(Coding::Rate.rounded(Offer::UNLIMITED.units()), Offer::UNLIMITED.units());
    }

    proptest! {
        #[test]
        fn what_is_heard_is_a_little_less_and_no_code_is_wild(
            word in prop_oneof![any::<u32>(), 0_u32..1 << 21, any::<u16>().prop_map(|n| !u32::from(n) << 4)],
            code in 0_u32..1 << 24,
        ) {
            for coding in [Coding::Rate, Coding::Feedback] {
                prop_assert_eq!(coding.rounded(word), coding.word(coding.code(word)));
            }
            let rate = Coding::Rate.rounded(word);
            prop_assert!(rate <= word && word - rate <= word >> 19);
            prop_assert_eq!(rate == 0, word == 0);

            let feedback = Coding::Feedback.rounded(word) as i32;
            let asked = word as i32;
            prop_assert!(feedback.unsigned_abs() <= asked.unsigned_abs());
            prop_assert!(asked.abs_diff(feedback) <= asked.unsigned_abs() >> 18);
            prop_assert!(feedback.signum() == asked.signum());
            prop_assert!(asked.abs_diff(feedback) <= Coding::feedback_rest(feedback));

            let price = Coding::Price.rounded(word);
            prop_assert!(price >= word || price == u32::MAX << 8);
            prop_assert!(price <= (word | 0xFF_FFFF).saturating_add(1 << 24));
            prop_assert_eq!(price == 0, word == 0);

            for coding in [Coding::Rate, Coding::Feedback, Coding::Price] {
                let word = coding.word(code);
                prop_assert_eq!(coding.rounded(word), word, "what was heard can be said again");
            }
        }
    }
}
