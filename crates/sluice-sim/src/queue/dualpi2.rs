//! DualPI2: a queue of low latency for L4S packets, and one for all others, whose probabilities of
//! marks and drops are coupled so that their flows get equal rates.
//!
//! After the pseudo-code of RFC 9332, appendix A, with its overload control (A.2). The scheduler,
//! which the RFC leaves open, is weighted round robin.

use std::ops::{Bound, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, Time, above};

use super::arrival::{Admission, QueueArrival};
use super::dual_turns::DualTurns;
use super::dualpi2_control::{CoupledConfig, CoupledControl, Recurrence};
use super::model::{Model, QueueContext, QueueState, SHORTEST_PERIOD};
use super::packet_store::Lane;
use super::room::Room;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Ecn, Hop, Packet};
use crate::rng::Streams;

/// DualPI2's parameters, with the defaults of RFC 9332, appendix A. Packets with ECT(1) or CE wait in the
/// L queue (`ecn = "ect1"` of a transport), all others in the C queue; both share the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Dualpi2 {
    /// Queueing delay of the C queue to hold, 1 ns to 1 day; 15 ms by default.
    pub target: Span,
    /// Longest expected RTT, 1 us to 1 day, from which the other times and gains follow; 100 ms by
    /// default (RTT_max).
    pub rtt_max: Span,
    /// Time between updates of the base probability, 1 us to 1 day; the lesser of `target` and
    /// `rtt_max` / 3 by default (Tupdate).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_update: Option<Span>,
    /// Gain of the delay above `target` in an update, per second, above 0 to 1e6; 0.1 `t_update` /
    /// `rtt_max`^2 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Ratio>,
    /// Gain of the growth of the delay in an update, per second, 0 to 1e6; 0.3 / `rtt_max` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<Ratio>,
    /// Coupling factor, 0.1 to 100; 2 by default. At base probability p, C packets are dropped or
    /// marked with p^2, L packets marked with at least k p.
    pub k: Ratio,
    /// Sojourn time from which L packets are marked, 0 to 1 day; 800 us by default (minTh).
    pub min_th: Span,
    /// Sojourn time above `min_th` at which all L packets are marked, 0 for a step to 1 day; 400 us by
    /// default.
    pub range: Span,
    /// Packets in the L queue up to which sojourn times mark none, 0 to 1e6; 1 by default (Th_len).
    pub th_len: u32,
    /// Share of the capacity that C packets get at least while some wait, 0.001 to 0.999; 1/16 by
    /// default.
    pub classic_share: Ratio,
}

const TIMES: RangeInclusive<Span> = Span::NANO..=DAY;
const PERIODS: RangeInclusive<Span> = SHORTEST_PERIOD..=DAY;
const RAMP: RangeInclusive<Span> = Span::ZERO..=DAY;
const DAY: Span = Span::from_secs(86_400);
const ALPHAS: (Bound<Ratio>, Bound<Ratio>) = above(Ratio::new(0.0), MOST_GAIN);
const BETAS: RangeInclusive<Ratio> = Ratio::new(0.0)..=MOST_GAIN;
const MOST_GAIN: Ratio = Ratio::new(1e6);
const COUPLINGS: RangeInclusive<Ratio> = Ratio::new(0.1)..=Ratio::new(100.0);
const LENGTHS: RangeInclusive<u32> = 0..=1_000_000;
const SHARES: RangeInclusive<Ratio> = Ratio::new(0.001)..=Ratio::new(0.999);

impl Default for Dualpi2 {
    /// `dualpi2_params_init` (figure 2).
    fn default() -> Self {
        Self {
            target: Span::from_millis(15),
            rtt_max: Span::from_millis(100),
            t_update: None,
            alpha: None,
            beta: None,
            k: Ratio::new(2.0),
            min_th: Span::from_micros(800),
            range: Span::from_micros(400),
            th_len: 1,
            classic_share: Ratio::new(1.0 / 16.0),
        }
    }
}

impl Dualpi2 {
    fn t_update(&self) -> Span {
        let usual = self.target.min(self.rtt_max / 3);
        self.t_update.unwrap_or(usual).max(SHORTEST_PERIOD)
    }

    fn coupled(&self) -> CoupledConfig {
        let Self { target, min_th, range, .. } = *self;
        let rtt_max = self.rtt_max.as_secs_f64();
        let alpha = 0.1 * self.t_update().as_secs_f64() / (rtt_max * rtt_max);
        let alpha = self.alpha.map_or(alpha, Ratio::get);
        let beta = self.beta.map_or(0.3 / rtt_max, Ratio::get);
        CoupledConfig { target, alpha, beta, k: self.k.get(), min_th, range }
    }
}

impl Model for Dualpi2 {
    const SOURCE: &'static str = "RFC 9332";

    fn check(&self, _: Rate, faults: &mut Faults) {
        faults.within("target", &self.target, &TIMES);
        faults.within("rtt_max", &self.rtt_max, &PERIODS);
        if let Some(t_update) = self.t_update {
            faults.within("t_update", &t_update, &PERIODS);
        }
        if let Some(alpha) = self.alpha {
            faults.within("alpha", &alpha, &ALPHAS);
        }
        if let Some(beta) = self.beta {
            faults.within("beta", &beta, &BETAS);
        }
        faults.within("k", &self.k, &COUPLINGS);
        faults.within("min_th", &self.min_th, &RAMP);
        faults.within("range", &self.range, &RAMP);
        faults.within("th_len", &self.th_len, &LENGTHS);
        faults.within("classic_share", &self.classic_share, &SHARES);
    }

    fn marks(&self) -> bool {
        true
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        QueueState::Departure(Box::new(DualQueue {
            room: link.room,
            t_update: self.t_update(),
            due: Time::ZERO + self.t_update(),
            th_len: self.th_len,
            control: CoupledControl::new(self.coupled()),
            turns: DualTurns::new(self.classic_share.get(), link.packet),
            l4s: CoupledLane::default(),
            classic: CoupledLane::default(),
        }))
    }
}

/// DualPI2 at a link.
struct DualQueue {
    room: Room,
    t_update: Span,
    due: Time,
    th_len: u32,
    control: CoupledControl,
    turns: DualTurns,
    /// (lq, cq)
    l4s: CoupledLane,
    classic: CoupledLane,
}

#[derive(Default)]
struct CoupledLane {
    packets: Lane,
    marks: Recurrence,
}

impl Scheduler for DualQueue {
    /// `dualpi2_enqueue` (figure 3).
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        if !self.room.takes(arrival) {
            return Admission::NoRoom;
        }
        if self.l4s.packets.is_empty() && self.classic.packets.is_empty() {
            self.turns.reset();
        }
        let lane = if packet.ecn.is_l4s() { &mut self.l4s } else { &mut self.classic };
        queue.store.push(&mut lane.packets, packet, hop);
        Admission::Taken
    }

    /// `dualpi2_dequeue` (figures 5 and 9).
    fn dequeue(&mut self, now: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        loop {
            let is_l4s = self.is_l4s_turn();
            let lane = if is_l4s { &mut self.l4s } else { &mut self.classic };
            let place = queue.store.pop(&mut lane.packets)?;
            let passes = if is_l4s {
                self.l4s_passes(place, now, queue)
            } else {
                self.classic_passes(place, now, queue)
            };
            if passes {
                let other = if is_l4s { &self.classic } else { &self.l4s };
                if !other.packets.is_empty() {
                    self.turns.sent(is_l4s, queue.store.get(place).bytes);
                }
                return Some(place);
            }
            queue.drop_packet(place, now, Admission::Early);
        }
    }

    fn go_down(&mut self, now: Time, queue: &mut ScheduledPackets) {
        queue.drop_lane(&mut self.l4s.packets, now);
        queue.drop_lane(&mut self.classic.packets, now);
    }

    fn due(&self) -> Time {
        self.due
    }

    /// Over the greater of both sojourn times, so that an overload of L packets counts, too (figure 10).
    fn tick(&mut self, now: Time, _: Span, queue: &ScheduledPackets) {
        let waited = |lane: &CoupledLane| {
            queue.store.first(&lane.packets).map_or(Span::ZERO, |first| now.since(first.at))
        };
        self.control.update(waited(&self.classic).max(waited(&self.l4s)));
        self.due = now + self.t_update;
    }

    /// The base probability, and the queueing delay at its last update in seconds.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("base_probability", self.control.base);
        out("queueing_delay_s", self.control.delay.as_secs_f64());
    }
}

impl DualQueue {
    fn is_l4s_turn(&self) -> bool {
        let (l4s, classic) = (&self.l4s.packets, &self.classic.packets);
        !l4s.is_empty() && (classic.is_empty() || self.turns.is_l4s())
    }

    /// Marks an L packet, or not; `false` if an overload drops it (lines 4b to 8i of figure 9).
    fn l4s_passes(&mut self, place: u32, now: Time, queue: &mut ScheduledPackets) -> bool {
        let Self { l4s: CoupledLane { packets, marks }, control, .. } = self;
        let marked = if control.is_saturated() {
            if marks.recurs(control.classic()) {
                return false;
            }
            marks.recurs(control.coupled())
        } else {
            // With the packet itself.
            let may_mark = packets.packets >= self.th_len;
            marks.recurs(control.l4s(now.since(queue.store.get(place).at), may_mark))
        };
        if marked {
            queue.mark(place, now);
        }
        true
    }

    /// Marks a C packet, or not; `false` if it is dropped instead (lines 11 to 17 of figure 9).
    fn classic_passes(&mut self, place: u32, now: Time, queue: &mut ScheduledPackets) -> bool {
        if !self.classic.marks.recurs(self.control.classic()) {
            return true;
        }
        let is_markable = queue.store.get(place).ecn.has(Ecn::CAPABLE);
        if !is_markable || self.control.drops_marked() {
            return false;
        }
        queue.mark(place, now);
        true
    }
}

#[cfg(test)]
#[path = "dualpi2_tests.rs"]
mod tests;
