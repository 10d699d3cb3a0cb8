//! RED: random early detection.
//!
//! After S. Floyd, V. Jacobson, "Random Early Detection Gateways for Congestion Avoidance"
//! (IEEE/ACM ToN, 1993; FJ below), with the gentle mode of Floyd's note of 2000 and the thresholds
//! and weight that S. Floyd, R. Gummadi, S. Shenker, "Adaptive RED: An Algorithm for Increasing the
//! Robustness of RED's Active Queue Management" (2001; AR below) derive from the link. `adaptive`
//! is AR's adaptation of max_p (section 3).
//!
//! The queue is measured in bytes, and the drop probability does not depend on a packet's size, as
//! RFC 7141 recommends (sections 2.1 and 2.2): FJ's "queue in bytes" with drops "in packets".

use core::ops::RangeInclusive;

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{BufferSize, Faults, Limit, Rate, Ratio, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::model::{Model, Queue, QueueContext, QueueState};
use super::room::Room;
use crate::rng::Streams;

/// RED's parameters. Thresholds are written as buffer sizes, except `unlimited`; a packet is one of
/// the scenario's full size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Red {
    /// Average queue above which packets are dropped or marked at random. Default 2.5 ms, and
    /// at least 5 packets (AR, section 4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_th: Option<BufferSize>,
    /// Average queue at which that probability is `max_p`; if it is not above `min_th`, the
    /// probability jumps there. Default 3 times `min_th` (AR, section 4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_th: Option<BufferSize>,
    /// Probability at `max_th`, above 0 to 1; with `adaptive` the initial one, 0.01 to 0.5. Default 0.1
    /// (Floyd's note of 1997 on parameters).
    pub max_p: Ratio,
    /// w_q, the weight of a new sample in the average queue, above 0 to 1. Default 1 - e^(-1/C) with
    /// C the link's packets a second (AR, section 4): the average follows within a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<Ratio>,
    /// Whether the probability grows from `max_p` to 1 between `max_th` and twice that, instead of
    /// jumping to 1. Default on, as Floyd recommends.
    pub gentle: bool,
    /// Whether `max_p` is adapted every 0.5 s, from 0.01 to 0.5, so that the average queue stays within
    /// 40 % to 60 % of the way from `min_th` to `max_th` (Adaptive RED). Where `min_th` and `max_th` are
    /// the defaults, this is a queueing delay of 5 ms, as AR chooses; it is twice `min_th` otherwise.
    /// Default off.
    pub adaptive: bool,
    /// Whether drops and marks wait: gaps are uniform from 1/p to 2/p - 1 packets instead of from 1 to
    /// 1/p, so that a third as many are dropped at the same average. Default off, as in FJ; ns-2 waits
    /// by default (`wait_`).
    pub wait: bool,
    /// Whether ECN-capable packets are marked (RFC 3168) instead of dropped at random. Default on;
    /// ECN-capable are packets of DCTCP and Prague, and of TCP and CUBIC with `ecn`.
    pub ecn: bool,
}

impl Default for Red {
    fn default() -> Self {
        let (min_th, max_th, weight) = (None, None, None);
        let (adaptive, wait) = (false, false);
        Self {
            min_th,
            max_th,
            max_p: Ratio::new(0.1),
            weight,
            gentle: true,
            adaptive,
            wait,
            ecn: true,
        }
    }
}

impl Model for Red {
    const SOURCE: &'static str =
        "Floyd and Jacobson, 1993; gentle: Floyd, 2000; adaptive: Floyd, Gummadi and Shenker, 2001";

    fn check(&self, capacity: Rate, faults: &mut Faults) {
        let part = |ratio: Ratio| ratio.get() > 0.0 && ratio.get() <= 1.0;
        faults.need(part(self.max_p), "max_p", "a chance at `max_th` is above 0, up to 1");
        if self.adaptive {
            let adapts = MAX_PS.contains(&self.max_p.get());
            faults.need(adapts, "max_p", "with `adaptive`, `max_p` is adapted from 0.01 to 0.5");
        }
        let weighs = self.weight.is_none_or(part);
        faults.need(weighs, "weight", "the weight of a sample is above 0, up to 1");
        for (field, size) in [("min_th", self.min_th), ("max_th", self.max_th)] {
            let limited = size != Some(BufferSize::Unlimited);
            faults.need(limited, field, "a threshold is a size, as `5 ms` or `20 packets`");
        }
        if let (Some(min), Some(max)) = (self.min_th, self.max_th) {
            faults.need(may_rise(min, max, capacity), "max_th", "`max_th` must be above `min_th`");
        }
    }

    fn marks(&self) -> bool {
        self.ecn
    }

    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState {
        QueueState::Arrival(Box::new(self.detector(link, streams)))
    }
}

impl Red {
    /// Its state at a link, or at a queue of a link.
    pub(super) fn detector(&self, link: &QueueContext, streams: &Streams<'_>) -> Detector {
        let slot = link.packet_nanos();
        let threshold =
            |size: Option<BufferSize>, or: f64| size.map_or(or, |size| link.queue_nanos(size));
        let min = threshold(self.min_th, f64::max(HALF_TARGET.as_nanos() as f64, 5.0 * slot));
        // AR, section 4: w_q = 1 - exp(-1/C)
        let weight = self.weight.map_or_else(|| -libm::expm1(-slot / 1e9), Ratio::get);
        Detector {
            room: link.room,
            min,
            max: threshold(self.max_th, 3.0 * min).max(min),
            max_p: self.max_p.get(),
            gentle: self.gentle,
            wait: self.wait,
            ecn: self.ecn,
            due: if self.adaptive { Time::ZERO + INTERVAL } else { Time::NEVER },
            weight,
            slot,
            bytes_a_nano: link.capacity.nominal().as_bytes_per_sec_f64() / 1e9,
            average: 0.0,
            passed: 0.0,
            empty_at: Time::ZERO,
            stream: streams.named("red"),
        }
    }
}

/// AR, section 4: half of a target delay of 5 ms.
const HALF_TARGET: Span = Span::from_micros(2_500);

/// AR, section 3: "interval", the time between updates of max_p.
const INTERVAL: Span = Span::from_millis(500);
/// AR, section 3: max_p is constrained "to remain within the range [0.01, 0.5]".
const MAX_PS: RangeInclusive<f64> = 0.01..=0.5;

/// Whether `min` may be below `max`: if only one of them is in packets or BDPs, they cannot be
/// compared before the flows are known.
fn may_rise(min: BufferSize, max: BufferSize, capacity: Rate) -> bool {
    use BufferSize::{Bdp, Packets};
    match (min, max) {
        (Packets(min), Packets(max)) => min < max,
        (Bdp(min), Bdp(max)) => min < max,
        (Packets(_) | Bdp(_), _) | (_, Packets(_) | Bdp(_)) => true,
        _ => match (min.limit(capacity, Span::ZERO), max.limit(capacity, Span::ZERO)) {
            (Limit::Bytes(min), Limit::Bytes(max)) => min < max,
            _ => true,
        },
    }
}

/// RED at a link. Queues are in nanoseconds of transmission.
pub(super) struct Detector {
    room: Room,
    min: f64,
    max: f64,
    max_p: f64,
    gentle: bool,
    wait: bool,
    ecn: bool,
    /// When max_p is next adapted; [`Time::NEVER`] if it is not.
    due: Time,
    weight: f64,
    /// s of FJ: what a packet takes to transmit; a full one, as in ns-2.
    slot: f64,
    bytes_a_nano: f64,
    /// avg of FJ.
    average: f64,
    /// count of FJ: packets taken unmarked in a row while the average asked for some marks.
    passed: f64,
    /// q_time of FJ: when the queue is empty.
    empty_at: Time,
    stream: Xoshiro256PlusPlus,
}

impl Queue for Detector {
    fn arrives(&mut self, arrival: &QueueArrival) -> Admission {
        self.follow(arrival);
        let admission = self.decide(arrival);
        if matches!(admission, Admission::Taken | Admission::Marked) {
            self.empty_at = arrival.now + arrival.through;
        }
        admission
    }

    fn due(&self) -> Time {
        self.due
    }

    fn tick(&mut self, now: Time, backlog: Span) {
        if backlog == Span::ZERO {
            // FJ's average changes as packets arrive only: without this, one that a burst has left
            // behind would raise max_p for as long as the link is idle.
            self.forget(now);
            self.empty_at = now;
        }
        self.adapt();
        self.due = now + INTERVAL;
    }

    /// `average_queue` in bytes; with `adaptive` also `max_p`.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("average_queue_bytes", self.average * self.bytes_a_nano);
        if self.due != Time::NEVER {
            out("max_p", self.max_p);
        }
    }
}

impl Detector {
    /// A packet arrives at a queue that shares its link with another, and finds no room there.
    #[cold]
    pub(super) fn refuse(&mut self, arrival: &QueueArrival) -> Admission {
        self.follow(arrival);
        self.passed = 0.0;
        Admission::NoRoom
    }

    /// The queue is empty from `now` on, until a packet arrives. Only of a queue that shares its link with another:
    /// alone, each packet shows when it leaves.
    pub(super) fn is_empty_from(&mut self, now: Time) {
        self.empty_at = now;
    }

    /// FJ, figure 2: the average queue as a packet arrives.
    #[inline(always)]
    fn follow(&mut self, arrival: &QueueArrival) {
        if arrival.ahead > Span::ZERO {
            // avg <- (1 - w_q) avg + w_q q
            self.average += self.weight * (arrival.ahead.as_nanos() as f64 - self.average);
        } else {
            self.forget(arrival.now);
        }
    }

    /// m <- f(time - q_time), avg <- (1 - w_q)^m avg: m packets could have passed the empty queue.
    fn forget(&mut self, now: Time) {
        let idle = now.since(self.empty_at).as_nanos() as f64 / self.slot;
        self.average *= libm::pow(1.0 - self.weight, idle);
    }

    /// AR, figure 1: additive increase and multiplicative decrease of max_p, with alpha = min(0.01,
    /// max_p / 4) and beta = 0.9. The bounds are those of its text, which the figure's tests exceed
    /// by a step.
    fn adapt(&mut self) {
        let part = (self.average - self.min) / (self.max - self.min);
        if part > 0.6 {
            self.max_p += f64::min(0.01, self.max_p / 4.0);
        } else if part < 0.4 {
            self.max_p *= 0.9;
        }
        self.max_p = self.max_p.clamp(*MAX_PS.start(), *MAX_PS.end());
    }

    fn decide(&mut self, arrival: &QueueArrival) -> Admission {
        if !self.room.takes(arrival) {
            self.passed = 0.0;
            return Admission::NoRoom;
        }
        let wanted = self.wanted();
        // As in ns-2's code, which is Floyd's: with no more than one packet waiting there is no
        // congestion, whatever the average. The paper is silent; without the rule a link goes idle
        // for as long as a slow average outlives its queue (docs/validation.md has figures).
        if wanted <= 0.0 || arrival.ahead.as_nanos() as f64 <= 2.0 * self.slot {
            self.passed = 0.0;
            return Admission::Taken;
        }
        if !self.strikes(wanted) {
            self.passed += 1.0;
            return Admission::Taken;
        }
        self.passed = 0.0;
        // RFC 3168 section 7: above the upper threshold packets are dropped, marked or not.
        if self.ecn && arrival.ecn_capable && wanted < 1.0 {
            Admission::Marked
        } else {
            Admission::Early
        }
    }

    /// p_b: the part of packets to drop or mark at this average.
    fn wanted(&self) -> f64 {
        let Self { average, min, max, max_p, .. } = *self;
        if average < min {
            0.0
        } else if average < max {
            // FJ (1): p_b <- max_p (avg - min_th) / (max_th - min_th)
            max_p * (average - min) / (max - min)
        } else if self.gentle && average < 2.0 * max {
            // Floyd, 2000: from max_p at max_th to 1 at twice that
            max_p + (1.0 - max_p) * (average - max) / max
        } else {
            1.0
        }
    }

    /// FJ, section 7, method 2: p_a <- p_b / (1 - count p_b), with count the packets that passed
    /// since the last mark, makes gaps uniform on 1, 2, ..., 1 / p_b. (The algorithm of figure 2
    /// counts the packet itself too, but not the first, which makes the longest gap one less.)
    ///
    /// With `wait`, as in ns-2's code, the count includes the packet itself: p_a is 0 while count p_b
    /// is below 1, then p_b / (2 - count p_b). Where the probability is 1, each packet is struck (FJ:
    /// "if max_th <= avg, mark the arriving packet").
    fn strikes(&mut self, wanted: f64) -> bool {
        if wanted >= 1.0 {
            return true;
        }
        let left =
            if self.wait { 2.0 - (self.passed + 1.0) * wanted } else { 1.0 - self.passed * wanted };
        if self.wait && left > 1.0 {
            return false;
        }
        left <= wanted || self.stream.random::<f64>() * left < wanted
    }
}

#[cfg(test)]
#[path = "red_tests.rs"]
mod tests;
