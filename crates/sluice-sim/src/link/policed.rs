//! Packets at a link with a policing agent, which sees them before the queue.

use sluice_laws::WireHeader;
use sluice_units::Time;

use super::Link;
use crate::packet::Packet;
use crate::police::{Agent, Ruling};
use crate::queue::TrafficClass;

impl Link {
    /// Places an agent before its queue. Its packets go a way of their own from then on, so that those of
    /// other links do not pay for a check.
    pub(crate) fn add_police(&mut self, agent: Agent) {
        (self.policed, self.apart, self.due) = (!self.ingress, true, Time::ZERO);
        self.parts.police = Some(Box::new(agent));
    }

    /// Whether it has an agent, and no queues of macro-flows.
    #[inline]
    pub(crate) fn is_policed(&self) -> bool {
        self.policed
    }

    /// Shows the agent a packet that arrives at `now`, whose header it may change.
    pub(crate) fn police(
        &mut self,
        now: Time,
        packet: &Packet,
        header: &mut WireHeader,
        traffic: TrafficClass,
    ) -> Ruling {
        let Some(agent) = &mut self.parts.police else { return Ruling::default() };
        agent.arrives(now, packet, header, traffic)
    }
}
