//! A random case: network, traffic, times, and the protocol to run it under.

use proptest::prelude::*;
use proptest::sample::Index;
use sluice_laws::registry::ProtocolName;
use sluice_laws::xcp::{RttGroups, Shuffle};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{
    CloudConfig, Config, FlowMetrics, GroupConfig, GroupMetrics, LinkId, LinkLaw, LinkMetrics,
    NodeId, Paths, RouteEpochs, Routing,
};
use sluice_units::{BufferSize, Bytes, Rate, Span, Time};

use super::laws::{Law, law};
use super::network::{Network, Quality, network};
use super::traffic::{Seed, seeds};

/// A configuration and the protocol to run it under.
#[derive(Clone, Debug)]
pub struct Case {
    pub config: Config,
    pub law: Law,
}

/// Any case of some thousand packets.
pub fn any_case() -> impl Strategy<Value = Case> {
    build(Quality::Any, false)
}

/// Only flows with a size, in a network that loses nothing.
pub fn lossless_case() -> impl Strategy<Value = Case> {
    build(Quality::Lossless, true)
}

fn build(quality: Quality, sized: bool) -> impl Strategy<Value = Case> {
    let (which, handshake) = (any::<Index>(), any::<bool>());
    let parts = (network(quality), seeds(sized), frame(), law(), which, handshake, clouds());
    parts.prop_map(move |(network, seeds, frame, law, which, handshake, cloud)| {
        let (nodes, links) = (network.nodes, network.links.clone());
        let mut config = Config { nodes, links, ..frame };
        config.groups = groups(&seeds, &network, &config);
        config.link_metrics.retain(|probe| probe.link < config.links.len());
        config.flow_metrics.retain(|probe| probe.group < config.groups.len());
        let mut law = law;
        let cloud = cloud.filter(|cloud| add_cloud(&mut config, cloud, (quality, &mut law)));
        let law = in_bounds(law, &config, which);
        let law = if sized { law.a_packet_each_rtt() } else { law };
        let law = if moves_weights(&config) { law.that_moves_weights() } else { law };
        config.parameters = law.parameters.clone();
        config.parameters.transport.handshake = handshake || needs_handshake(&config, &law);
        if decides_each_round_trip(&config, &law) {
            scale(&mut config);
            config.groups = groups(&seeds, &network, &config);
            cloud.iter().for_each(|_| on_single_paths(&mut config));
        }
        stop_long_flows(&mut config, &seeds, &law);
        for (group, seed) in config.groups.iter_mut().zip(&seeds) {
            group.weight = seed.weight(&law);
            if group.traffic.udp().is_none() {
                group.conduct = seed.conduct(&law);
            }
            group.class = (group.weight.get() * 7.0) as u8 % 8;
            group.queue_weight = seed.weight;
        }
        // All groups together, where flows are sampled, too.
        let every = config.flow_metrics.first().map(|probe| probe.every);
        let all = |every| GroupMetrics { groups: (0..config.groups.len()).collect(), every };
        config.group_metrics = every.map(all).into_iter().collect();
        if sized {
            config.limit = config.stop + Span::from_secs(2_000);
            config.link_metrics.clear();
        }
        Case { config, law }
    })
}

/// A cloud on the path of a group, between two nodes of it.
#[derive(Clone, Debug)]
struct RandomCloud {
    group: Index,
    edges: Index,
    mixed: bool,
    /// Packets in its queues; none for the default.
    packets: Option<u64>,
    flow_timeout: Span,
}

/// A cloud in half of all cases.
fn clouds() -> impl Strategy<Value = Option<RandomCloud>> {
    let places = (any::<Index>(), any::<Index>(), any::<bool>());
    let cloud = (places, prop::option::of(1_u64..64), 1_u64..5_000);
    let cloud = cloud.prop_map(|((group, edges, mixed), packets, millis)| {
        let flow_timeout = Span::from_millis(millis);
        RandomCloud { group, edges, mixed, packets, flow_timeout }
    });
    prop::option::of(cloud)
}

/// Adds a cloud to a configuration, whose groups then take one path each, and makes its law one of clouds. Whether there
/// is a cloud that no group crosses one way only.
fn add_cloud(
    config: &mut Config,
    cloud: &RandomCloud,
    (quality, law): (Quality, &mut Law),
) -> bool {
    let before = config.clone();
    on_single_paths(config);
    let routers: Vec<_> = config.links.iter().map(|link| link.router).collect();
    config.links.iter_mut().for_each(|link| link.router = LinkLaw::None.into());
    let all = edges(config, cloud.group.index(config.groups.len()));
    let from = cloud.edges.index(all.len());
    let turned = all[from..].iter().chain(&all[..from]);
    let buffer = match quality {
        Quality::Lossless => Some(BufferSize::Unlimited),
        Quality::Any => cloud.packets.map(BufferSize::Packets),
    };
    let min_interval = (config.limit.since(Time::ZERO) / 500).max(Span::from_millis(1));
    let RandomCloud { mixed, flow_timeout, .. } = *cloud;
    let crossed = turned.into_iter().any(|&edges| {
        let own = CloudConfig::new(edges.to_vec());
        config.clouds = vec![CloudConfig { mixed, buffer, min_interval, flow_timeout, ..own }];
        config.check_clouds().is_ok()
    });
    if !crossed {
        *config = before;
        return false;
    }
    let core = config.core_links();
    for (id, (link, router)) in config.links.iter_mut().zip(routers).enumerate() {
        if !core.contains(&id) {
            link.router = router;
        }
    }
    let xcp = &mut law.parameters.xcp;
    (xcp.rtt_groups, xcp.shuffle) = (RttGroups::default(), Shuffle::default());
    true
}

/// All pairs of nodes that a group's packets cross both ways.
fn edges(config: &Config, group: usize) -> Vec<[NodeId; 2]> {
    let paths = routes(config)[group].first().clone();
    let ends = |path: &[LinkId]| -> Vec<NodeId> {
        path.iter().flat_map(|&id| [config.links[id].from, config.links[id].to]).collect()
    };
    let back = ends(&paths.back.of_flow(0));
    let mut nodes = ends(&paths.out.of_flow(0));
    nodes.dedup();
    nodes.retain(|node| back.contains(node));
    let pairs = |first: usize| nodes[first + 1..].iter().map(move |&last| (first, last));
    let pairs = (0..nodes.len()).flat_map(pairs);
    let pairs = pairs.map(|(first, last)| [nodes[first], last]);
    pairs.filter(|[first, last]| first != last).collect()
}

fn on_single_paths(config: &mut Config) {
    config.reconvergence = None;
    for group in &mut config.groups {
        group.routing = Routing::Single;
        group.paths.clear();
        group.reroute.clear();
    }
}

fn groups(seeds: &[Seed], network: &Network, config: &Config) -> Vec<GroupConfig> {
    let named = seeds.iter().enumerate();
    named.map(|(i, seed)| seed.group(format!("group-{i}"), network, config)).collect()
}

/// Everything but network and groups.
fn frame() -> impl Strategy<Value = Config> {
    let sizes =
        prop::sample::select(&[(1000, 0, 40), (1500, 40, 40), (1, 0, 1), (500, 20, 60)][..]);
    let times =
        (-2.0..1.5, prop_oneof![Just(0.0), 0.0..1.0], prop_oneof![Just(1.0), 1.0..4.0, Just(20.0)]);
    let probes = (prop::option::of(0_usize..20), prop::option::of((0_usize..6, 0_u64..3)));
    let reconvergence = prop_oneof![
        2 => Just(None),
        1 => Just(Some(Span::ZERO)),
        1 => (0_u64..100_000_000).prop_map(|ns| Some(Span::from_nanos(ns))),
    ];
    (sizes, times, probes, any::<u64>(), reconvergence).prop_map(
        |((packet, header, control), (length, warm, more), (link, flow), seed, reconvergence)| {
            let seconds = libm::pow(10.0, length);
            let at = |part: f64| Time::ZERO + Span::from_secs_f64(seconds * part);
            let every = Span::from_secs_f64(seconds / 37.0);
            Config {
                packet: Bytes::new(packet),
                header: Bytes::new(header),
                control: Bytes::new(control),
                reconvergence,
                seed,
                warm_up: at(warm),
                limit: at(more),
                link_metrics: link.map(|link| LinkMetrics { link, every }).into_iter().collect(),
                flow_metrics: flow
                    .map(|(group, index)| FlowMetrics { group, index, every })
                    .into_iter()
                    .collect(),
                ..Config::new(0, Vec::new(), Vec::new(), at(1.0))
            }
        },
    )
}

/// Without their router law everywhere, senders request no more than the capacity of some link.
fn in_bounds(law: Law, config: &Config, which: Index) -> Law {
    let headless = |group: &GroupConfig| {
        let own = group.protocol.map(|name| law.parameters.protocol(name));
        own.is_none_or(|own| !own.has_header())
    };
    let everywhere = config.clouds.is_empty()
        && config.links.iter().all(|link| link.router == LinkLaw::OfRun.into())
        && config.groups.iter().all(headless);
    let capacity = which.get(&config.links).capacity;
    if everywhere { law } else { law.at_most(capacity.min(modest(config))) }
}

/// A rate that keeps a window at a thousand packets: of one byte, 10 Gb/s would be 125 million in a
/// round trip of 100 ms, more than a machine holds.
pub fn modest(config: &Config) -> Rate {
    let longest =
        routes(config).iter().flat_map(RouteEpochs::all).map(|paths| paths.rtpd(config)).max();
    let bits = 8_000.0 * config.packet.as_f64();
    let seconds = longest.unwrap_or_default().max(Span::from_micros(10)).as_secs_f64();
    Rate::from_bps_f64(bits / seconds)
}

/// Whether a law may move the weights of classes at some link.
fn moves_weights(config: &Config) -> bool {
    config.links.iter().any(|link| link.weighing_law().is_some())
}

/// Whether some flows of the run do.
fn needs_handshake(config: &Config, law: &Law) -> bool {
    let own = config.groups.iter().map(|group| group.protocol.unwrap_or(law.name));
    own.into_iter().any(|name| law.parameters.protocol(name).needs_handshake())
}

/// The protocols whose routers decide once per round trip, or more often.
const EACH_ROUND_TRIP: [ProtocolName; 4] =
    [ProtocolName::Rcp, ProtocolName::Ncp, ProtocolName::AlphaFair, ProtocolName::Ledger];

/// Whether some router law of the run does.
fn decides_each_round_trip(config: &Config, law: &Law) -> bool {
    let laws = config.links.iter().flat_map(|link| link.router.all());
    let of_links = laws.map(|own| match *own {
        LinkLaw::Of(name) => name,
        LinkLaw::OfRun | LinkLaw::None => law.name,
    });
    of_links.into_iter().any(|name| EACH_ROUND_TRIP.contains(&name))
}

/// Limits a run to 5000 round trips.
fn scale(config: &mut Config) {
    let round_trip = |paths: &Paths| {
        let (out, back) = (paths.out.of_flow(0), paths.back.of_flow(0));
        let links = out.iter().chain(&*back).map(|&id| &config.links[id]);
        links
            .fold(Span::ZERO, |sum, link| sum + link.delay + link.capacity.time_for(config.control))
    };
    let min =
        routes(config).iter().flat_map(RouteEpochs::all).map(round_trip).min().unwrap_or(Span::MAX);
    let part = (min * 5_000).as_secs_f64() / config.stop.as_secs_f64();
    if part < 1.0 {
        let shorter = |time: Time| Time::ZERO + Span::from_secs_f64(time.as_secs_f64() * part);
        (config.warm_up, config.stop) = (shorter(config.warm_up), shorter(config.stop));
        config.limit = shorter(config.limit).max(config.stop);
    }
}

/// Long flows stop once they could have sent all that they may, at the rate they request or that of the
/// fastest of the paths that they take.
fn stop_long_flows(config: &mut Config, seeds: &[Seed], law: &Law) {
    let routes = routes(config);
    for (group, (seed, routes)) in seeds.iter().zip(&routes).enumerate() {
        let Some(packets) = seed.long_packets() else { continue };
        let opening = routes.first().rtpd(config);
        let protocol = config.groups[group].protocol.unwrap_or(law.name);
        let fastest = |long: &Long| {
            let of_paths =
                |paths| (0..long.count).filter_map(|index| slowest(config, paths, index)).max();
            let of_flows = routes.all().filter_map(of_paths).max();
            of_flows.max(law.parameters.protocol(protocol).desired_rate()).unwrap_or(Rate::MAX)
        };
        if let Traffic::Long(mut long) = config.groups[group].traffic.clone() {
            let time = fastest(&long).time_for(config.packet) * packets;
            long.spacing = long.spacing.min(time / long.count);
            long.within = long.within.map(|within| within.min(time));
            long.stop = long.start + long.within.unwrap_or_default() + opening + time;
            config.groups[group].traffic = Traffic::Long(long);
        }
    }
}

/// The slowest link that the data of flow `index` cross, at the highest capacity that it ever has.
fn slowest(config: &Config, paths: &Paths, index: u64) -> Option<Rate> {
    let links = match paths.out.spray() {
        1 => paths.out.of_flow(index),
        _ => paths.out.links(),
    };
    links.iter().map(|&id| config.links[id].highest_capacity()).min()
}

fn routes(config: &Config) -> Vec<RouteEpochs> {
    RouteEpochs::of(config).expect("a strongly connected graph has every path")
}
