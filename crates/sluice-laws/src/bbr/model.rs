//! Parts of the model of the path.

use sluice_units::{Span, Time};

use super::connection::Ack;
use super::filter::MaxFilter;

/// Packet-timed round trips (v1 section 4.1.1.3; v3 section 5.5.1).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rounds {
    /// "BBR.next_round_delivered".
    next: u64,
    /// "BBR.round_start": whether the latest acknowledgement began a round.
    pub(crate) started: bool,
    /// "BBR.round_count".
    pub(crate) count: u64,
}

impl Rounds {
    /// "UpdateRound".
    pub(crate) fn update(&mut self, ack: &Ack) {
        self.started = ack.sample.is_some_and(|sample| sample.prior_delivered >= self.next);
        if self.started {
            self.begin(ack.total_delivered);
            self.count += 1;
        }
    }

    /// "StartRound": the round ends with a packet that leaves once more than this is delivered.
    pub(crate) fn begin(&mut self, delivered: u64) {
        self.next = delivered;
    }
}

/// The estimator of a full pipe (v1 section 4.3.2.2: "BBRCheckFullPipe"; v3 section 5.3.1.2:
/// "CheckFullBWReached").
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FullPipe {
    /// "BBR.full_bw".
    pub(crate) bw: f64,
    count: u8,
    /// "BBR.full_bw_now": full since the search last began.
    pub(crate) now: bool,
    /// "BBR.filled_pipe", "BBR.full_bw_reached": ever full.
    pub(crate) reached: bool,
}

impl FullPipe {
    /// "less than 25 percent" is "little increase".
    const GROWTH: f64 = 1.25;
    /// "several (three) non-application-limited rounds".
    const ROUNDS: u8 = 3;

    /// A round began with bandwidth `bw`: its maximum in v1, the latest sample in v3.
    pub(crate) fn check(&mut self, ack: &Ack, rounds: &Rounds, bw: f64) {
        if self.now || !rounds.started || ack.is_app_limited() {
            return;
        }
        if bw >= self.bw * Self::GROWTH {
            self.restart(bw);
            return;
        }
        self.count += 1;
        self.now = self.count >= Self::ROUNDS;
        self.reached |= self.now;
    }

    /// "ResetFullBW", from that baseline.
    pub(crate) fn restart(&mut self, bw: f64) {
        (self.bw, self.count, self.now) = (bw, 0, false);
    }
}

/// The degree of aggregation of acknowledgements (v3 section 5.5.9; v1's draft has none, Linux's BBR has the
/// same but for a window of 5 to 10 rounds).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aggregation {
    /// "BBR.extra_acked_interval_start".
    start: Time,
    /// "BBR.extra_acked_delivered".
    delivered: f64,
    /// "BBR.extra_acked_filter", of "BBR.ExtraAckedFilterLen" rounds.
    filter: MaxFilter<10>,
}

impl Aggregation {
    pub(crate) const fn new() -> Self {
        Self { start: Time::ZERO, delivered: 0.0, filter: MaxFilter::new() }
    }

    /// "UpdateACKAggregation".
    pub(crate) fn update(&mut self, ack: &Ack, rounds: &Rounds, full: bool, bw: f64, cwnd: u32) {
        let mut expected = bw * ack.now.since(self.start).as_secs_f64();
        if self.delivered <= expected {
            self.begin(ack.now);
            expected = 0.0;
        }
        self.delivered += f64::from(ack.newly_acked);
        let extra = (self.delivered - expected).min(f64::from(cwnd));
        if !full {
            self.filter.forget_before(rounds.count); // "in Startup, just remember 1 round"
        }
        self.filter.enter(rounds.count, extra);
    }

    /// An interval of the estimate begins.
    pub(crate) fn begin(&mut self, now: Time) {
        (self.start, self.delivered) = (now, 0.0);
    }

    /// "BBR.extra_acked".
    pub(crate) fn extra(&self) -> f64 {
        self.filter.max()
    }
}

/// Whether more than `span` has passed since `stamp`.
pub(crate) fn is_over(now: Time, stamp: Time, span: Span) -> bool {
    now > stamp.plus(span)
}
