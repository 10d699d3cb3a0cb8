//! Paths: given explicitly, or those of least delay.

mod direction;
mod epochs;
mod hash;
mod least;
mod table;
mod ways;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sluice_units::{Fault, Rate, Span, Time};

use crate::check::ConfigError;
use crate::config::{Config, GroupConfig, LinkConfig, LinkId, NodeId, Routing, WeightedPath};
use crate::limits;
use crate::rng::Streams;
use crate::traffic::TrafficContext;

use direction::Direction;
pub use epochs::RouteEpochs;
use hash::FlowHash;
use least::LeastPaths;
use table::{HopTable, LinkGraph};
use ways::LinkWeights;
pub use ways::Ways;
pub(crate) use ways::delay;

/// The paths of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// From the source to the destination.
    pub out: Ways,
    /// Back.
    pub back: Ways,
}

impl Paths {
    /// The paths of every group of `config`, in their order; of routes that change ([`RouteEpochs`]), those
    /// before any change.
    ///
    /// # Errors
    ///
    /// Every path that is broken or cannot be found.
    pub fn of(config: &Config) -> Result<Vec<Self>, ConfigError> {
        let mut routes = Routes::new(config.nodes, &config.links);
        let mut paths = Vec::with_capacity(config.groups.len());
        ConfigError::of(|faults| {
            for (place, group) in config.groups.iter().enumerate() {
                match routes.paths(group, config.seed) {
                    Ok(found) => paths.push(found),
                    Err(Fault { field, what }) => {
                        faults.add(&format!("groups[{place}].{field}"), what);
                    }
                }
            }
        })?;
        Ok(paths)
    }

    /// The highest rate of data at which no link of theirs gets more than its capacity, if flows spread
    /// as hashes do on average; of a single path, its least capacity, or half of that of a link crossed twice.
    pub fn capacity(&self, config: &Config) -> Rate {
        self.out.capacity(&config.links)
    }

    /// The context of a group that shares its traffic model with no other.
    pub(crate) fn traffic_context(&self, config: &Config) -> TrafficContext {
        let payload = config.packet - config.header;
        TrafficContext { payload, capacity: self.capacity(config), pair: 0, pairs: 1 }
    }

    /// Whether all flows take the same path, and the same path back.
    pub fn are_single(&self) -> bool {
        self.out.only().is_some() && self.back.only().is_some()
    }

    /// Round-trip propagation delay, the largest if paths differ.
    pub fn rtpd(&self, config: &Config) -> Span {
        self.out.delay(&config.links) + self.back.delay(&config.links)
    }
}

/// Finds the paths of groups in a network.
///
/// Most hosts are leaves, which have one link to an inner node and one back. Only a leaf's own paths
/// pass it, so paths are searched between inner nodes only, for each destination once. A dumbbell of
/// thousands of hosts has one path each way to search. Paths are never listed, since a network may have
/// any number of equal ones.
#[derive(Clone, Debug)]
pub struct Routes<'a> {
    links: &'a [LinkConfig],
    /// The links into and out of each leaf.
    leaves: Vec<Option<(LinkId, LinkId)>>,
    /// All links but those to leaves.
    inner: LinkGraph,
    /// Tables made so far, by destination.
    tables: BTreeMap<NodeId, Arc<HopTable>>,
}

impl<'a> Routes<'a> {
    /// A network of `nodes` nodes and these links, whose ends must be among them.
    pub fn new(nodes: usize, links: &'a [LinkConfig]) -> Self {
        Self::without(nodes, links, &BTreeSet::new())
    }

    /// The same network, in which paths of least delay avoid the links that are `down`.
    fn without(nodes: usize, links: &'a [LinkConfig], down: &BTreeSet<LinkId>) -> Self {
        let up = || (0..links.len()).filter(|id| !down.contains(id));
        let whole = LinkGraph::new(nodes, links, up());
        let leaves: Vec<_> = (0..nodes).map(|node| whole.leaf(links, node)).collect();
        let inner = LinkGraph::new(nodes, links, up().filter(|&id| leaves[links[id].to].is_none()));
        Self { links, leaves, inner, tables: BTreeMap::new() }
    }

    /// The paths of a group, whose nodes are in the network, in a run with this seed, before any change.
    ///
    /// # Errors
    ///
    /// The group's `path`, `paths`, `back` or `reroute` if it is broken, or if no path is given and none
    /// exists; its `routing` if packets would be sprayed over more paths than [`crate::limits::SPRAYED`].
    pub fn paths(&mut self, group: &GroupConfig, seed: u64) -> Result<Paths, Fault> {
        let out = match group.paths[..] {
            [] => self.ways(group, Direction::Out, seed)?,
            _ => self.listed(group, &Streams::new(seed, &group.name))?,
        };
        let back = self.ways(group, Direction::Back, seed)?;
        self.check_reroute(group)?;
        Ok(Paths { out, back })
    }

    /// The given path, or those of least delay.
    fn ways(
        &mut self,
        group: &GroupConfig,
        direction: Direction,
        seed: u64,
    ) -> Result<Ways, Fault> {
        let (from, to) = direction.ends(group);
        let fault = |what| Fault { field: direction.field().to_owned(), what };
        if let Some(path) = direction.path(group) {
            let path = follow(self.links, path, from, to).map(|()| Ways::one(path.clone()));
            return path.map_err(fault);
        }
        let ways = self.least_ways(group, direction, seed)?;
        ways.ok_or_else(|| fault(format!("there is no path from node {from} to node {to}")))
    }

    /// The paths of least delay, if there is any.
    fn least_ways(
        &mut self,
        group: &GroupConfig,
        direction: Direction,
        seed: u64,
    ) -> Result<Option<Ways>, Fault> {
        let (from, to) = direction.ends(group);
        let Some(paths) = self.least(from, to) else { return Ok(None) };
        let hash = FlowHash::new(&Streams::new(seed, &group.name), direction.field());
        let ways = match direction.routing(group) {
            Routing::Single => Ways::one(paths.lowest()),
            Routing::Ecmp => Ways::hashed(paths, hash, LinkWeights::Equal),
            Routing::Wcmp => Ways::hashed(paths, hash, LinkWeights::Capacity),
            Routing::Spray => Ways::sprayed(paths, hash)
                .map_err(|what| Fault { field: "routing".to_owned(), what })?,
        };
        Ok(Some(ways))
    }

    fn check_reroute(&self, group: &GroupConfig) -> Result<(), Fault> {
        let mut before = Time::ZERO;
        for (place, change) in group.reroute.iter().enumerate() {
            let fault = |field: &str, what: String| {
                Err(Fault { field: format!("reroute[{place}].{field}"), what })
            };
            if change.at <= before {
                return fault("at", "times must be after 0, and rise".to_owned());
            }
            before = change.at;
            if change.path.is_none() && change.back.is_none() {
                return fault("path", "`path`, `back` or both must be given".to_owned());
            }
            for direction in [Direction::Out, Direction::Back] {
                let (from, to) = direction.ends(group);
                let path = direction.changed(change);
                if let Some(Err(what)) = path.map(|path| follow(self.links, path, from, to)) {
                    return fault(direction.field(), what);
                }
            }
        }
        Ok(())
    }

    /// The listed data paths of a group.
    fn listed(&self, group: &GroupConfig, streams: &Streams<'_>) -> Result<Ways, Fault> {
        let fault = |field: &str, what: String| Err(Fault { field: field.to_owned(), what });
        if group.path.is_some() {
            return fault("paths", "`path` and `paths` exclude each other".into());
        }
        if group.routing != Routing::Ecmp {
            return fault(
                "routing",
                "flows take one of `paths` by a hash: only `ecmp` is allowed".into(),
            );
        }
        let most = *limits::SPRAYED.end();
        if group.paths.len() as u64 > most {
            return fault("paths", format!("at most {most} paths are allowed"));
        }
        for (place, WeightedPath { path, weight }) in group.paths.iter().enumerate() {
            if let Err(what) = follow(self.links, path, group.from, group.to) {
                return fault(&format!("paths[{place}].path"), what);
            }
            let allowed = limits::PATH_WEIGHT;
            if !allowed.contains(weight) {
                let (least, most) = (allowed.start(), allowed.end());
                let what = format!("must be {least} to {most}, not {weight}");
                return fault(&format!("paths[{place}].weight"), what);
            }
        }
        Ok(Ways::listed(&group.paths, FlowHash::new(streams, "path")))
    }

    /// The links of which each is on some path of least cost between two nodes of the network; none if
    /// there is no path.
    pub fn least_links(&mut self, from: NodeId, to: NodeId) -> Vec<LinkId> {
        let mut links = BTreeSet::new();
        if let Some(paths) = self.least(from, to) {
            paths.visit(&mut |_, next| links.extend(next));
        }
        links.into_iter().collect()
    }

    /// The paths of least delay, and of these with the fewest links; `None` if there is no path.
    fn least(&mut self, from: NodeId, to: NodeId) -> Option<LeastPaths> {
        let first = self.leaves[from].map(|(_, leaves)| leaves);
        let begin = first.map_or(from, |id| self.links[id].to);
        // A leaf's only neighbour may be the destination.
        let last = self.leaves[to].map(|(enters, _)| enters).filter(|_| begin != to);
        let end = last.map_or(to, |id| self.links[id].from);
        let Self { links, inner, tables, .. } = self;
        let table = tables.entry(end).or_insert_with(|| HopTable::new(links, inner, end).into());
        table.cost(begin)?;
        Some(LeastPaths { first, begin, table: Arc::clone(table), last })
    }
}

fn follow(links: &[LinkConfig], given: &[LinkId], from: NodeId, to: NodeId) -> Result<(), String> {
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
    Ok(())
}

#[cfg(test)]
mod tests;
