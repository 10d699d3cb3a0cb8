//! PIE: proportional integral controller enhanced.
//!
//! After RFC 8033: the basic scheme of section 4 with its enhancements for ECN (section 5.1), even
//! spacing (5.4, derandomization) and bounded increases (5.5), in the order of its appendix B. It is
//! always active: section 5.3, which turns it off over short queues, is optional. Linux's rule for
//! delays above 250 ms is not in the RFC, and left out.
//!
//! The queueing delay is not estimated from a dequeue rate (section 5.2): the transmission time of
//! the queue, including the rest of the packet in transmission, is known exactly, at the nominal
//! capacity where it varies, and section 4.3 leaves the method open ("other techniques for calculating queuing latency"). The probability
//! does not depend on a packet's size, as RFC 7141 recommends.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::model::{Model, Queue, QueueContext, QueueState, SHORTEST_PERIOD};
use super::room::Room;
use crate::rng::Streams;

/// PIE's parameters, with the defaults of RFC 8033.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pie {
    /// Queueing delay to hold, above 0. Default 15 ms (QDELAY_REF). On a link with a `schedule`, delays
    /// are transmission times at the nominal `capacity`.
    pub target: Span,
    /// Time between updates of the drop probability, at least 1 us. Default 15 ms (T_UPDATE, section
    /// 4.2). With half of it, alpha should be halved and beta increased by alpha / 4.
    pub t_update: Span,
    /// Gain of the delay above `target`, per second, above 0 to 1000. Default 0.125 (section 4.2).
    pub alpha: Ratio,
    /// Gain of the growth of the delay, per second, 0 to 1000. Default 1.25 (section 4.2).
    pub beta: Ratio,
    /// How long nothing is dropped at random after the queue was short. Default 150 ms (MAX_BURST,
    /// section 4.4).
    pub max_burst: Span,
    /// Whether ECN-capable packets are marked (RFC 3168) instead of dropped at random. Default on;
    /// ECN-capable are packets of DCTCP and Prague, and of TCP and CUBIC with `ecn`.
    pub ecn: bool,
    /// Drop probability from which ECN-capable packets are dropped, too, 0 to 1. Default 0.1
    /// (mark_ecnth, section 5.1).
    pub mark_ecnth: Ratio,
}

impl Default for Pie {
    fn default() -> Self {
        Self {
            target: Span::from_millis(15),
            t_update: Span::from_millis(15),
            alpha: Ratio::new(0.125),
            beta: Ratio::new(1.25),
            max_burst: Span::from_millis(150),
            ecn: true,
            mark_ecnth: Ratio::new(0.1),
        }
    }
}

impl Model for Pie {
    const SOURCE: &'static str = "RFC 8033";

    fn check(&self, _: Rate, faults: &mut Faults) {
        faults.need(self.target > Span::ZERO, "target", "a target delay is above 0");
        faults.need(self.t_update >= SHORTEST_PERIOD, "t_update", "must be at least 1 us");
        let (alpha, beta) = (self.alpha.get(), self.beta.get());
        faults.need(
            alpha > 0.0 && alpha <= 1e3,
            "alpha",
            "a gain of the delay is above 0, up to 1000",
        );
        faults.need((0.0..=1e3).contains(&beta), "beta", "a gain of the growth is 0 to 1000");
        let marks = (0.0..=1.0).contains(&self.mark_ecnth.get());
        faults.need(marks, "mark_ecnth", "a probability is 0 to 1");
    }

    fn marks(&self) -> bool {
        self.ecn
    }

    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState {
        QueueState::Arrival(Box::new(PieQueue {
            room: link.room,
            controller: Controller::new(*self, link.capacity.nominal().time_for(link.packet) * 2),
            due: Time::ZERO + self.t_update,
            stream: streams.named("pie"),
        }))
    }
}

/// PIE at a link.
struct PieQueue {
    room: Room,
    controller: Controller,
    due: Time,
    stream: Xoshiro256PlusPlus,
}

impl Queue for PieQueue {
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission {
        if !self.room.takes(arrival) {
            self.controller.accumulated = 0.0;
            return Admission::NoRoom;
        }
        if !self.controller.strikes(arrival.ahead, || self.stream.random()) {
            Admission::Taken
        } else if arrival.ecn_capable && self.controller.marks() {
            Admission::Marked
        } else {
            Admission::Early
        }
    }

    fn due(&self) -> Time {
        self.due
    }

    fn tick(&mut self, now: Time, backlog: Span) {
        self.controller.update(backlog);
        self.due = now + self.controller.params.t_update;
    }

    /// The drop probability, and the queueing delay at its last update in seconds, at the nominal
    /// capacity.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("drop_probability", self.controller.probability);
        out("queueing_delay_s", self.controller.delay.as_secs_f64());
    }
}

/// PIE's state; in brackets the RFC's names.
struct Controller {
    params: Pie,
    /// What a couple of full packets take to transmit (2 * MEAN_PKTSIZE).
    couple: Span,
    /// (drop_prob_)
    probability: f64,
    /// Queueing delay at the last update (qdelay_old_).
    delay: Span,
    /// Sum of the probability over packets since the last drop or mark (accu_prob_).
    accumulated: f64,
    /// (burst_allowance_)
    burst_allowance: Span,
}

impl Controller {
    fn new(params: Pie, couple: Span) -> Self {
        let (delay, burst_allowance) = (Span::ZERO, params.max_burst);
        Self { params, couple, probability: 0.0, delay, accumulated: 0.0, burst_allowance }
    }

    /// Appendix B, `enque`: whether a packet that finds a queue of `delay` is to be dropped or marked.
    /// `draw` is uniform on 0 to 1.
    fn strikes(&mut self, delay: Span, draw: impl FnOnce() -> f64) -> bool {
        // Section 4.4
        if self.probability == 0.0 && self.is_short(delay) && self.is_short(self.delay) {
            self.burst_allowance = self.params.max_burst;
        }
        let strikes = self.burst_allowance == Span::ZERO && self.drops_early(delay, draw);
        if strikes {
            self.accumulated = 0.0;
        }
        strikes
    }

    fn is_short(&self, delay: Span) -> bool {
        delay < self.params.target / 2
    }

    /// Appendix B, `drop_early`.
    fn drops_early(&mut self, delay: Span, draw: impl FnOnce() -> f64) -> bool {
        // Section 4.1
        if (self.is_short(self.delay) && self.probability < 0.2) || delay <= self.couple {
            return false;
        }
        // Section 5.4
        if self.probability == 0.0 {
            self.accumulated = 0.0;
        }
        self.accumulated += self.probability;
        self.accumulated >= 8.5 || (self.accumulated >= 0.85 && draw() < self.probability)
    }

    /// Section 5.1: whether ECN-capable packets are marked instead of dropped.
    fn marks(&self) -> bool {
        self.params.ecn && self.probability < self.params.mark_ecnth.get()
    }

    /// Section 4.2: updates the drop probability at a queueing delay.
    fn update(&mut self, delay: Span) {
        let Pie { target, alpha, beta, .. } = self.params;
        let [now, before, target] = [delay, self.delay, target].map(Span::as_secs_f64);
        let step = alpha.get() * (now - target) + beta.get() * (now - before);
        let step = step / damping(self.probability);
        // Section 5.5
        let most = if self.probability >= 0.1 { 0.02 } else { f64::INFINITY };
        self.probability += step.min(most);
        if delay == Span::ZERO && self.delay == Span::ZERO {
            self.probability *= 0.98;
        }
        self.probability = self.probability.clamp(0.0, 1.0);
        self.delay = delay;
        // Section 4.4
        self.burst_allowance = self.burst_allowance.saturating_sub(self.params.t_update);
    }
}

/// Section 4.2: what divides a step of the probability, the more the lower it is.
fn damping(probability: f64) -> f64 {
    match probability {
        p if p < 0.000_001 => 2048.0,
        p if p < 0.000_01 => 512.0,
        p if p < 0.000_1 => 128.0,
        p if p < 0.001 => 32.0,
        p if p < 0.01 => 8.0,
        p if p < 0.1 => 2.0,
        _ => 1.0,
    }
}

#[cfg(test)]
#[path = "pie_tests.rs"]
mod tests;
