//! Traced events that wait for the clock.

use std::sync::mpsc;

use sluice_units::{Bytes, Time};

use super::trace_law::TraceSender;
use crate::config::Config;
use crate::observer::Observer;
use crate::packet::FlowKey;
use crate::trace::{PacketAction, PacketEvent, SenderEvent};

/// Events are recorded ahead of the clock and out of order; the buffer keeps them until the clock
/// has passed them, then emits them in order.
pub(super) struct TraceBuffer {
    /// Whether any link's packets are traced.
    traces_packets: bool,
    /// With their ranks at their instant ([`rank`]).
    packets: Vec<(PacketEvent, u8)>,
    senders: Vec<SenderEvent>,
    /// Where traced laws ([`super::trace_law::TracedLaw`]) put their events.
    sender_events: mpsc::Receiver<SenderEvent>,
    /// Each group's handle to that channel, if its senders are traced.
    groups: Vec<Option<TraceSender>>,
    /// Flows by slot, then generation: packets may outlive their flow. Empty unless packets are
    /// traced.
    flows: Vec<Vec<TracedFlow>>,
}

/// A flow as its packets are traced.
#[derive(Clone, Copy)]
pub(super) struct TracedFlow {
    pub(super) group: usize,
    pub(super) index: u64,
    pub(super) size: Option<Bytes>,
}

impl TraceBuffer {
    pub(super) fn new(config: &Config) -> Self {
        let (events, sender_events) = mpsc::channel();
        let mut groups = vec![None; config.groups.len()];
        for &group in &config.trace.groups {
            groups[group] = Some(TraceSender::new(events.clone(), group));
        }
        Self {
            traces_packets: !config.trace.links.is_empty(),
            packets: Vec::new(),
            senders: Vec::new(),
            sender_events,
            groups,
            flows: Vec::new(),
        }
    }

    /// Where a group's senders are traced, if they are.
    pub(super) fn sender(&self, group: usize) -> Option<TraceSender> {
        self.groups[group].clone()
    }

    /// Registers a flow that starts.
    pub(super) fn register(&mut self, key: FlowKey, flow: TracedFlow) {
        if self.traces_packets {
            let slot = key.slot as usize;
            if self.flows.len() <= slot {
                self.flows.resize(slot + 1, Vec::new());
            }
            // A slot's generations count up from 0.
            self.flows[slot].push(flow);
        }
    }

    /// A registered flow.
    pub(super) fn flow(&self, key: FlowKey) -> TracedFlow {
        self.flows[key.slot as usize][key.generation as usize]
    }

    /// Records an event.
    pub(super) fn push(&mut self, event: PacketEvent) {
        self.packets.push((event, rank(event.what)));
    }

    /// Records that a packet is marked at the instant at which it departs.
    pub(super) fn push_before_departures(&mut self, event: PacketEvent) {
        self.packets.push((event, 0));
    }

    /// Bytes taken by events that wait.
    pub(super) fn memory(&self) -> u64 {
        (self.packets.len() * size_of::<(PacketEvent, u8)>()
            + self.senders.len() * size_of::<SenderEvent>()) as u64
    }

    /// Emits, in order, all events before `now`, which the clock has reached.
    pub(super) fn emit(&mut self, now: Time, observer: &mut dyn Observer) {
        let Self { packets, senders, sender_events, .. } = self;
        packets.sort_by_key(|(event, rank)| (event.time, event.link, *rank));
        let past = packets.partition_point(|(event, _)| event.time < now);
        packets.drain(..past).for_each(|(event, _)| observer.packet(&event));
        senders.extend(sender_events.try_iter());
        senders.sort_by_key(|event| (event.time, event.group, event.index));
        let past = senders.partition_point(|event| event.time < now);
        senders.drain(..past).for_each(|event| observer.sender(&event));
    }
}

/// Order at one instant of one link: marks of packets that depart then (rank 0), departures, then
/// deliveries (with no delay of the same packet), then arrivals.
fn rank(what: PacketAction) -> u8 {
    match what {
        PacketAction::Dequeued => 1,
        PacketAction::Delivered | PacketAction::Lost => 2,
        PacketAction::Enqueued | PacketAction::Marked | PacketAction::Dropped => 3,
    }
}
