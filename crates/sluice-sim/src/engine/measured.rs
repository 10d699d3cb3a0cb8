//! Totals over the flows measured.

use sluice_units::{Rate, Time};

use crate::config::Config;
use crate::outcome::FlowRecord;

/// Totals over [warm-up, stop): flows that arrive then, and retransmissions.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) started: u64,
    pub(super) finished: u64,
    pub(super) bytes: u64,
    /// When the last of them finished.
    pub(super) last: Time,
    /// Data packets retransmitted in that time, by all flows.
    pub(super) resent: u64,
}

impl Measured {
    pub(super) fn all_finished(&self) -> bool {
        self.started == self.finished
    }

    pub(super) fn finish(&mut self, record: &FlowRecord, ended: Time) {
        if record.measured && record.size.is_some() && record.completion.is_some() {
            self.finished += 1;
            self.last = self.last.max(ended);
        }
    }

    pub(super) fn offered(&self, config: &Config) -> Rate {
        let seconds = config.stop.since(config.warm_up).as_secs_f64();
        if seconds > 0.0 {
            Rate::from_bps_f64(self.bytes as f64 * 8.0 / seconds)
        } else {
            Rate::ZERO
        }
    }
}
