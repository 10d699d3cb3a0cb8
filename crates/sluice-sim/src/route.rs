//! Paths: as given, or of least delay.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sluice_units::Span;

use crate::check::ConfigError;
use crate::config::{Config, Group, LinkId, NodeId};

/// The two paths of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Links from the source to the destination.
    pub out: Vec<LinkId>,
    /// Links back.
    pub back: Vec<LinkId>,
}

impl Paths {
    /// The paths of every group of `config`, in their order.
    pub fn of(config: &Config) -> Result<Vec<Self>, ConfigError> {
        config.groups.iter().map(|group| Self::of_group(config, group)).collect()
    }

    fn of_group(config: &Config, group: &Group) -> Result<Self, ConfigError> {
        let path = |given: &Option<Vec<LinkId>>, from, to| match given {
            Some(links) => follow(config, group, links, from, to),
            None => least_delay(config, from, to).ok_or_else(|| {
                ConfigError::group(group, format!("no path leads from node {from} to node {to}"))
            }),
        };
        Ok(Self {
            out: path(&group.path, group.from, group.to)?,
            back: path(&group.back, group.to, group.from)?,
        })
    }

    /// Round-trip propagation delay.
    pub fn rtpd(&self, config: &Config) -> Span {
        let links = self.out.iter().chain(&self.back);
        links.map(|&link| config.links[link].delay).fold(Span::ZERO, |sum, delay| sum + delay)
    }
}

fn follow(
    config: &Config,
    group: &Group,
    links: &[LinkId],
    from: NodeId,
    to: NodeId,
) -> Result<Vec<LinkId>, ConfigError> {
    let mut at = from;
    for &link in links {
        let Some(hop) = config.links.get(link) else {
            return Err(ConfigError::group(
                group,
                format!("its path names link {link}: none such"),
            ));
        };
        if hop.from != at {
            return Err(ConfigError::group(
                group,
                format!("its path breaks: link {link} begins at node {}, not {at}", hop.from),
            ));
        }
        at = hop.to;
    }
    if at != to {
        return Err(ConfigError::group(group, format!("its path ends at node {at}, not {to}")));
    }
    Ok(links.to_vec())
}

/// Dijkstra over delay; ties by number of links, then by the lower link number.
fn least_delay(config: &Config, from: NodeId, to: NodeId) -> Option<Vec<LinkId>> {
    let mut leaving = vec![Vec::new(); config.nodes];
    for (id, link) in config.links.iter().enumerate() {
        leaving[link.from].push(id);
    }
    let mut best = vec![(Span::MAX, usize::MAX); config.nodes];
    let mut via = vec![usize::MAX; config.nodes];
    let mut heap = BinaryHeap::from([Reverse((Span::ZERO, 0, from))]);
    best[from] = (Span::ZERO, 0);
    while let Some(Reverse((delay, hops, node))) = heap.pop() {
        if node == to {
            break;
        }
        if (delay, hops) > best[node] {
            continue;
        }
        for &id in &leaving[node] {
            let link = &config.links[id];
            let reached = (delay + link.delay, hops + 1);
            if reached < best[link.to] {
                best[link.to] = reached;
                via[link.to] = id;
                heap.push(Reverse((reached.0, reached.1, link.to)));
            }
        }
    }
    let mut path = Vec::new();
    let mut at = to;
    while at != from {
        let id = *via.get(at).filter(|&&id| id != usize::MAX)?;
        path.push(id);
        at = config.links[id].from;
    }
    path.reverse();
    Some(path)
}
