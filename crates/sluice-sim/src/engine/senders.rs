//! The sending ends of flows.

use sluice_laws::WireHeader;
use sluice_units::Time;

use super::sacks::known;
use super::state::Engine;
use super::telemetry::{Record, is_record};
use crate::packet::{CONTROL, DATAGRAM, FlowKey, Packet};

impl Engine<'_> {
    pub(super) fn sender_timer(&mut self, key: FlowKey, now: Time) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.sender_timer.due = Time::NEVER;
        flow.sender.timer(now);
        self.after_sender(key, now);
    }

    /// A reply reaches a sender. Whether it may have set a timer.
    #[inline(always)]
    pub(super) fn reach_sender(&mut self, packet: &Packet, header: WireHeader, now: Time) -> bool {
        let key = packet.flow;
        if packet.sacks != 0 {
            self.reach_apart(packet, header, now);
            return true;
        }
        let Some(mut flow) = self.flows.get(key) else { return false };
        if !flow.sender.on_reply(now, packet, header, &[]) {
            self.after_sender(key, now);
            return true;
        }
        // What follows is the part of `after_sender` that most replies need.
        while let Some(out) = flow.sender.send_new(now) {
            let packet = out.packet(key, flow.out, flow.hash, now);
            if let Some((packet, at)) = self.net.launch(packet, now) {
                self.carry(&packet, packet.header, at);
                let Some(same) = self.flows.get(key) else { return true };
                flow = same;
            }
        }
        let wake = flow.sender.wake();
        let sooner = wake < flow.sender_timer.due;
        if sooner {
            self.await_sender(key, wake, now);
        }
        sooner
    }

    /// A packet with selective acknowledgements or telemetry reaches a sender, a datagram its receiver, or a control
    /// packet of a cloud a border router.
    #[inline(never)]
    fn reach_apart(&mut self, packet: &Packet, header: WireHeader, now: Time) {
        if packet.sacks == DATAGRAM {
            return self.reach_stream(packet, now);
        }
        if is_record(packet.sacks) {
            return self.reach_with_telemetry(packet, header, now);
        }
        if packet.sacks == CONTROL {
            return self.reach_agent(packet, header, now);
        }
        let Some(blocks) = self.sacks.take(packet.sacks) else { return };
        let Some(flow) = self.flows.get(packet.flow) else { return };
        flow.sender.on_reply(now, packet, header, known(&blocks));
        self.after_sender(packet.flow, now);
    }

    /// A reply that returns telemetry reaches a sender.
    pub(super) fn reach_with_telemetry(&mut self, packet: &Packet, header: WireHeader, now: Time) {
        let Self { telemetry, flows, .. } = self;
        let Record { hops, blocks } = telemetry.record(packet.sacks);
        if let Some(flow) = flows.get(packet.flow) {
            flow.sender.on_telemetry(hops);
            flow.sender.on_reply(now, packet, header, known(blocks));
        }
        telemetry.discard(packet.sacks);
        self.after_sender(packet.flow, now);
    }

    /// After an event of a sender: sends what it may, then sets its timer, or closes it if it has
    /// finished.
    #[inline(never)]
    pub(super) fn after_sender(&mut self, key: FlowKey, now: Time) {
        let Some(mut flow) = self.flows.get(key) else { return };
        if flow.out_until <= now {
            let routes = &mut self.groups[flow.group as usize].routes;
            routes.reroute_data(self.config, flow, now, &mut self.net.plan);
        }
        while let Some(out) = flow.sender.send(now) {
            if flow.spray.is_some() {
                flow.turn();
            }
            let packet = out.packet(key, flow.out, flow.hash, now);
            if let Some((packet, at)) = self.net.launch(packet, now) {
                self.carry(&packet, packet.header, at);
                let Some(same) = self.flows.get(key) else { return };
                flow = same;
            }
        }
        if flow.sender.closes(now) {
            return self.close(key, now);
        }
        let wake = flow.sender.wake().min(flow.sender.wake_paced());
        if wake < flow.sender_timer.due {
            self.await_sender(key, wake, now);
        }
    }

    /// Sets a sender's timer.
    #[cold]
    fn await_sender(&mut self, key: FlowKey, wake: Time, now: Time) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.sender_timer.due = wake;
        self.hosts[flow.from as usize].set(flow.sender_timer.id, wake.max(now));
    }
}
