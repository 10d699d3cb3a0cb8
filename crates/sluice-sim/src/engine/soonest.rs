//! Due times of many items, with the minimum of every [`BLOCK`].
//!
//! Finds all items due soon, in the order of their numbers; blocks without any cost one comparison.

use sluice_units::Time;

const BLOCK: usize = 16;

/// Due times; [`Time::NEVER`] is never.
pub(super) struct Soonest {
    times: Vec<Time>,
    least: Vec<Time>,
}

impl Soonest {
    pub(super) fn new(items: usize) -> Self {
        let blocks = items.div_ceil(BLOCK);
        Self { times: vec![Time::NEVER; blocks * BLOCK], least: vec![Time::NEVER; blocks] }
    }

    /// Sets when an item, so far never due, is due.
    #[inline]
    pub(super) fn expect(&mut self, item: usize, time: Time) {
        self.times[item] = time;
        let least = &mut self.least[item / BLOCK];
        *least = (*least).min(time);
    }

    /// Calls `act` for each item due before `until`; `act` returns when it is due next. Returns when
    /// the first item is due afterwards.
    #[inline(always)]
    pub(super) fn pass(&mut self, until: Time, mut act: impl FnMut(usize) -> Time) -> Time {
        let mut first = Time::NEVER;
        let blocks = self.times.chunks_exact_mut(BLOCK).zip(&mut self.least);
        for (block, (times, least)) in blocks.enumerate() {
            if *least < until {
                let mut next = Time::NEVER;
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
