//! An interval between two decisions, as a router keeps it.

use super::classes::{CLASSES, TICK, going_on};
use super::grant::LedgerBudget;
use super::header::EVEN;
use super::sums::LedgerSums;
use crate::wire::WireRtt;

/// What was granted and seen in an interval. Times are in seconds, rates in bits a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct BookedInterval {
    /// Its end.
    pub end: f64,
    /// Its length.
    pub length: f64,
    /// R.
    pub rate: f64,
    /// What its newcomers were granted and have, by classes of `tick`.
    pub budget: LedgerBudget,
    /// A tick as it was then.
    pub tick: f64,
    /// What packets added up, by classes of `tick_bytes`.
    pub sums: LedgerSums,
    /// Bytes of a flow in a tick at S / N.
    pub tick_bytes: f64,
    /// Bytes that arrived without a request.
    pub foreign: f64,
    /// The time for which a packet waits at its end.
    pub wait: f64,
}

/// An interval in the form in which all decisions of three d0 look at it: numbers converted once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) end: f64,
    pub(super) middle: f64,
    pub(super) length: f64,
    rate: f64,
    /// The least rate that a flow was granted, R or at first.
    pub(super) least: f64,
    pub(super) tick: f64,
    /// Bytes granted to a flow since time zero, F, at its end.
    pub(super) served: f64,
    /// Bytes that its grants bring, a d0 later.
    pub(super) load: f64,
    /// The flows foreseen for a d0 later, times its length, uncorrected.
    pub(super) foreseen: f64,
    /// That d0; 0 until something is foreseen.
    pub(super) ahead: f64,
    /// `None` without newcomers in a class above the lowest: in most intervals of a slow link, or of a short RTT.
    pub(super) newcomers: Option<Newcomers>,
    pub(super) flows: Option<Flows>,
    /// Bytes of flows held elsewhere.
    pub(super) elsewhere: f64,
    /// Seconds for which these sent.
    pub(super) elsewhere_flows: f64,
    /// Bytes without a request.
    pub(super) foreign: f64,
    /// Bytes of flows that end within a tick of their first packet, and the seconds for which they send.
    pub(super) short: f64,
    /// See `short`.
    pub(super) short_seconds: f64,
    /// The time for which a packet waits at its end.
    pub(super) wait: f64,
}

/// Those that send for a tick and more, by class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomers {
    pub(super) count: [f64; CLASSES],
    /// Rates granted to them.
    pub(super) granted: [f64; CLASSES],
    pub(super) waiting: f64,
}

/// Those that send for a tick and more, by class: the seconds for which they sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flows {
    seconds: [f64; CLASSES],
    /// Bytes of one in a tick.
    tick_bytes: f64,
}

impl Entry {
    /// Of an interval before which F was `served`.
    pub(super) fn new(interval: &BookedInterval, served: f64) -> Self {
        let BookedInterval { end, length, rate, tick, foreign, wait, budget, sums, .. } = interval;
        let offered = u64::from(u32::MAX).saturating_sub(budget.below_largest);
        Self {
            end: *end,
            middle: end - length / 2.0,
            length: *length,
            rate: *rate,
            least: rate.min(bps(offered)),
            tick: *tick,
            served: served + rate / 8.0 * length,
            load: 0.0,
            foreseen: 0.0,
            ahead: 0.0,
            newcomers: Newcomers::of(budget),
            flows: Flows::of(interval),
            elsewhere: sums.elsewhere_bytes as f64,
            elsewhere_flows: seconds(sums.elsewhere_x),
            foreign: *foreign,
            short: budget.short as f64,
            short_seconds: budget.short_ticks as f64 / TICK as f64 * tick,
            wait: *wait,
        }
    }

    /// F at a time within it; after it as at its end, before it as at its beginning.
    pub(super) fn served_at(&self, time: f64) -> f64 {
        self.served - (self.end - time).clamp(0.0, self.length) * self.rate / 8.0
    }
}

impl Newcomers {
    fn of(budget: &LedgerBudget) -> Option<Self> {
        budget.has_newcomers().then(|| Self {
            count: budget.count.map(|count| count as f64),
            granted: budget.granted.map(bps),
            waiting: budget.waiting as f64,
        })
    }
}

impl Flows {
    fn of(interval: &BookedInterval) -> Option<Self> {
        let sums = &interval.sums;
        let tick_bytes = interval.tick_bytes;
        sums.has_flows().then(|| Self { seconds: sums.x.map(seconds), tick_bytes })
    }

    /// Seconds for which those sent that go on after `bytes` more were granted to each.
    pub(super) fn going_on(&self, bytes: f64) -> f64 {
        going_on(&self.seconds, bytes / self.tick_bytes)
    }
}

/// A sum of x as stretched on the way, in seconds.
pub(super) fn seconds(x: u64) -> f64 {
    x as f64 / (f64::from(WireRtt::PER_SECOND) * f64::from(EVEN))
}

/// Units of the header in bits a second.
fn bps(units: u64) -> f64 {
    units as f64 * 100.0
}
