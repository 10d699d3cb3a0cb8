//! XCP's router: the efficiency and the fairness controller (thesis sections 4.7.1 and 4.7.2) at
//! each control interval, and the estimate of the persistent queue. What it does per packet is in
//! [`super::feedback`].

use core::marker::PhantomData;

use sluice_units::{Bytes, Rate, Span, Time};

use super::capacity::KnownCapacity;
use super::choices::XiBytes;
use super::efficiency::{EfficiencyController, Load};
use super::fairness::FairnessController;
use super::feedback::{Residue, XcpGrant, XcpSums};
use super::header::XcpHeader;
use super::intervals::Intervals;
use super::need::FlowSums;
use super::params::XcpParams;
use crate::protocol::LinkContext;
use crate::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train};

/// The timer of control decisions; the other one is the queue's.
pub(super) const CONTROL: usize = 0;

/// XCP's law at one link. `S` are the sums that it needs: those of the thesis, or more.
#[derive(Clone, Debug)]
pub struct XcpRouter<S = XcpSums> {
    params: XcpParams,
    efficiency: EfficiencyController,
    fairness: FairnessController,
    capacity: KnownCapacity,
    intervals: Intervals,
    /// The average RTT of the flows by (4.2); `first_interval` until a header states one.
    average_rtt: Span,
    /// Q, the persistent queue.
    persistent_queue: Bytes,
    /// y, the input traffic, in bytes a second.
    input: f64,
    /// N, the number of flows by (9.1). No decision needs it: dividing by the sum of (4.8) is dividing by it.
    flows: f64,
    /// The aggregate feedback, in bytes a second.
    phi: f64,
    /// The shuffled traffic, in bytes a second.
    shuffled: f64,
    sums: PhantomData<S>,
}

impl<S: FlowSums> XcpRouter<S> {
    /// The law with these parameters at that link, before any traffic.
    pub fn new(params: XcpParams, link: &LinkContext) -> Self {
        Self {
            params,
            efficiency: EfficiencyController::new(&params, link.packet),
            fairness: FairnessController::new(&params),
            capacity: KnownCapacity::new(&params),
            intervals: Intervals::new(&params),
            average_rtt: params.first_interval,
            persistent_queue: Bytes::ZERO,
            input: 0.0,
            flows: 0.0,
            phi: 0.0,
            shuffled: 0.0,
            sums: PhantomData,
        }
    }

    /// The average RTT of the flows by (4.2).
    pub(super) fn average_rtt(&self) -> Span {
        self.average_rtt
    }

    /// y, in bytes a second.
    pub(super) fn input(&self) -> f64 {
        self.input
    }

    /// "Upon timeout the router updates its estimates and its control decisions" (section 4.7).
    fn decide(&mut self, sums: &S, sample: &LinkSample) -> XcpGrant {
        // An interval without packets has no RTT: the last estimate stands.
        self.average_rtt = sums.plain().average_rtt().unwrap_or(self.average_rtt);
        let elapsed = sample.now.since(sample.since).as_secs_f64();
        if elapsed > 0.0 {
            self.input = sample.arrived.as_f64() / elapsed;
            self.flows = sums.plain().flows(elapsed);
        }
        self.phi = self.efficiency.aggregate_feedback(&Load {
            capacity: self.capacity.after(sample).as_bytes_per_sec_f64(),
            input: self.input,
            queue: self.persistent_queue.as_f64(),
            interval: self.intervals.control(self.average_rtt),
        });
        self.shuffled = self.fairness.shuffled(self.input, self.phi, || sums.need());
        let positive = self.shuffled + self.phi.max(0.0); // (4.7)
        let negative = self.shuffled + (-self.phi).max(0.0); // (4.10)
        XcpGrant::new(positive, negative, &self.shared_by(sums.plain(), sample))
    }

    /// The sums that feedback is apportioned over, (4.8) and (4.11).
    fn shared_by(&self, sums: &XcpSums, sample: &LinkSample) -> XcpSums {
        match self.params.xi_n_counts {
            XiBytes::Stated => *sums,
            XiBytes::All => XcpSums { bytes: sample.arrived.as_u64(), ..*sums },
        }
    }
}

impl<S: FlowSums> RouterLaw for XcpRouter<S> {
    type Header = XcpHeader;
    type Sums = S;
    type Grant = XcpGrant;
    type Budget = Residue;

    #[inline]
    fn arrive(sums: &mut S, _: &XcpGrant, header: &XcpHeader, train: Train) {
        sums.add(header, train);
    }

    #[inline]
    fn stamp(grant: &XcpGrant, residue: &mut Residue, header: &mut XcpHeader, train: Train) {
        grant.stamp(residue, header, train);
    }

    fn fresh(grant: &XcpGrant) -> Residue {
        grant.residue()
    }

    fn share(grant: &XcpGrant, part: &S, whole: &S) -> XcpGrant {
        grant.share(part.plain(), whole.plain())
    }

    /// Nothing is granted, nor taken, before the first decision.
    fn start(&mut self, capacity: Rate) -> (XcpGrant, [Time; MAX_TIMERS]) {
        let capacity = self.capacity.start(capacity);
        let queue_interval = self.intervals.queue(self.average_rtt, Bytes::ZERO, capacity);
        let timers = [self.params.first_interval, queue_interval];
        (XcpGrant::default(), timers.map(|interval| Time::ZERO + interval))
    }

    fn tick(&mut self, timer: usize, sums: &S, sample: &LinkSample) -> Tick<XcpGrant> {
        if timer == CONTROL {
            let grant = self.decide(sums, sample);
            return Tick {
                grant: Some(grant),
                next: sample.now + self.intervals.control(self.average_rtt),
            };
        }
        self.persistent_queue = sample.min_queue;
        let queue = sample.queue_by(self.params.queue_counts);
        let capacity = self.capacity.at(sample);
        let next = sample.now + self.intervals.queue(self.average_rtt, queue, capacity);
        Tick { grant: None, next }
    }

    fn grants(timer: usize) -> bool {
        timer == CONTROL
    }

    fn stamped(&self) -> Sampled {
        self.params.stamp_at
    }

    fn queue_sampled(&self) -> Sampled {
        self.params.queue_at
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.params.queue_counts
    }

    /// All but `d` (the average RTT, in seconds), `Q` (in bytes) and `N` (flows) are in bytes a second.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("phi", self.phi);
        out("h", self.shuffled);
        out("y", self.input);
        out("d", self.average_rtt.as_secs_f64());
        out("Q", self.persistent_queue.as_f64());
        out("N", self.flows);
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
