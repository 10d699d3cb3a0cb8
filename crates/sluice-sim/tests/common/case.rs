//! A random case: network, traffic, times, and the protocol to run it under.

use proptest::prelude::*;
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, FlowProbe, LinkProbe, Paths};
use sluice_units::{Bytes, Rate, Span, Time};

use super::laws::{Law, law};
use super::network::{Network, Quality, network};
use super::traffic::{Seed, seeds};

/// A run that can be made.
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
    (network(quality), seeds(sized), frame(), law()).prop_map(|(network, seeds, frame, law)| {
        let mut config = frame;
        config.nodes = network.nodes;
        config.links = network.links.clone();
        let law = in_bounds(law, &config);
        config.groups = seeds
            .iter()
            .enumerate()
            .map(|(i, seed)| seed.group(format!("group-{i}"), &network, &config))
            .collect();
        shorten(&mut config, &network, &seeds);
        config.link_probes.retain(|probe| probe.link < config.links.len());
        config.flow_probes.retain(|probe| probe.group < config.groups.len());
        Case { config, law }
    })
}

/// Everything but network and groups.
fn frame() -> impl Strategy<Value = Config> {
    let sizes = prop::sample::select(&[(1000, 0, 40), (1500, 40, 40), (1, 0, 1), (500, 20, 900)][..]);
    let times = (-3.0..1.3, prop_oneof![Just(0.0), 0.0..1.0], prop_oneof![Just(1.0), 1.0..4.0]);
    let probes = (prop::option::of(0_usize..20), prop::option::of((0_usize..6, 0_u64..3)));
    (sizes, times, probes, any::<u64>()).prop_map(
        |((packet, header, control), (length, warm, more), (link, flow), seed)| {
            let seconds = libm::pow(10.0, length);
            let at = |part: f64| Time::ZERO + Span::from_secs_f64(seconds * part);
            let every = Span::from_secs_f64(seconds / 37.0);
            Config {
                nodes: 0,
                links: Vec::new(),
                groups: Vec::new(),
                packet: Bytes::new(packet),
                header: Bytes::new(header),
                control: Bytes::new(control),
                seed,
                warm_up: at(warm),
                stop: at(1.0),
                limit: at(more),
                lookahead: true,
                link_probes: link.map(|link| LinkProbe { link, every }).into_iter().collect(),
                flow_probes: flow
                    .map(|(group, index)| FlowProbe { group, index, every })
                    .into_iter()
                    .collect(),
            }
        },
    )
}

/// Senders without a router on their path ask for no more than their network's median capacity.
fn in_bounds(law: Law, config: &Config) -> Law {
    let mut rates: Vec<Rate> = config.links.iter().map(|link| link.capacity).collect();
    rates.sort_unstable();
    if config.links.iter().all(|link| link.router) { law } else { law.at_most(rates[rates.len() / 2]) }
}

/// Keeps the number of packets and of control decisions down: long flows stop after so many
/// packets, and the run after so many round trips.
fn shorten(config: &mut Config, _network: &Network, seeds: &[Seed]) {
    let paths = Paths::of(config).expect("there are paths");
    let mut least = Span::from_millis(50);
    for ((group, seed), paths) in seeds.iter().enumerate().zip(&paths) {
        let links = || paths.out.iter().chain(&paths.back).map(|&id| &config.links[id]);
        let rtpd = paths.rtpd(config);
        let control = |rate: Rate| rate.time_for(config.control);
        least = least.min(links().fold(rtpd, |sum, link| sum + control(link.capacity)));
        let slowest = paths.out.iter().map(|&id| config.links[id].capacity).min();
        let takes = slowest.unwrap_or(Rate::MAX).time_for(config.packet);
        let Some(packets) = seed.long_packets() else { continue };
        if let Traffic::Long(long) = &mut config.groups[group].traffic {
            let last = long.start + long.spacing * (long.count - 1);
            long.stop = last + rtpd + takes * packets;
        }
    }
    let most = (least * 20_000).max_of(Span::from_millis(1));
    let longest = config.stop.since(Time::ZERO);
    let _ = (most, longest);
}
