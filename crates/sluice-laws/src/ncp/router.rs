//! NCP's router: R for all flows, once every d0, from the number of flows that packets add up to.
//!
//! Equations (5), (6) and (8) all have the form of (10), R = (alpha C - beta q/d0) / N. They differ
//! in what N is ([`FlowCount`]). (12) has another N of the same form, from flows ([`super::counted`]).

use sluice_units::{Bytes, Rate, Span, Time};

use super::header::NcpHeader;
use super::params::{FlowCount, NcpParams};
use super::sums::{NcpSums, ONE};
use crate::protocol::LinkContext;
use crate::rcp::rtt::{RttAverage, RttFilter, RttSums};
use crate::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train};
use crate::wire::{Offer, WireRtt};

/// NCP's law at one link.
#[derive(Clone, Debug)]
pub struct NcpRouter {
    params: NcpParams,
    /// Size of a full data packet on the wire.
    packet: Bytes,
    /// The link's capacity as of the last tick.
    capacity: Rate,
    /// R(t) in bits a second, unrounded.
    rate: f64,
    /// The moving average of the RTTs, d0.
    rtt: RttAverage,
    /// The flows counted at the last tick.
    flows: f64,
}

impl NcpRouter {
    /// The law with these parameters at that link. Panics with [`FlowCount::Eq12`], whose law is
    /// [`super::counted::CountedRouter`].
    pub fn new(params: &NcpParams, link: &LinkContext) -> Self {
        assert!(params.counted != FlowCount::Eq12, "sums do not count flows as (12) does");
        Self::with_flows_given(params, link)
    }

    /// The same where N is counted elsewhere ([`NcpRouter::decide`]).
    pub(super) fn with_flows_given(params: &NcpParams, link: &LinkContext) -> Self {
        let initial_rtt = params.initial_rtt.as_secs_f64();
        let rtt = RttAverage::new(RttFilter::PerPacket, params.rtt_gain.get(), initial_rtt);
        let (packet, capacity) = (link.packet, link.capacity);
        let mut router = Self { params: *params, packet, capacity, rate: 0.0, rtt, flows: 0.0 };
        router.begin();
        router
    }

    /// R(0) is that of an idle link, as after any interval in which nobody sent.
    fn begin(&mut self) {
        self.rtt.bound(self.capacity, self.packet);
        self.rate = self.bounded(self.target());
    }

    /// (10): R(t) = (alpha C - beta q(t)/d0) / N.
    ///
    /// If N is zero there is no flow, and the next one may have the whole capacity.
    fn shared(&self, queue: Bytes) -> f64 {
        if self.flows <= 0.0 {
            return self.target();
        }
        let drain = self.params.beta.get() * bits(queue) / self.rtt.get();
        (self.target() - drain) / self.flows
    }

    /// N, over the `elapsed` seconds since the last tick.
    ///
    /// The paper's sums are over an interval of d0; one that was longer or shorter counts in
    /// proportion. Not called where flows are counted, by (12).
    fn counted(&self, sums: &NcpSums, sample: &LinkSample, elapsed: f64) -> f64 {
        match self.params.counted {
            FlowCount::Eq8 | FlowCount::Eq12 => {
                sums.x as f64 / f64::from(WireRtt::PER_SECOND) / elapsed
            }
            FlowCount::Eq5 => sums.share as f64 / ONE as f64 * (self.rtt.get() / elapsed),
            FlowCount::Eq6 => bits(sample.arrived) / elapsed / self.rate,
        }
    }

    /// A tick, where `flows` gives N over the elapsed seconds.
    pub(super) fn decide(
        &mut self,
        rtt: &RttSums,
        sample: &LinkSample,
        flows: impl FnOnce(&Self, f64) -> f64,
    ) -> Tick<Offer> {
        let elapsed = sample.now.since(sample.since);
        self.capacity = sample.capacity;
        if elapsed > Span::ZERO && self.capacity > Rate::ZERO {
            let elapsed = elapsed.as_secs_f64();
            let share = self.rate / self.capacity.as_bps_f64();
            self.rtt.update(rtt, elapsed, share);
            self.rtt.bound(self.capacity, self.packet);
            self.flows = flows(self, elapsed);
            self.rate = self.shared(sample.queue_by(self.params.queue_counts));
        }
        // In an interval of no length too: the capacity may have fallen.
        self.rate = self.bounded(self.rate);
        Tick { grant: Some(self.grant()), next: sample.now + self.interval() }
    }

    /// R, unrounded.
    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    /// The capacity to fill, alpha C, in bits a second.
    pub(super) fn target(&self) -> f64 {
        self.params.alpha.get() * self.capacity.as_bps_f64()
    }

    /// R within [minimum R, alpha C]; the paper names no bounds. alpha C - beta q/d0 can be below
    /// zero, and by (6) R would never rise again from there. The minimum is a number of packets per d0, as
    /// RCP's. Both are at least what a header can grant.
    fn bounded(&self, rate: f64) -> f64 {
        let packets = self.params.min_rate.get() * bits(self.packet) / self.rtt.get();
        Offer::bounded(rate, packets, self.target())
    }

    /// d0 in seconds.
    pub(super) fn d0(&self) -> f64 {
        self.rtt.get()
    }

    /// "Each router in the network calculates R(t) every control interval" (section 4), d0.
    pub(super) fn interval(&self) -> Span {
        Span::from_secs_f64(self.rtt.get()).max(Span::from_nanos(1))
    }

    fn grant(&self) -> Offer {
        Offer::granting(Rate::from_bps_f64(self.rate))
    }
}

fn bits(bytes: Bytes) -> f64 {
    bytes.as_f64() * 8.0
}

impl RouterLaw for NcpRouter {
    type Header = NcpHeader;
    type Sums = NcpSums;
    type Grant = Offer;
    type Budget = ();

    fn arrive(sums: &mut NcpSums, _: &Offer, header: &NcpHeader, train: Train) {
        sums.add(header, train);
    }

    /// "Each router [...] checks if R(t) < R_j in which case it overwrites R_j and forwards it
    /// unchanged otherwise" (section 4). A packet that requests no rate has zero there, which no R
    /// is below.
    fn stamp(grant: &Offer, _budget: &mut (), header: &mut NcpHeader, _train: Train) {
        header.rate = header.rate.min(*grant);
    }

    fn fresh(_grant: &Offer) {}

    fn start(&mut self, capacity: Rate) -> (Offer, [Time; MAX_TIMERS]) {
        self.capacity = capacity;
        self.begin();
        (self.grant(), [Time::ZERO + self.interval(), Time::NEVER])
    }

    fn tick(&mut self, _timer: usize, sums: &NcpSums, sample: &LinkSample) -> Tick<Offer> {
        self.decide(&sums.rtt, sample, |law, elapsed| law.counted(sums, sample, elapsed))
    }

    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.params.queue_counts.of_minimum()
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate);
        out("d0", self.rtt.get());
        out("N", self.flows);
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
