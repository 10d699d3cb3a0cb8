//! Sets of sequence numbers as sorted ranges: those a receiver holds, and those a sender knows it to hold.

use std::collections::VecDeque;

/// A range of sequence numbers (packets), as a SACK option carries it (RFC 2018).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The first packet of the range.
    pub start: u64,
    /// One past its last packet.
    pub end: u64,
}

impl Block {
    pub(super) fn len(self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// What this range shares with another; its length is zero if that is nothing.
    pub(super) fn common(self, other: Self) -> Self {
        Self { start: self.start.max(other.start), end: self.end.min(other.end) }
    }

    /// How many packets of the range lie at or above `seq`.
    pub(super) fn at_or_above(self, seq: u64) -> u64 {
        self.end.saturating_sub(self.start.max(seq))
    }

    /// How many packets of the range lie below `seq`.
    pub(super) fn below(self, seq: u64) -> u64 {
        self.end.min(seq).saturating_sub(self.start)
    }
}

/// Disjoint ranges, sorted, with a gap between any two. Empty, it holds no heap.
///
/// A queue and not a tree, because work happens at its ends: what arrives out of order lands at the
/// back, what is repaired leaves at the front.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    blocks: VecDeque<Block>,
}

impl Ranges {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a range; calls `gap` with each part of it that was not in the set.
    pub(super) fn insert(&mut self, new: Block, mut gap: impl FnMut(Block)) {
        if new.start >= new.end {
            return;
        }
        // The ranges from `first` to `last` touch or overlap the new one and become one with it.
        let first = self.blocks.partition_point(|b| b.end < new.start);
        let mut last = first;
        let mut merged = new;
        let mut uncovered = new.start;
        while let Some(&old) = self.blocks.get(last).filter(|b| b.start <= new.end) {
            if uncovered < old.start {
                gap(Block { start: uncovered, end: old.start });
            }
            uncovered = uncovered.max(old.end);
            merged = Block { start: merged.start.min(old.start), end: merged.end.max(old.end) };
            last += 1;
        }
        if uncovered < new.end {
            gap(Block { start: uncovered, end: new.end });
        }
        if first == last {
            self.blocks.insert(first, merged);
        } else {
            self.blocks[first] = merged;
            self.blocks.drain(first + 1..last);
        }
    }

    /// Removes everything below `seq`; returns how many sequence numbers that was.
    pub(super) fn drop_below(&mut self, seq: u64) -> u64 {
        let mut dropped = 0;
        while let Some(front) = self.blocks.front_mut() {
            dropped += front.below(seq);
            if front.end > seq {
                front.start = front.start.max(seq);
                break;
            }
            self.blocks.pop_front();
        }
        dropped
    }

    /// Removes and returns the lowest sequence number.
    pub(super) fn take_first(&mut self) -> Option<u64> {
        let front = self.blocks.front_mut()?;
        let seq = front.start;
        front.start += 1;
        if front.start == front.end {
            self.blocks.pop_front();
        }
        Some(seq)
    }

    /// Removes a range; returns how many of its sequence numbers were in the set.
    pub(super) fn remove(&mut self, part: Block) -> u64 {
        if part.start >= part.end {
            return 0;
        }
        let first = self.blocks.partition_point(|b| b.end <= part.start);
        let mut removed = 0;
        let mut at = first;
        while let Some(&old) = self.blocks.get(at).filter(|b| b.start < part.end) {
            removed += old.common(part).len();
            let left = Block { start: old.start, end: part.start };
            let right = Block { start: part.end, end: old.end };
            match (left.len() > 0, right.len() > 0) {
                (true, true) => {
                    self.blocks[at] = left;
                    self.blocks.insert(at + 1, right);
                    break;
                }
                (true, false) => {
                    self.blocks[at] = left;
                    at += 1;
                }
                (false, true) => {
                    self.blocks[at] = right;
                    break;
                }
                (false, false) => {
                    self.blocks.remove(at);
                }
            }
        }
        removed
    }

    /// The range that contains `seq`.
    pub(super) fn around(&self, seq: u64) -> Option<Block> {
        let at = self.blocks.partition_point(|b| b.end <= seq);
        self.blocks.get(at).copied().filter(|b| b.start <= seq)
    }

    /// The smallest sequence number from `seq` on that is not in the set.
    pub(super) fn hole_from(&self, seq: u64) -> u64 {
        self.around(seq).map_or(seq, |b| b.end)
    }

    /// The lowest range.
    pub(super) fn first(&self) -> Option<Block> {
        self.blocks.front().copied()
    }

    /// The highest range.
    pub(super) fn last(&self) -> Option<Block> {
        self.blocks.back().copied()
    }

    /// How many packets of `part` are not in the set. Walks the ranges inside `part` only.
    pub(super) fn missing_in(&self, part: Block) -> u64 {
        let first = self.blocks.partition_point(|b| b.end <= part.start);
        let held: u64 = self
            .blocks
            .range(first..)
            .take_while(|b| b.start < part.end)
            .map(|b| b.common(part).len())
            .sum();
        part.len().saturating_sub(held)
    }

    /// Calls `hole` with each part of `part` that is not in the set, in ascending order.
    pub(super) fn holes_in(&self, part: Block, mut hole: impl FnMut(Block)) {
        let first = self.blocks.partition_point(|b| b.end <= part.start);
        let mut from = part.start;
        for block in self.blocks.range(first..).take_while(|b| b.start < part.end) {
            if from < block.start {
                hole(Block { start: from, end: block.start });
            }
            from = block.end;
        }
        if from < part.end {
            hole(Block { start: from, end: part.end });
        }
    }

    /// The `n`-th highest sequence number in the set, counted from 1; `None` if it has fewer.
    pub(super) fn highest(&self, n: u64) -> Option<u64> {
        let mut left = n;
        for block in self.blocks.iter().rev() {
            if block.len() >= left {
                return Some(block.end - left);
            }
            left -= block.len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a plain set of numbers.
        #[test]
        fn ranges_are_a_set(
            steps in prop::collection::vec((0u64..60, 0u64..12, 0u8..5), 1..40),
            from in 0u64..70, len in 0u64..70,
        ) {
            let (mut ranges, mut set) = (Ranges::default(), BTreeSet::new());
            for (start, length, step) in steps {
                let before = set.len() as u64;
                match step {
                    0 if start < 20 => {
                        let dropped = ranges.drop_below(start);
                        set.retain(|&n| n >= start);
                        prop_assert_eq!(dropped, before - set.len() as u64);
                        continue;
                    }
                    1 => {
                        let part = Block { start, end: start + length };
                        let removed = ranges.remove(part);
                        set.retain(|n| !(part.start..part.end).contains(n));
                        prop_assert_eq!(removed, before - set.len() as u64);
                        continue;
                    }
                    2 => {
                        prop_assert_eq!(ranges.take_first(), set.pop_first());
                        continue;
                    }
                    _ => {}
                }
                let mut fresh = Vec::new();
                ranges.insert(Block { start, end: start + length }, |g| fresh.extend(g.start..g.end));
                let expected: Vec<u64> =
                    (start..start + length).filter(|&n| set.insert(n)).collect();
                prop_assert_eq!(fresh, expected);
            }
            let blocks: Vec<_> = ranges.blocks.iter().copied().collect();
            prop_assert!(blocks.iter().all(|b| b.start < b.end));
            prop_assert!(blocks.windows(2).all(|w| w[0].end < w[1].start));
            let held: BTreeSet<u64> = blocks.iter().flat_map(|b| b.start..b.end).collect();
            prop_assert_eq!(&held, &set);

            let part = Block { start: from, end: from + len };
            let missing = (part.start..part.end).filter(|n| !set.contains(n)).count() as u64;
            prop_assert_eq!(ranges.missing_in(part), missing);
            let mut holes = Vec::new();
            ranges.holes_in(part, |hole| holes.extend(hole.start..hole.end));
            let expected: Vec<u64> =
                (part.start..part.end).filter(|n| !set.contains(n)).collect();
            prop_assert_eq!(holes, expected);
            prop_assert_eq!(ranges.hole_from(from), (from..).find(|n| !set.contains(n)).unwrap());
            prop_assert_eq!(ranges.highest(3), set.iter().rev().nth(2).copied());
        }
    }
}
