//! Packets that wait at one link, in lanes that share its memory.

use crate::packet::{CacheLine, Hop, Packet};

const NONE: u32 = u32::MAX;
/// Places added when all are taken.
const MORE: u32 = 64;

/// All packets that wait at a link.
#[derive(Default)]
pub(crate) struct PacketStore {
    packets: Vec<CacheLine>,
    /// For each place, the next in its lane, or the next that is free.
    next: Vec<u32>,
    free: u32,
    newest: u32,
    /// Of all lanes.
    waiting: u64,
    waiting_bytes: u64,
}

/// A first-in, first-out list of packets in the store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    first: u32,
    last: u32,
    /// Number of packets.
    pub(crate) packets: u32,
    /// Their bytes.
    pub(crate) bytes: u64,
}

impl Default for Lane {
    fn default() -> Self {
        Self { first: NONE, last: NONE, packets: 0, bytes: 0 }
    }
}

impl Lane {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.packets == 0
    }
}

impl PacketStore {
    /// Number of packets in all lanes.
    #[inline(always)]
    pub(crate) fn packets(&self) -> u64 {
        self.waiting
    }

    /// Bytes in all lanes.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> u64 {
        self.waiting_bytes
    }

    /// Puts a packet, which arrives as `hop`, into the store. Returns its place.
    #[inline(always)]
    pub(crate) fn put(&mut self, packet: &Packet, hop: Hop) -> u32 {
        if self.free as usize == self.packets.len() {
            self.grow();
        }
        let place = self.free;
        self.free = self.next[place as usize];
        self.packets[place as usize].0 = packet.before(hop);
        self.newest = place;
        self.waiting += 1;
        self.waiting_bytes += u64::from(packet.bytes);
        place
    }

    /// Puts a packet, which arrives as `hop`, at the end of a lane. Returns its place.
    #[inline(always)]
    pub(crate) fn push(&mut self, lane: &mut Lane, packet: &Packet, hop: Hop) -> u32 {
        let place = self.put(packet, hop);
        if lane.packets == 0 {
            lane.first = place;
        } else {
            self.next[lane.last as usize] = place;
        }
        lane.last = place;
        lane.packets += 1;
        lane.bytes += u64::from(packet.bytes);
        place
    }

    #[cold]
    fn grow(&mut self) {
        let places = self.next.len() as u32 + MORE;
        self.next.extend(self.next.len() as u32 + 1..=places);
        self.packets.resize(places as usize, CacheLine::NONE);
    }

    /// The packet put there last.
    #[inline(always)]
    pub(crate) fn newest(&mut self) -> &mut Packet {
        &mut self.packets[self.newest as usize].0
    }

    /// The packet at a place.
    #[inline(always)]
    pub(crate) fn get(&self, place: u32) -> &Packet {
        &self.packets[place as usize].0
    }

    /// The packet at a place.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, place: u32) -> &mut Packet {
        &mut self.packets[place as usize].0
    }

    /// The first packet of a lane.
    #[inline(always)]
    pub(crate) fn first(&self, lane: &Lane) -> Option<&Packet> {
        self.first_place(lane).map(|place| self.get(place))
    }

    /// The place of the first packet of a lane.
    #[inline(always)]
    pub(crate) fn first_place(&self, lane: &Lane) -> Option<u32> {
        (lane.packets > 0).then_some(lane.first)
    }

    /// Releases the first packet of a lane. Returns its place.
    #[inline(always)]
    pub(crate) fn pop(&mut self, lane: &mut Lane) -> Option<u32> {
        if lane.packets == 0 {
            return None;
        }
        let place = lane.first;
        lane.first = self.next[place as usize];
        lane.packets -= 1;
        lane.bytes -= u64::from(self.release(place));
        Some(place)
    }

    /// A packet in no lane waits no longer; it stays where it is until [`PacketStore::take`]. Returns
    /// its bytes.
    #[inline(always)]
    pub(crate) fn release(&mut self, place: u32) -> u32 {
        let bytes = self.get(place).bytes;
        self.waiting -= 1;
        self.waiting_bytes -= u64::from(bytes);
        bytes
    }

    /// Takes a packet that has been released out of the store.
    #[inline(always)]
    pub(crate) fn take(&mut self, place: u32) -> Packet {
        self.next[place as usize] = self.free;
        self.free = place;
        self.packets[place as usize].0
    }
}
