//! Packets of many wires, in pages of memory that the wires share.
//!
//! The page that fell empty last is the next to be filled, while it is near. A ring for each wire
//! would pass through all of its memory instead, and write where nothing has been for long.

use crate::packet::{CacheLine, Packet};

/// Packets of a page: so many that seldom one ends, and 2 KiB, which every wire may have to itself.
pub(super) const PAGE: u32 = 32;

/// Up to 2^32 packets; a *place* is the number of one.
#[derive(Default)]
pub(super) struct Pages {
    /// Of all pages, one after another.
    packets: Vec<CacheLine>,
    /// Behind each page the next of its chain, unless it is the last, or of those that are free.
    next: Vec<u32>,
    /// The first of those that are free; if there are none, the one to be made next.
    free: u32,
}

/// Packets in order, through pages. There is always a place for one more.
pub(super) struct Chain {
    /// Where the first packet is; if there is none, the same as `end`.
    first: u32,
    /// Where the next packet goes.
    end: u32,
}

impl Chain {
    pub(super) fn new(pages: &mut Pages) -> Self {
        let first = pages.allot() * PAGE;
        Self { first, end: first }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.first == self.end
    }

    pub(super) fn len(&self, pages: &Pages) -> u64 {
        let mut first = self.first;
        let mut packets = 0;
        while page_of(first) != page_of(self.end) {
            packets += u64::from(end_of_page(first) - first);
            first = pages.next[page_of(first) as usize] * PAGE;
        }
        packets + u64::from(self.end - first)
    }

    /// Whether what arrives at `at` does so after the last packet, as far as its page tells.
    pub(super) fn in_order(&self, pages: &Pages, at: u64) -> bool {
        let alone = self.is_empty() || self.end.is_multiple_of(PAGE);
        alone || pages.packets[self.end as usize - 1].0.at <= at
    }

    #[inline(always)]
    pub(super) fn push(&mut self, pages: &mut Pages, packet: Packet) {
        pages.packets[self.end as usize] = CacheLine(packet);
        self.end += 1;
        if self.end.is_multiple_of(PAGE) {
            self.end = pages.extend(page_of(self.end - 1)) * PAGE;
        }
    }

    /// The packets of the first page: none only if there are none at all.
    #[inline(always)]
    pub(super) fn front<'a>(&self, pages: &'a Pages) -> &'a [CacheLine] {
        let last = page_of(self.first) == page_of(self.end);
        let end = if last { self.end } else { end_of_page(self.first) };
        &pages.packets[self.first as usize..end as usize]
    }

    /// Drops the first so many, all of the first page.
    #[inline(always)]
    pub(super) fn skip(&mut self, pages: &mut Pages, packets: usize) {
        debug_assert!(packets <= self.front(pages).len());
        let end = end_of_page(self.first);
        self.first += packets as u32;
        if self.first == end {
            self.first = pages.pass(page_of(end - 1)) * PAGE;
        }
        if self.is_empty() {
            // What comes goes where others have been, not behind them.
            self.end = page_of(self.end) * PAGE;
            self.first = self.end;
        }
    }
}

impl Pages {
    /// A page that nothing else uses.
    fn allot(&mut self) -> u32 {
        let page = self.free;
        if page as usize == self.next.len() {
            self.next.push(page + 1);
            self.packets.resize(self.packets.len() + PAGE as usize, CacheLine::NONE);
        }
        self.free = self.next[page as usize];
        page
    }

    /// Puts a page behind one; gives it.
    #[inline(never)]
    fn extend(&mut self, page: u32) -> u32 {
        let next = self.allot();
        self.next[page as usize] = next;
        next
    }

    /// Frees a page; gives the one behind it.
    #[inline(never)]
    fn pass(&mut self, page: u32) -> u32 {
        let next = std::mem::replace(&mut self.next[page as usize], self.free);
        self.free = page;
        next
    }
}

#[inline(always)]
fn page_of(place: u32) -> u32 {
    place / PAGE
}

/// The first place behind the page that `place` is in.
#[inline(always)]
fn end_of_page(place: u32) -> u32 {
    (place | (PAGE - 1)) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    fn push(chain: &mut Chain, pages: &mut Pages, seq: u64) {
        chain.push(pages, Packet { seq, ..Packet::NONE });
    }

    /// Drops up to so many packets; gives them.
    fn take(chain: &mut Chain, pages: &mut Pages, packets: usize) -> Vec<u64> {
        let mut taken = Vec::new();
        while taken.len() < packets && !chain.is_empty() {
            let page = chain.front(pages).iter().take(packets - taken.len());
            let before = taken.len();
            taken.extend(page.map(|packet| packet.0.seq));
            assert!(taken.len() > before, "a page of a chain that is not empty is");
            chain.skip(pages, taken.len() - before);
        }
        taken
    }

    fn pages_of(chain: &Chain, pages: &Pages) -> Vec<u32> {
        let next = |&page: &u32| (page != page_of(chain.end)).then(|| pages.next[page as usize]);
        std::iter::successors(Some(page_of(chain.first)), next).collect()
    }

    proptest! {
        /// Chains give what was put into them, in order, whatever becomes of the others' pages, and
        /// each page is of one chain or free.
        #[test]
        fn chains_keep_apart(
            turns in prop::collection::vec((0_usize..4, 0_usize..100, 0_usize..100), 1..60),
        ) {
            let mut pages = Pages::default();
            let mut chains: Vec<_> = (0..4).map(|_| (Chain::new(&mut pages), VecDeque::new())).collect();
            let mut seq = 0;
            for (number, come, go) in turns {
                let (chain, expected) = &mut chains[number];
                for _ in 0..come {
                    prop_assert_eq!(chain.is_empty(), expected.is_empty());
                    push(chain, &mut pages, seq);
                    expected.push_back(seq);
                    seq += 1;
                }
                let go = go.min(expected.len());
                prop_assert!(take(chain, &mut pages, go).into_iter().eq(expected.drain(..go)));
                prop_assert_eq!(chain.len(&pages), expected.len() as u64);
                let free = std::iter::successors(Some(pages.free), |&page| pages.next.get(page as usize).copied());
                let mut all: Vec<u32> = free.collect();
                all.extend(chains.iter().flat_map(|(chain, _)| pages_of(chain, &pages)));
                all.sort_unstable();
                // Behind those that are free comes the one to be made next.
                prop_assert!(all.into_iter().eq(0..=pages.next.len() as u32));
            }
        }
    }

    #[test]
    fn what_fell_empty_last_is_filled_first() {
        let mut pages = Pages::default();
        let [mut one, mut other] = [(); 2].map(|()| Chain::new(&mut pages));
        (0..200).for_each(|seq| push(&mut one, &mut pages, seq));
        let passed = pages_of(&one, &pages);
        take(&mut one, &mut pages, 2 * PAGE as usize);
        (0..100).for_each(|seq| push(&mut other, &mut pages, seq));
        assert_eq!(pages_of(&other, &pages)[1..3], [passed[1], passed[0]]);
    }

    #[test]
    fn one_packet_at_a_time_stays_in_its_place() {
        let mut pages = Pages::default();
        let mut chain = Chain::new(&mut pages);
        for seq in 0..100 {
            let place = chain.end;
            push(&mut chain, &mut pages, seq);
            assert_eq!(take(&mut chain, &mut pages, 1), [seq]);
            assert_eq!(chain.end, place);
        }
    }
}
