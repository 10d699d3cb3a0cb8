//! CoDel: controlled delay, RFC 8289.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Faults, Rate, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::codel_control::{CodelConfig, CodelState, INTERVAL, TARGET, check};
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::Lane;
use super::room::Room;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// CoDel's parameters. A packet that arrives at a full buffer is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Codel {
    /// Sojourn time that is acceptable for longer than `interval`, 1 ns to 1 day; 5 ms by default
    /// (RFC 8289, section 4.4).
    pub target: Span,
    /// Time above `target` before the first drop, about the largest usual RTT; 1 ns to 1 day, 100 ms
    /// by default (RFC 8289, section 4.3).
    pub interval: Span,
    /// Whether ECN-capable packets are marked (RFC 3168) instead of dropped; `true` by default.
    /// Packets at a full buffer are always dropped.
    pub ecn: bool,
}

impl Default for Codel {
    fn default() -> Self {
        Self { target: TARGET, interval: INTERVAL, ecn: true }
    }
}

impl Model for Codel {
    const SOURCE: &'static str = "RFC 8289";

    fn check(&self, _: Rate, faults: &mut Faults) {
        check(self.target, self.interval, faults);
    }

    fn marks(&self) -> bool {
        self.ecn
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        let Self { target, interval, ecn } = *self;
        QueueState::Departure(Box::new(CodelQueue {
            room: link.room,
            config: CodelConfig { target, interval, packet: link.packet, ecn },
            lane: Lane::default(),
            codel: CodelState::default(),
        }))
    }
}

struct CodelQueue {
    room: Room,
    config: CodelConfig,
    lane: Lane,
    codel: CodelState,
}

impl Scheduler for CodelQueue {
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
        queue.store.push(&mut self.lane, packet, hop);
        Admission::Taken
    }

    fn dequeue(&mut self, now: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        self.codel.dequeue(&self.config, now, &mut self.lane, queue)
    }

    fn go_down(&mut self, now: Time, queue: &mut ScheduledPackets) {
        queue.drop_lane(&mut self.lane, now);
        self.codel.emptied();
    }
}

#[cfg(test)]
#[path = "codel_tests.rs"]
mod tests;
