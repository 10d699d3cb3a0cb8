//! NCP's router where "N is obtained by counting flows" (section 6): R for all flows, once every d0, by
//!
//! (12): R(t) = (alpha C d - beta q(t)) / (d N + n / R - sum over R_j < R of 1 / R_j)
//!
//! The last two terms take from N what flows leave that are bottlenecked elsewhere. A flow f of R_f < R sends w_f =
//! d R_f / s packets of s bytes in d, each of which adds s / R_f - s / R: d (1 - R_f / R) in all. So it counts
//! as the part R_f / R of a flow, and at the fixed point the free flows have R each, and all together alpha C. With
//! S the rates of those that are held elsewhere, R errs from there by S / (alpha C) of the last error. Without such
//! flows (12) is (13).
//!
//! Two departures, both where an interval does not show what (12) presumes:
//!
//! - (12) presumes that each flow is in each interval. One that sends a packet every x > d is only in d / x of
//!   them, so its packets count as x / d flows each, as by (8). Uncorrected, N free flows of less than a packet in d
//!   would be given sqrt(alpha C s / (N d)) each, which is more than alpha C together.
//! - In one interval the terms may exceed d N, since packets bunch. The flows held elsewhere use the link for the
//!   time that their packets take at R, and the sum is no less than that.
//!
//! Flows with an RTT above d are in each interval if they are paced, as senders are by default; bursts once an RTT
//! are not, and N is too low. A flow that ends counts as one in its last interval, however little it sends there.

use sluice_units::{Rate, Time};

use super::counted_sums::{CountedGrant, CountedSums};
use super::header::NcpHeader;
use super::params::NcpParams;
use super::router::NcpRouter;
use crate::flow_counter::FlowCounter;
use crate::protocol::LinkContext;
use crate::router::{FlowId, LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train};
use crate::wire::WireRtt;

/// The law of (12) at one link.
#[derive(Clone, Debug)]
pub struct CountedRouter {
    /// All but N.
    law: NcpRouter,
    params: NcpParams,
    counter: FlowCounter,
    /// N of the last interval.
    counted: f64,
}

impl CountedRouter {
    /// The law with these parameters at that link.
    pub fn new(params: &NcpParams, link: &LinkContext) -> Self {
        Self {
            law: NcpRouter::with_flows_given(params, link),
            params: *params,
            counter: FlowCounter::new(params.counter, params.counter_memory),
            counted: 0.0,
        }
    }

    /// Counts flows of this interval that a kernel has seen, by the words of its bitmap
    /// ([`FlowCounter::merge`]); to be called before [`RouterLaw::tick`]. Returns whether this law counts by a bitmap of that
    /// memory.
    #[must_use]
    pub fn on_bitmap(&mut self, words: &[u64]) -> bool {
        self.counter.merge(words)
    }

    fn grant(&self) -> CountedGrant {
        CountedGrant::new(self.law.rate(), self.law.interval(), self.params.elsewhere)
    }
}

/// What (12) divides by, over d: the flows of which each has R, if `counted` flows and these sums came in
/// `elapsed` seconds.
fn flows(counted: f64, sums: &CountedSums, elapsed: f64) -> f64 {
    let of = |ticks: u64| ticks as f64 / f64::from(WireRtt::PER_SECOND) / elapsed;
    (counted + of(sums.slow) - of(sums.held)).max(of(sums.used))
}

impl RouterLaw for CountedRouter {
    type Header = NcpHeader;
    type Sums = CountedSums;
    type Grant = CountedGrant;
    type Budget = ();

    const COUNTS_FLOWS: bool = true;

    fn arrive(sums: &mut CountedSums, grant: &CountedGrant, header: &NcpHeader, train: Train) {
        sums.add(grant, header, train);
    }

    fn on_flow(&mut self, flow: FlowId) {
        self.counter.saw(flow);
    }

    fn on_skip(&mut self) {
        self.counter.count();
    }

    fn stamp(grant: &CountedGrant, budget: &mut (), header: &mut NcpHeader, train: Train) {
        NcpRouter::stamp(&grant.rate, budget, header, train);
    }

    fn fresh(_grant: &CountedGrant) {}

    fn start(&mut self, capacity: Rate) -> (CountedGrant, [Time; MAX_TIMERS]) {
        let (_, next) = self.law.start(capacity);
        (self.grant(), next)
    }

    fn tick(&mut self, _: usize, sums: &CountedSums, sample: &LinkSample) -> Tick<CountedGrant> {
        let counted = self.counter.count();
        let Tick { next, .. } = self.law.decide(&sums.rtt, sample, |_, elapsed| {
            self.counted = counted;
            flows(counted, sums, elapsed)
        });
        Tick { grant: Some(self.grant()), next }
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.law.min_queue_counts()
    }

    fn stamped(&self) -> Sampled {
        self.law.stamped()
    }

    /// As NCP's, and `held`: by how much (12) lowers N.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let mut flows = 0.0;
        self.law.metrics(&mut |name, value| match name {
            "N" => flows = value,
            _ => out(name, value),
        });
        out("N", self.counted);
        out("held", self.counted - flows);
    }
}

#[cfg(test)]
#[path = "counted_tests.rs"]
mod tests;
