//! RCP's header: the rate asked and granted, the sender's RTT, and the rate that comes back.
//!
//! | word | field   | unit    | what                                                              |
//! |------|---------|---------|-------------------------------------------------------------------|
//! | 0    | rate    | 100 b/s | `R_p` (section 2.2 step 2): asked by the sender, lowered by routers |
//! | 1    | rtt     | 2^-28 s | `RTT_p`: the sender's estimate; 0 before it has one               |
//! | 2    | reverse | 100 b/s | `R_p` of the data packet that an acknowledgement answers          |
//! | 3    |         |         | zero                                                              |
//!
//! The papers leave units and widths open. 100 b/s in 32 bits reaches 429.5 Gb/s, and at 1 Mb/s a
//! step is 0.01%; the RTT has the unit of the XCP draft (draft-falk-xcp-spec-03), steps of 3.7 ns
//! up to 16 s.

use sluice_units::{Rate, Span};

use crate::Words;
use crate::router;

/// A rate in a header, in units of 100 b/s: 100 b/s to 429.5 Gb/s, and two marks.
///
/// Rates compare as the integers they are, so that a router's whole work per packet is a minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offer(u32);

impl Offer {
    /// No rate is asked or told (an ACK asks for none).
    pub const NONE: Self = Self(0);
    /// As much as possible: the paper's infinite `R_p`.
    pub const UNLIMITED: Self = Self(u32::MAX);

    /// The least rate that can be granted: 100 b/s.
    pub const LEAST_RATE: Rate = Rate::from_bps(Self::UNIT);
    /// The largest rate that can be granted, 429 496 729 400 b/s, in units.
    const MOST: u32 = u32::MAX - 1;
    /// Bits a second in a unit.
    const UNIT: u64 = 100;

    /// `rate` rounded down to the header's unit, so that nobody sends faster than was granted; at
    /// least one unit, because zero means [`Offer::NONE`], and at most the largest finite rate.
    pub fn granting(rate: Rate) -> Self {
        let units = u32::try_from(rate.as_bps() / Self::UNIT).unwrap_or(Self::MOST);
        Self(units.clamp(1, Self::MOST))
    }

    /// The rate told, or `None` if none is. [`Offer::UNLIMITED`] reads as the largest finite rate,
    /// so that a sender whose path has no RCP router still paces.
    pub fn rate(self) -> Option<Rate> {
        let units = u64::from(self.0.min(Self::MOST));
        (self != Self::NONE).then(|| Rate::from_bps(units * Self::UNIT))
    }
}

/// An RTT in a header, in units of 2^-28 s: 3.7 ns to 16 s, or none yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WireRtt(u32);

impl WireRtt {
    /// The sender has no estimate yet.
    pub const NONE: Self = Self(0);
    /// Units in a second.
    pub const PER_SECOND: u32 = 1 << 28;

    /// `rtt` rounded to the nearest unit; at least one, and at most 16 s.
    pub fn new(rtt: Span) -> Self {
        let scaled = u128::from(rtt.as_nanos()) * u128::from(Self::PER_SECOND);
        let units = (scaled + 500_000_000) / 1_000_000_000;
        Self(u32::try_from(units).unwrap_or(u32::MAX).max(1))
    }

    /// The RTT in units of 2^-28 s; 0 for none.
    pub const fn units(self) -> u32 {
        self.0
    }
}

/// RCP's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The rate asked for, as far as the routers passed so far grant it.
    pub rate: Offer,
    /// The sender's RTT.
    pub rtt: WireRtt,
    /// In an acknowledgement, what the packets it answers were granted.
    pub reverse: Offer,
}

impl router::Header for Header {
    #[inline]
    fn from_words(words: Words) -> Self {
        let [rate, rtt, reverse, _] = words.get();
        Self { rate: Offer(rate), rtt: WireRtt(rtt), reverse: Offer(reverse) }
    }

    #[inline]
    fn to_words(self) -> Words {
        Words::new([self.rate.0, self.rtt.0, self.reverse.0, 0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::Header as _;

    #[test]
    fn a_grant_rounds_down_and_is_never_none() {
        assert_eq!(Offer::granting(Rate::from_bps(1_099)).rate(), Some(Rate::from_bps(1_000)));
        assert_eq!(Offer::granting(Rate::from_bps(7)).rate(), Some(Rate::from_bps(100)));
        let fast = Rate::from_bps(400_000_000_000);
        assert_eq!(Offer::granting(fast).rate(), Some(fast));
    }

    #[test]
    fn no_grant_reads_as_unlimited_and_unlimited_is_finite() {
        assert!(Offer::granting(Rate::MAX) < Offer::UNLIMITED);
        assert_eq!(Offer::UNLIMITED.rate(), Some(Rate::from_bps(429_496_729_400)));
        assert_eq!(Offer::NONE.rate(), None);
    }

    #[test]
    fn an_rtt_keeps_its_size_and_is_never_none() {
        assert_eq!(WireRtt::new(Span::from_millis(500)).units(), 1 << 27);
        assert_eq!(WireRtt::new(Span::from_micros(10)).units(), 2_684);
        assert_eq!(WireRtt::new(Span::ZERO).units(), 1);
        assert_eq!(WireRtt::new(Span::MAX).units(), u32::MAX);
    }

    #[test]
    fn words_survive_the_wire() {
        let words = Words::new([1, 2, 3, 0]);
        assert_eq!(Header::from_words(words).to_words(), words);
    }
}
