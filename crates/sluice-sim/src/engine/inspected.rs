//! Packets at links with policing agents ([`crate::police`]), or laws that count flows.

use sluice_laws::WireHeader;
use sluice_laws::router::FlowId;
use sluice_units::Time;

use super::state::Engine;
use crate::packet::{Hop, Packet};
use crate::police::Conviction;
use crate::trace::PacketAction;

/// Bits of a flow's index in its identity, below those of its group. Slots are used again, and by which flows
/// depends on what runs ahead of the clock.
const GROUP: u32 = 40;

impl Engine<'_> {
    /// Takes a packet to a link with an agent, which may change its header or drop it, or with a law that counts
    /// flows.
    #[cold]
    #[inline(never)]
    pub(super) fn carry_inspected(
        &mut self,
        packet: &Packet,
        mut header: WireHeader,
        step: u32,
        now: Time,
    ) {
        if self.passes_police(packet, &mut header, step, now) {
            if self.net.links[self.net.plan.steps[step as usize].id as usize].counts_flows() {
                self.show_flow(packet, step);
            }
            self.carry_apart(packet, header, step, now);
        }
    }

    /// Shows a packet's flow to those laws of a link that count flows. Packets from receivers and datagrams request
    /// nothing of them, and are of no flow there.
    #[inline(always)]
    fn show_flow(&mut self, packet: &Packet, step: u32) {
        if packet.is_forward()
            && let Some(flow) = self.flows.get(packet.flow)
        {
            let flow = FlowId::new(u64::from(flow.group) << GROUP | flow.index);
            let id = self.net.plan.steps[step as usize].id as usize;
            self.net.links[id].show_flow(flow, self.net.plan.class_of(step));
        }
    }

    /// Shows a packet to the agent of a link, which may change its header. Whether the packet goes on; if not, it is lost.
    #[inline(always)]
    pub(super) fn passes_police(
        &mut self,
        packet: &Packet,
        header: &mut WireHeader,
        step: u32,
        now: Time,
    ) -> bool {
        let id = self.net.plan.steps[step as usize].id as usize;
        let traffic = self.net.plan.class_of(step);
        let ruling = self.net.links[id].police(now, packet, header, traffic);
        if let Some(failure) = ruling.convicted
            && let Some(flow) = self.flows.get(packet.flow)
        {
            let flow = (flow.group as usize, flow.index);
            self.convictions.push(Conviction::new(id, flow, now, failure));
        }
        if !ruling.dropped {
            return true;
        }
        if self.net.links[id].is_traced() {
            self.trace_packet(
                now,
                id,
                PacketAction::Dropped,
                packet,
                Hop { at: now, header: *header, step },
            );
        }
        self.lose(packet, now);
        false
    }

    /// At the end of the run, reports the flows convicted before the stop. Later ones depend on how far links
    /// have run ahead.
    pub(super) fn report_convictions(&mut self) {
        self.convictions.retain(|found| found.at < self.config.stop);
        self.convictions.sort_by_key(|found| (found.at, found.link, found.group, found.index));
        for conviction in &self.convictions {
            self.observer.conviction(conviction);
        }
    }
}
