//! Builds the state of a run from its configuration.

use rand::Rng;
use sluice_laws::protocol::Protocol;
use sluice_units::{Ratio, Span, Time};

use super::agents::agents;
use super::batch::Batch;
use super::event_loop::WORK_PER_TICK;
use super::group::GroupState;
use super::group_paths::GroupClasses;
use super::group_routes::GroupRoutes;
use super::group_samplers::GroupSamplers;
use super::labels::Labels;
use super::link_laws::{HeaderNumbers, LawBuilder};
use super::measured::Measured;
use super::net::Net;
use super::records::Records;
use super::sacks::Sacks;
use super::sampling::flow_samples;
use super::state::Engine;
use super::telemetry::Telemetry;
use super::trace_buffer::TraceBuffer;
use super::udp_streams::UdpStreams;
use super::wires::Wires;
use crate::cloud::{Ingress, MacroFlows};
use crate::config::{Config, LinkConfig, LinkId};
use crate::host::{Flows, Owner, Processing, Timers};
use crate::link::{
    Clock, Errors, Link, LinkComponents, LinkMeter, LinkSampler, LinkTelemetry, Outages,
    RunningLaws, SampledQueue, ScheduledQueue, Transmitter, VaryingClock,
};
use crate::observer::Observer;
use crate::outcome::PacketTotals;
use crate::plan::{PathClass, RunPlan};
use crate::police::Agent;
use crate::queue::{Buffer, QueueContext, QueueState, Room};
use crate::rng::Streams;
use crate::route::RouteEpochs;
use crate::schedule::LinkCapacity;
use crate::wheel::{Actor, Wheel};

impl<'a> Engine<'a> {
    pub(super) fn new(
        config: &'a Config,
        protocol: &'a dyn Protocol,
        (routes, macro_flows): (&'a [RouteEpochs], MacroFlows),
        observer: &'a mut dyn Observer,
    ) -> Self {
        let streams = config.groups.iter().filter_map(|group| group.traffic.udp());
        let streams = streams.map(|udp| udp.count as usize).sum();
        let mut plan = RunPlan::new(config, routes, macro_flows.after_streams(streams));
        let headers = HeaderNumbers::new(config, protocol);
        let mut links = links(
            &LawBuilder {
                config,
                run: protocol,
                headers: &headers,
                macro_flows: &plan.macro_flows,
            },
            routes,
        );
        config.trace.links.iter().for_each(|&link| links[link].trace());
        let trace = TraceBuffer::new(config);
        let wires = Wires::new(&plan.meetings, |link| links[link].may_hold());
        let meetings = plan.meetings.len();
        let actors = meetings + config.nodes + links.len() + 2;
        let mut hosts: Vec<Timers> = (0..config.nodes).map(|_| Timers::new()).collect();
        let mut engine = Self {
            groups: groups(config, (protocol, &headers), routes, &mut plan, &trace, &mut hosts),
            udp: UdpStreams::new(config, routes, &mut plan, &mut hosts),
            agents: agents(config, &mut plan, &mut hosts),
            config,
            observer,
            net: Net {
                processing: Processing::new(config, &plan),
                plan,
                links,
                wires,
                wheel: Wheel::new(actors),
                totals: PacketTotals::default(),
                control: config.control.as_u64() as u32,
                tick_at: WORK_PER_TICK,
                end: last_instant(config),
            },
            group_samplers: GroupSamplers::new(config, &mut hosts),
            hosts,
            flows: Flows::default(),
            sacks: Sacks::default(),
            telemetry: Telemetry::default(),
            labels: Labels::default(),
            records: Records::default(),
            batch: Batch::default(),
            flow_samples: flow_samples(config),
            sampled_flows: vec![None; config.flow_metrics.len()],
            measured: Measured::default(),
            trace,
            clock: Time::ZERO,
            interrupted: false,
            convictions: Vec::new(),
        };
        for group in 0..engine.groups.len() {
            engine.await_arrival(group);
        }
        for host in 0..engine.hosts.len() {
            let due = engine.hosts[host].due();
            engine.net.wheel.reschedule((meetings + host) as Actor, due);
        }
        engine.net.wheel.schedule(engine.stop_actor(), config.stop);
        engine.await_emission(Time::ZERO);
        engine
    }
}

/// When the run ends at the latest; without a flow of a size there is nothing to wait for after the
/// stop.
fn last_instant(config: &Config) -> Time {
    let sized = |group: &crate::config::GroupConfig| !group.traffic.is_endless();
    if config.groups.iter().any(sized) { config.limit } else { config.stop }
}

fn links(laws: &LawBuilder<'_>, routes: &[RouteEpochs]) -> Vec<Link> {
    let config = laws.config;
    let rtpds = largest_rtpds(config, routes);
    let weights = config.groups.iter().map(|group| group.weight.get());
    let weight = Ratio::new(weights.fold(1.0, f64::max));
    let link = |(id, of): (LinkId, &LinkConfig)| {
        let mut link = link(config, laws.at(id, of), id, rtpds[id]);
        if laws.adds_telemetry(id, of) {
            link.add_telemetry(LinkTelemetry::new(id, of.capacity));
        }
        if let (Some(police), Some(reads)) = (of.police, laws.headers.policed()) {
            let (name, place) = (id.to_string(), (of.capacity, of.delay));
            let stream = Streams::new(config.seed, &name).named("police");
            let measured = (config.warm_up, config.stop);
            link.add_police(Agent::new(police, place, weight, reads, measured, stream));
        }
        if let Some(ingress) = ingress(laws, id, rtpds[id]) {
            link.add_ingress(ingress);
        }
        link
    };
    config.links.iter().enumerate().map(link).collect()
}

/// The queues of the macro-flows that enter a cloud at a link, if any does.
fn ingress(laws: &LawBuilder<'_>, id: LinkId, rtpd: Span) -> Option<Ingress> {
    let LawBuilder { config, macro_flows, .. } = *laws;
    macro_flows.at(id).next()?;
    let measured = (config.warm_up, config.stop);
    let mut ingress = Ingress::new(macro_flows.at(id).count(), measured);
    let first_rtt = config.parameters.xcp.first_interval;
    for flow in macro_flows.at(id) {
        let cloud = macro_flows.cloud(flow);
        let capacities = flow.links().iter().map(|&link| config.links[link].capacity);
        let slowest = capacities.min().unwrap_or(config.links[id].capacity);
        let room = cloud.room(slowest, rtpd, config.packet);
        ingress.add(cloud, room, config.packet, first_rtt);
    }
    Some(ingress)
}

/// For each link, the largest round-trip propagation delay among the groups that cross it at any time, by which buffers in
/// BDPs are sized; zero for links that none crosses. `routes` are those of all groups.
pub fn largest_rtpds(config: &Config, routes: &[RouteEpochs]) -> Vec<Span> {
    let mut largest = vec![Span::ZERO; config.links.len()];
    for paths in routes.iter().flat_map(RouteEpochs::all) {
        let rtpd = paths.rtpd(config);
        for &link in paths.out.links().iter().chain(&*paths.back.links()) {
            largest[link] = largest[link].max(rtpd);
        }
    }
    largest
}

fn link(config: &Config, laws: RunningLaws, id: LinkId, rtpd: Span) -> Link {
    let link = &config.links[id];
    let capacity = LinkCapacity::new(link.capacity, link.schedule.as_ref());
    let name = id.to_string();
    let streams = Streams::new(config.seed, &name);
    let errors = Errors::new(link.error.get(), link.losses.clone(), streams.named("errors"));
    let measured = (config.warm_up, config.stop);
    let room = Room::new(link.buffer.limit(link.capacity, rtpd), link.capacity);
    let context = QueueContext { room, capacity: capacity.clone(), rtpd, packet: config.packet };
    let outages = Outages::new(link.schedule.as_ref());
    let (buffer, scheduled) = match link.queue.at(&context, &streams) {
        QueueState::Unlimited if outages.is_empty() => (None, None),
        QueueState::Arrival(queue) if outages.is_empty() => (Some(Buffer::new(queue, room)), None),
        state => {
            let transmitter = Transmitter::new(&capacity);
            (None, Some(ScheduledQueue::new(state.scheduler(), transmitter, outages)))
        }
    };
    let sampler = config.link_metrics.iter().find(|sampler| sampler.link == id).map(|sampler| {
        let every = sampler.every;
        let queue = SampledQueue::new(buffer.as_ref(), scheduled.as_ref());
        LinkSampler::new(id, every, capacity.clone(), queue, &laws)
    });
    let is_plain = laws.is_none() && buffer.is_none() && scheduled.is_none();
    let varying = VaryingClock::of(&capacity);
    let meter = {
        let links = config.links.len();
        LinkMeter::new(capacity, measured, is_plain, links, streams.named("meter"))
    };
    let parts = LinkComponents::new(varying, laws, buffer, scheduled, errors, meter, sampler);
    Link::new(Clock::new(link.capacity), link.delay, parts)
}

fn groups<'a>(
    config: &'a Config,
    (protocol, headers): (&'a dyn Protocol, &HeaderNumbers),
    routes: &'a [RouteEpochs],
    plan: &mut RunPlan,
    trace: &TraceBuffer,
    hosts: &mut [Timers],
) -> Vec<GroupState<'a>> {
    let mut states = Vec::with_capacity(config.groups.len());
    for (number, group) in config.groups.iter().enumerate() {
        let streams = Streams::new(config.seed, &group.name);
        let context = routes[number].first().traffic_context(config);
        let protocol = config.protocol_of(group, protocol);
        let best_effort = config.best_effort_of(protocol);
        let classes = GroupClasses {
            own: PathClass::responsive(group.traffic_class(headers.of(protocol))),
            best_effort: best_effort
                .map(|other| PathClass::responsive(group.best_effort_class(headers.of(other)))),
        };
        let arrivals = match group.traffic.udp() {
            // They are no flows.
            Some(_) => Box::new(std::iter::empty()),
            None => group.traffic.arrivals(&context, &streams),
        };
        states.push(GroupState {
            protocol,
            best_effort,
            classes,
            transport: protocol.transport(&config.parameters.transport),
            weight: group.weight,
            profile: group.profile,
            conduct: group.conduct,
            pauses: group.traffic.pauses().map(|own| (own, streams.named("pauses").random())),
            late: streams.named("timers").random(),
            hash: streams.named("hash").random(),
            trace: trace.sender(number),
            arrivals: arrivals.peekable(),
            started: 0,
            from: group.from,
            to: group.to,
            routes: GroupRoutes::new(config, classes, &routes[number], plan),
            timer: hosts[group.from].register(number as u64, Owner::Group(number as u32)),
        });
    }
    states
}
