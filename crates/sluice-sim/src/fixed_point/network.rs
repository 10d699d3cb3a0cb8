//! Links and classes of flows, from a configuration. All numbers are in bytes and seconds.

use sluice_laws::transport::Transport;
use sluice_units::{Bytes, Limit, Span};

use super::law::Model;
use super::refused::Lacks;
use super::sizes::{SizeSums, WeightedSize, weighted};
use crate::alone::Alone;
use crate::config::{Config, GroupConfig, LinkConfig, LinkId};
use crate::link_law::LinkLaw;
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
    /// The part of the losses of full packets that packets without data have. A buffer of bytes drops what does not
    /// fit into the room that is left, which is even over a packet when it is full; one of packets drops all alike.
    pub(super) control_loss: f64,
    /// Whether it runs the law of the run, if that has one for routers.
    pub(super) is_router: bool,
}

impl Link {
    /// What flows have of it in a steady state, in bytes a second, beside `foreign` traffic that responds to no grants.
    /// `rtt` is d0; `packet` is 0 where flows without an end keep RCP's R above its least.
    pub(super) fn room(&self, model: &Model, rtt: f64, packet: f64, foreign: f64) -> f64 {
        match model {
            Model::Granted(law) if self.is_router => {
                law.room(self.capacity, self.capacity * rtt, packet, foreign)
            }
            _ => self.capacity - foreign,
        }
    }
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
    /// Of each size, its bytes without headers, the number of its packets and the completion time alone on the empty
    /// path.
    pub(super) payload: Vec<f64>,
    pub(super) packets: Vec<f64>,
    pub(super) alone: Vec<f64>,
    /// Bytes of a flow's SYN on the way out, and of its acknowledgements and the SYN's answer on the way back.
    pub(super) opening: f64,
    pub(super) answers: f64,
}

impl Network {
    /// The network of a valid configuration whose flows have this transport; what the models lack is added to `lacks`,
    /// and its groups are left out.
    pub(super) fn of(
        config: &Config,
        paths: &[Paths],
        model: &Model,
        transport: &Transport,
        lacks: &mut Lacks,
    ) -> Self {
        // A time-out is late by up to a quarter of the jitter, an eighth on average.
        let late = 1.0 + transport.jitter.get() / 8.0;
        let mut network = Self {
            links: links(config, paths),
            classes: Vec::with_capacity(config.groups.len()),
            packet: config.packet.as_f64(),
            control: config.control.as_f64(),
            handshake: transport.handshake,
            initial_rto: transport.initial_rto.as_secs_f64() * late,
        };
        for (place, (group, paths)) in config.groups.iter().zip(paths).enumerate() {
            let mut own = Lacks::under(format!("groups[{place}]."));
            let class = network.class(config, group, paths, model, &mut own);
            network.classes.extend(class);
            lacks.extend(own);
        }
        network
    }

    /// The flows of a group; `None`, and what they lack, if they are not modelled.
    fn class(
        &self,
        config: &Config,
        group: &GroupConfig,
        paths: &Paths,
        model: &Model,
        lacks: &mut Lacks,
    ) -> Option<Class> {
        let demand = demand(config, group, paths, lacks);
        let (Some(out), Some(back)) = (paths.out.only(), paths.back.only()) else {
            lacks.add("routing", "flows of a group that take several paths are not modelled");
            return None;
        };
        let narrowest = |routers: &dyn Fn(&Link) -> bool| {
            let links = out.iter().map(|&link| &self.links[link]).filter(|link| routers(link));
            links.map(|link| link.capacity).fold(f64::INFINITY, f64::min)
        };
        let grows = matches!((model, &demand), (Model::Tcp(_), Some(Demand::Long { .. })));
        let full =
            out.iter().map(|&link| &self.links[link]).filter(|link| link.buffer == UNLIMITED);
        if grows
            && full.map(|link| link.capacity).fold(f64::INFINITY, f64::min) == narrowest(&|_| true)
        {
            lacks.add("traffic", "without a limit of the buffer windows of TCP grow for ever");
        }
        let is_stream = matches!(demand, Some(Demand::Streams { .. }));
        let steered = narrowest(&|link| link.is_router) * model.target();
        if model.needs_routers() && !is_stream && steered > narrowest(&|link| !link.is_router) {
            lacks.add("path", "its narrowest link does not run the law");
        }
        Some(Class {
            rtt: round_trip(config, out, back),
            narrowest: narrowest(&|_| true),
            out: out.to_vec(),
            back: back.to_vec(),
            demand: demand?,
        })
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
        let (buffer, control_loss) = match link.buffer.limit(link.capacity, rtpd) {
            Limit::None => (UNLIMITED, 0.0),
            Limit::Bytes(bytes) => (bytes.as_f64(), control / packet),
            Limit::Packets(packets) => (packets as f64 * packet, 1.0),
        };
        Link {
            capacity: link.capacity.as_bytes_per_sec_f64(),
            buffer,
            control_loss,
            is_router: link.router.whole() == LinkLaw::OfRun,
        }
    };
    config.links.iter().zip(rtpd).map(with).collect()
}

/// What the flows of a group bring; `None`, and what they lack, if they are not modelled.
fn demand(
    config: &Config,
    group: &GroupConfig,
    paths: &Paths,
    lacks: &mut Lacks,
) -> Option<Demand> {
    let context = paths.traffic_context(config);
    let mut no = |field: &str, reason: &str| {
        lacks.add(field, reason);
        None
    };
    match &group.traffic {
        Traffic::Poisson(poisson)
            if poisson.start > config.warm_up || poisson.stop < config.stop =>
        {
            no("traffic", "arrivals that begin or end in the time measured have no steady state")
        }
        Traffic::Poisson(poisson) => {
            let alone = Alone::new(config, paths, 0);
            let per_second = poisson.per_second(&context);
            let sizes = weighted(&poisson.sizes, context.payload);
            Some(Demand::Sized(SizedFlows::new(config, per_second, &sizes, &alone)))
        }
        Traffic::Long(long) if long.pauses.is_some() => {
            no("traffic.pauses", "applications that pause are not modelled")
        }
        Traffic::Long(long) if long.stop < config.stop => {
            no("traffic.stop", "flows that stop in the time measured have no steady state")
        }
        Traffic::Udp(udp) if udp.start > config.warm_up || udp.stop < config.stop => {
            no("traffic", "streams that begin or end in the time measured have no steady state")
        }
        Traffic::Long(long) => {
            let starts = long.first() < config.stop;
            Some(Demand::Long { count: if starts { long.started(config.stop) } else { 0.0 } })
        }
        Traffic::Udp(udp) if udp.on.is_some() || udp.replay.is_some() => {
            no("traffic", "streams are modelled at a constant rate alone")
        }
        Traffic::Udp(udp) => Some(Demand::Streams {
            count: udp.count as f64,
            rate: udp.steady(&context).rate * udp.count as f64,
            datagram: udp.datagram(),
        }),
        _ => no("traffic", "only `poisson`, `long` and `udp` are modelled"),
    }
}

impl SizedFlows {
    /// Bytes of a flow without data, on the way out and back. A fluid has none.
    pub(super) fn control(&self, model: &Model) -> [f64; 2] {
        if matches!(model, Model::Fluid) { [0.0; 2] } else { [self.opening, self.answers] }
    }

    fn new(config: &Config, per_second: f64, sizes: &[WeightedSize], alone: &Alone) -> Self {
        let (payload, header) = ((config.packet - config.header).as_f64(), config.header.as_f64());
        let packets = |size: &WeightedSize| (size.bytes / payload).ceil().max(1.0);
        let wire = sizes.iter().map(|size| {
            let bytes = size.bytes + packets(size) * header;
            WeightedSize { bytes, weight: size.weight }
        });
        let acks: f64 = sizes.iter().map(|size| size.weight * packets(size)).sum();
        let opening = if config.parameters.transport.handshake { 1.0 } else { 0.0 };
        Self {
            per_second,
            sizes: SizeSums::new(wire),
            payload: sizes.iter().map(|size| size.bytes).collect(),
            packets: sizes.iter().map(packets).collect(),
            alone: sizes.iter().map(|size| seconds_alone(alone, size.bytes)).collect(),
            opening: opening * config.control.as_f64(),
            answers: (acks + opening) * config.control.as_f64(),
        }
    }
}

impl Network {
    /// What acknowledges these data, one packet each: both in bytes a second. A fluid needs none.
    pub(super) fn acknowledgements(&self, model: &Model, data: f64) -> f64 {
        if matches!(model, Model::Fluid) { 0.0 } else { data / self.packet * self.control }
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
