//! The network apart from its hosts: links, paths and the event queue.

use crate::link::Link;
use crate::outcome::Totals;
use crate::packet::Packet;
use crate::plan::{Element, Plan};
use crate::wheel::{Actor, Wheel};

pub(super) struct Net {
    pub(super) plan: Plan,
    pub(super) links: Vec<Link>,
    pub(super) wheel: Wheel,
    pub(super) totals: Totals,
    /// Size of a packet without data.
    pub(super) control: u32,
    /// The last instant at which anything happens.
    pub(super) end: u64,
}

impl Net {
    /// Puts a packet on the first link of its way. Behind links that only transmit it comes to
    /// wait on a wire, and is written there once and never copied; anywhere else it is given back
    /// with the time it has come to, to be carried on.
    #[inline(always)]
    pub(super) fn launch(&mut self, mut packet: Packet, mut now: u64) -> Option<(Packet, u64)> {
        self.totals.sent += 1;
        loop {
            let Element::Link(id) = self.plan.steps[packet.step as usize].element() else { break };
            let link = &mut self.links[id as usize];
            if !link.is_plain() || link.due() <= now || now > self.end {
                break;
            }
            let at = link.transmit(now, packet.bytes);
            packet.step += 1;
            if !self.goes_ahead(packet.step) {
                self.wait_on_wire(id as usize, Packet { at, ..packet });
                return None;
            }
            now = at;
        }
        Some((packet, now))
    }

    /// Takes the packet that has reached the end of a link.
    #[inline]
    pub(super) fn take_from_wire(&mut self, id: usize) -> Option<Packet> {
        let wire = &mut self.links[id].wire;
        let packet = wire.pop_front();
        if let Some(next) = wire.front() {
            self.wheel.schedule(id as Actor, next.at);
        }
        packet
    }

    #[inline]
    pub(super) fn wait_on_wire(&mut self, id: usize, packet: Packet) {
        let wire = &mut self.links[id].wire;
        if wire.is_empty() {
            self.wheel.schedule(id as Actor, packet.at);
        }
        wire.push_back(packet);
    }

    /// Whether a packet that a link lets go takes `step` before the clock gets there.
    #[inline]
    pub(super) fn goes_ahead(&self, step: u32) -> bool {
        self.plan.steps[step as usize].runs_ahead()
    }
}
