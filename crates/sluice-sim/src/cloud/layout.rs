//! The macro-flows of a run, which follow from its clouds and paths.

use std::collections::BTreeSet;
use std::ops::Range;

use sluice_units::Faults;

use super::config::{CloudConfig, check_xcp};
use crate::check::ConfigError;
use crate::config::{Config, GroupConfig, LinkId, NodeId};
use crate::link_laws::LinkLaws;
use crate::packet::FlowKey;
use crate::route::{RouteEpochs, Ways};

/// A macro-flow: all flows through a cloud on one path that are of one kind.
#[derive(Clone, Debug)]
pub(crate) struct MacroFlow {
    /// Place of its cloud in [`Config::clouds`].
    pub(crate) cloud: usize,
    pub(crate) ingress: NodeId,
    pub(crate) egress: NodeId,
    /// The path of its packets through the cloud; the first link has its queue.
    pub(crate) out: Ways,
    /// That of the control packets that the egress returns.
    pub(crate) back: Ways,
    /// Whether its flows do not respond to congestion; never so in a mixed cloud.
    pub(crate) unresponsive: bool,
    /// Its place among the macro-flows of its first link.
    pub(crate) place: u32,
}

impl MacroFlow {
    /// The links of its path.
    pub(crate) fn links(&self) -> &[LinkId] {
        self.out.only().unwrap_or_default()
    }
}

impl Config {
    /// Checks its clouds against the paths of its groups, which [`crate::run`] does as well.
    ///
    /// # Errors
    ///
    /// Faults of paths, or all of clouds: without a path between two edges, with a link of another cloud or with a
    /// router law of its own, and crossed on several paths or in one direction only; parameters of XCP that no cloud
    /// can have.
    pub fn check_clouds(&self) -> Result<(), ConfigError> {
        if self.clouds.is_empty() {
            return Ok(());
        }
        MacroFlows::of(self, &RouteEpochs::of(self)?).map(|_| ())
    }
}

impl Config {
    /// The links of its clouds; none if its paths or clouds have faults.
    pub fn core_links(&self) -> BTreeSet<LinkId> {
        if self.clouds.is_empty() {
            return BTreeSet::new();
        }
        let macro_flows = RouteEpochs::of(self).and_then(|routes| MacroFlows::of(self, &routes));
        let links = macro_flows
            .map(|found| found.all.iter().flat_map(|flow| flow.links().iter().copied()).collect());
        links.unwrap_or_default()
    }
}

/// The way of a control packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Out,
    Back,
}

/// The macro-flows of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct MacroFlows {
    clouds: Vec<CloudConfig>,
    all: Vec<MacroFlow>,
    /// For each link, whether it is in the core of a cloud; empty without clouds.
    core: Vec<bool>,
    /// The streams of the run, after which control packets are numbered.
    streams: u32,
}

impl MacroFlows {
    /// Those of `config`, whose groups have these routes.
    ///
    /// # Errors
    ///
    /// Clouds without a path between two edges, that share a link, or whose links have laws of their own; groups
    /// that cross one on several paths, or whose way back does not.
    pub(crate) fn of(config: &Config, routes: &[RouteEpochs]) -> Result<Self, ConfigError> {
        let mut found = Self { clouds: config.clouds.clone(), ..Self::default() };
        if found.clouds.is_empty() {
            return Ok(found);
        }
        found.core = vec![false; config.links.len()];
        ConfigError::of(|faults| {
            faults.inside("xcp", |faults| check_xcp(&config.parameters.xcp, faults));
            for cloud in 0..config.clouds.len() {
                let before = found.all.len();
                let refused = found.add_cloud(config, routes, cloud, faults);
                faults.inside(&format!("clouds[{cloud}]"), |faults| {
                    let crossed = refused || found.all.len() > before;
                    faults.need(
                        crossed,
                        "edges",
                        "no path of a group leads from one edge to another",
                    );
                    found.add_core(config, before, faults);
                });
            }
        })?;
        Ok(found)
    }

    /// Adds the macro-flows of a cloud. Returns whether some group cannot cross it, with the reasons in `faults`.
    fn add_cloud(
        &mut self,
        config: &Config,
        routes: &[RouteEpochs],
        cloud: usize,
        faults: &mut Faults,
    ) -> bool {
        let mut refused = false;
        for (number, (group, epochs)) in config.groups.iter().zip(routes).enumerate() {
            let paths = epochs.first();
            let (Some(out), Some(back), []) = (paths.out.only(), paths.back.only(), epochs.later())
            else {
                let crosses = |ways: &Ways| self.is_crossed(config, cloud, ways);
                if epochs.all().any(|paths| crosses(&paths.out) || crosses(&paths.back)) {
                    refused = true;
                    let (field, what) = several_paths(group, !epochs.later().is_empty());
                    let field = match field {
                        "reconvergence" => field.into(),
                        field => format!("groups[{number}].{field}"),
                    };
                    faults.add(&field, what);
                }
                continue;
            };
            let streams = group.traffic.udp().is_some();
            for (path, other) in [(out, back), (back, out)] {
                let (Some(own), false) = (self.part(config, cloud, path), streams && path == back)
                else {
                    continue;
                };
                let (from, to) = ends(config, &path[own.clone()]);
                let Some(returns) = between(config, other, (to, from)) else {
                    let what = format!(
                        "the paths of group `{}` cross a cloud one way, but not back between the same edges: \
                         control packets cannot return",
                        group.name
                    );
                    faults.inside(&format!("groups[{number}]"), |faults| faults.add("back", what));
                    refused = true;
                    continue;
                };
                let unresponsive = streams && !config.clouds[cloud].mixed;
                self.add(config, (cloud, unresponsive), &path[own], &other[returns]);
            }
        }
        refused
    }

    /// Whether some of these ways lead from one edge of a cloud to another.
    fn is_crossed(&self, config: &Config, cloud: usize, ways: &Ways) -> bool {
        if let Some(paths) = ways.given() {
            return paths.into_iter().any(|path| self.part(config, cloud, path).is_some());
        }
        let is_edge = |node: NodeId| self.clouds[cloud].edges.contains(&node);
        let mut hops = Vec::new();
        ways.visit(&mut |before, next| hops.push((before, next)));
        let links = ways.links();
        // Links behind an edge.
        let mut inside: BTreeSet<LinkId> =
            links.iter().copied().filter(|&id| is_edge(config.links[id].from)).collect();
        let mut more = true;
        while more {
            let behind =
                hops.iter().filter(|(before, _)| before.is_some_and(|id| inside.contains(&id)));
            let behind: Vec<LinkId> = behind.filter_map(|&(_, next)| next).collect();
            let known = inside.len();
            inside.extend(behind);
            more = inside.len() > known;
        }
        inside.into_iter().any(|id| is_edge(config.links[id].to))
    }

    /// Adds the links of the macro-flows from number `first` on, those of one cloud, to the core.
    fn add_core(&mut self, config: &Config, first: usize, faults: &mut Faults) {
        let core: Vec<LinkId> =
            self.all[first..].iter().flat_map(|flow| flow.links().iter().copied()).collect();
        let shared = core.iter().any(|&link| self.core[link]);
        faults.need(!shared, "edges", "a link between them is in another cloud");
        let is_free = |&link: &LinkId| match config.links[link].router {
            LinkLaws::Whole(law) => law.own().is_none(),
            LinkLaws::Classes(_) => false,
        };
        let what = "a link between them has a `router` of its own: links of a cloud run XCP";
        faults.need(core.iter().all(is_free), "edges", what);
        core.into_iter().for_each(|link| self.core[link] = true);
    }

    fn add(
        &mut self,
        config: &Config,
        (cloud, unresponsive): (usize, bool),
        path: &[LinkId],
        back: &[LinkId],
    ) {
        if self.find(cloud, path, unresponsive).is_some() {
            return;
        }
        let (ingress, egress) = ends(config, path);
        let place = self.at(path[0]).count() as u32;
        let (out, back) = (Ways::one(path.to_vec()), Ways::one(back.to_vec()));
        self.all.push(MacroFlow { cloud, ingress, egress, out, back, unresponsive, place });
    }

    fn find(&self, cloud: usize, path: &[LinkId], unresponsive: bool) -> Option<&MacroFlow> {
        self.all.iter().find(|flow| {
            flow.cloud == cloud && flow.unresponsive == unresponsive && flow.links() == path
        })
    }

    /// The part of a path between the first edge of a cloud on it and the last.
    fn part(&self, config: &Config, cloud: usize, path: &[LinkId]) -> Option<Range<usize>> {
        let edge = |node| self.clouds[cloud].edges.contains(&node);
        let first = path.iter().position(|&id| edge(config.links[id].from))?;
        let last = path.iter().rposition(|&id| edge(config.links[id].to))?;
        (first <= last).then_some(first..last + 1)
    }

    /// All of them, in the order in which groups need them.
    pub(crate) fn all(&self) -> &[MacroFlow] {
        &self.all
    }

    /// Those whose queues are at a link, in the order of their places.
    pub(crate) fn at(&self, link: LinkId) -> impl Iterator<Item = &MacroFlow> {
        self.all.iter().filter(move |flow| flow.links().first() == Some(&link))
    }

    /// The cloud of a macro-flow.
    pub(crate) fn cloud(&self, flow: &MacroFlow) -> &CloudConfig {
        &self.clouds[flow.cloud]
    }

    /// Whether a link is in the core of a cloud.
    pub(crate) fn is_core(&self, link: LinkId) -> bool {
        self.core.get(link).is_some_and(|&core| core)
    }

    /// For each link of a path where packets join a macro-flow, its place there; `unresponsive` is whether their source
    /// does not respond to congestion.
    pub(crate) fn along(
        &self,
        config: &Config,
        unresponsive: bool,
        path: &[LinkId],
    ) -> Vec<(usize, u32)> {
        let of = |(cloud, own): (usize, &CloudConfig)| {
            let part = self.part(config, cloud, path)?;
            let unresponsive = unresponsive && !own.mixed;
            let flow = self.find(cloud, &path[part.clone()], unresponsive)?;
            Some((part.start, flow.place))
        };
        self.clouds.iter().enumerate().filter_map(of).collect()
    }

    /// The same macro-flows in a run of that many streams of datagrams.
    pub(crate) fn after_streams(self, streams: usize) -> Self {
        Self { streams: streams as u32, ..self }
    }

    /// Names the control packets of a macro-flow, by its place among all, in one direction.
    pub(crate) fn key(&self, flow: usize, direction: Direction) -> FlowKey {
        let back = u32::from(direction == Direction::Back);
        FlowKey::of_stream(self.streams + 2 * flow as u32 + back)
    }

    /// The macro-flow and direction of a control packet; `None` of any other packet.
    pub(crate) fn of_control(&self, key: FlowKey) -> Option<(usize, Direction)> {
        let number = key.stream()?.checked_sub(self.streams)?;
        let direction = if number % 2 == 0 { Direction::Out } else { Direction::Back };
        Some((number as usize / 2, direction))
    }
}

/// Why a group cannot cross a cloud on its paths, which are several or change, and the field at fault.
fn several_paths(group: &GroupConfig, change: bool) -> (&'static str, String) {
    let name = &group.name;
    if !group.reroute.is_empty() {
        let what = format!(
            "group `{name}` crosses a cloud, in which a macro-flow keeps to one path: remove `reroute`"
        );
        return ("reroute", what);
    }
    if change {
        let what = format!(
            "paths of group `{name}` across a cloud would change, but a macro-flow keeps to one: set the group's \
             `path`, or remove `reconvergence`"
        );
        return ("reconvergence", what);
    }
    let (field, remedy) = match group.paths.is_empty() {
        true => ("routing", "set `routing = \"single\"`, or `path`"),
        false => ("paths", "set `path` instead"),
    };
    let what = format!(
        "group `{name}` crosses a cloud on several paths, but a macro-flow has one: {remedy}"
    );
    (field, what)
}

/// The nodes where a path begins and ends.
fn ends(config: &Config, path: &[LinkId]) -> (NodeId, NodeId) {
    let (first, last) = (path[0], path[path.len() - 1]);
    (config.links[first].from, config.links[last].to)
}

/// The part of a path from one node to another.
fn between(config: &Config, path: &[LinkId], (from, to): (NodeId, NodeId)) -> Option<Range<usize>> {
    let first = path.iter().position(|&id| config.links[id].from == from)?;
    let last = path.iter().rposition(|&id| config.links[id].to == to)?;
    (first <= last).then_some(first..last + 1)
}
