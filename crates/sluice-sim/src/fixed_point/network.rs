//! Links and classes of flows, from a configuration. All numbers are in bytes and seconds.

use sluice_laws::conduct::Conduct;
use sluice_units::{Bytes, Limit, Ratio, Span};

use super::estimate::Refused;
use super::law::Model;
use super::sizes::{SizeSums, WeightedSize, weighted};
use crate::alone::Alone;
use crate::config::{Config, GroupConfig, LinkConfig, LinkId};
use crate::link_law::LinkLaw;
use crate::queue::Discipline;
use crate::route::Paths;
use crate::traffic::Traffic;

/// A network that the models take.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub(super) links: Vec<Link>,
    pub(super) classes: Vec<Class>,
    /// Size of a full packet, and of a SYN, on the wire.
    pub(super) packet: f64,
    pub(super) control: f64,
    /// Whether flows begin with a SYN; after how long one is repeated.
    pub(super) handshake: bool,
    pub(super) initial_rto: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) capacity: f64,
    /// Bytes that can wait.
    pub(super) buffer: f64,
    /// The part of the losses of full packets that SYNs have. A buffer of bytes drops what does not fit into the
    /// room that is left, which is even over a packet when it is full; one of packets drops all alike.
    pub(super) syn_loss: f64,
    /// Whether it runs the law of the run, if that has one for routers.
    pub(super) is_router: bool,
}

/// Flows of one group.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) out: Vec<LinkId>,
    pub(super) back: Vec<LinkId>,
    /// Round trip of a full packet and its acknowledgement over empty links.
    pub(super) rtt: f64,
    /// The least capacity of its path.
    pub(super) narrowest: f64,
    pub(super) demand: Demand,
}

#[derive(Clone, Debug)]
pub(super) enum Demand {
    Sized(SizedFlows),
    /// Flows without an end.
    Long {
        count: f64,
    },
    /// Streams of datagrams: bytes a second of all, and of one datagram.
    Streams {
        count: f64,
        rate: f64,
        datagram: f64,
    },
}

#[derive(Clone, Debug)]
pub(super) struct SizedFlows {
    pub(super) per_second: f64,
    /// Bytes on the wire.
    pub(super) sizes: SizeSums,
    /// Of each size, the number of its packets and the completion time alone on the empty path.
    pub(super) packets: Vec<f64>,
    pub(super) alone: Vec<f64>,
    /// Bytes of acknowledgements and handshakes of a flow, on the way back.
    pub(super) answers: f64,
}

impl Network {
    /// The network of a configuration, or all that the models lack for it.
    pub(super) fn of(config: &Config, model: &Model) -> Result<Self, Refused> {
        config.check()?;
        let paths = Paths::of(config)?;
        let mut missing = Vec::new();
        if !config.clouds.is_empty() {
            missing.push("clouds: not modelled".to_owned());
        }
        for (place, link) in config.links.iter().enumerate() {
            let lacks = lacks_link(link, model);
            missing.extend(lacks.into_iter().map(|what| format!("links[{place}].{what}")));
        }
        let transport = &config.parameters.transport;
        let mut network = Self {
            links: links(config, &paths),
            classes: Vec::with_capacity(config.groups.len()),
            packet: config.packet.as_f64(),
            control: config.control.as_f64(),
            handshake: transport.handshake,
            initial_rto: transport.initial_rto.as_secs_f64(),
        };
        for (place, (group, paths)) in config.groups.iter().zip(&paths).enumerate() {
            match network.class(config, group, paths, model) {
                Ok(class) => network.classes.push(class),
                Err(lacks) => {
                    missing.extend(lacks.into_iter().map(|what| format!("groups[{place}].{what}")))
                }
            }
        }
        if missing.is_empty() { Ok(network) } else { Err(Refused::NotModelled(missing)) }
    }

    fn class(
        &self,
        config: &Config,
        group: &GroupConfig,
        paths: &Paths,
        model: &Model,
    ) -> Result<Class, Vec<String>> {
        let mut missing = lacks_group(group);
        let demand = demand(config, group, paths).map_err(|what| missing.push(what));
        let (Some(out), Some(back)) = (paths.out.only(), paths.back.only()) else {
            missing
                .push("routing: flows of a group that take several paths are not modelled".into());
            return Err(missing);
        };
        let narrowest = |routers: &dyn Fn(&Link) -> bool| {
            let links = out.iter().map(|&link| &self.links[link]).filter(|link| routers(link));
            links.map(|link| link.capacity).fold(f64::INFINITY, f64::min)
        };
        let grows = matches!((model, &demand), (Model::Tcp(_), Ok(Demand::Long { .. })));
        let full =
            out.iter().map(|&link| &self.links[link]).filter(|link| link.buffer == UNLIMITED);
        if grows
            && full.map(|link| link.capacity).fold(f64::INFINITY, f64::min) == narrowest(&|_| true)
        {
            missing
                .push("traffic: without a limit of the buffer windows of TCP grow for ever".into());
        }
        let is_stream = matches!(demand, Ok(Demand::Streams { .. }));
        let steered = narrowest(&|link| link.is_router) * model.target();
        if model.needs_routers() && !is_stream && steered > narrowest(&|link| !link.is_router) {
            missing.push("path: its narrowest link does not run the law".into());
        }
        match demand {
            Ok(demand) if missing.is_empty() => Ok(Class {
                rtt: round_trip(config, out, back),
                narrowest: narrowest(&|_| true),
                out: out.to_vec(),
                back: back.to_vec(),
                demand,
            }),
            _ => Err(missing),
        }
    }
}

/// Bytes of a buffer without a limit: more than any network has, so that numbers stay finite.
pub(super) const UNLIMITED: f64 = 1e15;

/// Buffers may be a multiple of the bandwidth-delay product, with the largest RTPD of a link's groups, as in
/// the engine.
fn links(config: &Config, paths: &[Paths]) -> Vec<Link> {
    let mut rtpd = vec![Span::ZERO; config.links.len()];
    for paths in paths {
        let of_group = paths.rtpd(config);
        for &link in paths.out.links().iter().chain(&*paths.back.links()) {
            rtpd[link] = rtpd[link].max(of_group);
        }
    }
    let (packet, control) = (config.packet.as_f64(), config.control.as_f64());
    let with = |(link, rtpd): (&LinkConfig, Span)| {
        let (buffer, syn_loss) = match link.buffer.limit(link.capacity, rtpd) {
            Limit::None => (UNLIMITED, 0.0),
            Limit::Bytes(bytes) => (bytes.as_f64(), control / packet),
            Limit::Packets(packets) => (packets as f64 * packet, 1.0),
        };
        Link {
            capacity: link.capacity.as_bytes_per_sec_f64(),
            buffer,
            syn_loss,
            is_router: link.router.whole() == LinkLaw::OfRun,
        }
    };
    config.links.iter().zip(rtpd).map(with).collect()
}

fn lacks_link(link: &LinkConfig, model: &Model) -> Vec<String> {
    let mut missing = Vec::new();
    let mut need = |holds: bool, what: &str| {
        if !holds {
            missing.push(what.to_owned());
        }
    };
    need(link.schedule.is_none(), "schedule: capacities that vary have no steady state");
    let drop_tail = matches!(link.queue, Discipline::DropTail(_));
    need(drop_tail || matches!(model, Model::Fluid), "queue: only drop tail is modelled");
    let loses = link.error > Ratio::new(0.0) || !link.losses.is_empty();
    need(!loses, "error: losses on wires are not modelled");
    need(link.police.is_none(), "police: agents are not modelled");
    let other = link.router.all().iter().any(|law| law.own().is_some());
    need(!other, "router: only the law of the run is modelled");
    missing
}

fn lacks_group(group: &GroupConfig) -> Vec<String> {
    let mut missing = Vec::new();
    let mut need = |holds: bool, what: &str| {
        if !holds {
            missing.push(what.to_owned());
        }
    };
    need(group.protocol.is_none(), "protocol: groups have the law of the run");
    need(group.weight == Ratio::new(1.0), "weight: weights are not modelled");
    need(group.profile.is_none(), "profile: guarantees are not modelled");
    need(group.conduct == Conduct::HONEST, "conduct: hosts keep to their law");
    need(group.reroute.is_empty(), "reroute: paths that change have no steady state");
    missing
}

fn demand(config: &Config, group: &GroupConfig, paths: &Paths) -> Result<Demand, String> {
    let context = paths.traffic_context(config);
    match &group.traffic {
        Traffic::Poisson(poisson)
            if poisson.start > config.warm_up || poisson.stop < config.stop =>
        {
            Err("traffic: arrivals that begin or end in the time measured have no steady state"
                .into())
        }
        Traffic::Poisson(poisson) => {
            let alone = Alone::new(config, paths, 0);
            let per_second = poisson.per_second(&context);
            let sizes = weighted(&poisson.sizes, context.payload);
            Ok(Demand::Sized(SizedFlows::new(config, per_second, &sizes, &alone)))
        }
        Traffic::Long(long) if long.pauses.is_some() => {
            Err("traffic.pauses: applications that pause are not modelled".into())
        }
        Traffic::Long(long) if long.stop < config.stop => {
            Err("traffic.stop: flows that stop in the time measured have no steady state".into())
        }
        Traffic::Udp(udp) if udp.start > config.warm_up || udp.stop < config.stop => {
            Err("traffic: streams that begin or end in the time measured have no steady state"
                .into())
        }
        Traffic::Long(long) => {
            let starts = long.first() < config.stop;
            Ok(Demand::Long { count: if starts { long.started(config.stop) } else { 0.0 } })
        }
        Traffic::Udp(udp) if udp.on.is_some() || udp.replay.is_some() => {
            Err("traffic: streams are modelled at a constant rate alone".into())
        }
        Traffic::Udp(udp) => Ok(Demand::Streams {
            count: udp.count as f64,
            rate: udp.steady(&context).rate * udp.count as f64,
            datagram: udp.datagram(),
        }),
        _ => Err("traffic: only `poisson`, `long` and `udp` are modelled".into()),
    }
}

impl SizedFlows {
    fn new(config: &Config, per_second: f64, sizes: &[WeightedSize], alone: &Alone) -> Self {
        let (payload, header) = ((config.packet - config.header).as_f64(), config.header.as_f64());
        let packets = |size: &WeightedSize| (size.bytes / payload).ceil().max(1.0);
        let wire = sizes.iter().map(|size| {
            let bytes = size.bytes + packets(size) * header;
            WeightedSize { bytes, weight: size.weight }
        });
        // Without the SYN, which acknowledgements of delayed ones leave room for.
        let part = if config.parameters.transport.delayed_ack { 0.5 } else { 1.0 };
        let acks: f64 = sizes.iter().map(|size| size.weight * packets(size) * part).sum();
        let opening = if config.parameters.transport.handshake { 1.0 } else { 0.0 };
        Self {
            per_second,
            sizes: SizeSums::new(wire),
            packets: sizes.iter().map(packets).collect(),
            alone: sizes.iter().map(|size| seconds_alone(alone, size.bytes)).collect(),
            answers: (acks + opening) * config.control.as_f64(),
        }
    }
}

fn seconds_alone(alone: &Alone, bytes: f64) -> f64 {
    alone.completion(bytes.round() as u64).as_secs_f64()
}

fn round_trip(config: &Config, out: &[LinkId], back: &[LinkId]) -> f64 {
    let crossing = |links: &[LinkId], bytes: Bytes| -> f64 {
        let of = |&link: &LinkId| {
            let LinkConfig { capacity, delay, .. } = &config.links[link];
            (capacity.time_for(bytes) + *delay).as_secs_f64()
        };
        links.iter().map(of).sum()
    };
    crossing(out, config.packet) + crossing(back, config.control)
}
