//! What sources see of a link, which the exchange brings to a fixed point.

use super::law::{Model, Xcp};
use super::network::Link;
use super::ramp::Feedback;

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
    /// An idle link, which grants all.
    pub(super) fn idle(link: &Link, model: &Model) -> Self {
        let steers = link.is_router || matches!(model, Model::Fluid);
        let grant = match model {
            Model::Tcp(_) => f64::INFINITY,
            _ if steers => model.target() * link.capacity,
            _ => f64::INFINITY,
        };
        let (wait, loss, excess, load, flows, endless, rtt) = Default::default();
        Self { wait, loss, grant, excess, load, flows, endless, rtt, capacity: link.capacity }
    }

    /// XCP's feedback to each flow: phi = alpha d S and the shuffled traffic h = max(0, gamma y d - |phi|) (equations
    /// (4.3), (4.4)) in equal parts for all N flows, less h in proportion to rates, each in an RTT of the flow. The
    /// persistent queue is taken to be empty. A flow sees N + 1, with N Poisson (PASTA): E\[1 / (N + 1)\] =
    /// (1 - e^-N) / N.
    pub(super) fn feedback(&self, law: &Xcp, rtt: f64) -> Feedback {
        let spare = law.alpha * (1.0 - self.load).max(0.0) * self.capacity;
        let arrives = self.load * self.capacity;
        let shuffled = (law.gamma * arrives - spare).max(0.0);
        let sized = (self.flows - self.endless).max(0.0);
        let part = if self.endless > 0.0 {
            1.0 / (self.endless + sized)
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

    /// A part of the way to the next state; of a rate, in logarithms.
    pub(super) fn move_to(&mut self, next: &Self, step: f64) {
        let toward = |from: f64, to: f64| from + step * (to - from);
        self.wait = toward(self.wait, next.wait);
        self.loss = toward(self.loss, next.loss);
        self.excess = toward(self.excess, next.excess);
        self.flows = toward(self.flows, next.flows);
        if next.grant.is_finite() {
            self.grant *= libm::pow(next.grant / self.grant, step);
        }
        (self.load, self.endless, self.rtt) = (next.load, next.endless, next.rtt);
    }
}
