//! A batch: the packets that arrive at one element within its lookahead, sorted by time.

use sluice_units::{Span, Time};

use crate::packet::{CacheLine, Packet};

use super::pages::{Chain, PAGE, Pages};

/// Bits of a digit of the radix sort.
const BITS: u32 = 7;
const BUCKETS: usize = 1 << BITS;
/// Positions of the two digits: the highest bits of a key, and the ones next to them.
const COARSE: u32 = u64::BITS - BITS;
const FINE: u32 = COARSE - BITS;
/// Up to this many packets, insertion sort alone.
const FEW: usize = 12;

/// A batch keeps its memory for the next.
#[derive(Default)]
pub(super) struct Batch {
    /// Packets as gathered, those of each wire in order; from `len` on, room for more.
    packets: Vec<CacheLine>,
    len: usize,
    /// For each packet, its arrival after `from` in the high bits and its place in `packets` in the
    /// low bits: sorted, the order of arrivals.
    keys: Vec<u64>,
    spare: Vec<u64>,
    from: Time,
    /// Shift that moves a time into a key's highest bits.
    lift: u32,
    /// Whether packets of more than one wire are in it.
    mixed: bool,
}

impl Batch {
    /// The longest window of a batch, which fits a key.
    pub(super) const LONGEST: Span = Span::from_nanos(u32::MAX as u64);

    /// Empties the batch, for arrivals in [`from`, `until`), at most [`Batch::LONGEST`].
    pub(super) fn begin(&mut self, from: Time, until: Time) {
        (self.from, self.len, self.mixed) = (from, 0, false);
        // In a batch of one instant all times are 0.
        self.lift = (until.after(from).as_nanos() - 1).leading_zeros().min(u64::BITS - 1);
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The packets as they arrive, after [`Batch::sort`].
    #[inline(always)]
    pub(super) fn arrivals(&self) -> impl Iterator<Item = &Packet> {
        self.keys[..self.len].iter().map(|&key| &self.packets[key as u32 as usize].0)
    }

    /// Moves the packets that arrive before `until` from a wire, which has some, to the batch. Returns when
    /// the wire's next packet arrives.
    #[inline(always)]
    pub(super) fn take(&mut self, wire: &mut Chain, pages: &mut Pages, until: Time) -> Time {
        self.mixed |= self.len > 0;
        loop {
            let page = wire.front(pages);
            let taken = self.take_page(page, until);
            let next = page.get(taken).map(|packet| packet.0.at);
            if taken > 0 {
                wire.skip(pages, taken);
            }
            if let Some(at) = next {
                return at;
            }
            if wire.is_empty() {
                return Time::NEVER;
            }
        }
    }

    /// The same from one page. Returns their number.
    #[inline(always)]
    fn take_page(&mut self, page: &[CacheLine], until: Time) -> usize {
        if self.packets.len() < self.len + PAGE as usize {
            self.make_room();
        }
        let (from, lift, mut len) = (self.from, self.lift, self.len);
        let room = self.packets[len..].iter_mut().zip(&mut self.keys[len..]);
        for (CacheLine(packet), (slot, place)) in page.iter().zip(room) {
            if packet.at >= until {
                break;
            }
            let key = packet.at.after(from).as_nanos() << lift | len as u64;
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

    /// Sorts arrivals by time, those of one instant as gathered: two passes of an LSD radix sort over
    /// the highest bits, then an insertion sort of what is nearly in order.
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

/// A pass of an LSD radix sort: a stable counting sort by one digit, without branches to mispredict.
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

/// Insertion sort, for few keys or nearly sorted ones.
fn insert_each(keys: &mut [u64]) {
    let mut sorted = 1;
    while let Some(late) = keys[sorted - 1..].windows(2).position(|pair| pair[0] > pair[1]) {
        sorted += late + 1;
        insert_last(&mut keys[..sorted]);
    }
}

/// Inserts the last key among those before it, which are sorted.
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
        /// A batch is in the order of a stable sort, and later packets stay on the wires.
        #[test]
        fn a_batch_is_in_order(
            wires in prop::collection::vec(prop::collection::vec(0_u64..5000, 1..120), 1..9),
            scale in 0_u32..20, window in 1_u64..6000,
        ) {
            let from = Time::from_nanos(7);
            let until = from + Span::from_nanos(window << scale);
            let mut batch = Batch::default();
            batch.begin(from, until);
            let mut pages = Pages::default();
            let mut expected = Vec::new();
            for (number, mut times) in wires.into_iter().enumerate() {
                times.sort_unstable();
                let mut wire = Chain::EMPTY;
                let times: Vec<Time> =
                    times.iter().map(|time| from + Span::from_nanos(time << scale)).collect();
                for &at in &times {
                    wire.push(&mut pages, Packet { at, step: number as u32, ..Packet::NONE });
                }
                let (now, later) = times.split_at(times.partition_point(|&at| at < until));
                expected.extend(now.iter().map(|&at| (at, number as u32)));
                prop_assert_eq!(batch.take(&mut wire, &mut pages, until), later.first().map_or(Time::NEVER, |&at| at));
                prop_assert_eq!(wire.len(&pages), later.len() as u64);
            }
            expected.sort();
            batch.sort();
            let found: Vec<_> = batch.arrivals().map(|packet| (packet.at, packet.step)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
