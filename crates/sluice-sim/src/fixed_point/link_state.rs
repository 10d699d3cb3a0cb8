//! What sources see of a link, which the exchange brings to a fixed point.

use super::law::{Model, Xcp};
use super::network::Link;
use super::ramp::Feedback;

/// A loss ratio at which a single flow of TCP fills 100 Gb/s over 100 ms, 1.5 (1.25e6 packets)^-2; losses below have no
/// effect.
pub(super) const LEAST_LOSS: f64 = 1e-12;

/// What sources see of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinkState {
    /// Mean time in the queue.
    pub(super) wait: f64,
    /// Part of the packets that is dropped.
    pub(super) loss: f64,
    /// The rate granted to a flow, in bytes a second; infinite at a link that grants none.
    pub(super) grant: f64,
    /// Seconds that a byte that leaves at its flow's share waits there for other flows.
    pub(super) excess: f64,
    /// What arrives over capacity, each retransmission counted.
    pub(super) load: f64,
    /// Mean number of flows that send.
    pub(super) flows: f64,
    /// Those of them without an end.
    pub(super) endless: f64,
    /// Mean RTT of the traffic, d0.
    pub(super) rtt: f64,
    pub(super) capacity: f64,
}

impl LinkState {
    /// An idle link, which grants all, and passes this part of what arrives.
    pub(super) fn idle(link: &Link, model: &Model, passed: f64) -> Self {
        let steers = link.is_router || matches!(model, Model::Fluid);
        let grant = match model {
            Model::Tcp(_) => f64::INFINITY,
            _ if steers => model.target() * link.capacity,
            _ => f64::INFINITY,
        };
        let loss = 1.0 - passed;
        let (wait, excess, load, flows, endless, rtt) = Default::default();
        Self { wait, loss, grant, excess, load, flows, endless, rtt, capacity: link.capacity }
    }

    /// XCP's feedback to each flow: phi = alpha d S and the shuffled traffic h = max(0, gamma y d - |phi|) (equations
    /// (4.3), (4.4)) in equal parts for all N flows, less h in proportion to rates, each in an RTT of the flow. The
    /// persistent queue is taken to be empty. A flow sees itself, K flows without an end and n that come and go, which
    /// is Poisson of mean N (PASTA): E\[1 / (1 + n)\] = (1 - e^-N) / N, and with K > 0 to second order
    /// (1 + N / m^2) / m, where m = K + 1 + N.
    pub(super) fn feedback(&self, law: &Xcp, rtt: f64) -> Feedback {
        let spare = law.alpha * (1.0 - self.load).max(0.0) * self.capacity;
        let arrives = self.load * self.capacity;
        let shuffled = (law.gamma * arrives - spare).max(0.0);
        let sized = (self.flows - self.endless).max(0.0);
        let part = if self.endless > 0.0 {
            let all = self.endless + 1.0 + sized;
            (1.0 + sized / (all * all)) / all
        } else if sized > 1e-9 {
            -libm::expm1(-sized) / sized
        } else {
            1.0
        };
        // In intervals of d0.
        let intervals = if self.rtt > 0.0 { rtt / self.rtt } else { 1.0 };
        let decay = if arrives > 0.0 { shuffled / arrives } else { 0.0 };
        Feedback {
            gain: (spare + shuffled) * part * intervals,
            decay: (decay * intervals).min(1.0),
        }
    }

    /// A part of the way to the next state, in logarithms above a unit of each: values span decades.
    pub(super) fn move_to(&mut self, next: &Self, step: f64, packet: f64) {
        let toward = |from: f64, to: f64, unit: f64| {
            ((from + unit) * libm::pow((to + unit) / (from + unit), step) - unit).max(0.0)
        };
        let byte = 1.0 / self.capacity;
        self.wait = toward(self.wait, next.wait, packet * byte);
        self.loss = toward(self.loss, next.loss, LEAST_LOSS);
        self.excess = toward(self.excess, next.excess, byte);
        self.flows = toward(self.flows, next.flows, 1.0);
        if next.grant.is_finite() {
            self.grant = toward(self.grant, next.grant, 0.0);
        }
        (self.load, self.endless, self.rtt) = (next.load, next.endless, next.rtt);
    }
}
