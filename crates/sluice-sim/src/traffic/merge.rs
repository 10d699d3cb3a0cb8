//! Merges series that are in order of time.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use sluice_units::Time;

/// Yields the items of several series, each in order of time, in order of time; items of one instant
/// in the order in which their series were added.
pub(super) struct Merge<I, T> {
    heads: BinaryHeap<Reverse<Head<I, T>>>,
    added: u64,
}

/// The next item of a series, and the rest of the series.
struct Head<I, T> {
    time: Time,
    number: u64,
    what: T,
    rest: I,
}

impl<T, I: Iterator<Item = (Time, T)>> Merge<I, T> {
    pub(super) fn new() -> Self {
        Self { heads: BinaryHeap::new(), added: 0 }
    }

    pub(super) fn add(&mut self, series: I) {
        self.push(self.added, series);
        self.added += 1;
    }

    /// When the next item is.
    pub(super) fn next_time(&self) -> Option<Time> {
        self.heads.peek().map(|Reverse(head)| head.time)
    }

    fn push(&mut self, number: u64, mut rest: I) {
        if let Some((time, what)) = rest.next() {
            self.heads.push(Reverse(Head { time, number, what, rest }));
        }
    }
}

impl<T, I: Iterator<Item = (Time, T)>> Iterator for Merge<I, T> {
    type Item = (Time, T);

    fn next(&mut self) -> Option<(Time, T)> {
        let Reverse(Head { time, number, what, rest }) = self.heads.pop()?;
        self.push(number, rest);
        Some((time, what))
    }
}

impl<I, T> Head<I, T> {
    fn key(&self) -> (Time, u64) {
        (self.time, self.number)
    }
}

impl<I, T> PartialEq for Head<I, T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<I, T> Eq for Head<I, T> {}

impl<I, T> PartialOrd for Head<I, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<I, T> Ord for Head<I, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_merged_by_time_then_in_the_order_they_were_added() {
        let series = |name: char, times: &[u64]| {
            let times: Vec<Time> = times.iter().map(|&ns| Time::from_nanos(ns)).collect();
            times.into_iter().map(move |time| (time, name))
        };
        let mut merge = Merge::new();
        merge.add(series('a', &[1, 5, 5]));
        merge.add(series('b', &[0, 5]));
        assert_eq!(merge.next().map(|(_, name)| name), Some('b'));
        merge.add(series('c', &[]));
        merge.add(series('d', &[5, 6]));
        assert_eq!(merge.next_time(), Some(Time::from_nanos(1)));
        assert_eq!(merge.map(|(_, name)| name).collect::<String>(), "aaabdd");
    }
}
