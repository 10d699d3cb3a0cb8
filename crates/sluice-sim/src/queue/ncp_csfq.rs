//! NCP as core-stateless fair queueing: the router of NCP for packets whose senders know nothing of it.
//!
//! D. Fesehaye, K. Nahrstedt, M. Caesar, "A Network Congestion control Protocol (NCP)", sections 10.2 and
//! 10.3. Labels, edges and the drop of what exceeds the share are those of [`super::csfq`]; the share is
//! NCP's R(t), from the sum of s_j/R_j over packets, where a label is R_j ([`super::ncp_share`]).
//!
//! Section 10.2 is a sketch. Taken from it: R_j is of the inter-arrival time at the ingress router. Ours,
//! since it says nothing of them: what happens above R(t) (as under CSFQ), the interval (senders state no
//! RTT), and alpha and beta.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Ratio, Span, Time, above};

use super::arrival::{Admission, QueueArrival};
use super::label::Label;
use super::label_edge::{Edge, RateOf};
use super::model::{Model, QueueContext, QueueState};
use super::ncp_share::{LabelCount, NcpShare, ShareLaw};
use super::packet_store::Lane;
use super::room::Room;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;
use crate::schedule::LinkCapacity;

/// The rate of a flow in the labels of its packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabelRate {
    /// CSFQ's exponential average over `k` (Stoica et al., equation 5).
    #[default]
    Average,
    /// "The packet inter-arrival time [...] = 1/R_j" itself (section 10.2): a packet's length over the time
    /// since the one before it. Without an average, a burst is dropped but for its first packet.
    Gap,
}

/// What happens to packets whose label exceeds the share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AboveShare {
    /// They are dropped with probability 1 - R/R_j, so that R of the flow remains (CSFQ).
    #[default]
    Thin,
    /// All are dropped: the admission of section 10.3, "which admits packets if their R_j is less or equal" to R(t),
    /// with priorities as weights p_j R(t).
    Refuse,
}

/// Parameters of NCP as core-stateless fair queueing. Flows share by the `queue_weight` of their groups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NcpCsfq {
    /// The rate in labels. Read at the first link of a path with this discipline. Default `"average"`.
    pub labels: LabelRate,
    /// K, the time constant of that average, 1 us to 1000 s. By (8) a new flow counts several times until about K
    /// has passed: not above `interval`. A flow is forgotten after 40 K without a packet,
    /// also with `labels = "gap"`, and its next packet counts as its first. Default 100 ms (Stoica et al., section 3).
    pub k: Span,
    /// Equation for the number of flows. Default (8), which the paper calls NCP.
    pub counted: LabelCount,
    /// d, how often R(t) is computed, 1 us to 1000 s. Default 200 ms, as CSFQ's `k_c` (the paper has d0,
    /// of RTTs that senders state). The first packet of a flow counts as d after one before it.
    pub interval: Span,
    /// Target utilization, above 0 to 1. Default 1: all that arrives has a label and is part of the sum, so
    /// that no capacity need be left for other packets.
    pub alpha: Ratio,
    /// Fraction of the queue to drain per interval, 0 to 10. Default 0.6, as `ncp`'s.
    pub beta: Ratio,
    /// What happens to packets with labels above R(t). Default `"thin"`.
    pub above: AboveShare,
    /// Whether a flow of `queue_weight` p counts as p flows. Default on. Off, it counts as one, as (10) is
    /// printed: then the shares p_j R(t) of section 10.3 add up to the mean of p_j times the link.
    pub weighted: bool,
}

impl Default for NcpCsfq {
    fn default() -> Self {
        Self {
            labels: LabelRate::Average,
            k: Span::from_millis(100),
            counted: LabelCount::Eq8,
            interval: Span::from_millis(200),
            alpha: Ratio::new(1.0),
            beta: Ratio::new(0.6),
            above: AboveShare::Thin,
            weighted: true,
        }
    }
}

impl Model for NcpCsfq {
    const SOURCE: &'static str = "Fesehaye, Nahrstedt and Caesar, sections 10.2 and 10.3";

    fn check(&self, _: Rate, faults: &mut Faults) {
        let times = Span::from_micros(1)..=Span::from_secs(1000);
        faults.within("k", &self.k, &times);
        faults.within("interval", &self.interval, &times);
        faults.within("alpha", &self.alpha, &above(Ratio::new(0.0), Ratio::new(1.0)));
        faults.within("beta", &self.beta, &(Ratio::new(0.0)..=Ratio::new(10.0)));
    }

    fn labels(&self) -> bool {
        true
    }

    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState {
        let capacity = link.capacity.clone();
        let rate_of = match self.labels {
            LabelRate::Average => RateOf::Average,
            LabelRate::Gap => RateOf::Gap,
        };
        let law = ShareLaw {
            counted: self.counted,
            weighted: self.weighted,
            alpha: self.alpha.get(),
            beta: self.beta.get(),
        };
        QueueState::Departure(Box::new(NcpCsfqQueue {
            room: link.room,
            edge: Edge::new(rate_of, self.k, self.interval),
            share: NcpShare::new(law, capacity.nominal().as_bps_f64()),
            above: self.above,
            interval: self.interval,
            due: Time::ZERO + self.interval,
            capacity,
            lane: Lane::default(),
            stream: streams.named("ncp_csfq"),
        }))
    }
}

/// NCP as core-stateless fair queueing at a link.
struct NcpCsfqQueue {
    room: Room,
    edge: Edge,
    share: NcpShare,
    above: AboveShare,
    interval: Span,
    /// When R(t) is computed next.
    due: Time,
    capacity: LinkCapacity,
    lane: Lane,
    stream: Xoshiro256PlusPlus,
}

impl NcpCsfqQueue {
    /// Whether a packet is dropped for its label: none at or below the share.
    fn drops(&mut self, label: f64) -> bool {
        let share = self.share.rate();
        label > share
            && match self.above {
                AboveShare::Thin => self.stream.random::<f64>() < 1.0 - share / label,
                AboveShare::Refuse => true,
            }
    }
}

impl Scheduler for NcpCsfqQueue {
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        let Label(label) = queue.label.unwrap_or_else(|| self.edge.label(packet, arrival));
        self.share.count(packet.bytes, label, arrival.traffic.weight);
        if self.drops(label) {
            return Admission::Early;
        }
        if !self.room.takes(arrival) {
            return Admission::NoRoom;
        }
        // "Checks if R(t) < R_j in which case it overwrites R_j" (section 4).
        queue.label = Some(Label(label.min(self.share.rate())));
        queue.store.push(&mut self.lane, packet, hop);
        Admission::Taken
    }

    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        queue.store.pop(&mut self.lane)
    }

    fn due(&self) -> Time {
        self.due
    }

    /// "Each router updates its R(t) value every control interval" (section 4).
    fn tick(&mut self, now: Time, backlog: Span, _: &ScheduledPackets) {
        let from = Time::ZERO + now.since(Time::ZERO + self.interval);
        let capacity = self.capacity.mean(from, now).as_bps_f64();
        let queue = backlog.as_secs_f64() * self.capacity.nominal().as_bps_f64();
        self.share.update(self.interval, queue, capacity);
        self.due = now + self.interval;
    }

    /// `fair_share_bps`, `counted_flows`, and `flows` whose rates are kept.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("fair_share_bps", self.share.rate());
        out("counted_flows", self.share.flows());
        out("flows", self.edge.flows() as f64);
    }
}

#[cfg(test)]
#[path = "ncp_csfq_tests.rs"]
mod tests;
