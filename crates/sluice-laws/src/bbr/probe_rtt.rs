//! How long ProbeRTT lasts.

use sluice_units::{Span, Time};

use super::connection::Ack;
use super::model::Rounds;

/// "BBR.probe_rtt_done_stamp" and "BBR.probe_rtt_round_done" (v1 section 4.3.5; v3 section 5.3.4.3).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProbeRttHold {
    done_stamp: Option<Time>,
    round_done: bool,
}

impl ProbeRttHold {
    /// The rest of "HandleProbeRTT": once no more than `most` packets are in flight, ProbeRTT lasts
    /// for `duration` and a round trip. Whether it is over.
    pub(crate) fn is_done(
        &mut self,
        ack: &Ack,
        rounds: &mut Rounds,
        most: u32,
        duration: Span,
    ) -> bool {
        if self.done_stamp.is_some() {
            self.round_done |= rounds.started;
            return self.round_done && self.has_lasted(ack.now);
        }
        if ack.in_flight <= most {
            self.done_stamp = Some(ack.now.plus(duration));
            self.round_done = false;
            rounds.begin(ack.total_delivered);
        }
        false
    }

    /// Whether the time is over: "Now() > BBR.probe_rtt_done_stamp".
    pub(crate) fn has_lasted(&self, now: Time) -> bool {
        self.done_stamp.is_some_and(|done| now > done)
    }
}
