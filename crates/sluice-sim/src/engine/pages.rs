//! Queues of packets in pages of memory that they share.
//!
//! The page that fell empty last is the next to be filled, while it is near. A ring for each queue
//! would pass through all of its memory instead, and write where nothing has been for long.

use crate::packet::{Line, Packet};

/// Packets of a page: as many as make it seldom that one ends, and no more memory than a queue of
/// few may have to itself.
pub(super) const PAGE: usize = 32;

#[derive(Default)]
pub(super) struct Pages {
    /// Of all pages, one after another.
    packets: Vec<Line>,
    /// Behind each page the next of its queue, or of those that are free.
    next: Vec<u32>,
    /// The first of those that are free; if there are none, the one to be made next.
    free: u32,
}

/// Packets in order. There is always a page for one more.
pub(super) struct Queue {
    /// Where the first packet is; if there is none, the same as `end`.
    first: u32,
    /// Where the next packet goes.
    end: u32,
}

impl Queue {
    pub(super) fn new(pages: &mut Pages) -> Self {
        let first = pages.allot();
        Self { first, end: first }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.first == self.end
    }

    pub(super) fn len(&self, pages: &Pages) -> usize {
        let (mut first, end) = (self.first as usize, self.end as usize);
        let mut packets = 0;
        while page_of(first) != page_of(end) {
            packets += end_of_page(first) - first;
            first = pages.next[page_of(first)] as usize * PAGE;
        }
        packets + end - first
    }

    /// Whether what arrives at `at` does so after the last packet, as far as its page tells.
    pub(super) fn in_order(&self, pages: &Pages, at: u64) -> bool {
        let end = self.end as usize;
        self.is_empty() || end.is_multiple_of(PAGE) || pages.packets[end - 1].0.at <= at
    }

    #[inline(always)]
    pub(super) fn push(&mut self, pages: &mut Pages, packet: Packet) {
        pages.packets[self.end as usize] = Line(packet);
        self.end += 1;
        if (self.end as usize).is_multiple_of(PAGE) {
            self.end = pages.extend(self.end - 1);
        }
    }

    /// The packets of the first page: none only if there are none at all.
    #[inline(always)]
    pub(super) fn front<'a>(&self, pages: &'a Pages) -> &'a [Line] {
        let (first, end) = (self.first as usize, self.end as usize);
        let last = page_of(first) == page_of(end);
        &pages.packets[first..if last { end } else { end_of_page(first) }]
    }

    /// Drops the first so many, all of the first page.
    #[inline(always)]
    pub(super) fn skip(&mut self, pages: &mut Pages, packets: usize) {
        let end = end_of_page(self.first as usize);
        self.first += packets as u32;
        if self.first as usize == end {
            self.first = pages.pass(self.first - 1);
        }
    }

    /// Nothing is there any more: what comes goes where the page begins, which is near.
    #[inline(always)]
    pub(super) fn rewind(&mut self) {
        self.end -= self.end % PAGE as u32;
        self.first = self.end;
    }
}

impl Pages {
    /// A page that nothing else uses; gives its first place.
    fn allot(&mut self) -> u32 {
        let page = self.free as usize;
        if page == self.next.len() {
            self.next.push(self.free + 1);
            self.packets.resize(self.packets.len() + PAGE, Line::NONE);
        }
        self.free = self.next[page];
        (page * PAGE) as u32
    }

    /// Puts a page behind the one of `place`; gives its first place.
    #[inline(never)]
    fn extend(&mut self, place: u32) -> u32 {
        let first = self.allot();
        self.next[page_of(place as usize)] = first / PAGE as u32;
        first
    }

    /// Frees the page of `place`; gives the first place of the one behind it.
    #[inline(never)]
    fn pass(&mut self, place: u32) -> u32 {
        let page = page_of(place as usize);
        let next = std::mem::replace(&mut self.next[page], self.free);
        self.free = page as u32;
        next * PAGE as u32
    }
}

#[inline(always)]
fn page_of(place: usize) -> usize {
    place / PAGE
}

/// Behind the last place of the page that a place is of.
#[inline(always)]
fn end_of_page(place: usize) -> usize {
    (place | (PAGE - 1)) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        /// Queues give what was put into them, in order, whatever becomes of the others' pages, and
        /// use no more pages than they must.
        #[test]
        fn queues_keep_apart(
            turns in prop::collection::vec((0_usize..4, 0_usize..50, 0_usize..50), 1..100),
        ) {
            let mut pages = Pages::default();
            let mut queues: Vec<_> = (0..4).map(|_| (Queue::new(&mut pages), VecDeque::new())).collect();
            let (mut seq, mut most) = (0, 0);
            for (number, come, go) in turns {
                let (queue, expected) = &mut queues[number];
                for _ in 0..come {
                    prop_assert_eq!(queue.is_empty(), expected.is_empty());
                    queue.push(&mut pages, Packet { seq, ..Packet::NONE });
                    expected.push_back(seq);
                    seq += 1;
                }
                let together = queues.iter().map(|(_, expected)| expected.len().div_ceil(PAGE) + 1).sum();
                most = usize::max(most, together);
                let (queue, expected) = &mut queues[number];
                let mut left = go.min(expected.len());
                while left > 0 {
                    let found: Vec<_> = queue.front(&pages).iter().map(|packet| packet.0.seq).collect();
                    let found = &found[..found.len().min(left)];
                    prop_assert!(!found.is_empty() && expected.drain(..found.len()).eq(found.iter().copied()));
                    queue.skip(&mut pages, found.len());
                    left -= found.len();
                }
                if queue.is_empty() {
                    queue.rewind();
                }
                prop_assert_eq!(queue.len(&pages), expected.len());
                prop_assert!(pages.next.len() <= most);
            }
        }
    }
}
