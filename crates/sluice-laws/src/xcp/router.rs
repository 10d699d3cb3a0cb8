//! XCP's router: the efficiency and the fairness controller (thesis sections 4.7.1 and 4.7.2) at
//! each control interval, and the estimate of the persistent queue. What it does per packet is in
//! [`super::feedback`].

use sluice_units::{Bytes, Rate, Span, Time};

use super::choices::{Shuffle, XiBytes};
use super::feedback::{Residue, XcpGrant, XcpSums};
use super::header::XcpHeader;
use super::params::XcpParams;
use crate::router::{LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train};

/// The timer of control decisions; the other one is the queue's.
const CONTROL: usize = 0;

/// XCP's law at one link.
#[derive(Clone, Debug)]
pub struct XcpRouter {
    params: XcpParams,
    /// The average RTT of the flows by (4.2); `first_interval` until a header states one.
    average_rtt: Span,
    /// Q, the persistent queue.
    persistent_queue: Bytes,
    /// y, the input traffic, in bytes a second.
    input: f64,
    /// The aggregate feedback, in bytes a second.
    phi: f64,
    /// The shuffled traffic, in bytes a second.
    shuffled: f64,
}

impl XcpRouter {
    /// The law with these parameters, before any traffic.
    pub const fn new(params: XcpParams) -> Self {
        Self {
            params,
            average_rtt: params.first_interval,
            persistent_queue: Bytes::ZERO,
            input: 0.0,
            phi: 0.0,
            shuffled: 0.0,
        }
    }

    /// "Upon timeout the router updates its estimates and its control decisions" (section 4.7).
    fn decide(&mut self, sums: &XcpSums, sample: &LinkSample) -> XcpGrant {
        // An interval without packets has no RTT: the last estimate stands.
        self.average_rtt = sums.average_rtt().unwrap_or(self.average_rtt);
        let elapsed = sample.now.since(sample.since).as_secs_f64();
        if elapsed > 0.0 {
            self.input = sample.arrived.as_f64() / elapsed;
        }
        self.phi = self.aggregate_feedback(sample.capacity);
        self.shuffled = self.shuffled_traffic();
        let positive = self.shuffled + self.phi.max(0.0); // (4.7)
        let negative = self.shuffled + (-self.phi).max(0.0); // (4.10)
        XcpGrant::new(positive, negative, &self.shared_by(sums, sample))
    }

    /// The sums that feedback is apportioned over, (4.8) and (4.11).
    fn shared_by(&self, sums: &XcpSums, sample: &LinkSample) -> XcpSums {
        match self.params.xi_n_counts {
            XiBytes::Stated => *sums,
            XiBytes::All => XcpSums { bytes: sample.arrived.as_u64(), ..*sums },
        }
    }

    /// (4.3): phi = alpha S - beta Q / d.
    ///
    /// Section 4.7.1 divides Q "by the control interval d", Appendix A by the average RTT: the two
    /// differ only where the interval is at a bound. The interval is what phi is given over, and
    /// is never zero; a link whose RTTs are far below the shortest interval would drain its queue
    /// many times over by the other.
    fn aggregate_feedback(&self, capacity: Rate) -> f64 {
        let spare = capacity.as_bytes_per_sec_f64() - self.input;
        let d = self.interval().as_secs_f64();
        let drain = self.persistent_queue.as_f64() / d;
        self.params.alpha.get() * spare - self.params.beta.get() * drain
    }

    fn shuffled_traffic(&self) -> f64 {
        let max = self.params.gamma.get() * self.input;
        match self.params.shuffle {
            Shuffle::Text => (max - self.phi.abs()).max(0.0), // (4.4)
            Shuffle::Appendix => max,
        }
    }

    /// d: control_interval = max(avg_rtt, MIN_INTERVAL) (Appendix A), not beyond a longest one
    /// (section 7.3.2). "d = min(avg. RTT, 5 ms)" of section 9.3.2 is an error of the text.
    fn interval(&self) -> Span {
        self.bounded_rtt().max(self.params.min_interval)
    }

    /// The average RTT as far as it is believed: the longest interval bounds both timers.
    fn bounded_rtt(&self) -> Span {
        self.average_rtt.min(self.params.max_interval)
    }

    /// T_q, over which the minimum queue is persistent: half the "average RTT without the local
    /// queuing delay" of section 4.7.1 (the half is Appendix A's), at least `min_queue_timer`.
    /// Appendix A halves that least time too.
    fn queue_interval(&self, queue: Bytes, capacity: Rate) -> Span {
        let propagation = self.bounded_rtt().saturating_sub(capacity.time_for(queue));
        (propagation / 2).max(self.params.min_queue_timer)
    }
}

impl RouterLaw for XcpRouter {
    type Header = XcpHeader;
    type Sums = XcpSums;
    type Grant = XcpGrant;
    type Budget = Residue;

    fn arrive(sums: &mut XcpSums, header: &XcpHeader, train: Train) {
        sums.add(header, train);
    }

    fn stamp(grant: &XcpGrant, residue: &mut Residue, header: &mut XcpHeader, train: Train) {
        grant.stamp(residue, header, train);
    }

    fn fresh(grant: &XcpGrant) -> Residue {
        grant.residue()
    }

    fn share(grant: &XcpGrant, part: &XcpSums, whole: &XcpSums) -> XcpGrant {
        grant.share(part, whole)
    }

    /// Nothing is granted, nor taken, before the first decision.
    fn start(&mut self, capacity: Rate) -> (XcpGrant, [Time; MAX_TIMERS]) {
        let queue_interval = self.queue_interval(Bytes::ZERO, capacity);
        let timers = [self.params.first_interval, queue_interval];
        (XcpGrant::default(), timers.map(|interval| Time::ZERO + interval))
    }

    fn tick(&mut self, timer: usize, sums: &XcpSums, sample: &LinkSample) -> Tick<XcpGrant> {
        if timer == CONTROL {
            let grant = self.decide(sums, sample);
            return Tick { grant: Some(grant), next: sample.now + self.interval() };
        }
        self.persistent_queue = sample.min_queue;
        let queue = sample.queue_by(self.params.queue_counts);
        let next = sample.now + self.queue_interval(queue, sample.capacity);
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

    /// All but `d` (the average RTT, in seconds) and `Q` (in bytes) are in bytes a second.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("phi", self.phi);
        out("h", self.shuffled);
        out("y", self.input);
        out("d", self.average_rtt.as_secs_f64());
        out("Q", self.persistent_queue.as_f64());
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
