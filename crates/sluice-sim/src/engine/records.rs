//! Records of flows that have ended ahead of the clock.
//!
//! Hosts that run ahead end flows out of order; records leave in the order of (time at which the
//! sender learnt it, group, index), whatever ran ahead.

use std::collections::BTreeMap;

use sluice_units::Time;

use crate::outcome::FlowRecord;

#[derive(Default)]
pub(super) struct Records {
    waiting: BTreeMap<(Time, usize, u64), FlowRecord>,
    /// The first key's time, cached because every event reads it.
    due: Option<Time>,
}

impl Records {
    pub(super) fn push(&mut self, ended: Time, record: FlowRecord) {
        self.waiting.insert((ended, record.group, record.index), record);
        self.refresh();
    }

    /// When the first of the waiting flows ended; [`Time::NEVER`] if none waits.
    #[inline]
    pub(super) fn due(&self) -> Time {
        self.due.unwrap_or(Time::NEVER)
    }

    /// Removes the next record of a flow that ended before `now`, with the time at which it ended.
    pub(super) fn pop(&mut self, now: Time) -> Option<(Time, FlowRecord)> {
        if self.due() >= now {
            return None;
        }
        let entry = self.waiting.pop_first().map(|(key, record)| (key.0, record));
        self.refresh();
        entry
    }

    /// Removes all records, in order.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = FlowRecord> {
        std::mem::take(&mut self.waiting).into_values()
    }

    fn refresh(&mut self) {
        self.due = self.waiting.first_key_value().map(|(key, _)| key.0);
    }
}
