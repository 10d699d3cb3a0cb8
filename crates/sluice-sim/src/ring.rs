//! A queue of packets in a ring of memory.

use crate::packet::{Line, Packet};

/// A ring passes through all of its memory: the less it has, the more of it stays near. So it grows
/// by a quarter, to any length.
#[derive(Default)]
pub(crate) struct Ring {
    slots: Vec<Line>,
    head: usize,
    len: usize,
}

impl Ring {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn last(&self) -> Option<&Packet> {
        let [straight, wrapped] = self.parts();
        wrapped.last().or(straight.last()).map(|Line(packet)| packet)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, packet: Packet) {
        if self.len == self.slots.len() {
            self.grow();
        }
        let tail = self.head + self.len;
        let slots = self.slots.len();
        self.slots[if tail < slots { tail } else { tail - slots }] = Line(packet);
        self.len += 1;
    }

    #[inline(always)]
    pub(crate) fn front(&self) -> Option<&Packet> {
        if self.len == 0 { None } else { self.slots.get(self.head).map(|Line(packet)| packet) }
    }

    /// The packets in order, in two parts.
    #[inline(always)]
    pub(crate) fn parts(&self) -> [&[Line]; 2] {
        let (wrapped, straight) = self.slots.split_at(self.head);
        let straight = &straight[..straight.len().min(self.len)];
        [straight, &wrapped[..self.len - straight.len()]]
    }

    /// Drops the first so many.
    #[inline(always)]
    pub(crate) fn skip(&mut self, packets: usize) {
        debug_assert!(packets <= self.len);
        self.len -= packets;
        self.head += packets;
        if self.head >= self.slots.len() {
            self.head -= self.slots.len();
        }
    }

    #[inline(never)]
    fn grow(&mut self) {
        self.slots.rotate_left(self.head);
        self.head = 0;
        let more = self.len / 4 + 8;
        self.slots.reserve_exact(more);
        self.slots.resize(self.len + more, Line::NONE);
    }
}
