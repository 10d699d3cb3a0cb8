//! Numbers of a wide range in few bits.

/// Numbers from 0 on in few bits: code 0 is 0, and code c + 1 has an exponent e above a mantissa m in c, which mean
/// 2^e (1 + m / 2^`mantissa`), rounded down. So a number loses less than 1 in 2^`mantissa`; those below 2^(`mantissa` + 1)
/// lose nothing. All ones mean "no bound".
///
/// Codes compare as their numbers do, and those 2^`mantissa` apart mean numbers a factor of two apart, before these are rounded
/// down: a router can compare, take minimums and tell octaves without decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallFloat {
    exponent: u32,
    mantissa: u32,
}

impl SmallFloat {
    /// Numbers of that many bits of exponent, 1 to 6, and of mantissa, 1 to 26. In a constant others do not compile.
    pub const fn new(exponent: u32, mantissa: u32) -> Self {
        assert!(exponent >= 1 && exponent <= 6, "an exponent has 1 to 6 bits");
        assert!(mantissa >= 1 && mantissa <= 26, "a mantissa has 1 to 26 bits");
        Self { exponent, mantissa }
    }

    /// The code of "no bound".
    pub const fn unbounded(self) -> u32 {
        u32::MAX >> (u32::BITS - self.exponent - self.mantissa)
    }

    /// The number of codes to an octave.
    pub const fn octave(self) -> u32 {
        1 << self.mantissa
    }

    /// The largest number, just below "no bound".
    pub const fn largest(self) -> u64 {
        self.number(self.unbounded() - 1)
    }

    /// The code of `value`, rounded down to what there is a code for; that of "no bound" for [`u64::MAX`].
    #[inline]
    pub const fn code(self, value: u64) -> u32 {
        if value == 0 {
            return 0;
        }
        if value > self.largest() {
            return self.unbounded() - (value < u64::MAX) as u32;
        }
        let zeros = value.leading_zeros();
        let significand = (value << zeros >> (63 - self.mantissa)) as u32;
        ((63 - zeros) << self.mantissa) + (significand - self.octave()) + 1
    }

    /// The number of a code, [`u64::MAX`] for "no bound". Bits above the code's are ignored.
    #[inline]
    pub const fn value(self, code: u32) -> u64 {
        let code = code & self.unbounded();
        if code == 0 {
            0
        } else if code == self.unbounded() {
            u64::MAX
        } else {
            self.number(code)
        }
    }

    /// The number of a code other than 0, as if all ones were one more number.
    #[inline]
    pub(crate) const fn number(self, code: u32) -> u64 {
        self.significand(code) << (63 - self.mantissa) >> (63 - ((code - 1) >> self.mantissa))
    }

    /// `factor` / 2^32 times the number of a code before it was rounded down, rounded down; [`u64::MAX`] at most, and for "no
    /// bound". By products of 64 bits, since a kernel's fast path has no longer ones, so that `factor` counts as at most 2^(63 - `mantissa`).
    #[inline]
    pub const fn times(self, code: u32, factor: u64) -> u64 {
        let (code, most) = (code & self.unbounded(), 1 << (63 - self.mantissa));
        if code == 0 {
            return 0;
        }
        if code == self.unbounded() {
            return u64::MAX;
        }
        let product = self.significand(code) * if factor < most { factor } else { most };
        let (exponent, point) = ((code - 1) >> self.mantissa, self.mantissa + 32);
        if exponent <= point {
            product >> (point - exponent)
        } else if product.leading_zeros() >= exponent - point {
            product << (exponent - point)
        } else {
            u64::MAX
        }
    }

    /// 2^`mantissa` + m.
    const fn significand(self, code: u32) -> u64 {
        (self.octave() | ((code - 1) & (self.octave() - 1))) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_by_hand() {
        let float = SmallFloat::new(6, 10);
        assert_eq!([0, 1, 2, 3].map(|value| float.code(value)), [0, 1, 1 + 1024, 1 + 1024 + 512]);
        assert_eq!(float.code(2048), 1 + (11 << 10));
        assert_eq!((float.code(2049), float.code(2050)), (float.code(2048), float.code(2048) + 1));
        assert_eq!(float.largest(), 2045 << 53);
        assert_eq!((float.code(u64::MAX - 1), float.code(u64::MAX)), (0xFFFE, 0xFFFF));
        assert_eq!((float.value(0xFFFE), float.value(0xFFFF)), (2045 << 53, u64::MAX));
        // 1.5 is between 1 and 2.
        assert_eq!(float.value(1 + 512), 1);
        // The fewest bits: 0, 1, 1.5, no bound.
        let least = SmallFloat::new(1, 1);
        assert_eq!([0, 1, 2, 3, u64::MAX].map(|value| least.code(value)), [0, 1, 2, 2, 3]);
        assert_eq!([0, 1, 2, 3].map(|code| least.value(code)), [0, 1, 1, u64::MAX]);
    }

    #[test]
    fn products_by_hand() {
        let float = SmallFloat::new(6, 10);
        let half = 1 << 31;
        assert_eq!(float.times(float.code(3000), half), 1500);
        assert_eq!(float.times(float.code(1 << 60), 1), 1 << 28);
        assert_eq!(float.times(float.code(1 << 60), 1 << 36), u64::MAX);
        assert_eq!(float.times(0xFFFF, 0), u64::MAX, "no bound");
    }

    fn floats() -> impl Strategy<Value = SmallFloat> {
        (1_u32..=6, 1_u32..=26).prop_map(|(exponent, mantissa)| SmallFloat::new(exponent, mantissa))
    }

    proptest! {
        #[test]
        fn numbers_are_a_little_less_and_keep_their_order(
            float in floats(), shift in 0_u32..64, a: u64, b: u64, code: u32,
        ) {
            let [a, b] = [a >> shift, b >> (63 - shift)];
            let [low, high] = [a.min(b), a.max(b)];
            prop_assert!(float.code(low) <= float.code(high));
            prop_assert!(float.code(high) <= float.unbounded());
            let said = float.value(float.code(a));
            prop_assert!(said <= a);
            if a <= float.largest() {
                prop_assert!(a - said <= a >> float.mantissa);
                prop_assert_eq!(float.value(float.code(said)), said, "what was read can be said again");
            } else if a < u64::MAX {
                prop_assert_eq!(said, float.largest());
            }
            prop_assert!(float.value(code) <= float.largest() || float.value(code) == u64::MAX);
        }

        #[test]
        fn an_octave_is_a_factor_of_two(float in floats(), value in 1_u64..1 << 40) {
            if 2 * value < float.largest() {
                prop_assert_eq!(float.code(2 * value), float.code(value) + float.octave());
            }
        }

        /// Against a product of 128 bits.
        #[test]
        fn a_product_is_exact(float in floats(), code: u32, factor in 0_u64..=1 << 36) {
            let code = code & float.unbounded();
            let (product, value) = (float.times(code, factor), float.value(code));
            if code == float.unbounded() {
                prop_assert_eq!(product, u64::MAX);
            } else if value > u64::from(float.octave()) {
                let exact = (u128::from(value) * u128::from(factor)) >> 32;
                prop_assert_eq!(product, u64::try_from(exact).unwrap_or(u64::MAX));
            } else {
                // What the value leaves out of a fraction counts here.
                prop_assert!(product >= (value * factor) >> 32 && product <= ((value + 1) * factor) >> 32);
            }
        }
    }
}
