//! The receiving ends of flows.

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;

use super::state::Engine;
use crate::host::Reply;
use crate::packet::{FlowKey, Packet};

impl Engine<'_> {
    pub(super) fn receiver_timer(&mut self, key: FlowKey, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.receiver_timer.due = u64::MAX;
        let reply = flow.receiver.timer(now);
        if reply.is_some() {
            flow.heard = now;
        }
        self.receiver_goes_on(key, reply, now);
    }

    /// A packet reaches a receiver; whether a timer may have been set or given up.
    #[inline(always)]
    pub(super) fn receiver_hears(&mut self, packet: &Packet, words: WireHeader, now: u64) -> bool {
        if packet.kind == PacketKind::Data {
            self.net.totals.data_delivered += 1;
        }
        let measured = self.measures(now);
        // A packet in flight keeps its flow alive, so the flow is there.
        let Some(flow) = self.flows.get(packet.flow) else { return false };
        flow.heard = now;
        let reply = flow.receiver.hear(now, packet, words, measured);
        if let Some(reply) = &reply
            && !flow.closed
        {
            let (step, sacks) = (flow.back, self.sacks.of(&flow.receiver, reply));
            self.answer(packet.flow, step, sacks, reply, now);
            return false;
        }
        self.receiver_goes_on(packet.flow, reply, now);
        true
    }

    /// A receiver answers if it has an answer, sets its timer if it waits, and its flow is noticed
    /// if it is over.
    #[inline(never)]
    fn receiver_goes_on(&mut self, key: FlowKey, reply: Option<Reply>, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        if let Some(reply) = &reply {
            let (step, sacks) = (flow.back, self.sacks.of(&flow.receiver, reply));
            self.answer(key, step, sacks, reply, now);
        }
        self.await_receiver(key);
        self.retire_if_done(key);
    }

    /// Sets a receiver's timer if it waits with an acknowledgement.
    fn await_receiver(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        let wake = flow.receiver.wake();
        if wake < flow.receiver_timer.due {
            flow.receiver_timer.due = wake;
            self.hosts[flow.to as usize].set(flow.receiver_timer.id, wake);
        }
    }

    #[inline(always)]
    fn answer(&mut self, key: FlowKey, step: u32, sacks: u32, reply: &Reply, now: u64) {
        let packet = Packet {
            at: now,
            seq: reply.seq,
            sent: reply.sent,
            words: reply.words,
            flow: key,
            bytes: self.net.control,
            step,
            sacks,
            kind: reply.kind,
            ecn: reply.ecn,
        };
        if let Some((packet, at)) = self.net.launch(packet, now) {
            self.carry(&packet, packet.words, at);
        }
    }
}
