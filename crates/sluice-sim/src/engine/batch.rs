//! Packets that arrive at one element, handled at once.

use crate::packet::{CacheLine, Packet};

use super::pages::{Chain, PAGE, Pages};

/// log2 of the buckets of time that packets are sorted by, twice: first by the finer ones.
const BITS: u32 = 7;
const BUCKETS: usize = 1 << BITS;
/// How far down a key's buckets are: in its highest bits, and in those next to them.
const COARSE: u32 = u64::BITS - BITS;
const FINE: u32 = COARSE - BITS;
/// Fewer packets than this are not worth it.
const FEW: usize = 12;

/// Its memory is used again and again.
#[derive(Default)]
pub(super) struct Batch {
    /// As gathered: those of each wire in order. Behind `len` there is room for more.
    packets: Vec<CacheLine>,
    len: usize,
    /// When each arrives after the first, above its number: sorted, the order of arrivals.
    keys: Vec<u64>,
    spare: Vec<u64>,
    from: u64,
    /// Moves a time into a key's highest bits.
    lift: u32,
    /// Whether more than one wire gave.
    mixed: bool,
}

impl Batch {
    /// The longest time in which the packets of a batch arrive, in nanoseconds: what a key holds.
    pub(super) const LONGEST: u64 = u32::MAX as u64;

    /// Begins anew, for arrivals from `from` until [`Batch::LONGEST`] later at most.
    pub(super) fn begin(&mut self, from: u64, until: u64) {
        (self.from, self.len, self.mixed) = (from, 0, false);
        // A batch of one instant has no time to move.
        self.lift = (until - 1 - from).leading_zeros().min(u64::BITS - 1);
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The packets as they arrive, after [`Batch::sort`].
    #[inline(always)]
    pub(super) fn arrivals(&self) -> impl Iterator<Item = &Packet> {
        self.keys[..self.len].iter().map(|&key| &self.packets[key as u32 as usize].0)
    }

    /// Takes from a wire what arrives before `until`; gives when the next packet does.
    #[inline(always)]
    pub(super) fn take(&mut self, wire: &mut Chain, pages: &mut Pages, until: u64) -> u64 {
        self.mixed |= self.len > 0;
        loop {
            let page = wire.front(pages);
            let taken = self.take_page(page, until);
            let next = page.get(taken).map(|packet| packet.0.at);
            wire.skip(pages, taken);
            if let Some(at) = next {
                return at;
            }
            if wire.is_empty() {
                return u64::MAX;
            }
        }
    }

    /// The same from one page; gives how many it takes.
    #[inline(always)]
    fn take_page(&mut self, page: &[CacheLine], until: u64) -> usize {
        if self.packets.len() < self.len + PAGE as usize {
            self.make_room();
        }
        let (from, lift, mut len) = (self.from, self.lift, self.len);
        let room = self.packets[len..].iter_mut().zip(&mut self.keys[len..]);
        for (CacheLine(packet), (slot, place)) in page.iter().zip(room) {
            if packet.at >= until {
                break;
            }
            let key = (packet.at - from) << lift | len as u64;
            (*slot, *place) = (CacheLine(*packet), key);
            len += 1;
        }
        len - std::mem::replace(&mut self.len, len)
    }

    #[cold]
    fn make_room(&mut self) {
        let packets = 2 * (self.len + PAGE as usize);
        self.packets.resize(packets, CacheLine::NONE);
        self.keys.resize(packets, 0);
        self.spare.resize(packets, 0);
    }

    /// Puts arrivals in order; those of one instant as gathered.
    #[inline(never)]
    pub(super) fn sort(&mut self) {
        if !self.mixed {
            return;
        }
        let keys = &mut self.keys[..self.len];
        if keys.len() > FEW {
            let spare = &mut self.spare[..keys.len()];
            distribute::<FINE>(keys, spare);
            distribute::<COARSE>(spare, keys);
        }
        insert_each(keys);
    }
}

/// Puts keys in the order of their buckets, and leaves those of one as they were. There is nothing
/// in it that a processor could guess wrong.
fn distribute<const SHIFT: u32>(from: &[u64], to: &mut [u64]) {
    let bucket = |key: u64| (key >> SHIFT) as usize % BUCKETS;
    let mut places = [0_u32; BUCKETS];
    for &key in from {
        places[bucket(key)] += 1;
    }
    let mut sum = 0;
    for place in &mut places {
        sum += std::mem::replace(place, sum);
    }
    for &key in from {
        let place = &mut places[bucket(key)];
        to[*place as usize] = key;
        *place += 1;
    }
}

/// Sorts what is nearly in order, or little.
fn insert_each(keys: &mut [u64]) {
    let mut sorted = 1;
    while let Some(late) = keys[sorted - 1..].windows(2).position(|pair| pair[0] > pair[1]) {
        sorted += late + 1;
        insert_last(&mut keys[..sorted]);
    }
}

/// Puts the last key in its place among those before, which are sorted.
#[inline(never)]
fn insert_last(keys: &mut [u64]) {
    let mut at = keys.len() - 1;
    while at > 0 && keys[at - 1] > keys[at] {
        keys.swap(at - 1, at);
        at -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A batch gives what a stable sort gives, and leaves on the wires what comes later.
        #[test]
        fn a_batch_is_in_order(
            wires in prop::collection::vec(prop::collection::vec(0_u64..5000, 0..120), 1..9),
            scale in 0_u32..20, window in 1_u64..6000,
        ) {
            let (from, until) = (7, 7 + (window << scale));
            let mut batch = Batch::default();
            batch.begin(from, until);
            let mut pages = Pages::default();
            let mut expected = Vec::new();
            for (number, mut times) in wires.into_iter().enumerate() {
                times.sort_unstable();
                let mut wire = Chain::new(&mut pages);
                let times: Vec<u64> = times.iter().map(|time| from + (time << scale)).collect();
                for &at in &times {
                    wire.push(&mut pages, Packet { at, step: number as u32, ..Packet::NONE });
                }
                let (now, later) = times.split_at(times.partition_point(|&at| at < until));
                expected.extend(now.iter().map(|&at| (at, number as u32)));
                prop_assert_eq!(batch.take(&mut wire, &mut pages, until), later.first().map_or(u64::MAX, |&at| at));
                prop_assert_eq!(wire.len(&pages), later.len() as u64);
            }
            expected.sort();
            batch.sort();
            let found: Vec<_> = batch.arrivals().map(|packet| (packet.at, packet.step)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
