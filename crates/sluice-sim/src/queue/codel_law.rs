//! CoDel's control law: which packets to drop or mark as they depart.
//!
//! After RFC 8289, section 5, packet by packet instead of by a loop over the queue: the caller takes
//! the next packet from its queue as long as [`CodelLaw::strikes`]. A packet that is marked instead
//! of dropped departs, and the next one is judged when it does.

use sluice_units::{Span, Time};

/// CoDel's state at one queue; in brackets the RFC's names.
pub(super) struct CodelLaw {
    /// (TARGET)
    target: Span,
    /// (INTERVAL)
    interval: Span,
    /// A queue of no more bytes is short, whatever its delay (maxpacket_).
    max_packet: u64,
    /// When the delay has been above the target for an interval, unless it is below
    /// (first_above_time_).
    above_from: Option<Time>,
    dropping: bool,
    /// When the next packet is struck while dropping (drop_next_); before `scheduled`, when the last
    /// one was due.
    next: Time,
    scheduled: bool,
    /// Packets struck since dropping began (count_).
    count: u32,
    /// Its first value (lastcount_).
    first_count: u32,
}

impl CodelLaw {
    pub(super) fn new(target: Span, interval: Span, max_packet: u64) -> Self {
        Self {
            target,
            interval,
            max_packet,
            above_from: None,
            dropping: false,
            next: Time::ZERO,
            scheduled: false,
            count: 0,
            first_count: 0,
        }
    }

    /// Whether to drop or mark the packet that leaves the queue at `now`, where it has been since
    /// `arrived`, and leaves `left` bytes behind. Packets must leave in the order of `now`.
    pub(super) fn strikes(&mut self, now: Time, arrived: Time, left: u64) -> bool {
        let is_bad = self.has_been_bad(now, arrived, left);
        if !self.dropping {
            if is_bad {
                self.begin(now);
            }
            return is_bad;
        }
        if !is_bad {
            self.dropping = false;
            return false;
        }
        if !self.scheduled {
            (self.next, self.scheduled) = (self.after(self.next), true);
        }
        let strikes = now >= self.next;
        if strikes {
            self.count = self.count.saturating_add(1);
            self.scheduled = false;
        }
        strikes
    }

    /// (dodequeue): whether the delay of every packet for an interval was above the target.
    fn has_been_bad(&mut self, now: Time, arrived: Time, left: u64) -> bool {
        if now.since(arrived) < self.target || left <= self.max_packet {
            self.above_from = None;
        } else if self.above_from.is_none() {
            self.above_from = Some(now + self.interval);
        } else {
            return self.above_from.is_some_and(|from| now >= from);
        }
        false
    }

    /// Begins to drop; at the last rate, if that was not long ago.
    fn begin(&mut self, now: Time) {
        let struck = self.count - self.first_count;
        let is_recent = now.since(self.next) < self.interval * 16;
        self.count = if struck > 1 && is_recent { struck } else { 1 };
        self.first_count = self.count;
        (self.dropping, self.scheduled) = (true, true);
        self.next = self.after(now);
    }

    /// (control_law)
    fn after(&self, time: Time) -> Time {
        let gap = self.interval.as_nanos() as f64 / libm::sqrt(f64::from(self.count));
        time + Span::from_nanos(gap as u64)
    }
}

#[cfg(test)]
#[path = "codel_law_tests.rs"]
mod tests;
