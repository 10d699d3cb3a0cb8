//! The receiving ends of flows.

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
use sluice_units::Time;

use super::state::Engine;
use crate::host::Reply;
use crate::packet::{FlowKey, Packet};

impl Engine<'_> {
    pub(super) fn receiver_timer(&mut self, key: FlowKey, now: Time) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.receiver_timer.due = Time::NEVER;
        let reply = flow.receiver.timer(now);
        if reply.is_some() {
            flow.heard = now;
        }
        self.after_receiver(key, 0, reply, now);
    }

    /// A packet reaches a receiver. Whether it may have set or released a timer.
    #[inline(always)]
    pub(super) fn reach_receiver(
        &mut self,
        packet: &Packet,
        header: WireHeader,
        now: Time,
    ) -> bool {
        if packet.kind == PacketKind::Data {
            self.net.totals.data_delivered += 1;
        }
        let measured = self.measures(now);
        // A packet in flight keeps its flow alive.
        let Some(flow) = self.flows.get(packet.flow) else { return false };
        flow.heard = now;
        if flow.receiver.minds(packet.ecn) {
            self.reach_with_ecn(packet, header, now, measured);
            return true;
        }
        let reply = flow.receiver.on_packet(now, packet, header, measured);
        if let Some(reply) = &reply
            && !flow.replies_apart
        {
            let (way, sacks) = ((flow.back, flow.hash), self.sacks.of(&flow.receiver, reply));
            self.send_reply(packet.flow, way, sacks, reply, now);
            return false;
        }
        self.after_receiver(packet.flow, packet.sacks, reply, now);
        true
    }

    /// A packet of which the receiver's ECN takes note reaches it.
    #[inline(never)]
    fn reach_with_ecn(&mut self, packet: &Packet, header: WireHeader, now: Time, measured: bool) {
        let Some(flow) = self.flows.get(packet.flow) else { return };
        let reply = flow.receiver.on_ecn(now, packet, header, measured);
        self.after_receiver(packet.flow, packet.sacks, reply, now);
    }

    /// Sends a receiver's reply if there is one, sets its timer if an acknowledgement is delayed, and
    /// retires its flow if it is over. The packet that arrived carried the telemetry `carried`, 0 for none.
    #[inline(never)]
    fn after_receiver(&mut self, key: FlowKey, carried: u32, reply: Option<Reply>, now: Time) {
        let Some(flow) = self.flows.get(key) else { return };
        if let Some(reply) = &reply {
            if flow.replies_apart && flow.back_until <= now {
                let routes = &mut self.groups[flow.group as usize].routes;
                routes.reroute_replies(self.config, flow, now, &mut self.net.plan);
            }
            let way = (flow.back, flow.hash);
            let sacks = if carried == 0 {
                self.sacks.of(&flow.receiver, reply)
            } else {
                let blocks = if reply.gaps { flow.receiver.blocks() } else { Default::default() };
                self.telemetry.answer(carried, blocks);
                carried
            };
            self.send_reply(key, way, sacks, reply, now);
        } else if carried != 0 {
            self.telemetry.discard(carried);
        }
        self.await_receiver(key);
        self.retire_if_done(key);
    }

    /// Sets a receiver's timer if an acknowledgement is delayed.
    fn await_receiver(&mut self, key: FlowKey) {
        let Some(flow) = self.flows.get(key) else { return };
        let wake = flow.receiver.wake();
        if wake < flow.receiver_timer.due {
            flow.receiver_timer.due = wake;
            self.hosts[flow.to as usize].set(flow.receiver_timer.id, wake);
        }
    }

    #[inline(always)]
    fn send_reply(
        &mut self,
        key: FlowKey,
        (step, hash): (u32, u16),
        sacks: u32,
        reply: &Reply,
        now: Time,
    ) {
        let packet = Packet {
            at: now,
            seq: reply.seq,
            sent: reply.sent,
            header: reply.header,
            flow: key,
            bytes: self.net.control,
            step,
            sacks,
            kind: reply.kind,
            ecn: reply.ecn,
            hash,
        };
        if let Some((packet, at)) = self.net.launch(packet, now) {
            self.carry(&packet, packet.header, at);
        }
    }
}
