//! Rates in headers.

use sluice_units::{Rate, Ratio};

use crate::plain::Plain;

/// A rate in a header, in units of 100 b/s: 100 b/s to 429.5 Gb/s, and two marks.
///
/// The papers leave units and widths open. Rates compare as the integers they are, so that a
/// router's whole work per packet is a minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offer(u32);

impl Offer {
    /// No rate is requested or granted (an ACK requests none).
    pub const NONE: Self = Self(0);
    /// As much as possible: the RCP paper's infinite `R_p`.
    pub const UNLIMITED: Self = Self(u32::MAX);

    /// The minimum rate that can be granted: 100 b/s.
    pub const MIN_RATE: Rate = Rate::from_bps(Self::UNIT);
    /// Bits a second in a unit.
    const UNIT: u64 = 100;
    /// Significant bits of a rate that is granted: those that the echo carries.
    const SIGNIFICANT: u32 = 20;

    /// `rate` rounded down to what a header can state, so that no sender exceeds its grant;
    /// at least one unit, because zero means [`Offer::NONE`], and at most the largest finite rate.
    pub fn granting(rate: Rate) -> Self {
        Self::rounded(u32::try_from(rate.as_bps() / Self::UNIT).unwrap_or(u32::MAX))
    }

    /// The same of a rate in units of 100 b/s.
    #[inline]
    pub(crate) const fn rounded(units: u32) -> Self {
        let units = if units == 0 { 1 } else { units };
        let cut = (u32::BITS - units.leading_zeros()).saturating_sub(Self::SIGNIFICANT);
        Self(units >> cut << cut)
    }

    /// A router's rate within [least, most], all in bits a second, and no less than a header can grant:
    /// below, it would be a number without meaning, and divisions by it without bound.
    pub(crate) fn bounded(rate: f64, least: f64, most: f64) -> f64 {
        let granted = Self::MIN_RATE.as_bps_f64();
        let most = most.max(granted);
        rate.clamp(least.max(granted).min(most), most)
    }

    /// The request of a flow of that weight that wants `desired`, or as much as possible: the part of
    /// one of as many flows.
    pub(crate) fn part_of(desired: Option<Rate>, weight: Ratio) -> Self {
        desired.map_or(Self::UNLIMITED, |rate| {
            Self::granting(Rate::from_bps_f64(rate.as_bps_f64() / weight.get()))
        })
    }

    /// The rate granted, or `None` if there is none. [`Offer::UNLIMITED`] reads as the largest finite rate,
    /// so that a sender whose path has no router that grants still paces.
    pub fn rate(self) -> Option<Rate> {
        let units = u64::from(self.0.min(Self::UNLIMITED.0 - 1));
        (self != Self::NONE).then(|| Rate::from_bps(units * Self::UNIT))
    }

    /// The rate of a flow of that weight under this grant, or `None` if there is none: at least 1 b/s,
    /// since at zero nothing would ever leave.
    pub(crate) fn rate_of(self, weight: Ratio) -> Option<Rate> {
        let rate = self.rate()?;
        if weight == Ratio::new(1.0) {
            return Some(rate);
        }
        Some((rate * weight).max(Rate::from_bps(1)))
    }

    /// The rate as a word of the header.
    pub const fn units(self) -> u32 {
        self.0
    }

    /// The rate in a word of the header.
    pub const fn from_units(units: u32) -> Self {
        Self(units)
    }
}

/// RCP's and NCP's grant: one rate for all.
impl Plain for Offer {
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

    #[test]
    fn a_grant_rounds_down_and_is_never_none() {
        assert_eq!(Offer::granting(Rate::from_bps(1_099)).rate(), Some(Rate::from_bps(1_000)));
        assert_eq!(Offer::granting(Rate::from_bps(7)).rate(), Some(Rate::from_bps(100)));
        for bps in [155_000_000_u64, 2_488_320_000, 400_000_000_000] {
            let granted = Offer::granting(Rate::from_bps(bps)).rate().unwrap().as_bps();
            assert!(granted <= bps && bps - granted < bps / 500_000, "{bps} came as {granted}");
        }
    }

    #[test]
    fn a_routers_rate_is_one_that_a_header_can_grant() {
        assert_eq!(Offer::bounded(500.0, 200.0, 1e6), 500.0);
        assert_eq!(Offer::bounded(-1.0, 200.0, 1e6), 200.0);
        assert_eq!(Offer::bounded(f64::INFINITY, 200.0, 1e6), 1e6);
        assert_eq!(Offer::bounded(500.0, 2e6, 1e6), 1e6);
        assert_eq!(Offer::bounded(0.0, 5e-324, 5e-321), 100.0);
    }

    #[test]
    fn the_least_weight_of_the_least_grant_still_sends() {
        let least = Offer::granting(Rate::from_bps(1));
        assert_eq!(least.rate_of(Ratio::new(0.001)), Some(Rate::from_bps(1)));
        assert_eq!(least.rate_of(Ratio::new(3.0)), Some(Rate::from_bps(300)));
        assert_eq!(Offer::NONE.rate_of(Ratio::new(3.0)), None);
    }

    #[test]
    fn no_grant_reads_as_unlimited_and_unlimited_is_finite() {
        assert!(Offer::granting(Rate::MAX) < Offer::UNLIMITED);
        assert_eq!(Offer::UNLIMITED.rate(), Some(Rate::from_bps(429_496_729_400)));
        assert_eq!(Offer::NONE.rate(), None);
    }
}
