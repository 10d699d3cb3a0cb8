//! When the first of many things happens: a time for each, and for every few the least.
//!
//! Made for finding all that happen soon, in the order of their numbers. What happens later costs
//! a look at one number for [`BLOCK`] of them.

const BLOCK: usize = 16;

/// [`u64::MAX`] is never.
pub(super) struct Soonest {
    times: Vec<u64>,
    least: Vec<u64>,
}

impl Soonest {
    pub(super) fn new(things: usize) -> Self {
        let blocks = things.div_ceil(BLOCK);
        Self { times: vec![u64::MAX; blocks * BLOCK], least: vec![u64::MAX; blocks] }
    }

    /// Something that never happened before happens at `time`.
    #[inline]
    pub(super) fn expect(&mut self, thing: usize, time: u64) {
        self.times[thing] = time;
        let least = &mut self.least[thing / BLOCK];
        *least = (*least).min(time);
    }

    /// Calls `act` with all that happen before `until`, for when each happens next; gives when the
    /// first of all does then.
    #[inline(always)]
    pub(super) fn pass(&mut self, until: u64, mut act: impl FnMut(usize) -> u64) -> u64 {
        let mut first = u64::MAX;
        let blocks = self.times.chunks_exact_mut(BLOCK).zip(&mut self.least);
        for (block, (times, least)) in blocks.enumerate() {
            if *least < until {
                let mut next = u64::MAX;
                for (place, time) in times.iter_mut().enumerate() {
                    if *time < until {
                        *time = act(block * BLOCK + place);
                    }
                    next = next.min(*time);
                }
                *least = next;
            }
            first = first.min(*least);
        }
        first
    }
}
