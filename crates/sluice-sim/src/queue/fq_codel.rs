//! FQ-CoDel: flows in turn, each with CoDel's control, new flows first. RFC 8290.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Rate, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::codel_control::{self, CodelConfig, CodelState, INTERVAL, TARGET};
use super::drr::check_quantum;
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::Lane;
use super::room::Room;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// FQ-CoDel's parameters. Packets that find no room take it from the longest queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FqCodel {
    /// Sojourn time that is acceptable for longer than `interval`, 1 ns to 1 day; 5 ms by default
    /// (RFC 8290, section 5.2.2).
    pub target: Span,
    /// Time above `target` before the first drop, about the largest usual RTT; 1 ns to 1 day, 100 ms
    /// by default (RFC 8290, section 5.2.1).
    pub interval: Span,
    /// Bytes that each queue may send in its turn, at least 64; the size of a full packet by default
    /// (RFC 8290, section 5.2.4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantum: Option<Bytes>,
    /// Number of queues, to which flows are assigned by a hash; 1 to 65,536, 1024 by default (RFC
    /// 8290, section 5.2.5). The two directions of a flow have hashes of their own.
    pub flows: u32,
    /// Whether ECN-capable packets are marked (RFC 3168) instead of dropped; `true` by default.
    /// Packets at a full buffer are always dropped.
    pub ecn: bool,
}

const FLOWS: RangeInclusive<u32> = 1..=1 << 16;

impl Default for FqCodel {
    fn default() -> Self {
        Self { target: TARGET, interval: INTERVAL, quantum: None, flows: 1024, ecn: true }
    }
}

impl Model for FqCodel {
    const SOURCE: &'static str = "RFC 8290";

    fn check(&self, _: Rate, faults: &mut Faults) {
        codel_control::check(self.target, self.interval, faults);
        check_quantum(self.quantum, faults);
        faults.within("flows", &self.flows, &FLOWS);
    }

    fn at(&self, link: &QueueContext, _: &Streams<'_>) -> QueueState {
        let Self { target, interval, ecn, .. } = *self;
        let queue = FlowQueue {
            lane: Lane::default(),
            codel: CodelState::default(),
            deficit: 0,
            is_listed: false,
        };
        QueueState::Departure(Box::new(FlowQueues {
            config: CodelConfig { target, interval, packet: link.packet, ecn },
            quantum: self.quantum.unwrap_or(link.packet).as_u64() as i64,
            room: link.room,
            capacity: link.capacity,
            queues: vec![queue; self.flows as usize],
            new: VecDeque::new(),
            old: VecDeque::new(),
        }))
    }
}

struct FlowQueues {
    config: CodelConfig,
    quantum: i64,
    room: Room,
    capacity: Rate,
    queues: Vec<FlowQueue>,
    /// Queues that began to be used since their last turn, then the others (section 4.1).
    new: VecDeque<u32>,
    old: VecDeque<u32>,
}

#[derive(Clone)]
struct FlowQueue {
    lane: Lane,
    codel: CodelState,
    /// "Byte credits": what it may still send in its turn.
    deficit: i64,
    /// Whether it is in one of the lists.
    is_listed: bool,
}

impl Scheduler for FlowQueues {
    /// Section 4.1.
    fn enqueue(
        &mut self,
        packet: &Packet,
        hop: Hop,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> Admission {
        let number = packet.queue_of(self.queues.len());
        let mut arrival = *arrival;
        while !self.room.takes(&arrival) {
            if !self.drop_from_longest(number, packet.bytes, &mut arrival, queue) {
                return Admission::NoRoom;
            }
        }
        let flow = &mut self.queues[number];
        queue.store.push(&mut flow.lane, packet, hop);
        if !std::mem::replace(&mut flow.is_listed, true) {
            flow.deficit = self.quantum;
            self.new.push_back(number as u32);
        }
        Admission::Taken
    }

    /// Section 4.2.
    fn dequeue(&mut self, now: Time, queue: &mut ScheduledPackets) -> Option<u32> {
        loop {
            let is_new = !self.new.is_empty();
            let turns = if is_new { &mut self.new } else { &mut self.old };
            let number = *turns.front()?;
            let flow = &mut self.queues[number as usize];
            if flow.deficit <= 0 {
                flow.deficit += self.quantum;
                turns.pop_front();
                self.old.push_back(number);
                continue;
            }
            if let Some(place) = flow.codel.dequeue(&self.config, now, &mut flow.lane, queue) {
                flow.deficit -= i64::from(queue.store.get(place).bytes);
                return Some(place);
            }
            turns.pop_front();
            if is_new {
                // "If the queue had been on the list of new queues": it must wait for the old ones,
                // or a flow could stay new for ever.
                self.old.push_back(number);
            } else {
                flow.is_listed = false;
            }
        }
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("new_queues", self.new.len() as f64);
        out("old_queues", self.old.len() as f64);
    }
}

impl FlowQueues {
    /// Drops the first packet of the queue with most bytes, counting the packet that needs room and
    /// belongs to queue `own`; `false` if that packet is the one to drop.
    #[cold]
    fn drop_from_longest(
        &mut self,
        own: usize,
        bytes: u32,
        arrival: &mut QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let length = |number: u32| {
            let newcomer = if number as usize == own { u64::from(bytes) } else { 0 };
            (number, self.queues[number as usize].lane.bytes + newcomer)
        };
        let lengths = self.new.iter().chain(&self.old).map(|&number| length(number));
        let longest = lengths.reduce(|a, b| if b.1 > a.1 { b } else { a });
        let Some((number, _)) = longest.filter(|&(_, length)| length >= u64::from(bytes)) else {
            return false;
        };
        let flow = &mut self.queues[number as usize];
        let Some(victim) = queue.store.pop(&mut flow.lane) else { return false };
        let bytes = Bytes::new(u64::from(queue.store.get(victim).bytes));
        arrival.make_room(self.capacity.time_for(bytes));
        queue.drop_packet(victim, arrival.now, Admission::NoRoom);
        true
    }
}

#[cfg(test)]
#[path = "fq_codel_tests.rs"]
mod tests;
