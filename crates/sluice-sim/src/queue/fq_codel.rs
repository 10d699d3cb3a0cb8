//! FQ-CoDel: flows in turn, each with CoDel's control, new flows first. RFC 8290.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Rate, Span, Time};

use super::arrival::{Admission, QueueArrival};
use super::codel_control::{self, CodelConfig, CodelState, INTERVAL, TARGET};
use super::drr::check_quantum;
use super::longest::{Lanes, LongestLane};
use super::model::{Model, QueueContext, QueueState};
use super::packet_store::{Lane, PacketStore};
use super::scheduler::{ScheduledPackets, Scheduler};
use super::shared_room::{Displaced, SharedRoom, Victims};
use crate::packet::{Hop, Packet};
use crate::rng::Streams;

/// FQ-CoDel's parameters. A packet that finds no room takes it from the longest
/// queues, unless all that these have above its own size is too little.
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

    fn marks(&self) -> bool {
        self.ecn
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
            room: SharedRoom::at(link),
            queues: vec![queue; self.flows as usize],
            longest: LongestLane::default(),
            new: VecDeque::new(),
            old: VecDeque::new(),
        }))
    }
}

struct FlowQueues {
    config: CodelConfig,
    quantum: i64,
    room: SharedRoom,
    queues: Vec<FlowQueue>,
    longest: LongestLane,
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
        if arrival.ahead == Span::ZERO && queue.store.packets() == 0 {
            // The link found no packet when it became idle: no queue has kept its turn or its deficit.
            self.dequeue(arrival.now, queue);
        }
        let number = packet.queue_of(self.queues.len());
        if !self.room.takes(arrival) && !self.displace(number, packet, arrival, queue) {
            return Admission::NoRoom;
        }
        let flow = &mut self.queues[number];
        queue.store.push(&mut flow.lane, packet, hop);
        self.longest.grown(number as u32, flow.lane.bytes);
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

    fn go_down(&mut self, now: Time, queue: &mut ScheduledPackets) {
        for &number in self.new.iter().chain(&self.old) {
            let FlowQueue { lane, codel, .. } = &mut self.queues[number as usize];
            queue.drop_lane(lane, now);
            codel.emptied();
        }
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("new_queues", self.new.len() as f64);
        out("old_queues", self.old.len() as f64);
    }
}

impl FlowQueues {
    /// Makes room for a packet of queue `own`, or not.
    #[cold]
    fn displace(
        &mut self,
        own: usize,
        packet: &Packet,
        arrival: &QueueArrival,
        queue: &mut ScheduledPackets,
    ) -> bool {
        let Self { room, queues, longest, .. } = self;
        let bytes = u64::from(packet.bytes);
        room.displace(LongestQueues { queues, longest, own, bytes }, arrival, queue)
    }
}

/// The first packets of the queue with most bytes, counting a packet that arrives (section 4.1), until
/// that packet is the one to drop.
struct LongestQueues<'a> {
    queues: &'a mut Vec<FlowQueue>,
    longest: &'a mut LongestLane,
    /// The queue of the packet that arrives, and its bytes.
    own: usize,
    bytes: u64,
}

impl LongestQueues<'_> {
    /// The number of the queue with most bytes, its own if it is one of several, and its bytes.
    fn find(&mut self) -> (usize, u64) {
        let own = self.queues[self.own].lane.bytes + self.bytes;
        let other = self.longest.find(self.queues).filter(|&(_, bytes)| bytes > own);
        other.map_or((self.own, own), |(number, bytes)| (number as usize, bytes))
    }

    /// What can be taken from a queue: all packets of its own, and what others have above its bytes.
    fn excess(&self, number: usize) -> Displaced {
        let lane = &self.queues[number].lane;
        if number == self.own {
            return Displaced { packets: lane.packets.into(), bytes: lane.bytes };
        }
        let bytes = lane.bytes.saturating_sub(self.bytes);
        Displaced { packets: u64::from(bytes > 0), bytes }
    }
}

impl Victims for LongestQueues<'_> {
    fn first_part(&mut self) -> Displaced {
        let (number, _) = self.find();
        self.excess(number)
    }

    fn total(&self) -> Displaced {
        let numbers = 0..self.queues.len();
        numbers.map(|number| self.excess(number)).fold(Displaced::default(), Displaced::plus)
    }

    fn pop(&mut self, store: &mut PacketStore) -> Option<u32> {
        let (number, bytes) = self.find();
        if bytes <= self.bytes {
            return None;
        }
        store.pop(&mut self.queues[number].lane)
    }
}

impl Lanes for Vec<FlowQueue> {
    fn count(&self) -> u32 {
        self.len() as u32
    }

    fn lane(&self, number: u32) -> &Lane {
        &self[number as usize].lane
    }
}

#[cfg(test)]
#[path = "fq_codel_tests.rs"]
mod tests;
