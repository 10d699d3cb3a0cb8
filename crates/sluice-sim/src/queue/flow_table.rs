//! A table of the flows that have packets at a link, each direction by itself.
//!
//! Flows are found by slot and generation. Which flows share a slot depends on what runs ahead of
//! the clock, so packets of several flows of one slot may wait at once, and each has an entry of its
//! own. Entries are numbered in the order in which the link needs them, which does not depend on it.

use crate::packet::{FlowKey, Packet};

const NONE: u32 = u32::MAX;

/// The flows of a link, each with a state `T` of its discipline.
pub(crate) struct FlowTable<T> {
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
    /// For each slot, towards the receiver and back: the first of its entries.
    by_slot: Vec<u32>,
    /// For each stream of datagrams: its entry.
    by_stream: Vec<u32>,
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
        let (entries, free) = (Vec::new(), Vec::new());
        Self { entries, free, by_slot: Vec::new(), by_stream: Vec::new() }
    }
}

impl<T> FlowTable<T> {
    /// The state of the flow of that number.
    pub(super) fn get(&self, number: u32) -> &T {
        &self.entries[number as usize].state
    }

    /// The state of the flow of that number.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, number: u32) -> &mut T {
        &mut self.entries[number as usize].state
    }

    /// The numbers of flows are below it, and perhaps those of others, with the state of their removal.
    pub(crate) fn numbers(&self) -> u32 {
        self.entries.len() as u32
    }

    /// Number of flows.
    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// The number of a packet's flow, if it is in the table.
    #[inline(always)]
    pub(crate) fn find(&self, packet: &Packet) -> Option<u32> {
        let mut number = match packet.flow.stream() {
            None => *self.by_slot.get(place(packet.flow, packet.is_forward()))?,
            Some(stream) => *self.by_stream.get(stream as usize)?,
        };
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
    pub(crate) fn add(&mut self, packet: &Packet, state: T) -> u32 {
        let (flow, is_forward) = (packet.flow, packet.is_forward());
        let next = *self.first(flow, is_forward);
        let entry = Entry { state, flow, is_forward, next };
        let number = self.free.pop().unwrap_or(self.entries.len() as u32);
        if number as usize == self.entries.len() {
            self.entries.push(entry);
        } else {
            self.entries[number as usize] = entry;
        }
        *self.first(flow, is_forward) = number;
        number
    }

    /// Removes a flow.
    pub(crate) fn remove(&mut self, number: u32) {
        let Entry { flow, is_forward, next, .. } = self.entries[number as usize];
        self.free.push(number);
        let mut before = *self.first(flow, is_forward);
        if before == number {
            *self.first(flow, is_forward) = next;
            return;
        }
        while self.entries[before as usize].next != number {
            before = self.entries[before as usize].next;
        }
        self.entries[before as usize].next = next;
    }

    /// The first entry of a flow's slot and direction, or of a stream.
    fn first(&mut self, flow: FlowKey, is_forward: bool) -> &mut u32 {
        let (firsts, place) = match flow.stream() {
            None => (&mut self.by_slot, place(flow, is_forward)),
            Some(stream) => (&mut self.by_stream, stream as usize),
        };
        if firsts.len() <= place {
            firsts.resize(place + 1, NONE);
        }
        &mut firsts[place]
    }
}

impl<T: Default> FlowTable<T> {
    /// Removes the flows that are over. A default state, which numbers without a flow have here, must not be.
    #[cold]
    pub(crate) fn expire(&mut self, mut is_over: impl FnMut(&T) -> bool) {
        for number in 0..self.numbers() {
            if is_over(self.get(number)) {
                *self.get_mut(number) = T::default();
                self.remove(number);
            }
        }
    }
}

#[inline(always)]
fn place(flow: FlowKey, is_forward: bool) -> usize {
    flow.slot as usize * 2 + usize::from(is_forward)
}
