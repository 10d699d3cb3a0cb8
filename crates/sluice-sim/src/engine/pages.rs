//! Queues of packets, in pages of memory that all wires share.
//!
//! The page freed last is the next to be filled, while it is still in the cache. A ring buffer for
//! each wire would cycle through all of its memory instead.

use sluice_units::Time;

use crate::packet::{CacheLine, Packet};

/// Packets per page: 2 KiB, so that pages seldom end.
pub(super) const PAGE: u32 = 32;

/// Up to 2^32 packets; a *place* is the number of a packet.
#[derive(Default)]
pub(super) struct Pages {
    /// The packets of all pages, page after page.
    packets: Vec<CacheLine>,
    /// For each page, the next of its chain or of the free list.
    next: Vec<u32>,
    /// The first free page; if there is none, the number of the page to be added next.
    free: u32,
}

/// A queue of packets through linked pages. Without packets it has no page: memory grows with the packets
/// that wait, not with the wires on which they could.
pub(super) struct Chain {
    /// Place of the first packet, if there is one.
    first: u32,
    /// Place of the last packet; [`NOWHERE`] if there is none.
    last: u32,
}

/// The end of a page, so that the next packet needs another.
const NOWHERE: u32 = u32::MAX;

impl Chain {
    pub(super) const EMPTY: Self = Self { first: NOWHERE, last: NOWHERE };

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.last == NOWHERE
    }

    pub(super) fn len(&self, pages: &Pages) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let mut first = self.first;
        let mut packets = 0;
        while page_of(first) != page_of(self.last) {
            packets += u64::from(end_of_page(first) - first);
            first = pages.next[page_of(first) as usize] * PAGE;
        }
        packets + u64::from(self.last + 1 - first)
    }

    /// Whether a packet that arrives at `at` keeps the order.
    pub(super) fn in_order(&self, pages: &Pages, at: Time) -> bool {
        self.is_empty() || pages.packets[self.last as usize].0.at <= at
    }

    #[inline(always)]
    pub(super) fn push(&mut self, pages: &mut Pages, packet: Packet) {
        let mut place = self.last.wrapping_add(1);
        if place.is_multiple_of(PAGE) {
            place = self.extend(pages);
        }
        pages.packets[place as usize] = CacheLine(packet);
        self.last = place;
    }

    /// Adds a page; returns its first place.
    #[inline(never)]
    fn extend(&mut self, pages: &mut Pages) -> u32 {
        let page = pages.allot();
        if self.is_empty() {
            self.first = page * PAGE;
        } else {
            pages.next[page_of(self.last) as usize] = page;
        }
        page * PAGE
    }

    /// The packets of the first page, of a chain that is not empty.
    #[inline(always)]
    pub(super) fn front<'a>(&self, pages: &'a Pages) -> &'a [CacheLine] {
        let last = page_of(self.first) == page_of(self.last);
        let end = if last { self.last + 1 } else { end_of_page(self.first) };
        &pages.packets[self.first as usize..end as usize]
    }

    /// Removes the first `packets`, one or more, all of the first page.
    #[inline(always)]
    pub(super) fn skip(&mut self, pages: &mut Pages, packets: usize) {
        debug_assert!(packets > 0 && packets <= self.front(pages).len());
        let removed = self.first + packets as u32 - 1;
        if removed == self.last {
            pages.pass(page_of(removed));
            *self = Self::EMPTY;
        } else if (removed + 1).is_multiple_of(PAGE) {
            self.first = pages.pass(page_of(removed)) * PAGE;
        } else {
            self.first = removed + 1;
        }
    }
}

impl Pages {
    /// Takes a free page, or adds one.
    #[inline(always)]
    fn allot(&mut self) -> u32 {
        let page = self.free;
        if page as usize == self.next.len() {
            self.add();
        }
        self.free = self.next[page as usize];
        page
    }

    #[cold]
    fn add(&mut self) {
        self.next.push(self.next.len() as u32 + 1);
        self.packets.resize(self.packets.len() + PAGE as usize, CacheLine::NONE);
    }

    /// Frees a page, and returns the one after it.
    #[inline(always)]
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

/// The first place after the page of `place`.
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

    /// Removes up to `packets` packets, and returns their numbers.
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
        let next = |&page: &u32| (page != page_of(chain.last)).then(|| pages.next[page as usize]);
        let first = (!chain.is_empty()).then(|| page_of(chain.first));
        std::iter::successors(first, next).collect()
    }

    proptest! {
        /// Each chain is a queue, whatever happens to the others, and each page belongs to one chain
        /// or is free.
        #[test]
        fn chains_keep_apart(
            turns in prop::collection::vec((0_usize..4, 0_usize..100, 0_usize..100), 1..60),
        ) {
            let mut pages = Pages::default();
            let mut chains: Vec<_> = (0..4).map(|_| (Chain::EMPTY, VecDeque::new())).collect();
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
                // The free list ends with the page to be added next.
                prop_assert!(all.into_iter().eq(0..=pages.next.len() as u32));
            }
        }
    }

    #[test]
    fn the_page_freed_last_is_filled_first() {
        let mut pages = Pages::default();
        let [mut one, mut other] = [(); 2].map(|()| Chain::EMPTY);
        (0..200).for_each(|seq| push(&mut one, &mut pages, seq));
        let passed = pages_of(&one, &pages);
        take(&mut one, &mut pages, 2 * PAGE as usize);
        (0..100).for_each(|seq| push(&mut other, &mut pages, seq));
        assert_eq!(pages_of(&other, &pages)[..2], [passed[1], passed[0]]);
    }

    #[test]
    fn one_packet_at_a_time_stays_in_its_place() {
        let mut pages = Pages::default();
        let mut chain = Chain::EMPTY;
        for seq in 0..100 {
            push(&mut chain, &mut pages, seq);
            assert_eq!(chain.last, 0);
            assert_eq!(take(&mut chain, &mut pages, 1), [seq]);
        }
    }
}
