//! Packets that arrive at one element, handled at once.

use super::ring::Ring;
use crate::packet::Packet;

/// log2 of the buckets of time that packets are sorted by.
const BITS: u32 = 7;
/// More packets than this in a bucket are not sorted one by one.
const CROWD: u32 = 24;

/// Its memory is used again and again.
pub(super) struct Batch {
    /// As gathered: those of each wire in order, then what the element let go of. Behind `len`
    /// there is room for more.
    packets: Vec<Packet>,
    len: usize,
    /// When each arrives after the first, above its number: sorted, the order of arrivals.
    keys: Vec<u64>,
    /// The numbers of those that leave, in order.
    pub(super) out: Vec<u32>,
    from: u64,
    /// Turns a key into a bucket.
    shift: u32,
    counts: [u32; 1 << BITS],
    /// Whether more than one wire gave.
    mixed: bool,
    unsorted: Vec<u64>,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            packets: Vec::new(),
            len: 0,
            keys: Vec::new(),
            out: Vec::new(),
            from: 0,
            shift: 0,
            counts: [0; 1 << BITS],
            mixed: false,
            unsorted: Vec::new(),
        }
    }
}

impl Batch {
    /// Begins anew, for arrivals from `from` until less than 2^32 ns later.
    pub(super) fn begin(&mut self, from: u64, until: u64) {
        (self.from, self.len, self.mixed) = (from, 0, false);
        self.shift = (u64::BITS - (until - 1 - from).leading_zeros() + 32).saturating_sub(BITS);
        self.out.clear();
        self.counts.fill(0);
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn packet(&mut self, number: usize) -> &mut Packet {
        &mut self.packets[number]
    }

    /// The number of the `nth` packet to arrive, after [`Batch::sort`].
    #[inline(always)]
    pub(super) fn nth(&self, nth: usize) -> usize {
        self.keys[nth] as u32 as usize
    }

    /// Takes what arrives before `until`; gives when the next packet does.
    #[inline(always)]
    pub(super) fn take(&mut self, wire: &mut Ring, until: u64) -> u64 {
        self.mixed |= self.len > 0;
        let most = self.len + wire.len();
        if self.packets.len() < most {
            self.make_room(most);
        }
        let (from, shift, mut taken) = (self.from, self.shift, self.len);
        let mut next = u64::MAX;
        for part in wire.parts() {
            let room = self.packets[taken..].iter_mut().zip(&mut self.keys[taken..]);
            for (packet, (slot, place)) in part.iter().zip(room) {
                if packet.at >= until {
                    next = next.min(packet.at);
                    break;
                }
                let key = (packet.at - from) << 32 | taken as u64;
                self.counts[(key >> shift) as usize % (1 << BITS)] += 1;
                (*slot, *place) = (*packet, key);
                taken += 1;
            }
        }
        wire.skip(taken - self.len);
        self.len = taken;
        next
    }

    #[cold]
    fn make_room(&mut self, packets: usize) {
        self.packets.resize(2 * packets, Packet::NONE);
        self.keys.resize(2 * packets, 0);
    }

    /// A packet that was in the element before leaves.
    pub(super) fn release(&mut self, packet: Packet) {
        self.out.push(self.len as u32);
        if self.packets.len() == self.len {
            self.make_room(self.len + 1);
        }
        self.packets[self.len] = packet;
        self.len += 1;
    }

    /// Puts arrivals in order; those of one instant as gathered.
    pub(super) fn sort(&mut self) {
        if !self.mixed {
            return;
        }
        let (mut sum, mut most) = (0, 0);
        for count in &mut self.counts {
            most = most.max(*count);
            sum += std::mem::replace(count, sum);
        }
        let keys = &mut self.keys[..self.len];
        if most > CROWD {
            return keys.sort_unstable();
        }
        self.unsorted.clear();
        self.unsorted.extend_from_slice(keys);
        for &key in &self.unsorted {
            let place = &mut self.counts[(key >> self.shift) as usize % (1 << BITS)];
            keys[*place as usize] = key;
            *place += 1;
        }
        insert_each(keys);
    }
}

/// Sorts what is nearly in order.
fn insert_each(keys: &mut [u64]) {
    for end in 1..keys.len() {
        let key = keys[end];
        let mut at = end;
        while at > 0 && keys[at - 1] > key {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
    }
}
