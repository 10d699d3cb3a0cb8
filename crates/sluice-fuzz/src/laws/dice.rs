//! Random numbers that become parameters: often the default or an end of the range, otherwise of any
//! magnitude in between. The simplest dice give defaults, so a failure shrinks to them.

use core::ops::{Bound, RangeBounds};

use proptest::prelude::*;
use sluice_units::{Rate, Ratio, Span};

/// More than any protocol has parameters.
const COUNT: usize = 64;

/// What one parameter is made of: a kind of value and a number in [0, 1).
type Die = (u8, f64);

/// Dice to be taken one by one.
#[derive(Clone, Debug)]
pub struct Dice(Vec<Die>);

impl Dice {
    /// Any dice.
    pub fn any() -> impl Strategy<Value = Self> {
        prop::collection::vec((0..8_u8, 0.0..1.0), COUNT).prop_map(Self)
    }

    fn next(&mut self) -> Die {
        self.0.pop().expect("as many dice as parameters")
    }

    /// A number of the range.
    fn number(&mut self, default: f64, from: f64, to: f64) -> f64 {
        let (kind, part) = self.next();
        match kind {
            0 => default,
            1 => from,
            2 => to,
            3..=4 => (from + part * (to - from)).clamp(from, to),
            _ => {
                let least = from.max(1e-12);
                (least * libm::pow(to / least, part)).clamp(from, to)
            }
        }
    }

    /// A ratio of the range.
    pub fn ratio(&mut self, default: Ratio, range: impl RangeBounds<Ratio>) -> Ratio {
        let end = |bound: Bound<&Ratio>, inside: fn(f64) -> f64| match bound {
            Bound::Included(end) => end.get(),
            Bound::Excluded(end) => inside(end.get()),
            Bound::Unbounded => unreachable!("no parameter has an open range"),
        };
        let from = end(range.start_bound(), f64::next_up);
        let to = end(range.end_bound(), f64::next_down);
        Ratio::new(self.number(default.get(), from, to))
    }

    /// An integer of the range.
    pub fn integer(&mut self, default: u64, range: impl RangeBounds<u64>) -> u64 {
        let from = match range.start_bound() {
            Bound::Included(&from) => from,
            Bound::Excluded(&below) => below + 1,
            Bound::Unbounded => 0,
        };
        let to = match range.end_bound() {
            Bound::Included(&to) => to,
            Bound::Excluded(&above) => above - 1,
            Bound::Unbounded => u64::MAX,
        };
        (self.number(default as f64, from as f64, to as f64) as u64).clamp(from, to)
    }

    /// An integer of 32 bits of the range.
    pub fn small(&mut self, default: u32, range: impl RangeBounds<u32>) -> u32 {
        let wide = |end: Bound<&u32>| end.map(|&end| u64::from(end));
        let wide = (wide(range.start_bound()), wide(range.end_bound()));
        u32::try_from(self.integer(default.into(), wide)).unwrap_or(u32::MAX)
    }

    /// A length of time of the range.
    pub fn span(&mut self, default: Span, range: impl RangeBounds<Span>) -> Span {
        let nanos = |end: Bound<&Span>| end.map(|end| end.as_nanos());
        let range = (nanos(range.start_bound()), nanos(range.end_bound()));
        Span::from_nanos(self.integer(default.as_nanos(), range))
    }

    /// A rate above zero, or none.
    pub fn rate(&mut self) -> Option<Rate> {
        self.maybe(|dice| Rate::from_bps(dice.integer(1, 1..)))
    }

    /// One of these, the first by default.
    pub fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        let (kind, part) = self.next();
        if kind == 0 { of[0] } else { of[(part * of.len() as f64) as usize] }
    }

    /// Whether or not; not by default.
    pub fn flag(&mut self) -> bool {
        self.one_of(&[false, true])
    }

    /// Nothing, the default, or a value.
    pub fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| value(self))
    }
}
