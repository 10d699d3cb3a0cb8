//! Packets at links that label them. The label is written as the link decides about the packet, before that
//! can go on, so the next such link finds it, whatever runs ahead of the clock.

use super::state::Engine;
use crate::config::LinkId;
use crate::packet::{Hop, Packet};
use crate::queue::Labelling;

impl Engine<'_> {
    /// Takes a packet, which arrives as `hop`, to a link that labels packets and is settled up to then.
    #[inline(never)]
    pub(super) fn carry_labelled(
        &mut self,
        id: LinkId,
        packet: &Packet,
        hop: Hop,
        labelling: Labelling,
    ) {
        let label = self.labels.get(packet.sacks);
        debug_assert_eq!(label.is_none(), labelling.first, "all links but the first find a label");
        let sacks = match labelling {
            Labelling { last: true, .. } => self.labels.detach(packet.sacks),
            Labelling { first: true, .. } => self.labels.attach(packet.sacks),
            _ => packet.sacks,
        };
        let packet = &Packet { sacks, ..*packet };
        let traffic = self.net.plan.class_of(hop.step);
        let next = Hop { step: hop.step + 1, ..hop };
        let link = &mut self.net.links[id];
        let (admission, label) = link.enqueue_labelled(packet, next, traffic, label);
        if let Some(label) = label {
            self.labels.set(sacks, label);
        }
        self.after_enqueue(id, packet, hop, admission);
    }
}
