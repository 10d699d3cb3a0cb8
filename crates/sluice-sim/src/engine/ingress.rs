//! Packets at links where macro-flows enter a cloud ([`crate::cloud`]), and control packets at border routers.
//!
//! Packets leave the queue of a macro-flow in the link's own time, each before what happens later there: it arrives at
//! the link's own queue then. An event settles a link before the first of them could be at its end, as it does where
//! packets are held.

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
use sluice_laws::xcp_cloud::CloudHeader;
use sluice_units::{Span, Time};

use super::agents::PlacedAgent;
use super::state::Engine;
use crate::cloud::{Direction, IngressVerdict};
use crate::config::LinkId;
use crate::packet::{CONTROL, Ecn, Hop, Packet};
use crate::trace::PacketAction;

impl Engine<'_> {
    /// Settles a link where macro-flows enter a cloud up to `now`, in the link's own order, unless the run is
    /// interrupted.
    #[inline(never)]
    pub(super) fn settle_ingress(&mut self, id: LinkId, now: Time) {
        while let Some(at) = self.net.links[id].released_by(now) {
            self.settle_queue(id, at);
            let Some(packet) = self.net.links[id].release() else { return };
            self.carry_apart(&packet, packet.header, packet.step, at);
            if !self.goes_on() {
                return;
            }
        }
        self.settle_queue(id, now);
        self.await_first_out(id);
    }

    /// Settles the link's own queue, scheduled or not.
    fn settle_queue(&mut self, id: LinkId, now: Time) {
        self.settle_scheduled(id, now);
        self.net.links[id].foresee();
    }

    /// Takes a packet to a link that is settled up to `now` and has queues of macro-flows, to one of which it may belong.
    /// An agent of the link sees it first.
    #[cold]
    #[inline(never)]
    pub(super) fn carry_to_macro_flow(
        &mut self,
        packet: &Packet,
        mut header: WireHeader,
        step: u32,
        now: Time,
    ) {
        if !self.passes_police(packet, &mut header, step, now) {
            return;
        }
        let id = self.net.plan.steps[step as usize].id as usize;
        match self.net.plan.joins(step) {
            Some(place) => self.join(id, place, packet, Hop { at: now, header, step }),
            None => self.carry_apart(packet, header, step, now),
        }
        self.await_first_out(id);
    }

    /// Takes a packet, which arrives as `hop`, to the macro-flow at this place of a link.
    fn join(&mut self, id: LinkId, place: u32, packet: &Packet, hop: Hop) {
        let Hop { at: now, header, step } = hop;
        let link = &mut self.net.links[id];
        match self.net.plan.macro_flows.of_control(packet.flow) {
            Some((_, Direction::Out)) => {
                let statement = link.control(place, header, now);
                return self.carry_apart(packet, statement, step, now);
            }
            // Of a macro-flow the other way: it waits for nothing.
            Some((_, Direction::Back)) => return self.carry_apart(packet, header, step, now),
            None => {}
        }
        let weight = self.net.plan.class_of(step).weight;
        match link.join_macro_flow((place, weight), packet, hop) {
            IngressVerdict::Passes => self.carry_apart(packet, header, step, now),
            IngressVerdict::Waits => {}
            IngressVerdict::Dropped => {
                if self.net.links[id].is_traced() {
                    self.trace_packet(now, id, PacketAction::Dropped, packet, hop);
                }
                self.lose(packet, now);
            }
        }
    }

    /// Schedules an event before the first packet that is held, or leaves a queue of a macro-flow, could be at the end
    /// of the link. A control packet may make that sooner.
    fn await_first_out(&mut self, id: LinkId) {
        let Some(at) = self.net.links[id].first_held() else { return };
        let (flush, at) = (self.flush_actor(id), at.minus(Span::NANO));
        if at < self.net.wheel.due(flush) {
            self.net.wheel.reschedule(flush, at);
        }
    }

    /// The timer of an agent fires.
    #[inline(never)]
    pub(super) fn agent_timer(&mut self, number: u32, now: Time) {
        let key = self.net.plan.macro_flows.key(number as usize, Direction::Out);
        let PlacedAgent { agent, ingress, timer, out, .. } = &mut self.agents[number as usize];
        let (seq, header) = agent.send(now);
        let (host, timer, due, step) = (*ingress, *timer, agent.due(), *out);
        self.hosts[host].set(timer, due);
        let (sent, flow) = (now, key);
        self.send_control(Packet { seq, sent, header, flow, step, ..Packet::NONE }, now);
    }

    /// A control packet reaches the egress, which returns it, or comes back to its agent.
    #[cold]
    #[inline(never)]
    pub(super) fn reach_agent(&mut self, packet: &Packet, header: WireHeader, now: Time) {
        let control = self.net.plan.macro_flows.of_control(packet.flow);
        let Some((number, direction)) = control else { return };
        let PlacedAgent { agent, ingress, timer, back, .. } = &mut self.agents[number];
        if direction == Direction::Out {
            let (flow, step) = (self.net.plan.macro_flows.key(number, Direction::Back), *back);
            let header = CloudHeader::from_wire(header).answer().to_wire();
            return self.send_control(Packet { header, flow, step, ..*packet }, now);
        }
        agent.answered(now, packet.seq, packet.sent, header);
        self.hosts[*ingress].set(*timer, agent.due());
    }

    /// A control packet leaves a border router.
    fn send_control(&mut self, packet: Packet, now: Time) {
        let (bytes, kind) = (self.net.control, PacketKind::Datagram);
        let packet = Packet { at: now, bytes, kind, sacks: CONTROL, ecn: Ecn::NONE, ..packet };
        if let Some((packet, at)) = self.net.launch(packet, now) {
            self.carry(&packet, packet.header, at);
        }
    }
}
