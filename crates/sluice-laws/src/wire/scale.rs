//! Exponent and mantissa in one code, as echoes ([`super::echo`]) and fields ([`super::field`]) have them.

/// The code of `size`, rounded down to a mantissa of `bits` bits: with the smallest exponent that holds it.
#[inline]
pub(super) const fn scaled(size: u64, bits: u32) -> u32 {
    let exponent = (u64::BITS - size.leading_zeros()).saturating_sub(bits);
    exponent << bits | (size >> exponent) as u32
}

/// The size of a code with a mantissa of `bits` bits and an exponent of `exponent_bits`.
#[inline]
pub(super) const fn unscaled(code: u32, bits: u32, exponent_bits: u32) -> u64 {
    ((code & ((1 << bits) - 1)) as u64) << (code >> bits & ((1 << exponent_bits) - 1))
}
