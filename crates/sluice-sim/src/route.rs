//! Paths: given explicitly, or the lowest-delay ones.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use sluice_units::{Fault, Rate, Span};

use crate::check::ConfigError;
use crate::config::{Config, GroupConfig, LinkConfig, LinkId, NodeId};
use crate::traffic::TrafficContext;

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
    ///
    /// # Errors
    ///
    /// Every path that is broken or cannot be found.
    pub fn of(config: &Config) -> Result<Vec<Self>, ConfigError> {
        let mut routes = Routes::new(config.nodes, &config.links);
        let mut paths = Vec::with_capacity(config.groups.len());
        ConfigError::of(|faults| {
            for (place, group) in config.groups.iter().enumerate() {
                match routes.paths(group) {
                    Ok(found) => paths.push(found),
                    Err(Fault { field, what }) => {
                        faults.add(&format!("groups[{place}].{field}"), what);
                    }
                }
            }
        })?;
        Ok(paths)
    }

    /// Least capacity on the data path.
    pub fn capacity(&self, config: &Config) -> Rate {
        let capacities = self.out.iter().map(|&link| config.links[link].capacity);
        capacities.min().unwrap_or(Rate::MAX)
    }

    /// The context of a group that shares its traffic model with no other.
    pub(crate) fn traffic_context(&self, config: &Config) -> TrafficContext {
        let payload = config.packet - config.header;
        TrafficContext { payload, capacity: self.capacity(config), pair: 0, pairs: 1 }
    }

    /// Round-trip propagation delay.
    pub fn rtpd(&self, config: &Config) -> Span {
        let links = self.out.iter().chain(&self.back);
        links.map(|&link| config.links[link].delay).fold(Span::ZERO, |sum, delay| sum + delay)
    }
}

/// Finds the paths of groups in a network.
///
/// Most hosts are leaves, which have one link to an inner node and one back. Only a leaf's own paths
/// pass it, so paths are searched between inner nodes only, and each of these paths once. A dumbbell
/// of thousands of hosts has one path each way to search.
#[derive(Clone, Debug)]
pub struct Routes<'a> {
    links: &'a [LinkConfig],
    /// The links into and out of each leaf.
    leaves: Vec<Option<(LinkId, LinkId)>>,
    /// The links that leave each node, but for those to leaves.
    inner: Vec<Vec<LinkId>>,
    /// Paths between inner nodes found so far.
    known: BTreeMap<(NodeId, NodeId), Option<Vec<LinkId>>>,
}

impl<'a> Routes<'a> {
    /// A network of `nodes` nodes and these links, whose ends must be among them.
    pub fn new(nodes: usize, links: &'a [LinkConfig]) -> Self {
        let mut leaving = vec![Vec::new(); nodes];
        let mut entering = vec![Vec::new(); nodes];
        for (id, link) in links.iter().enumerate() {
            leaving[link.from].push(id);
            entering[link.to].push(id);
        }
        let leaf =
            |(entering, leaving): (&Vec<LinkId>, &Vec<LinkId>)| match (&entering[..], &leaving[..])
            {
                (&[enters], &[leaves]) if links[enters].from == links[leaves].to => {
                    Some((enters, leaves))
                }
                _ => None,
            };
        let leaves: Vec<_> = entering.iter().zip(&leaving).map(leaf).collect();
        for ids in &mut leaving {
            ids.retain(|&id| leaves[links[id].to].is_none());
        }
        Self { links, leaves, inner: leaving, known: BTreeMap::new() }
    }

    /// The paths of a group, whose nodes are in the network.
    ///
    /// # Errors
    ///
    /// The group's `path` or `back` if it is broken, or if no path is given and none exists.
    pub fn paths(&mut self, group: &GroupConfig) -> Result<Paths, Fault> {
        let fault = |field: &str| {
            let field = field.to_owned();
            move |what| Fault { field, what }
        };
        let out = self.path(&group.path, group.from, group.to).map_err(fault("path"))?;
        let back = self.path(&group.back, group.to, group.from).map_err(fault("back"))?;
        Ok(Paths { out, back })
    }

    fn path(
        &mut self,
        given: &Option<Vec<LinkId>>,
        from: NodeId,
        to: NodeId,
    ) -> Result<Vec<LinkId>, String> {
        match given {
            Some(given) => follow(self.links, given, from, to),
            None => self
                .min_delay(from, to)
                .ok_or_else(|| format!("there is no path from node {from} to node {to}")),
        }
    }

    /// The lowest-delay path.
    fn min_delay(&mut self, from: NodeId, to: NodeId) -> Option<Vec<LinkId>> {
        let first = self.leaves[from].map(|(_, leaves)| leaves);
        let begin = first.map_or(from, |id| self.links[id].to);
        if begin == to {
            return Some(first.into_iter().collect());
        }
        let last = self.leaves[to].map(|(enters, _)| enters);
        let end = last.map_or(to, |id| self.links[id].from);
        let Self { links, inner, known, .. } = self;
        let between = known.entry((begin, end)).or_insert_with(|| search(links, inner, begin, end));
        Some(first.into_iter().chain(between.iter().flatten().copied()).chain(last).collect())
            .filter(|_| between.is_some())
    }
}

fn follow(
    links: &[LinkConfig],
    given: &[LinkId],
    from: NodeId,
    to: NodeId,
) -> Result<Vec<LinkId>, String> {
    let mut at = from;
    for &link in given {
        let Some(hop) = links.get(link) else {
            return Err(format!("there is no link {link}"));
        };
        if hop.from != at {
            let begin = hop.from;
            return Err(format!(
                "link {link} begins at node {begin}, but the one before ends at {at}"
            ));
        }
        at = hop.to;
    }
    if at != to {
        return Err(format!("must end at node {to}, not {at}"));
    }
    Ok(given.to_vec())
}

/// Dijkstra over delay; ties by number of links, then by the lower link number.
fn search(
    links: &[LinkConfig],
    leaving: &[Vec<LinkId>],
    from: NodeId,
    to: NodeId,
) -> Option<Vec<LinkId>> {
    let mut best = vec![(Span::MAX, usize::MAX); leaving.len()];
    let mut via = vec![usize::MAX; leaving.len()];
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
            let link = &links[id];
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
        at = links[id].from;
    }
    path.reverse();
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn link((from, to, delay): (usize, usize, u64)) -> LinkConfig {
        let delay = Span::from_nanos(delay);
        LinkConfig { delay, ..LinkConfig::new(from, to, Rate::from_bps(1_000_000)) }
    }

    proptest! {
        /// Paths are the same as if all nodes were searched each time.
        #[test]
        fn leaves_change_no_path(
            ends in prop::collection::vec((0_usize..9, 0_usize..9, 1_u64..4), 0..20),
            both_ways: bool,
        ) {
            let ends = ends.into_iter().filter(|(from, to, _)| from != to);
            let ends: Vec<_> = ends
                .flat_map(|(from, to, delay)| {
                    [(from, to, delay), (to, from, delay)].into_iter().take(1 + usize::from(both_ways))
                })
                .collect();
            let links: Vec<LinkConfig> = ends.into_iter().map(link).collect();
            let mut leaving = vec![Vec::new(); 9];
            for (id, link) in links.iter().enumerate() {
                leaving[link.from].push(id);
            }
            let mut routes = Routes::new(9, &links);
            for (from, to) in (0..9).flat_map(|from| (0..9).map(move |to| (from, to))) {
                if from != to {
                    let plain = search(&links, &leaving, from, to);
                    prop_assert_eq!(routes.min_delay(from, to), plain, "{} to {}", from, to);
                }
            }
        }
    }
}
