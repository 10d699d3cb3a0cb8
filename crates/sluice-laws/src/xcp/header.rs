//! The congestion header (Katabi's thesis, figure 4-1).
//!
//! The thesis leaves the representation open (section 9.3.3), so it is that of
//! draft-falk-xcp-spec-03: H_throughput is carried as X = s / r, the time between two packets of
//! the flow, which spares the router its divisions (last paragraph of Appendix A).

use sluice_units::Span;

use crate::{Words, router};

/// Fraction bits of the times in the header: one tick is 2^-28 s (3.7 ns), 16 s the most.
pub const TIME_FRACTION_BITS: u32 = 28;

const TICKS_PER_SECOND: f64 = (1_u64 << TIME_FRACTION_BITS) as f64;

/// XCP's congestion header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Time between two packets of the flow, s / r, in ticks; 0 states no throughput.
    pub x: u32,
    /// The sender's RTT estimate (H_rtt) in ticks; 0 before the first sample. (The thesis writes
    /// -1; Appendix A then adds that -1 to its sums.)
    pub rtt: u32,
    /// H_feedback of a data packet: the change of throughput that the sender asks for and the
    /// path still grants, in bytes a second.
    pub delta: i32,
    /// What an acknowledgement brings back: the sum of `delta` since the last one, in bytes a
    /// second.
    pub reverse: i32,
}

impl Header {
    /// Whether the packet states what its flow sends: not before the first RTT sample, and not in
    /// an acknowledgement.
    pub const fn states_throughput(&self) -> bool {
        self.x != 0 && self.rtt != 0
    }
}

impl router::Header for Header {
    #[inline]
    fn from_words(words: Words) -> Self {
        let [x, rtt, delta, reverse] = words.get();
        Self { x, rtt, delta: delta as i32, reverse: reverse as i32 }
    }

    #[inline]
    fn to_words(self) -> Words {
        Words::new([self.x, self.rtt, self.delta as u32, self.reverse as u32])
    }
}

/// A time in ticks, to the nearest; never 0 (that would say "unknown"), and at most 16 s.
pub(super) fn ticks(seconds: f64) -> u32 {
    at_least_one(seconds * TICKS_PER_SECOND)
}

/// The time that so many ticks are, to the nearest nanosecond.
pub(super) fn span(ticks: u32) -> Span {
    let half = 1 << (TIME_FRACTION_BITS - 1);
    Span::from_nanos((u64::from(ticks) * 1_000_000_000 + half) >> TIME_FRACTION_BITS)
}

/// Ticks rounded for the header (casts from floating point saturate).
pub(super) fn at_least_one(ticks: f64) -> u32 {
    ((ticks + 0.5) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::Header as _;

    #[test]
    fn words_are_the_drafts_fields_in_order() {
        let words = Words::new([7, 1 << 28, (-3_i32) as u32, i32::MAX as u32]);
        let header = Header::from_words(words);
        assert_eq!(header, Header { x: 7, rtt: 1 << 28, delta: -3, reverse: i32::MAX });
        assert_eq!(header.to_words(), words);
    }

    #[test]
    fn times_have_28_fraction_bits_and_saturate() {
        assert_eq!(ticks(1.0), 1 << 28);
        assert_eq!(ticks(0.5), 1 << 27);
        assert_eq!(ticks(16.0), u32::MAX);
        assert_eq!(ticks(Span::MAX.as_secs_f64()), u32::MAX);
        assert_eq!(ticks(1e-9), 1, "short is not unknown");
    }

    #[test]
    fn a_tick_is_under_four_nanoseconds() {
        for ns in [4, 80, 12_345, 80_000_000, 15_999_999_990] {
            let there = span(ticks(Span::from_nanos(ns).as_secs_f64())).as_nanos();
            assert!(there.abs_diff(ns) <= 2, "{ns} ns came back as {there} ns");
        }
    }

    #[test]
    fn without_a_throughput_or_an_rtt_nothing_is_stated() {
        let data = Header { x: 5, rtt: 9, ..Header::default() };
        assert!(data.states_throughput());
        assert!(!Header { x: 0, ..data }.states_throughput());
        assert!(!Header { rtt: 0, ..data }.states_throughput());
    }
}
