//! A table of the flows that have packets at a link, each direction by itself.
//!
//! Flows are found by slot and generation. Which flows share a slot depends on what runs ahead of
//! the clock, so packets of several flows of one slot may wait at once, and each has an entry of its
//! own. Entries are numbered in the order in which the link needs them, which does not depend on it.

use crate::packet::{FlowKey, Packet};

const NONE: u32 = u32::MAX;

/// The flows of a link, each with a state `T` of its discipline.
pub(super) struct FlowTable<T> {
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
    /// For each slot, towards the receiver and back: the first of its entries.
    by_slot: Vec<u32>,
}

struct Entry<T> {
    state: T,
    flow: FlowKey,
    is_forward: bool,
    /// The next entry of the same slot and direction.
    next: u32,
}

impl<T> Default for FlowTable<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), free: Vec::new(), by_slot: Vec::new() }
    }
}

impl<T> FlowTable<T> {
    /// The state of the flow of that number.
    pub(super) fn get(&self, number: u32) -> &T {
        &self.entries[number as usize].state
    }

    /// The state of the flow of that number.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, number: u32) -> &mut T {
        &mut self.entries[number as usize].state
    }

    /// The flows, and perhaps others with the state of their removal, with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.entries.iter().enumerate().map(|(number, entry)| (number as u32, &entry.state))
    }

    /// Number of flows.
    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// The number of a packet's flow, if it is in the table.
    #[inline(always)]
    pub(super) fn find(&self, packet: &Packet) -> Option<u32> {
        let mut number = *self.by_slot.get(place(packet.flow, packet.is_forward()))?;
        while number != NONE {
            let entry = &self.entries[number as usize];
            if entry.flow.generation == packet.flow.generation {
                return Some(number);
            }
            number = entry.next;
        }
        None
    }

    /// Adds a packet's flow, which is not in the table. Returns its number.
    pub(super) fn add(&mut self, packet: &Packet, state: T) -> u32 {
        let (flow, is_forward) = (packet.flow, packet.is_forward());
        let place = place(flow, is_forward);
        if self.by_slot.len() <= place {
            self.by_slot.resize(place + 1, NONE);
        }
        let entry = Entry { state, flow, is_forward, next: self.by_slot[place] };
        let number = self.free.pop().unwrap_or(self.entries.len() as u32);
        if number as usize == self.entries.len() {
            self.entries.push(entry);
        } else {
            self.entries[number as usize] = entry;
        }
        self.by_slot[place] = number;
        number
    }

    /// Removes a flow.
    pub(super) fn remove(&mut self, number: u32) {
        let Entry { flow, is_forward, next, .. } = self.entries[number as usize];
        let mut link = &mut self.by_slot[place(flow, is_forward)];
        while *link != number {
            let before = *link as usize;
            link = &mut self.entries[before].next;
        }
        *link = next;
        self.free.push(number);
    }
}

#[inline(always)]
fn place(flow: FlowKey, is_forward: bool) -> usize {
    flow.slot as usize * 2 + usize::from(is_forward)
}
