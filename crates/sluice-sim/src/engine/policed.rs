//! Packets at links with policing agents ([`crate::police`]).

use sluice_laws::WireHeader;
use sluice_units::Time;

use super::state::Engine;
use crate::packet::{Hop, Packet};
use crate::police::Conviction;
use crate::trace::PacketAction;

impl Engine<'_> {
    /// Takes a packet to a link with an agent, which may change its header or drop it.
    #[cold]
    #[inline(never)]
    pub(super) fn carry_policed(
        &mut self,
        packet: &Packet,
        mut header: WireHeader,
        step: u32,
        now: Time,
    ) {
        if self.passes_police(packet, &mut header, step, now) {
            self.carry_apart(packet, header, step, now);
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
