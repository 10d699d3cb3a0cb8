//! The receiver: what it holds, and what and when it acknowledges (RFC 2018, RFC 5681 section 4.2).

use super::Block;
use super::ranges::Ranges;

/// When an arrival is to be acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckRule {
    /// At once.
    Now,
    /// At once, or with the next packet or after the delay if acknowledgements are delayed.
    MayDelay,
}

/// The effect of a data packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentArrival {
    /// Whether it was not seen before.
    pub fresh: bool,
    /// When to acknowledge it.
    pub ack: AckRule,
}

/// The receiver of one flow. Data in order costs no heap.
///
/// In this order in memory: at the end is what data in order needs.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub struct Reassembly {
    /// A packet of each range that changed lately, the latest first.
    recent: [Option<u64>; 3],
    held: Ranges,
    next: u64,
    /// Whether a packet came in order since an acknowledgement left.
    unanswered: bool,
}

impl Reassembly {
    /// A receiver that has nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the data packet `seq`.
    #[inline]
    pub fn arrived(&mut self, seq: u64) -> SegmentArrival {
        if seq == self.next && self.held.is_empty() && seq < u64::MAX {
            self.next += 1;
            // RFC 5681 section 4.2: "an ACK SHOULD be generated for at least every second
            // full-sized segment"
            let second = core::mem::replace(&mut self.unanswered, true);
            let ack = if second { AckRule::Now } else { AckRule::MayDelay };
            return SegmentArrival { fresh: true, ack };
        }
        // "Out-of-order data segments SHOULD be acknowledged immediately ...", also "when it
        // receives a data segment that fills in all or part of a gap", and a duplicate
        // (RFC 9293 section 3.10.7.4).
        SegmentArrival { fresh: self.take(seq), ack: AckRule::Now }
    }

    /// An acknowledgement left.
    #[inline]
    pub fn answered(&mut self) {
        self.unanswered = false;
    }

    /// The acknowledgement number: all packets below it are here.
    #[inline]
    pub fn cumulative(&self) -> u64 {
        self.next
    }

    /// Number of packets that have arrived, each once.
    pub fn received(&self) -> u64 {
        self.next + self.held.len()
    }

    /// Whether it holds packets above a gap, so that acknowledgements carry SACK blocks.
    #[inline]
    pub fn has_gaps(&self) -> bool {
        !self.held.is_empty()
    }

    /// Writes the SACK blocks of an acknowledgement that leaves now and returns their number (three fit
    /// beside a time stamp). RFC 2018 section 4: the first is the range that the latest packet fell
    /// in, the others are the latest ones before it.
    pub fn blocks(&self, out: &mut [Block; 3]) -> usize {
        let mut n = 0;
        for block in self.recent.iter().flatten().filter_map(|&seq| self.held.around(seq)) {
            if !out[..n].contains(&block) {
                out[n] = block;
                n += 1;
            }
        }
        n
    }

    fn take(&mut self, seq: u64) -> bool {
        if seq < self.next || seq == u64::MAX {
            return false;
        }
        let mut fresh = false;
        self.held.insert(Block { start: seq, end: seq + 1 }, |_| fresh = true);
        if let Some(front) = self.held.first().filter(|b| b.start == self.next) {
            self.next = front.end;
            self.held.drop_below(front.end);
        } else {
            self.remember(seq);
        }
        fresh
    }

    /// Puts the range around `seq` first among the recent ones.
    fn remember(&mut self, seq: u64) {
        let range = self.held.around(seq);
        let gone = |old: Option<u64>| old.is_none_or(|s| self.held.around(s) == range);
        // What is forgotten is the entry of the same range (or an empty one), else the oldest.
        let last = self.recent.iter().position(|&old| gone(old)).unwrap_or(2);
        self.recent.copy_within(..last, 1);
        self.recent[0] = Some(seq);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(r: &Reassembly) -> Vec<(u64, u64)> {
        let mut out = [Block::default(); 3];
        let n = r.blocks(&mut out);
        out[..n].iter().map(|b| (b.start, b.end)).collect()
    }

    fn arrive(r: &mut Reassembly, seqs: &[u64]) {
        for &seq in seqs {
            r.arrived(seq);
        }
    }

    #[test]
    fn every_second_packet_in_order_is_acknowledged() {
        let mut r = Reassembly::new();
        let rules: Vec<_> = (0..4)
            .map(|seq| {
                let SegmentArrival { fresh, ack } = r.arrived(seq);
                assert!(fresh);
                if ack == AckRule::Now {
                    r.answered();
                }
                ack
            })
            .collect();
        use AckRule::{MayDelay, Now};
        assert_eq!(rules, [MayDelay, Now, MayDelay, Now]);
        assert_eq!((r.cumulative(), blocks(&r)), (4, vec![]));
    }

    #[test]
    fn gaps_duplicates_and_repairs_are_acknowledged_at_once() {
        let mut r = Reassembly::new();
        let now = |fresh| SegmentArrival { fresh, ack: AckRule::Now };
        assert_eq!(r.arrived(1), now(true)); // out of order
        assert_eq!(r.arrived(1), now(false)); // again
        assert_eq!(r.arrived(3), now(true));
        assert_eq!(r.arrived(0), now(true)); // fills a part of the gap
        assert_eq!(r.cumulative(), 2);
        assert_eq!(r.arrived(2), now(true)); // fills the rest
        assert_eq!((r.cumulative(), blocks(&r)), (4, vec![]));
        assert_eq!(r.arrived(0), now(false)); // long there
    }

    /// The examples of RFC 2018 section 4, with packets of 500 bytes from 5000 as 0, 1, ...
    #[test]
    fn blocks_of_rfc_2018() {
        // Case 2: the first of eight segments is dropped.
        let mut r = Reassembly::new();
        for seq in 1..8 {
            r.arrived(seq);
            assert_eq!((r.cumulative(), blocks(&r)), (0, vec![(1, seq + 1)]));
        }
        // Case 3: the 2nd, 4th, 6th and 8th are dropped.
        let mut r = Reassembly::new();
        arrive(&mut r, &[0, 2]);
        assert_eq!(blocks(&r), [(2, 3)]);
        r.arrived(4);
        assert_eq!(blocks(&r), [(4, 5), (2, 3)]);
        r.arrived(6);
        assert_eq!(blocks(&r), [(6, 7), (4, 5), (2, 3)]);
        // "the 4th packet is received out of order"
        r.arrived(3);
        assert_eq!(blocks(&r), [(2, 5), (6, 7)]);
        // "the 2nd segment is received"
        r.arrived(1);
        assert_eq!((r.cumulative(), blocks(&r)), (5, vec![(6, 7)]));
    }

    #[test]
    fn a_duplicate_of_held_data_puts_its_block_first() {
        let mut r = Reassembly::new();
        arrive(&mut r, &[2, 4, 6, 8]);
        assert_eq!(blocks(&r), [(8, 9), (6, 7), (4, 5)]);
        r.arrived(4);
        assert_eq!(blocks(&r), [(4, 5), (8, 9), (6, 7)]);
    }

    #[test]
    fn no_sequence_number_overflows() {
        let mut r = Reassembly::new();
        arrive(&mut r, &[u64::MAX, u64::MAX - 1, 0]);
        assert_eq!((r.cumulative(), blocks(&r)), (1, vec![(u64::MAX - 1, u64::MAX)]));
    }
}
