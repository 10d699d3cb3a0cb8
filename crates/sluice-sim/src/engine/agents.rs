//! The agents of macro-flows ([`crate::cloud`]) at their nodes.

use rand::Rng;
use sluice_units::{Span, Time};

use crate::cloud::{Agent, CLOUD_HEADER, MacroFlow};
use crate::config::{Config, LinkId, NodeId};
use crate::host::{Owner, TimerId, Timers, flow_order};
use crate::plan::{PathClass, RunPlan};
use crate::queue::TrafficClass;
use crate::rng::Streams;

/// The agent of a macro-flow, and its place.
pub(super) struct PlacedAgent {
    pub(super) agent: Agent,
    pub(super) ingress: NodeId,
    pub(super) timer: TimerId,
    /// First step of its control packets, and of those that the egress returns.
    pub(super) out: u32,
    pub(super) back: u32,
}

/// The agents of all macro-flows, with their timers set. Their first control packets leave at random within the least
/// interval, so that they do not stay in step.
pub(super) fn agents(
    config: &Config,
    plan: &mut RunPlan,
    hosts: &mut [Timers],
) -> Vec<PlacedAgent> {
    let macro_flows = plan.macro_flows.clone();
    let place = |(number, flow): (usize, &MacroFlow)| {
        let traffic = TrafficClass { header: CLOUD_HEADER, ..TrafficClass::default() };
        let class = plan.number_of(PathClass { traffic, unresponsive: flow.unresponsive });
        let mut begin = |links: &[LinkId]| plan.begin(config, class, links);
        let (out, back) = (begin(flow.links()), begin(flow.back.only().unwrap_or_default()));
        let min_interval = macro_flows.cloud(flow).min_interval;
        let name = format!("macro-flow {number}");
        let late = Streams::new(config.seed, &name)
            .named("start")
            .random_range(0..min_interval.as_nanos());
        let agent = Agent::new(min_interval, Time::ZERO + Span::from_nanos(late));
        // After the timers of all groups.
        let order = flow_order(config.groups.len(), number as u64);
        let timer = hosts[flow.ingress].register(order, Owner::Agent(number as u32));
        hosts[flow.ingress].set(timer, agent.due());
        PlacedAgent { agent, ingress: flow.ingress, timer, out, back }
    };
    macro_flows.all().iter().enumerate().map(place).collect()
}
