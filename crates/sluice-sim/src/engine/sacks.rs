//! Selective acknowledgements in flight, stored apart from their packets.
//!
//! They are rare and take 48 bytes, so a packet holds only their number.

use sluice_laws::tcp::Block;

use crate::host::{Receiver, Reply};

/// Blocks without the empty ones at the end.
pub(super) fn known(blocks: &[Block; 3]) -> &[Block] {
    let count = blocks.iter().position(|block| block.start == block.end).unwrap_or(3);
    &blocks[..count]
}

#[derive(Default)]
pub(super) struct Sacks {
    slots: Vec<[Block; 3]>,
    free: Vec<u32>,
}

impl Sacks {
    /// Stores the receiver's blocks above gaps. Returns their number for the reply, 0 for none.
    #[inline]
    pub(super) fn of(&mut self, receiver: &Receiver, reply: &Reply) -> u32 {
        if reply.gaps { self.put(receiver.blocks()) } else { 0 }
    }

    fn put(&mut self, blocks: [Block; 3]) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.slots[number as usize - 1] = blocks;
                number
            }
            None => {
                self.slots.push(blocks);
                self.slots.len() as u32
            }
        }
    }

    /// The blocks that a packet carries, padded with empty ones; a datagram has none.
    pub(super) fn peek(&self, number: u32) -> [Block; 3] {
        let place = (number as usize).checked_sub(1);
        place.and_then(|place| self.slots.get(place)).copied().unwrap_or_default()
    }

    /// Removes the blocks that a packet carried; `None` for number 0. Padded with empty blocks.
    #[inline]
    pub(super) fn take(&mut self, number: u32) -> Option<[Block; 3]> {
        if number == 0 {
            return None;
        }
        self.free.push(number);
        Some(self.slots[number as usize - 1])
    }
}
