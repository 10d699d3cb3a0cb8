//! Packets at a link with a policing agent, which sees them before the queue, or a law that sees their flows.

use sluice_laws::WireHeader;
use sluice_laws::router::FlowId;
use sluice_units::Time;

use super::Link;
use super::running_laws::RunningLaws;
use crate::packet::Packet;
use crate::police::{Agent, Ruling};
use crate::queue::TrafficClass;

impl Link {
    /// Places an agent before its queue. Its packets go a way of their own from then on, so that those of
    /// other links do not pay for a check.
    pub(crate) fn add_police(&mut self, agent: Agent) {
        (self.inspected, self.apart, self.due) = (!self.ingress, true, Time::ZERO);
        self.parts.police = Some(Box::new(agent));
    }

    /// Whether it has an agent or a law that counts flows, and no queues of macro-flows.
    #[inline]
    pub(crate) fn is_inspected(&self) -> bool {
        self.inspected
    }

    /// Whether a law of it counts flows.
    pub(crate) fn counts_flows(&self) -> bool {
        self.parts.counts_flows
    }

    /// Shows a packet's flow to the law that its header is for, if that counts flows.
    pub(crate) fn show_flow(&mut self, flow: FlowId, traffic: TrafficClass) {
        match &mut self.parts.laws {
            RunningLaws::None => {}
            RunningLaws::Whole(router) => router.on_flow(flow, traffic),
            RunningLaws::Classes(laws) => laws.on_flow(flow, traffic),
        }
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
