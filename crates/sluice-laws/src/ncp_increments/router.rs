//! The router of XCP derived from NCP: Delta R by (20), once every d0.

use sluice_units::{Bytes, Rate, Span, Time};

use super::grant::{Carry, IncrementGrant, IncrementSums, Slope};
use super::header::IncrementHeader;
use super::params::{NcpIncrementsParams, Sharing};
use crate::protocol::LinkContext;
use crate::rcp::rtt::{RttAverage, RttFilter};
use crate::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train};

/// The law at one link.
#[derive(Clone, Debug)]
pub struct IncrementRouter {
    params: NcpIncrementsParams,
    /// Size of a full data packet on the wire.
    packet: Bytes,
    /// The moving average of the RTTs, d0.
    rtt: RttAverage,
    /// The flows counted at the last tick.
    flows: f64,
    /// Delta R in bits a second.
    increment: f64,
    /// R^ncp of (21) in bits a second.
    rate: f64,
}

impl IncrementRouter {
    /// The law with these parameters at that link.
    pub fn new(params: &NcpIncrementsParams, link: &LinkContext) -> Self {
        let initial_rtt = params.initial_rtt.as_secs_f64();
        let mut rtt = RttAverage::new(RttFilter::PerPacket, params.rtt_gain.get(), initial_rtt);
        rtt.bound(link.capacity, link.packet);
        let rate = link.capacity.as_bps_f64();
        Self { params: *params, packet: link.packet, rtt, flows: 0.0, increment: 0.0, rate }
    }

    fn decide(
        &mut self,
        sums: &IncrementSums,
        sample: &LinkSample,
        elapsed: f64,
    ) -> IncrementGrant {
        let capacity = sample.capacity.as_bps_f64();
        self.rtt.update(&sums.rtt, elapsed, self.rate / capacity);
        self.rtt.bound(sample.capacity, self.packet);
        self.flows = sums.flows(elapsed);
        // (20) by a sum of less than a d0, of the first packets of the first flow, would give that flow more
        // than S: no less than one flow shares S. Nobody would have it if there is none.
        let flows = self.flows.max(1.0);
        let load = bits(sample.arrived) / elapsed;
        let (alpha, beta) = (self.params.alpha.get(), self.params.beta.get());
        let drain = beta * bits(sample.queue_by(self.params.queue_counts)) / self.rtt.get();
        // S = C - Lambda - q/d0 (section 8.2), with gains; then (20).
        self.increment = (alpha * (capacity - load) - drain) / flows;
        // In (21) Delta R is R^ncp less the mean rate; with gains, alpha of that. Not below zero, which no rate is.
        self.rate = ((capacity - drain / alpha) / flows).max(0.0);
        self.shared()
    }

    /// What the flows' packets take over a d0: see [`Sharing`].
    fn shared(&self) -> IncrementGrant {
        let d0 = self.rtt.get();
        let [increment, rate] = [self.increment, self.rate].map(|bps| bps / 8.0);
        match self.params.sharing {
            // Delta R x_j / d0.
            Sharing::Equal => IncrementGrant {
                by_time: Slope::per_second(increment / d0),
                ..IncrementGrant::default()
            },
            // Delta R (R_j / R) x_j / d0 is Delta R / R s_j / d0: bytes count, not time. No flow loses more than
            // all that it sends, also where R is next to nothing.
            Sharing::Proportional => IncrementGrant {
                by_bytes: Slope::of(
                    (increment / rate.max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0) / d0,
                ),
                ..IncrementGrant::default()
            },
            // (R_j + Delta R) R / R_j less R_j is R - R_j + Delta R R / R_j, where Delta R without gains is
            // `increment` / alpha. The whole moves by alpha of it, as (21) does, and by half of that: summed
            // over the flows, R - R_j is S once more, and would double the gains.
            Sharing::EqualShare => {
                let half = 0.5 * self.params.alpha.get() / d0;
                IncrementGrant {
                    by_time: Slope::per_second(half * rate),
                    by_bytes: Slope::of(-half),
                    by_ratio: Slope::per_second(0.5 * increment / d0),
                    rate: IncrementGrant::rate_of(Rate::from_bps_f64(self.rate)),
                }
            }
        }
    }

    /// "Every control interval" (section 4), d0.
    fn interval(&self) -> Span {
        Span::from_secs_f64(self.rtt.get()).max(Span::from_nanos(1))
    }
}

fn bits(bytes: Bytes) -> f64 {
    bytes.as_f64() * 8.0
}

impl RouterLaw for IncrementRouter {
    type Header = IncrementHeader;
    type Sums = IncrementSums;
    type Grant = IncrementGrant;
    type Budget = Carry;

    #[inline]
    fn arrive(
        sums: &mut IncrementSums,
        _grant: &IncrementGrant,
        header: &IncrementHeader,
        train: Train,
    ) {
        sums.add(header, train);
    }

    #[inline]
    fn stamp(
        grant: &IncrementGrant,
        carry: &mut Carry,
        header: &mut IncrementHeader,
        train: Train,
    ) {
        grant.stamp(carry, header, train);
    }

    fn fresh(_grant: &IncrementGrant) -> Carry {
        Carry::default()
    }

    /// What a packet could not take of the last change belongs to the next one too.
    fn renew(_grant: &IncrementGrant, left: &Carry) -> Carry {
        *left
    }

    /// Nothing changes before the first decision.
    fn start(&mut self, _capacity: Rate) -> (IncrementGrant, [Time; MAX_TIMERS]) {
        (IncrementGrant::default(), [Time::ZERO + self.interval(), Time::NEVER])
    }

    fn tick(
        &mut self,
        _timer: usize,
        sums: &IncrementSums,
        sample: &LinkSample,
    ) -> Tick<IncrementGrant> {
        let elapsed = sample.now.since(sample.since);
        // Nothing can be measured in no time, and nobody may add to a link without capacity.
        let grant = (elapsed > Span::ZERO).then(|| match sample.capacity {
            Rate::ZERO => IncrementGrant::default(),
            _ => self.decide(sums, sample, elapsed.as_secs_f64()),
        });
        Tick { grant, next: sample.now + self.interval() }
    }

    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.params.queue_counts.of_minimum()
    }

    /// Rates in bits a second, `d0` in seconds.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("delta_R", self.increment);
        out("R", self.rate);
        out("d0", self.rtt.get());
        out("N", self.flows);
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
