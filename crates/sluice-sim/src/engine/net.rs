//! The network apart from its hosts: links, paths and the event queue.

use crate::link::Link;
use crate::outcome::Totals;
use crate::packet::Packet;
use crate::plan::Plan;
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
        let mut step = self.plan.steps[packet.step as usize];
        loop {
            if step.is_host {
                break;
            }
            let id = step.id as usize;
            let link = &mut self.links[id];
            if !link.is_plain() || link.due() <= now {
                break;
            }
            let at = link.transmit(now, packet.bytes);
            packet.step += 1;
            step = self.plan.steps[packet.step as usize];
            if !step.runs_ahead {
                self.wait_on_wire(id, Packet { at, ..packet });
                return None;
            }
            now = at;
        }
        Some((packet, now))
    }

    #[inline(always)]
    pub(super) fn wait_on_wire(&mut self, id: usize, packet: Packet) {
        let wire = &mut self.links[id].wire;
        debug_assert!(wire.back().is_none_or(|last| last.at <= packet.at), "a wire keeps order");
        if wire.is_empty() {
            self.wheel.schedule(id as Actor, packet.at);
        }
        if wire.len() == wire.capacity() {
            // A ring passes through all of its memory: the less it has, the more of it stays near.
            wire.reserve_exact(wire.len() / 4 + 8);
        }
        wire.push_back(packet);
    }

    /// Whether a packet that a link lets go takes `step` before the clock gets there.
    #[inline]
    pub(super) fn goes_ahead(&self, step: u32) -> bool {
        self.plan.steps[step as usize].runs_ahead
    }
}
