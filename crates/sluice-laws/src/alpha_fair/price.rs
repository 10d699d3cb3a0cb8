//! Prices in headers: what a link's R^-alpha is, and what those of a path add up to.

use sluice_units::{Rate, Ratio};

use crate::router::Plain;

/// Bits of the mantissa.
const MANTISSA_BITS: u32 = 24;
const MANTISSA: u32 = (1 << MANTISSA_BITS) - 1;
/// 1, the minimum price of a link, has a mantissa with this many trailing zeros and an exponent of 0.
const ONE_BITS: u32 = MANTISSA_BITS - 1;
/// The rate whose price is 1: 429.5 Gb/s, the maximum that RCP's header can state.
const FASTEST: f64 = 4_294_967_296.0 * 100.0;

/// The minimum that RCP's header can state.
const SLOWEST: f64 = 100.0;

/// A price in a header: exponent (8 bits) and mantissa (24 bits) of `mantissa x 2^(exponent - 23)`.
///
/// R^-alpha runs over 32 alpha doublings from 429.5 Gb/s to 100 b/s, more than an integer has room
/// for. Prices of this form are added with shifts, which a kernel can do, and are right to 2^-23 at
/// each link. The smallest exponent that holds a price is used, so prices compare as integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Price(u32);

impl Price {
    /// No price is requested or stated (an ACK requests none).
    pub const NONE: Self = Self(0);
    /// A request before the first link: the smallest price above zero.
    pub const ASKED: Self = Self(1);
    /// Above the price of any path.
    const MAX: Self = Self(u32::MAX);

    /// (R / 429.5 Gb/s)^-alpha, rounded up, so that nobody sends faster than was granted. An R below
    /// 100 b/s counts as that.
    pub fn of(rate: Rate, fairness: Ratio) -> Self {
        let slower = (FASTEST / rate.as_bps_f64().max(SLOWEST)).max(1.0);
        Self::rounded(libm::pow(slower, fairness.get()))
    }

    /// `price`, 1 at least, rounded up to what a header can state.
    fn rounded(price: f64) -> Self {
        let (fraction, exponent) = libm::frexp(price);
        // Casts from floating point saturate.
        let mantissa = libm::ceil(libm::ldexp(fraction, MANTISSA_BITS as i32)) as u64;
        Self::with(exponent as u32 - 1, mantissa)
    }

    /// The price of these parts; the mantissa may have one bit too many.
    fn with(exponent: u32, mantissa: u64) -> Self {
        let over = (mantissa >> MANTISSA_BITS) as u32;
        let exponent = exponent + over;
        if exponent > u32::MAX >> MANTISSA_BITS {
            return Self::MAX;
        }
        let mantissa = mantissa.div_ceil(1 << over) as u32;
        Self(exponent << MANTISSA_BITS | mantissa)
    }

    /// Both together, rounded up. Fast path.
    pub fn plus(self, other: Self) -> Self {
        let (more, less) = if self > other { (self, other) } else { (other, self) };
        let shift = (more.exponent() - less.exponent()).min(MANTISSA_BITS);
        let aligned = less.mantissa().div_ceil(1 << shift);
        Self::with(more.exponent(), more.mantissa() + aligned)
    }

    /// The rate of a path of this price: price^(-1/alpha) of 429.5 Gb/s, or `None` if there is none.
    /// A path without a router that adds is as fast as can be.
    pub fn rate(self, fairness: Ratio) -> Option<Rate> {
        if self == Self::NONE {
            return None;
        }
        let exponent = self.exponent() as i32 - ONE_BITS as i32;
        let price = libm::ldexp(self.mantissa() as f64, exponent).max(1.0);
        Some(Rate::from_bps_f64(FASTEST * libm::pow(price, -1.0 / fairness.get())))
    }

    fn exponent(self) -> u32 {
        self.0 >> MANTISSA_BITS
    }

    fn mantissa(self) -> u64 {
        u64::from(self.0 & MANTISSA)
    }

    /// The price as a word of the header.
    pub const fn units(self) -> u32 {
        self.0
    }

    /// The price in a word of the header.
    pub const fn from_units(units: u32) -> Self {
        Self(units)
    }
}

/// Alpha-fair RCP's grant: what the link adds.
impl Plain for Price {
    type Plain = [u64; 1];

    fn to_plain(self) -> [u64; 1] {
        [u64::from(self.0)]
    }

    fn from_plain([units]: [u64; 1]) -> Self {
        Self(units as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALPHAS: [f64; 5] = [0.25, 1.0, 2.0, 3.3, 6.0];

    fn of(bps: u64, alpha: f64) -> Price {
        Price::of(Rate::from_bps(bps), Ratio::new(alpha))
    }

    #[test]
    fn prices_by_hand() {
        assert_eq!(of(429_496_729_600, 1.0).units(), 1 << 23);
        assert_eq!(of(429_496_729_600 / 2, 1.0).units(), 1 << 24 | 1 << 23);
        assert_eq!(of(429_496_729_600 / 2, 3.0).units(), 3 << 24 | 1 << 23);
        assert_eq!(of(100, 6.0).units(), 192 << 24 | 1 << 23);
        assert_eq!(of(0, 6.0), of(100, 6.0));
        assert_eq!(of(u64::MAX, 1.0), of(429_496_729_600, 1.0), "faster than a header can say");
        let one = of(429_496_729_600, 1.0);
        assert_eq!(one.plus(one).units(), 1 << 24 | 1 << 23);
        // 2^-23 to spare, and rounded up.
        let (big, small) = (Price(20 << 24 | 1 << 23), Price(1 << 23));
        assert_eq!(big.plus(small).units(), 20 << 24 | 1 << 23 | 1 << 3);
        assert_eq!(big.plus(Price::ASKED).units(), big.units() + 1);
        assert_eq!(Price::MAX.plus(Price::MAX), Price::MAX);
    }

    #[test]
    fn no_price_is_no_rate_and_no_link_is_the_fastest() {
        assert_eq!(Price::NONE.rate(Ratio::new(1.0)), None);
        assert_eq!(Price::ASKED.rate(Ratio::new(2.0)), Some(Rate::from_bps(429_496_729_600)));
    }

    /// Two links of R and R': 1 / x = 1 / R + 1 / R' for alpha = 1.
    #[test]
    fn a_path_is_as_slow_as_its_links_together() {
        let path = of(30_000_000, 1.0).plus(of(60_000_000, 1.0)).rate(Ratio::new(1.0)).unwrap();
        assert!((path.as_bps_f64() / 20e6 - 1.0).abs() < 1e-6, "{path:?}");
    }

    proptest! {
        #[test]
        fn a_rate_comes_back_as_it_was_and_never_faster(bps in 100_u64..429_496_729_600, i in 0..5_usize) {
            let alpha = Ratio::new(ALPHAS[i]);
            let back = Price::of(Rate::from_bps(bps), alpha).rate(alpha).unwrap().as_bps_f64();
            // A bit per second of rounding in `Rate`, and 2^-23 of the price.
            let bps = bps as f64;
            prop_assert!(back <= bps + 1.0 && back >= bps * (1.0 - 1e-6) - 1.0, "{bps} came as {back}");
        }

        #[test]
        fn sums_are_right_and_never_less(a in 100_u64..1 << 38, b in 100_u64..1 << 38, i in 0..5_usize) {
            let value = |price: Price| libm::ldexp(price.mantissa() as f64, price.exponent() as i32);
            let (a, b) = (of(a, ALPHAS[i]), of(b, ALPHAS[i]));
            let (sum, exact) = (value(a.plus(b)), value(a) + value(b));
            prop_assert!(sum >= exact && sum <= exact * (1.0 + 2.5e-7), "{sum} for {exact}");
            prop_assert_eq!(a.plus(b), b.plus(a));
        }

        #[test]
        fn no_word_is_wild(a: u32, b: u32, i in 0..5_usize) {
            let sum = Price(a).plus(Price(b));
            prop_assert!(sum >= Price(a.max(b)));
            let rate = sum.rate(Ratio::new(ALPHAS[i]));
            prop_assert_eq!(rate.is_none(), a == 0 && b == 0);
        }
    }
}
