//! Section 7: flows whose RTT is longer than d are granted R with a compensation for the rate that they
//! kept meanwhile.
//!
//! Equations (14) and (15) are one,
//!
//! ```text
//! R_k' = R + (R - R_k) (RTT_k - d) / RTT_k    for RTT_k > d
//! ```
//!
//! with R_k, the rate at which flow k sends now, RTT_k and R as in (8), and d the router's d0.
//!
//! *The router computes it*: it has R and d, and each packet states R_k (as x) and RTT_k. A sender would need
//! d back, and R apart from other links' R; an acknowledgement has one word. So grants are stamped packet by packet, in integers, and
//! only packets of flows beyond d0 cost the two divisions.
//!
//! *R_k includes the last compensation*, since that is what the flow sends. So with g = 1 - d / RTT_k, each
//! round trip answers a deviation e from R with -g e. After a step of R by D, a flow gets g D for a round
//! trip, which is D (RTT_k - d), all that the paper says it missed; then it loses g^2 D, and so on. What
//! remains is g / (1 + g) of an RTT of D: 12 / 7 d of the 3 d for RTT_k = 4 d. A header without the
//! uncompensated grant of an RTT before cannot do better, and `docs/decisions/027-ncp-readings.md` has the
//! frequencies that this amplifies.

use sluice_units::{Rate, Span, Time};

use super::header::NcpHeader;
use super::params::NcpParams;
use super::router::NcpRouter;
use super::sums::NcpSums;
use crate::protocol::LinkContext;
use crate::router::{LinkSample, MAX_TIMERS, Plain, QueueCounts, RouterLaw, Sampled, Tick, Train};
use crate::wire::{Offer, WireRtt};

/// NCP's law at one link, with compensation.
#[derive(Clone, Debug)]
pub struct CompensatedRouter(NcpRouter);

/// What the fast path needs to know of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompensatedGrant {
    /// R(t).
    pub rate: Offer,
    /// The most that any flow is granted: alpha C.
    pub most: Offer,
    /// d. [`WireRtt::NONE`] would compensate every flow that states an RTT.
    pub d0: WireRtt,
}

impl CompensatedRouter {
    /// The law with these parameters at that link.
    pub fn new(params: &NcpParams, link: &LinkContext) -> Self {
        Self(NcpRouter::new(params, link))
    }

    fn grant(&self, rate: Offer) -> CompensatedGrant {
        let most = Offer::granting(Rate::from_bps_f64(self.0.target()));
        CompensatedGrant { rate, most, d0: WireRtt::new(Span::from_secs_f64(self.0.d0())) }
    }
}

impl CompensatedGrant {
    /// The rate for the flow of these packets. A packet that states no rate, a SYN's, has none to
    /// compensate. "If RTT_k <= d then NCP doesn't need any refinement" (section 7).
    #[inline]
    fn of_flow(&self, header: &NcpHeader, train: Train) -> Offer {
        if header.x == 0 || header.rtt <= self.d0 {
            return self.rate;
        }
        let bytes = train.bytes() / u32::from(train.packets());
        let now = units_per_second(bytes, header.x);
        let rate = self.rate.units();
        if now <= rate {
            // (14). Two departures, since the paper bounds neither equation: a link grants no flow more than
            // it has to give, where R may be nearly that already,
            let most = self.most.units().max(rate);
            Offer::rounded(rate.saturating_add(self.late(rate - now, header.rtt)).min(most))
        } else {
            // (15), and no flow less than a header can say. The equation is below zero from R_k = R (1 + 1 / g) on:
            // 2.11 R for an RTT of 10 d. Senders send a packet an RTT at least.
            Offer::rounded(rate.saturating_sub(self.late(now - rate, header.rtt)))
        }
    }

    /// `difference` (RTT_k - d) / RTT_k, rounded down.
    #[inline]
    fn late(&self, difference: u32, rtt: WireRtt) -> u32 {
        let late = u64::from(rtt.units() - self.d0.units());
        (u64::from(difference) * late / u64::from(rtt.units())) as u32
    }
}

/// R_k in the units of [`Offer`], rounded down: s / x with x in ticks of 2^-28 s and units of 100 b/s, so
/// 8 s 2^28 / (100 x).
#[inline]
fn units_per_second(bytes: u32, x: u32) -> u32 {
    let units = (u64::from(bytes) << 29) / (25 * u64::from(x));
    u32::try_from(units).unwrap_or(u32::MAX)
}

impl RouterLaw for CompensatedRouter {
    type Header = NcpHeader;
    type Sums = NcpSums;
    type Grant = CompensatedGrant;
    type Budget = ();

    fn arrive(sums: &mut NcpSums, grant: &CompensatedGrant, header: &NcpHeader, train: Train) {
        NcpRouter::arrive(sums, &grant.rate, header, train);
    }

    fn stamp(grant: &CompensatedGrant, _: &mut (), header: &mut NcpHeader, train: Train) {
        header.rate = header.rate.min(grant.of_flow(header, train));
    }

    fn fresh(_grant: &CompensatedGrant) {}

    fn start(&mut self, capacity: Rate) -> (CompensatedGrant, [Time; MAX_TIMERS]) {
        let (rate, timers) = self.0.start(capacity);
        (self.grant(rate), timers)
    }

    fn tick(
        &mut self,
        timer: usize,
        sums: &NcpSums,
        sample: &LinkSample,
    ) -> Tick<CompensatedGrant> {
        let Tick { grant, next } = self.0.tick(timer, sums, sample);
        Tick { grant: grant.map(|rate| self.grant(rate)), next }
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.0.min_queue_counts()
    }

    fn stamped(&self) -> Sampled {
        self.0.stamped()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.0.metrics(out);
    }
}

impl Plain for CompensatedGrant {
    type Plain = [u64; 3];

    fn to_plain(self) -> [u64; 3] {
        [self.rate.units(), self.most.units(), self.d0.units()].map(u64::from)
    }

    fn from_plain(words: [u64; 3]) -> Self {
        let [rate, most, d0] = words.map(|word| word as u32);
        let [rate, most] = [rate, most].map(Offer::from_units);
        Self { rate, most, d0: WireRtt::from_units(d0) }
    }
}

#[cfg(test)]
#[path = "compensated_tests.rs"]
mod tests;
