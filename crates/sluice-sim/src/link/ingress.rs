//! Packets at a link where macro-flows enter a cloud: they wait in queues of these before the link's own.

use sluice_laws::WireHeader;
use sluice_units::{Span, Time};

use super::Link;
use crate::cloud::{Ingress, IngressVerdict};
use crate::packet::{Hop, Packet};

impl Link {
    /// Places queues of macro-flows before its own. Its packets go a way of their own from then on.
    pub(crate) fn add_ingress(&mut self, ingress: Ingress) {
        debug_assert!(!self.parts.counts_flows, "links of a cloud run its law");
        (self.ingress, self.apart, self.due) = (true, true, Time::ZERO);
        (self.inspected, self.only_scheduled) = (false, false);
        self.parts.sampler.iter_mut().for_each(|sampler| sampler.add_ingress(&ingress));
        self.parts.ingress = Some(Box::new(ingress));
    }

    /// When the next packet leaves a queue of a macro-flow, if that is by `now`.
    pub(crate) fn released_by(&self, now: Time) -> Option<Time> {
        self.parts.ingress.as_ref().map(|ingress| ingress.due()).filter(|&due| due <= now)
    }

    /// The packet that leaves a queue of a macro-flow now; the link must be settled up to then.
    pub(crate) fn release(&mut self) -> Option<Packet> {
        self.parts.ingress.as_mut()?.release()
    }

    /// Takes a packet of a flow of this weight to the macro-flow at this place, where it arrives as `hop`.
    pub(crate) fn join_macro_flow(
        &mut self,
        place: (u32, f64),
        packet: &Packet,
        hop: Hop,
    ) -> IngressVerdict {
        let Some(ingress) = &mut self.parts.ingress else { return IngressVerdict::Passes };
        ingress.arrive(place, packet, hop)
    }

    /// Shows a control packet with this report to the macro-flow at this place. Returns its statement.
    pub(crate) fn control(&mut self, place: u32, report: WireHeader, now: Time) -> WireHeader {
        match &mut self.parts.ingress {
            Some(ingress) => ingress.control(place, report, now),
            None => report,
        }
    }

    /// [`Link::first_held`] of a link with queues of macro-flows: the first packet that leaves a queue of a macro-flow may be
    /// at the end of the link earlier than the first that is held, or be lost once it has left if the link may go down.
    /// Transmission takes at least a nanosecond.
    #[cold]
    pub(super) fn first_of_ingress(&self) -> Option<Time> {
        let due = self.parts.ingress.as_ref().map_or(Time::NEVER, |ingress| ingress.due());
        let over = if self.parts.fails() == Time::NEVER { self.delay } else { Span::ZERO };
        let out = (due != Time::NEVER).then(|| due.plus(over).plus(Span::NANO));
        [self.first_of_queue(), out].into_iter().flatten().min()
    }
}
