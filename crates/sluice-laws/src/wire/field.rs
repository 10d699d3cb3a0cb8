//! Fields narrower than a word, for headers that have more fields than forward words. [`super::SmallFloat`] packs numbers
//! into them.
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
//! /// Bytes left, to 1 in 512: 6 bits exponent, 9 bits mantissa.
//! const BYTES: SmallFloat = SmallFloat::new(6, 9);
//!
//! let mut words = [0; 4];
//! LEFT.set(&mut words, BYTES.code(1_000_000));
//! IS_SYN.mark(&mut words, true);
//! assert_eq!(BYTES.value(LEFT.get(&words)), 999_424);
//! ```

use core::ops::Range;

use super::form::ECHO;

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
    }
}
