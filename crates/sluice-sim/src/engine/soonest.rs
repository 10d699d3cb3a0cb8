//! Due times of many items, with the minimum of every [`BLOCK`].
//!
//! Finds all items due soon, in the order of their numbers; blocks without any cost one comparison.

const BLOCK: usize = 16;

/// Due times; [`u64::MAX`] is never.
pub(super) struct Soonest {
    times: Vec<u64>,
    least: Vec<u64>,
}

impl Soonest {
    pub(super) fn new(items: usize) -> Self {
        let blocks = items.div_ceil(BLOCK);
        Self { times: vec![u64::MAX; blocks * BLOCK], least: vec![u64::MAX; blocks] }
    }

    /// Sets when an item, so far never due, is due.
    #[inline]
    pub(super) fn expect(&mut self, item: usize, time: u64) {
        self.times[item] = time;
        let least = &mut self.least[item / BLOCK];
        *least = (*least).min(time);
    }

    /// Calls `act` for each item due before `until`; `act` returns when it is due next. Returns when
    /// the first item is due afterwards.
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
