//! CSFQ: core-stateless fair queueing.
//!
//! After I. Stoica, S. Shenker, H. Zhang, "Core-Stateless Fair Queueing: Achieving Approximately Fair
//! Bandwidth Allocations in High Speed Networks" (SIGCOMM 1998; IEEE/ACM ToN 11(1), 2003; SSZ below).
//! Packets wait in one queue, first in, first out. The first link of a path with this discipline, its
//! edge, estimates the rate of each flow and writes it into the packets as a label. All links drop
//! packets with a probability that depends on label and fair share ([`super::fair_share`]), and lower
//! labels to that share; those behind the edge keep no state of flows.
//!
//! Edges follow from the paths of packets and need no parameter: SSZ configures them. The discipline
//! decides as packets arrive. It is nevertheless a [`Scheduler`], which sees the packet, so that links
//! of other disciplines do not pay for labels.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{BufferSize, Faults, Rate, Ratio, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::fair_share::FairShare;
use super::label::Label;
use super::label_edge::Edge;
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::Lane;
use super::room::Room;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// CSFQ's parameters. Flows share by the `queue_weight` of their groups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Csfq {
    /// K, the time constant of the average rate of a flow, 1 us to 1000 s. Read at the first link of a
    /// path with this discipline. Default 100 ms (Stoica et al., section 3).
    pub k: Span,
    /// K_alpha, the time constant of the average rates of all packets that arrive and that are accepted,
    /// 1 us to 1000 s. Default 200 ms (section 3).
    pub k_alpha: Span,
    /// K_c, how long a link is congested or not before the fair share is updated, 1 us to 1000 s.
    /// Default 200 ms, as `k_alpha`: in their code for ns both are one parameter.
    pub k_c: Span,
    /// Queue up to which an uncongested link remains so, whatever arrives; a buffer size except
    /// `unlimited`. Default half of the link's `buffer` (section 2.2), or `0.5 bdp` where that is
    /// unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub congested_from: Option<BufferSize>,
}

impl Default for Csfq {
    fn default() -> Self {
        let (k, interval) = (Span::from_millis(100), Span::from_millis(200));
        Self { k, k_alpha: interval, k_c: interval, congested_from: None }
    }
}

impl Model for Csfq {
    const SOURCE: &'static str = "Stoica, Shenker and Zhang, 1998";

    fn check(&self, _: Rate, faults: &mut Faults) {
        let times = Span::from_micros(1)..=Span::from_secs(1000);
        faults.within("k", &self.k, &times);
        faults.within("k_alpha", &self.k_alpha, &times);
        faults.within("k_c", &self.k_c, &times);
        let limited = self.congested_from != Some(BufferSize::Unlimited);
        let sizes = "a threshold is a size, as `5 ms` or `20 packets`";
        faults.need(limited, "congested_from", sizes);
    }

    fn labels(&self) -> bool {
        true
    }

    fn at(&self, link: &QueueContext, streams: &Streams<'_>) -> QueueState {
        let congested_from = match self.congested_from {
            Some(size) => link.queue_nanos(size),
            None if link.room.is_unlimited() => link.queue_nanos(BufferSize::Bdp(Ratio::new(0.5))),
            None => link.room.nanos(link.packet_nanos()) / 2.0,
        };
        let congested_from = Span::from_nanos(congested_from as u64);
        let capacity = link.capacity.clone();
        QueueState::Departure(Box::new(CsfqQueue {
            room: link.room,
            edge: Edge::averaging(self.k),
            share: FairShare::new(capacity, self.k_alpha, self.k_c, congested_from),
            lane: Lane::default(),
            stream: streams.named("csfq"),
        }))
    }
}

/// CSFQ at a link.
struct CsfqQueue {
    room: Room,
    edge: Edge,
    share: FairShare,
    lane: Lane,
    stream: Xoshiro256PlusPlus,
}

impl Scheduler for CsfqQueue {
    /// SSZ, figure 3, "on receiving packet p".
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        let Label(label) = queue.label.unwrap_or_else(|| self.edge.label(packet, arrival));
        let probability = self.share.drop_probability(label);
        let dropped = probability > 0.0 && self.stream.random::<f64>() < probability;
        self.share.count(arrival, packet.bytes, label, !dropped);
        if dropped {
            return Admission::Early;
        }
        if !self.room.takes(arrival) {
            self.share.overflow();
            return Admission::NoRoom;
        }
        queue.label = Some(Label(self.share.relabel(label)));
        queue.store.push(&mut self.lane, packet, hop);
        Admission::Taken
    }

    fn dequeue(&mut self, _: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        queue.store.pop(&mut self.lane)
    }

    /// `fair_share_bps`, `arrival_rate_bps`, `accepted_rate_bps`, and `flows` whose rates are kept.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.share.metrics(out);
        out("flows", self.edge.flows() as f64);
    }
}

#[cfg(test)]
#[path = "csfq_tests.rs"]
mod tests;
