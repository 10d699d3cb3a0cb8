//! A table of hashes with open addressing. Hashes of different flows differ, for
//! [`mix`](crate::draw::mix) has an inverse, but one of them may be that of an empty slot.

/// Slots at first, a power of two.
const SLOTS: usize = 64;
const EMPTY: u64 = 0;

/// The flows of an interval.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    slots: Vec<u64>,
    taken: usize,
    /// Whether the flow has come whose hash is [`EMPTY`].
    empty: bool,
}

impl Default for Exact {
    fn default() -> Self {
        Self { slots: vec![EMPTY; SLOTS], taken: 0, empty: false }
    }
}

impl Exact {
    pub(super) fn insert(&mut self, hash: u64) {
        if hash == EMPTY {
            self.empty = true;
            return;
        }
        let place = self.place(hash);
        if self.slots[place] == hash {
            return;
        }
        self.slots[place] = hash;
        self.taken += 1;
        if self.taken > self.slots.len() / 4 * 3 {
            self.grow();
        }
    }

    /// The slot of a hash, or the empty one where it belongs.
    fn place(&self, hash: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut place = hash as usize & last;
        while self.slots[place] != EMPTY && self.slots[place] != hash {
            place = (place + 1) & last;
        }
        place
    }

    /// Doubles the table within an interval.
    #[cold]
    fn grow(&mut self) {
        let slots = vec![EMPTY; 2 * self.slots.len()];
        for hash in std::mem::replace(&mut self.slots, slots) {
            if hash != EMPTY {
                let place = self.place(hash);
                self.slots[place] = hash;
            }
        }
    }

    /// The number of flows. Empties the table, which has room then for three times as many at least; of slots there
    /// are 64, or at most 16 for each flow.
    pub(super) fn count(&mut self) -> usize {
        let flows = self.taken + usize::from(self.empty);
        let room = (4 * self.taken).next_power_of_two().max(SLOTS);
        if room > self.slots.len() || room < self.slots.len() / 2 {
            self.slots = vec![EMPTY; room];
        } else if self.taken > 0 {
            self.slots.fill(EMPTY);
        }
        (self.taken, self.empty) = (0, false);
        flows
    }
}
