//! The network of a configuration: which nodes are joined, and by which of their neighbours they reach others.

use std::collections::BTreeMap;

use sluice_sim::queue::Discipline;
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, LinkConfig, LinkId, NodeId, Paths, RouteEpochs, largest_rtpds};
use sluice_units::{BufferSize, Bytes, Limit, Ratio, Span};

use crate::address::NODES;
use crate::error::DemoError;

/// A network to lay.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// Pairs of links, one for each direction.
    pub pairs: Vec<LinkPair>,
    /// By node and destination: the neighbour on the way.
    pub hops: BTreeMap<(NodeId, NodeId), NodeId>,
    /// Room of each link's queue.
    pub buffers: Vec<Bytes>,
    /// The largest round trip of any group, without queues.
    pub rtt: Span,
}

/// Two links between the same nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkPair {
    pub there: LinkId,
    pub back: LinkId,
}

impl Layout {
    /// That of a configuration, with the names of nodes for errors, if there are any.
    pub fn of(config: &Config, names: &[String]) -> Result<Self, DemoError> {
        let routes = RouteEpochs::of(config)?;
        supported(config, names).map_err(DemoError::Unsupported)?;
        // Those that change are not supported.
        let paths: Vec<&Paths> = routes.iter().map(RouteEpochs::first).collect();
        let rtts = paths.iter().map(|paths| paths.rtpd(config));
        Ok(Self {
            pairs: pairs(&config.links, names).map_err(DemoError::Unsupported)?,
            hops: hops(config, &paths).map_err(DemoError::Unsupported)?,
            buffers: buffers(config, &routes),
            rtt: rtts.max().unwrap_or(Span::ZERO),
        })
    }
}

/// Whether a link only joins: without delay, loss, limit and law. Its capacity then counts for nothing, and it needs no
/// emulation.
pub fn is_plain(link: &LinkConfig) -> bool {
    link.delay == Span::ZERO
        && link.error == Ratio::default()
        && link.buffer == BufferSize::Unlimited
        && !link.router.runs()
}

fn supported(config: &Config, names: &[String]) -> Result<(), String> {
    if config.nodes > NODES {
        return Err(format!("{} nodes; at most {NODES} can be played", config.nodes));
    }
    if !config.clouds.is_empty() {
        return Err("clouds cannot be played".into());
    }
    let packets = Bytes::new(590)..=Bytes::new(9_014);
    if !packets.contains(&config.packet) {
        let (packet, least, most) = (config.packet, packets.start(), packets.end());
        return Err(format!("packets of {packet}; {least} to {most} can be played"));
    }
    for link in &config.links {
        let what = if link.schedule.is_some() {
            "a capacity that varies"
        } else if !matches!(link.queue, Discipline::DropTail(_)) {
            "a queue that is not `drop_tail`"
        } else if link.router.own().next().is_some() {
            "a router law of its own"
        } else if !link.losses.is_empty() || link.police.is_some() {
            "listed losses or an agent"
        } else {
            continue;
        };
        let link = link_name((link.from, link.to), names);
        return Err(format!("{link} has {what}, which cannot be played"));
    }
    for group in &config.groups {
        let what = match &group.traffic {
            Traffic::Udp(_) => "datagrams",
            Traffic::Long(long) if long.pauses.is_some() => "pauses",
            _ if group.protocol.is_some() => "a protocol of its own",
            _ if group.weight != Ratio::new(1.0) => "a weight",
            _ if group.profile.is_some() || group.conduct != Default::default() => {
                "a profile or a conduct"
            }
            _ if !group.reroute.is_empty() => "routes that change",
            _ => continue,
        };
        return Err(format!("group `{}` has {what}, which cannot be played", group.name));
    }
    Ok(())
}

fn pairs(links: &[LinkConfig], names: &[String]) -> Result<Vec<LinkPair>, String> {
    let mut by_ends: BTreeMap<(NodeId, NodeId), LinkId> = BTreeMap::new();
    for (place, link) in links.iter().enumerate() {
        if by_ends.insert((link.from, link.to), place).is_some() {
            let link = link_name((link.from, link.to), names);
            return Err(format!("{link} is there twice, which cannot be played"));
        }
    }
    if let Some(&ends) = by_ends.keys().find(|&&(from, to)| !by_ends.contains_key(&(to, from))) {
        let link = link_name(ends, names);
        return Err(format!("{link} has none back, which cannot be played"));
    }
    let first = by_ends.iter().filter(|&(&(from, to), _)| from < to);
    Ok(first.map(|(&(from, to), &there)| LinkPair { there, back: by_ends[&(to, from)] }).collect())
}

fn link_name((from, to): (NodeId, NodeId), names: &[String]) -> String {
    let name = |node: NodeId| names.get(node).cloned().unwrap_or_else(|| node.to_string());
    format!("the link from `{}` to `{}`", name(from), name(to))
}

/// The neighbours on the ways of all groups, data and acknowledgements.
fn hops(config: &Config, paths: &[&Paths]) -> Result<BTreeMap<(NodeId, NodeId), NodeId>, String> {
    let mut hops = BTreeMap::new();
    for (group, paths) in config.groups.iter().zip(paths) {
        for (ways, destination) in [(&paths.out, group.to), (&paths.back, group.from)] {
            let only = ways.only();
            let links = only.ok_or_else(|| {
                format!("group `{}` has several paths, which cannot be played", group.name)
            })?;
            for &link in links {
                let LinkConfig { from, to, .. } = config.links[link];
                if hops.insert((from, destination), to).is_some_and(|before| before != to) {
                    return Err(format!(
                        "group `{}` takes another path to its destination than a group before, which cannot be played",
                        group.name
                    ));
                }
            }
        }
    }
    Ok(hops)
}

/// Room of each link for frames, the rest of the one in transmission included, as emulated links count it. So are limits in
/// bytes; those in packets count what waits behind it.
fn buffers(config: &Config, routes: &[RouteEpochs]) -> Vec<Bytes> {
    let room = |(link, &rtt): (&LinkConfig, &Span)| match link.buffer.limit(link.capacity, rtt) {
        Limit::None => Bytes::MAX,
        Limit::Packets(count) => {
            Bytes::new(config.packet.as_u64().saturating_mul(count.saturating_add(1)))
        }
        Limit::Bytes(bytes) => bytes,
    };
    config.links.iter().zip(&largest_rtpds(config, routes)).map(room).collect()
}

#[cfg(test)]
mod tests {
    use sluice_sim::GroupConfig;
    use sluice_sim::traffic::Long;
    use sluice_units::{Rate, Time};

    use super::*;

    /// A chain of three nodes, whose second link has 10 ms and a buffer of two packets there, and a BDP back.
    fn chain() -> Config {
        let rate = Rate::from_bps(10_000_000);
        let way = |from, to, buffer| LinkConfig {
            delay: Span::from_millis(10),
            buffer,
            ..LinkConfig::new(from, to, rate)
        };
        let links = vec![
            LinkConfig::new(0, 1, rate),
            LinkConfig::new(1, 0, rate),
            way(1, 2, BufferSize::Packets(2)),
            way(2, 1, BufferSize::Bdp(Ratio::new(1.0))),
        ];
        let groups = vec![GroupConfig::new("g", 0, 2, Long::default())];
        Config::new(3, links, groups, Time::ZERO + Span::from_secs(1))
    }

    #[test]
    fn nodes_reach_others_by_neighbours_on_the_way() {
        let layout = Layout::of(&chain(), &[]).unwrap();
        assert_eq!(layout.pairs.len(), 2);
        assert_eq!(layout.pairs[1], LinkPair { there: 2, back: 3 });
        let hops: Vec<_> = layout.hops.into_iter().collect();
        assert_eq!(hops, [((0, 2), 1), ((1, 0), 0), ((1, 2), 2), ((2, 0), 1)]);
        assert_eq!(layout.rtt, Span::from_millis(20));
        // Two packets of 1000 bytes wait behind one; a BDP of 10 Mb/s and 20 ms has all.
        let buffers = layout.buffers.iter().map(|buffer| buffer.as_u64()).collect::<Vec<_>>();
        assert_eq!(buffers, [u64::MAX, u64::MAX, 3_000, 25_000]);
    }

    #[test]
    fn a_link_without_one_back_is_named() {
        let mut config = chain();
        config.links.remove(1);
        config.groups[0].back = Some(vec![2]);
        let names = ["a", "b", "c"].map(String::from);
        let error = pairs(&config.links, &names).unwrap_err();
        assert_eq!(error, "the link from `a` to `b` has none back, which cannot be played");
    }
}
