//! Fields narrower than a word, for headers that have more fields than forward words.
//!
//! A header has [`ECHO`] forward words and no more, since a SYN with timestamps has room for no longer option
//! (`docs/wire.md`, "Three forward words"). A law with more to say divides words into fields, by constants:
//!
//! ```
//! use sluice_laws::wire::{HeaderField, SmallFloat};
//!
//! const RTT: HeaderField = HeaderField::bits(2, 16..32);
//! const IS_SYN: HeaderField = HeaderField::bit(2, 15);
//! const LEFT: HeaderField = HeaderField::bits(2, 0..15);
//! const _: () = assert!(HeaderField::are_disjoint(&[RTT, IS_SYN, LEFT]));
//!
//! /// Bytes left, to 1 in 512: 5 bits exponent, 10 bits mantissa.
//! const BYTES: SmallFloat = SmallFloat::new(5, 10);
//!
//! let mut words = [0; 4];
//! LEFT.set(&mut words, BYTES.code(1_000_000));
//! IS_SYN.mark(&mut words, true);
//! assert_eq!(BYTES.value(LEFT.get(&words)), 999_424);
//! ```

use core::ops::Range;

use super::form::ECHO;
use super::scale::{scaled, unscaled};

/// Some bits of one forward word. All of it is constant, so that reading costs a shift and a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderField {
    word: usize,
    shift: u32,
    /// Its bits, at the lowest place.
    max: u32,
}

impl HeaderField {
    /// These bits of forward word `word`, counted from the lowest. No field, and in a constant no program, if there is
    /// no such word or bit.
    pub const fn bits(word: usize, bits: Range<u32>) -> Self {
        assert!(word < ECHO, "there are three forward words, from 0");
        assert!(bits.start < bits.end && bits.end <= u32::BITS, "a word has bits 0 to 31");
        Self { word, shift: bits.start, max: u32::MAX >> (u32::BITS - (bits.end - bits.start)) }
    }

    /// A mark: one bit.
    pub const fn bit(word: usize, bit: u32) -> Self {
        Self::bits(word, bit..bit + 1)
    }

    /// Whether no two of these fields share a bit. To be asserted in a constant.
    pub const fn are_disjoint(fields: &[Self]) -> bool {
        let mut taken = [0; ECHO];
        let mut i = 0;
        while i < fields.len() {
            let Self { word, shift, max } = fields[i];
            if taken[word] & max << shift != 0 {
                return false;
            }
            taken[word] |= max << shift;
            i += 1;
        }
        true
    }

    /// The largest value.
    pub const fn max(self) -> u32 {
        self.max
    }

    /// The value in the words of a header.
    #[inline(always)]
    pub const fn get(self, words: &[u32; 4]) -> u32 {
        words[self.word] >> self.shift & self.max
    }

    /// Writes `value`, at most [`HeaderField::max`] of it, and leaves the other bits as they are.
    #[inline(always)]
    pub const fn set(self, words: &mut [u32; 4], value: u32) {
        let value = if value < self.max { value } else { self.max };
        words[self.word] = words[self.word] & !(self.max << self.shift) | value << self.shift;
    }

    /// Whether any of its bits is set.
    #[inline(always)]
    pub const fn is_marked(self, words: &[u32; 4]) -> bool {
        self.get(words) != 0
    }

    /// Sets a mark or takes it away.
    #[inline(always)]
    pub const fn mark(self, words: &mut [u32; 4], marked: bool) {
        self.set(words, marked as u32);
    }
}

/// Positive numbers in few bits: an exponent e above a mantissa m, which mean m x 2^e. Numbers below 2^`mantissa` are
/// exact; others round down, by less than 1 in 2^(`mantissa` - 1). All ones mean "no bound".
///
/// Codes compare as their numbers do, so a router can compare and take minimums without decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallFloat {
    exponent: u32,
    mantissa: u32,
}

impl SmallFloat {
    /// Numbers of that many bits of exponent, 1 to 5, and of mantissa, 2 to 27. In a constant others do not compile.
    pub const fn new(exponent: u32, mantissa: u32) -> Self {
        assert!(exponent >= 1 && exponent <= 5, "an exponent has 1 to 5 bits");
        assert!(mantissa >= 2 && mantissa <= 27, "a mantissa has 2 to 27 bits");
        Self { exponent, mantissa }
    }

    /// The code of "no bound".
    pub const fn unbounded(self) -> u32 {
        u32::MAX >> (u32::BITS - self.exponent - self.mantissa)
    }

    /// The largest number, just below "no bound".
    pub const fn largest(self) -> u64 {
        unscaled(self.unbounded() - 1, self.mantissa, self.exponent)
    }

    /// The code of `value`, rounded down to what there is a code for; that of "no bound" for [`u64::MAX`].
    #[inline]
    pub const fn code(self, value: u64) -> u32 {
        if value == u64::MAX {
            self.unbounded()
        } else if value >= self.largest() {
            self.unbounded() - 1
        } else {
            scaled(value, self.mantissa)
        }
    }

    /// The number of a code, [`u64::MAX`] for "no bound". Bits above the code's are ignored.
    #[inline]
    pub const fn value(self, code: u32) -> u64 {
        let code = code & self.unbounded();
        if code == self.unbounded() {
            return u64::MAX;
        }
        unscaled(code, self.mantissa, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_by_hand() {
        let mut words = [0xFFFF_FFFF, 0, 0x1234_5678, 9];
        assert_eq!(HeaderField::bits(2, 8..16).get(&words), 0x56);
        assert_eq!(HeaderField::bits(2, 0..32).get(&words), 0x1234_5678);
        HeaderField::bits(2, 8..16).set(&mut words, 0xAB);
        HeaderField::bits(0, 4..8).set(&mut words, 0);
        HeaderField::bits(1, 30..32).set(&mut words, 200);
        assert_eq!(words, [0xFFFF_FF0F, 3 << 30, 0x1234_AB78, 9]);
        let mark = HeaderField::bit(1, 31);
        assert!(mark.is_marked(&words));
        mark.mark(&mut words, false);
        assert_eq!((mark.is_marked(&words), words[1]), (false, 1 << 30));
    }

    #[test]
    fn fields_that_share_a_bit_are_found() {
        let [low, high] = [HeaderField::bits(1, 0..16), HeaderField::bits(1, 16..32)];
        assert!(HeaderField::are_disjoint(&[
            low,
            high,
            HeaderField::bits(0, 0..32),
            HeaderField::bits(2, 0..32)
        ]));
        assert!(!HeaderField::are_disjoint(&[low, high, HeaderField::bit(1, 15)]));
        assert!(!HeaderField::are_disjoint(&[high, HeaderField::bit(1, 16)]));
    }

    #[test]
    #[should_panic(expected = "three forward words")]
    fn the_echo_is_no_forward_word() {
        let _ = HeaderField::bits(ECHO, 0..8);
    }

    #[test]
    fn numbers_by_hand() {
        let float = SmallFloat::new(5, 11);
        assert_eq!((float.code(0), float.code(2047)), (0, 2047));
        assert_eq!(float.code(2048), 1 << 11 | 1024);
        assert_eq!((float.code(2049), float.code(2050)), (float.code(2048), float.code(2048) + 1));
        assert_eq!(float.largest(), 2046 << 31);
        assert_eq!((float.code(u64::MAX - 1), float.code(u64::MAX)), (0xFFFE, 0xFFFF));
        assert_eq!((float.value(0xFFFE), float.value(0xFFFF)), (2046 << 31, u64::MAX));
        // The fewest bits: 5 is 4, the largest, and the codes 4 and 5 do not occur.
        let least = SmallFloat::new(1, 2);
        assert_eq!(
            [0, 1, 2, 3, 4, 5, u64::MAX].map(|value| least.code(value)),
            [0, 1, 2, 3, 6, 6, 7]
        );
        assert_eq!([0, 1, 2, 3, 6, 7].map(|code| least.value(code)), [0, 1, 2, 3, 4, u64::MAX]);
    }

    proptest! {
        /// Fields of any width against arithmetic on the 96 bits.
        #[test]
        fn a_field_is_what_was_set_and_changes_nothing_else(
            words in any::<[u32; 4]>(), word in 0..ECHO, start in 0_u32..32, length in 1_u32..=32, value: u32,
        ) {
            let field = HeaderField::bits(word, start..(start + length).min(32));
            let mut changed = words;
            field.set(&mut changed, value);
            prop_assert_eq!(field.get(&changed), value.min(field.max()));
            field.set(&mut changed, field.get(&words));
            prop_assert_eq!(changed, words);
        }

        #[test]
        fn numbers_are_a_little_less_and_keep_their_order(
            exponent in 1_u32..=5, mantissa in 2_u32..=27, shift in 0_u32..64, a: u64, b: u64, code: u32,
        ) {
            let float = SmallFloat::new(exponent, mantissa);
            let [a, b] = [a >> shift, b >> (63 - shift)];
            let [low, high] = [a.min(b), a.max(b)];
            prop_assert!(float.code(low) <= float.code(high));
            prop_assert!(float.code(high) <= float.unbounded());
            let said = float.value(float.code(a));
            prop_assert!(said <= a);
            if a <= float.largest() {
                prop_assert!(a - said <= a >> (mantissa - 1));
                prop_assert_eq!(float.value(float.code(said)), said, "what was read can be said again");
            } else if a < u64::MAX {
                prop_assert_eq!(said, float.largest());
            }
            prop_assert!(float.value(code) <= float.largest() || float.value(code) == u64::MAX);
        }
    }
}
