//! When flows are reported, and when a run is over: the engine's rules.
//!
//! A flow is reported once the clock has passed the time at which its sender learnt that it had
//! finished, in the order of (that time, group, index). A run is over when the last measured flow is,
//! or at its limit.

use std::collections::BTreeMap;

use sluice_units::{Rate, Time};

use crate::config::Config;
use crate::observer::Observer;
use crate::outcome::FlowRecord;

pub(super) struct Ledger {
    waiting: BTreeMap<(Time, usize, u64), FlowRecord>,
    stop: Time,
    /// Measured flows that have started and finished, and the bytes of data of the former.
    pub(super) started: u64,
    pub(super) finished: u64,
    bytes: u64,
    /// When the last of them finished.
    last: Time,
}

impl Ledger {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            waiting: BTreeMap::new(),
            stop: config.stop,
            started: 0,
            finished: 0,
            bytes: 0,
            last: Time::ZERO,
        }
    }

    /// A measured flow of `bytes` bytes starts.
    pub(super) fn start(&mut self, bytes: u64) {
        self.started += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// A flow is over, as its sender learns at `ended`.
    pub(super) fn push(&mut self, ended: Time, record: FlowRecord) {
        self.waiting.insert((ended, record.group, record.index), record);
    }

    /// When the first of the waiting flows ended; [`Time::NEVER`] if none waits.
    pub(super) fn due(&self) -> Time {
        self.waiting.first_key_value().map_or(Time::NEVER, |(key, _)| key.0)
    }

    /// Reports flows that ended before `done`, by when everything has happened. Returns when the run
    /// was over, if it has passed the stop and every measured flow has finished.
    pub(super) fn release(&mut self, done: Time, observer: &mut dyn Observer) -> Option<Time> {
        loop {
            let end = self.last.max(self.stop);
            if done > self.stop && self.started == self.finished && self.due() > end {
                return Some(end);
            }
            if self.due() >= done {
                return None;
            }
            let ((ended, ..), record) = self.waiting.pop_first()?;
            self.report(&record, ended, observer);
        }
    }

    /// At the `end` of the run, reports unfinished flows, and those whose senders have yet to learn that
    /// they have finished, if they are measured or have no size.
    pub(super) fn close(&mut self, live: Vec<FlowRecord>, end: Time, observer: &mut dyn Observer) {
        let mut rest = live;
        rest.extend(
            std::mem::take(&mut self.waiting).into_values().map(|record| record.until(end)),
        );
        rest.retain(|record| record.start <= end && (record.measured || record.size.is_none()));
        rest.sort_by_key(|record| (record.group, record.index));
        for record in &rest {
            self.report(record, end, observer);
        }
    }

    /// Reports a flow to the observer, and counts it if it is measured and finished.
    fn report(&mut self, record: &FlowRecord, ended: Time, observer: &mut dyn Observer) {
        if record.measured && record.size.is_some() && record.completion.is_some() {
            self.finished += 1;
            self.last = self.last.max(ended);
        }
        observer.flow(record);
    }

    /// Offered load: data of the measured flows over the time measured.
    pub(super) fn offered(&self, config: &Config) -> Rate {
        let seconds = config.stop.since(config.warm_up).as_secs_f64();
        if seconds > 0.0 {
            Rate::from_bps_f64(self.bytes as f64 * 8.0 / seconds)
        } else {
            Rate::ZERO
        }
    }
}
