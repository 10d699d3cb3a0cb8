//! Packets at scheduled links, which decide as their transmitters become free ([`crate::queue`]).

use sluice_laws::WireHeader;
use sluice_units::Time;

use super::net::Net;
use super::state::Engine;
use crate::config::LinkId;
use crate::link::Settled;
use crate::packet::{Hop, Packet};
use crate::plan::AHEAD;
use crate::queue::{Admission, Afterthought};
use crate::trace::PacketAction;

impl Engine<'_> {
    /// Takes a packet to a link that packets do not simply pass, and that is settled up to `now`.
    #[inline(never)]
    pub(super) fn carry_apart(
        &mut self,
        packet: &Packet,
        header: WireHeader,
        step: u32,
        now: Time,
    ) {
        let id = self.net.plan.steps[step as usize].id as usize;
        let traffic = self.net.plan.class_of(step);
        if !self.net.links[id].is_scheduled() {
            if self.net.links[id].is_traced() {
                return self.carry_traced(packet, header, step, now);
            }
            let mut header = header;
            let verdict = self.net.links[id].accept_apart(now, packet, &mut header, traffic);
            return self.leave(packet, header, step, now, verdict);
        }
        let hop = Hop { at: now, header, step };
        if let Some(labelling) = self.net.plan.labelling(step) {
            return self.carry_labelled(id, packet, hop, labelling);
        }
        let next = Hop { step: step + 1, ..hop };
        let admission = self.net.links[id].enqueue(packet, next, traffic);
        self.after_enqueue(id, packet, hop, admission);
    }

    /// A scheduled link has decided about a packet that arrived as `hop`.
    #[inline(always)]
    pub(super) fn after_enqueue(
        &mut self,
        id: LinkId,
        packet: &Packet,
        hop: Hop,
        admission: Admission,
    ) {
        let now = hop.at;
        if admission == Admission::Marked {
            self.trace_decision(id, packet, hop, Admission::Taken);
            self.trace_decision(id, &packet.marked(), hop, admission);
        } else {
            self.trace_decision(id, packet, hop, admission);
        }
        self.heed_afterthoughts(id, Time::NEVER);
        if admission.is_drop() {
            self.lose(packet, now);
        }
        // An idle transmitter starts at once.
        if self.net.links[id].chooses() <= now {
            self.settle_scheduled(id, now);
        }
        if let Some(at) = self.net.links[id].first_of_queue() {
            self.await_flush(id, at);
        }
    }

    /// Settles a scheduled link up to `now`, in the link's own order, unless the run is interrupted.
    #[inline(never)]
    pub(super) fn settle_scheduled(&mut self, id: LinkId, now: Time) {
        loop {
            match self.net.links[id].settle_scheduled(now) {
                Settled::Timer => {}
                Settled::Departs => self.let_go(id),
                Settled::Leaves(place, at) => {
                    self.heed_afterthoughts(id, at.minus(self.net.links[id].delay()));
                    self.depart(id, place, at);
                }
                Settled::Holds(departs) => {
                    self.heed_afterthoughts(id, departs);
                    let Net { links, plan, .. } = &mut self.net;
                    links[id].begin_held(departs, |step| plan.class_of(step));
                }
                Settled::Emptied => self.heed_afterthoughts(id, Time::NEVER),
                Settled::Nothing => return,
            }
            if !self.goes_on() {
                return;
            }
        }
    }

    /// The packet that a link has chosen departs, to reach the end of the link at `at`.
    #[inline(always)]
    fn depart(&mut self, id: LinkId, place: u32, at: Time) {
        let Net { links, plan, .. } = &mut self.net;
        let link = &mut links[id];
        let packet = link.take_chosen(place, at, |step| plan.class_of(step));
        let lost = link.loses(at.minus(link.delay()));
        if link.is_traced() {
            self.trace_departure(id, &packet, Hop { at, ..packet.hop() }, lost);
        }
        let wire = self.net.plan.wire_to(packet.step);
        if let Some(lost) = lost {
            self.lose(&packet, lost);
        } else if wire == AHEAD {
            self.carry(&packet, packet.header, at);
        } else {
            self.net.wait_on_wire(wire, Packet { at, ..packet });
        }
    }

    /// Packets that a link had taken may have been dropped, and the packet chosen, which leaves at
    /// `departs`, may have been marked.
    #[inline(always)]
    fn heed_afterthoughts(&mut self, id: LinkId, departs: Time) {
        while let Some(Afterthought { packet, what }) = self.net.links[id].next_afterthought() {
            if what == Admission::Marked && packet.at == departs && self.net.links[id].is_traced() {
                self.trace_mark_at_departure(id, &packet);
            } else {
                self.trace_decision(id, &packet, packet.hop(), what);
            }
            if what != Admission::Marked {
                // A link is settled as it goes down; else before a packet that leaves then would reach
                // its end (`first_held`).
                let known = match what {
                    Admission::Down => packet.at,
                    _ => packet.at.plus(self.net.links[id].delay()),
                };
                self.lose_known(&packet, packet.at, known);
            }
        }
    }

    /// Traces a decision about a packet, if the link is traced.
    #[inline(always)]
    fn trace_decision(&mut self, id: LinkId, packet: &Packet, hop: Hop, decision: Admission) {
        if self.net.links[id].is_traced() && self.is_traceable(packet) {
            let what = match decision {
                Admission::Taken => PacketAction::Enqueued,
                Admission::Marked => PacketAction::Marked,
                Admission::NoRoom | Admission::Early | Admission::Down => PacketAction::Dropped,
            };
            self.trace_packet(hop.at, id, what, packet, hop);
        }
    }
}
