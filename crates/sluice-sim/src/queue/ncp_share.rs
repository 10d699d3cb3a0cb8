//! The share of a link by NCP, from labels instead of from what senders state.
//!
//! D. Fesehaye, K. Nahrstedt, M. Caesar, "A Network Congestion control Protocol (NCP)", (8), (10) and
//! (12) of which section 10.2 makes core-stateless fair queueing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::Span;

/// The lowest share, in bits a second; the paper has none. Above 0, so that (12) can leave it.
const LEAST: f64 = 1.0;

/// How labels add up to a number of flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabelCount {
    /// (8): each flow counts whole, also one that sends less than the share.
    #[default]
    Eq8,
    /// (12), with N by (8): a flow below the share counts as its part of it, so that the others have what it
    /// leaves.
    Eq12,
}

/// The equations of a share.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShareLaw {
    pub(super) counted: LabelCount,
    /// Whether a flow of weight p counts as p flows.
    pub(super) weighted: bool,
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

/// R(t) of a link. Rates are in bits a second for each unit of weight.
pub(super) struct NcpShare {
    law: ShareLaw,
    /// R(t), in force until the next update.
    rate: f64,
    /// The sum of s_j/R_j over the packets since then, in seconds.
    seconds: f64,
    /// N of the last interval.
    flows: f64,
}

impl NcpShare {
    /// That of a link that was idle: alpha C.
    pub(super) fn new(law: ShareLaw, capacity: f64) -> Self {
        let rate = law.alpha * capacity;
        Self { law, rate, seconds: 0.0, flows: 0.0 }
    }

    /// A packet of `bytes` arrives with a label, of a flow of this weight.
    ///
    /// A flow of rate R_f sends d R_f / s packets of s bits in an interval d, which add up to d for any
    /// R_f: (8). In (12) a flow below R(t) counts as R_f / R(t) instead, so that its packets add
    /// s / R(t): N there is the sum of all, and what is taken off is s (1/R_f - 1/R(t)) for each.
    ///
    /// A label is a rate over a weight p, so that a flow of weight p counts as p flows.
    pub(super) fn count(&mut self, bytes: u32, label: f64, weight: f64) {
        let counts_as = match self.law.counted {
            LabelCount::Eq8 => label,
            LabelCount::Eq12 => label.max(self.rate),
        };
        let flows = if self.law.weighted { 1.0 } else { weight.recip() };
        self.seconds += f64::from(bytes) * 8.0 / counts_as * flows;
    }

    /// An interval `elapsed` ends, with `queue` bits waiting, on a link of `capacity` bit/s:
    /// (10), R(t) = (alpha C - beta q(t)/d) / N. Without packets, R(t) is all of alpha C.
    pub(super) fn update(&mut self, elapsed: Span, queue: f64, capacity: f64) {
        let target = self.law.alpha * capacity;
        let elapsed = elapsed.as_secs_f64();
        self.flows = self.seconds / elapsed;
        self.seconds = 0.0;
        let drain = self.law.beta * queue / elapsed;
        let rate = if self.flows > 0.0 { (target - drain) / self.flows } else { target };
        self.rate = rate.min(target).max(LEAST);
    }

    /// R(t).
    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    /// N of the last interval.
    pub(super) fn flows(&self) -> f64 {
        self.flows
    }
}
