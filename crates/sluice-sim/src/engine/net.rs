//! The network apart from its hosts: links, paths and the event queue.

use sluice_units::Time;

use crate::host::Processing;
use crate::link::Link;
use crate::outcome::PacketTotals;
use crate::packet::{CacheLine, Packet};
use crate::plan::{AHEAD, RunPlan};
use crate::wheel::Wheel;

use super::wires::Wires;

pub(super) struct Net {
    pub(super) plan: RunPlan,
    pub(super) links: Vec<Link>,
    pub(super) processing: Processing,
    pub(super) wires: Wires,
    pub(super) wheel: Wheel,
    pub(super) totals: PacketTotals,
    /// Size of a packet without data.
    pub(super) control: u32,
    /// Number of packets sent at which [`crate::Observer::tick`] is called; other work lowers it.
    pub(super) tick_at: u64,
    /// The last instant at which anything happens.
    pub(super) end: Time,
}

impl Net {
    /// Bytes taken by packets in queues and on wires.
    pub(super) fn memory(&self) -> u64 {
        let PacketTotals { sent, delivered, dropped, in_flight, .. } = self.totals;
        // Those in flight past the end are counted, but not kept.
        sent.saturating_sub(delivered + dropped + in_flight) * size_of::<CacheLine>() as u64
    }

    /// Puts a packet on the first link of its way. Behind links that only transmit it comes to
    /// wait on a wire, and is written there once and never copied; anywhere else it is given back
    /// with the time it has come to, to be carried on.
    #[inline(always)]
    pub(super) fn launch(&mut self, mut packet: Packet, mut now: Time) -> Option<(Packet, Time)> {
        self.totals.sent += 1;
        let mut step = self.plan.steps[packet.step as usize];
        loop {
            let id = step.id as usize;
            let link = &mut self.links[id];
            if !link.is_plain() || link.due() <= now {
                break;
            }
            let at = link.transmit(now, packet.bytes);
            packet.step += 1;
            if step.wire != AHEAD {
                self.wait_on_wire(step.wire, Packet { at, ..packet });
                return None;
            }
            step = self.plan.steps[packet.step as usize];
            now = at;
            if step.is_host() {
                break;
            }
        }
        Some((packet, now))
    }

    /// A packet, which is to arrive at its `at`, waits on a wire until the clock comes there.
    #[inline(always)]
    pub(super) fn wait_on_wire(&mut self, wire: u32, mut packet: Packet) {
        packet.at = self.processing.before_wire(wire, packet.at);
        if self.wires.push(wire, packet) {
            self.await_first(wire);
        }
    }

    /// A wire's meeting looks out for the one packet there.
    #[cold]
    fn await_first(&mut self, wire: u32) {
        if let Some((meeting, at)) = self.wires.expect(wire) {
            self.wheel.reschedule(meeting, at);
        }
    }
}
