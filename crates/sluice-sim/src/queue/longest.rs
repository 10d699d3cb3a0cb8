//! The longest of many lanes, found in logarithmic time where packets are dropped from it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::packet_store::Lane;

/// Lanes by number.
pub(super) trait Lanes {
    /// All numbers are below it.
    fn count(&self) -> u32;
    /// The lane of a number; empty if the number is not in use.
    fn lane(&self, number: u32) -> &Lane;
}

/// A heap of upper bounds of the lanes' bytes. A lane that grows beyond its bound gets a new one, a
/// bound that proves too high is lowered; a lane that shrinks keeps it. Bounds are kept from the first
/// search on, so a queue that never overflows keeps none.
#[derive(Default)]
pub(super) struct LongestLane {
    is_kept: bool,
    /// By number. Other entries of the heap do not count.
    bounds: Vec<Bound>,
    heap: BinaryHeap<(Bound, u32)>,
    /// Number of bounds so far.
    count: u64,
}

/// Bytes, and the number of the bound: of equal ones, the oldest is the greatest, so that lanes of equal
/// length are chosen in turn.
type Bound = (u64, Reverse<u64>);

impl LongestLane {
    /// A packet was added to the lane of that number, which has these bytes now.
    #[inline(always)]
    pub(super) fn grown(&mut self, number: u32, bytes: u64) {
        if self.is_kept {
            self.raise(number, bytes);
        }
    }

    #[inline(never)]
    fn raise(&mut self, number: u32, bytes: u64) {
        let place = number as usize;
        if self.bounds.len() <= place {
            self.bounds.resize(place + 1, Bound::default());
        }
        if bytes > self.bounds[place].0 {
            self.count += 1;
            self.bounds[place] = (bytes, Reverse(self.count));
            self.heap.push((self.bounds[place], number));
        }
    }

    /// The number and the bytes of the longest lane; `None` if all are empty.
    pub(super) fn find(&mut self, lanes: &impl Lanes) -> Option<(u32, u64)> {
        if !self.is_kept {
            self.is_kept = true;
            (0..lanes.count()).for_each(|number| self.raise(number, lanes.lane(number).bytes));
        }
        while let Some(&(bound, number)) = self.heap.peek() {
            let bytes = lanes.lane(number).bytes;
            if bound == self.bounds[number as usize] {
                if bytes == bound.0 {
                    return Some((number, bytes));
                }
                self.bounds[number as usize] = Bound::default();
            }
            self.heap.pop();
            self.raise(number, bytes);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl Lanes for Vec<Lane> {
        fn count(&self) -> u32 {
            self.len() as u32
        }

        fn lane(&self, number: u32) -> &Lane {
            &self[number as usize]
        }
    }

    proptest! {
        /// It is the one that a search among all finds, whatever was added, taken or asked before.
        #[test]
        fn it_is_the_longest_of_all(
            steps in prop::collection::vec((0_u32..20, 0_u64..5, any::<bool>()), 1..300),
        ) {
            let (mut lanes, mut longest) = (Vec::<Lane>::new(), LongestLane::default());
            for (number, bytes, searches) in steps {
                lanes.resize(lanes.len().max(number as usize + 1), Lane::default());
                let lane = &mut lanes[number as usize];
                // Lanes that shrink say nothing.
                let grows = bytes > lane.bytes;
                lane.bytes = bytes;
                if grows {
                    longest.grown(number, bytes);
                }
                if searches {
                    let greatest = lanes.iter().map(|lane| lane.bytes).max();
                    let found = longest.find(&lanes);
                    prop_assert_eq!(found.map_or(0, |(_, bytes)| bytes), greatest.unwrap_or(0));
                    prop_assert!(found.is_none_or(|(number, bytes)| lanes[number as usize].bytes == bytes && bytes > 0));
                }
            }
        }
    }

    /// Packets are taken from lanes of equal length in turn.
    #[test]
    fn lanes_of_equal_length_are_chosen_in_turn() {
        let (mut lanes, mut longest) = (vec![Lane::default(); 3], LongestLane::default());
        lanes.iter_mut().for_each(|lane| lane.bytes = 9);
        let mut chosen = Vec::new();
        for _ in 0..6 {
            let (number, bytes) = longest.find(&lanes).unwrap();
            chosen.push((number, bytes));
            lanes[number as usize].bytes -= 1;
        }
        assert_eq!(chosen, [(0, 9), (1, 9), (2, 9), (0, 8), (1, 8), (2, 8)]);
    }

    /// The heap does not keep an entry for each packet that ever passed.
    #[test]
    fn a_lane_that_comes_and_goes_adds_no_entries() {
        let (mut lanes, mut longest) = (vec![Lane::default(); 2], LongestLane::default());
        lanes[0].bytes = 9;
        assert_eq!(longest.find(&lanes), Some((0, 9)));
        for bytes in (0..1000).map(|step| step % 4) {
            lanes[1].bytes = bytes;
            longest.grown(1, bytes);
        }
        assert!(longest.heap.len() <= 5, "{} entries", longest.heap.len());
    }
}
