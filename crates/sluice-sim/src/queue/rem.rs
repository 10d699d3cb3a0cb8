//! REM: random exponential marking.
//!
//! After S. Athuraliya, S. Low, V. Li, Q. Yin, "REM: Active Queue Management" (IEEE Network 15(3),
//! 2001), and their implementation in ns-2, from which the defaults are. A link's price rises while
//! its input exceeds the capacity or its queue a target, and a packet is marked with a probability
//! that is exponential in the price: the probability over a path depends on the sum of its prices.
//!
//! Sizes are measured in full packets, and the probability does not depend on a packet's size, as
//! RFC 7141 recommends. The queue includes the rest of the packet in transmission, which ns-2's
//! does not.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{BufferSize, Faults, Rate, Ratio, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::model::{Model, Queue, QueueContext, QueueState, SHORTEST_PERIOD};
use super::room::Room;
use crate::rng::Streams;

/// REM's parameters. A packet is one of the scenario's full size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rem {
    /// Queue to hold (b*), a buffer size except `unlimited`. Default 20 packets.
    pub target: BufferSize,
    /// Time between updates of the price, at least 1 us. Default 2 ms.
    pub period: Span,
    /// Step of the price for each packet too many, above 0 to 1. Default 0.001.
    pub gamma: Ratio,
    /// Weight of the queue beside the input, above 0 to 1. Default 0.1.
    pub alpha: Ratio,
    /// Base of the exponential: packets pass unmarked with probability phi to the power of minus the
    /// price. Above 1; default 1.001.
    pub phi: Ratio,
    /// Whether ECN-capable packets are marked (RFC 3168) instead of dropped at random. Default on;
    /// ECN-capable are packets of DCTCP and Prague, and of TCP and CUBIC with `ecn`.
    pub ecn: bool,
}

impl Default for Rem {
    fn default() -> Self {
        Self {
            target: BufferSize::Packets(20),
            period: Span::from_millis(2),
            gamma: Ratio::new(0.001),
            alpha: Ratio::new(0.1),
            phi: Ratio::new(1.001),
            ecn: true,
        }
    }
}

impl Model for Rem {
    const SOURCE: &'static str = "Athuraliya, Low, Li and Yin, 2001";

    fn check(&self, _: Rate, faults: &mut Faults) {
        let limited = self.target != BufferSize::Unlimited;
        faults.need(limited, "target", "a target is a size, as `5 ms` or `20 packets`");
        faults.need(self.period >= SHORTEST_PERIOD, "period", "must be at least 1 us");
        let part = |ratio: Ratio| ratio.get() > 0.0 && ratio.get() <= 1.0;
        faults.need(part(self.gamma), "gamma", "a step of the price is above 0, up to 1");
        faults.need(part(self.alpha), "alpha", "the weight of the queue is above 0, up to 1");
        faults.need(self.phi.get() > 1.0, "phi", "the base of the exponential is above 1");
    }

    fn marks(&self) -> bool {
        self.ecn
    }

    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState {
        let packet = link.packet_nanos();
        QueueState::Arrival(Box::new(Pricer {
            room: link.room,
            packet,
            target: link.queue_nanos(self.target) / packet,
            period: self.period,
            gamma: self.gamma.get(),
            alpha: self.alpha.get(),
            ln_phi: libm::log(self.phi.get()),
            ecn: self.ecn,
            input: Span::ZERO,
            price: 0.0,
            probability: 0.0,
            due: Time::ZERO + self.period,
            stream: streams.named("rem"),
        }))
    }
}

/// REM at a link.
struct Pricer {
    room: Room,
    /// Nanoseconds that a full packet takes to transmit.
    packet: f64,
    /// b*, in packets.
    target: f64,
    period: Span,
    gamma: f64,
    alpha: f64,
    ln_phi: f64,
    ecn: bool,
    /// Transmission time of the packets that arrived since the last update, dropped ones included.
    input: Span,
    price: f64,
    probability: f64,
    due: Time,
    stream: Xoshiro256PlusPlus,
}

impl Queue for Pricer {
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission {
        self.input = self.input + arrival.length();
        if !self.room.takes(arrival) {
            return Admission::NoRoom;
        }
        if self.probability == 0.0 || self.stream.random::<f64>() >= self.probability {
            Admission::Taken
        } else if self.ecn && arrival.ecn_capable {
            Admission::Marked
        } else {
            Admission::Early
        }
    }

    fn due(&self) -> Time {
        self.due
    }

    /// p(t + 1) = [p(t) + gamma (alpha (b(t) - b*) + x(t) - c(t))]+, with the queue b, the input x and
    /// the capacity c of a period in packets; m = 1 - phi^-p.
    fn tick(&mut self, now: Time, backlog: Span) {
        let [queue, input, room] = [backlog, self.input, self.period]
            .map(|transmission| transmission.as_nanos() as f64 / self.packet);
        let excess = self.alpha * (queue - self.target) + input - room;
        self.price = (self.price + self.gamma * excess).max(0.0);
        self.probability = -libm::expm1(-self.price * self.ln_phi);
        self.input = Span::ZERO;
        self.due = now + self.period;
    }

    /// The price, and the probability that follows from it.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("price", self.price);
        out("mark_probability", self.probability);
    }
}

#[cfg(test)]
#[path = "rem_tests.rs"]
mod tests;
