//! Paths: the links between the nodes that a scenario lists, or those of least delay.

use sluice_sim::{GroupConfig, LinkId, Paths, Reroute, Routes, WeightedPath};
use sluice_units::Rate;

use crate::scenario::topology::Network;
use crate::scenario::{Group, PathChange, Problems, WeightedNodes, list, suggest};

/// The node of that name, or a problem that suggests the nearest one.
pub(super) fn node(
    name: &str,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Option<usize> {
    let node = network.node(name);
    if node.is_none() {
        let names = network.nodes.iter().map(String::as_str);
        problems.field_help(field, format!("unknown node `{name}`"), suggest(name, names));
    }
    node
}

/// The links between the nodes of a path, which must begin and end where the flows do.
pub(super) fn links(
    path: &Option<Vec<String>>,
    field: &str,
    (from, to): (usize, usize),
    network: &Network,
    problems: &mut Problems,
) -> Option<Vec<LinkId>> {
    let names = path.as_ref()?;
    let nodes: Option<Vec<usize>> =
        names.iter().map(|name| node(name, field, network, problems)).collect();
    let nodes = nodes?;
    if nodes.first() != Some(&from) || nodes.last() != Some(&to) {
        let (from, to) = (&network.nodes[from], &network.nodes[to]);
        problems.field(field, format!("the path must lead from `{from}` to `{to}`"));
        return None;
    }
    let twin = nodes.iter().enumerate().find(|(i, node)| nodes[..*i].contains(node));
    if let Some((_, &node)) = twin {
        let what = format!("the path visits `{}` twice", network.nodes[node]);
        problems.field_help(field, what, "a path visits each node at most once");
        return None;
    }
    let hops = nodes.windows(2).map(|hop| {
        let link = network.link(hop[0], hop[1]);
        if link.is_none() {
            let (a, b) = (&network.nodes[hop[0]], &network.nodes[hop[1]]);
            let what = format!("no link from `{a}` to `{b}`");
            problems.field_help(field, what, neighbours(hop[0], network));
        }
        link
    });
    hops.collect()
}

/// The links of a group's `paths`; none with problems.
pub(super) fn weighted_paths(
    group: &Group,
    field: &str,
    ends: (usize, usize),
    network: &Network,
    problems: &mut Problems,
) -> Vec<WeightedPath> {
    let Some(given) = &group.paths else { return Vec::new() };
    if given.is_empty() {
        problems.field(format!("{field}.paths"), "`paths` is empty: name at least one");
    }
    let mut path = |(place, given): (usize, &WeightedNodes)| {
        let field = format!("{field}.paths[{place}].path");
        let path = links(&Some(given.path.clone()), &field, ends, network, problems)?;
        Some(WeightedPath { path, weight: given.weight })
    };
    let found: Option<Vec<WeightedPath>> = given.iter().enumerate().map(&mut path).collect();
    found.unwrap_or_default()
}

/// The links of a group's changes of paths; none with problems.
pub(super) fn reroutes(
    group: &Group,
    field: &str,
    (from, to): (usize, usize),
    network: &Network,
    problems: &mut Problems,
) -> Vec<Reroute> {
    let found = problems.0.len();
    let mut links = |path: &Option<Vec<String>>, field: String, ends| {
        links(path, &field, ends, network, problems)
    };
    let change = |(place, change): (usize, &PathChange)| {
        let field = format!("{field}.reroute[{place}]");
        let path = links(&change.path, format!("{field}.path"), (from, to));
        let back = links(&change.back, format!("{field}.back"), (to, from));
        Reroute { at: change.at, path, back }
    };
    let changes = group.reroute.iter().enumerate().map(change).collect();
    if problems.0.len() > found { Vec::new() } else { changes }
}

/// "links from `left` lead to `s0`, `right`".
pub(super) fn neighbours(node: usize, network: &Network) -> String {
    let leaving = network.links.iter().filter(|link| link.from == node);
    let names: Vec<&str> = leaving.map(|link| network.nodes[link.to].as_str()).collect();
    let name = &network.nodes[node];
    if names.is_empty() {
        return format!("no links leave `{name}`");
    }
    format!("links from `{name}` lead to {}", list(names))
}

/// The paths of a group, and the rate that they carry together.
pub(super) fn route(
    routes: &mut Routes<'_>,
    group: &GroupConfig,
    seed: u64,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Option<(Paths, Rate)> {
    let fault = match routes.paths(group, seed) {
        Ok(paths) => {
            let capacity = paths.out.capacity(&network.links);
            return Some((paths, capacity));
        }
        Err(fault) => fault,
    };
    let stated = ["routing", "paths", "reroute"];
    if stated.iter().any(|field| fault.field.starts_with(field)) {
        problems.field(format!("{field}.{}", fault.field), fault.what);
    } else {
        let (from, to) = (&network.nodes[group.from], &network.nodes[group.to]);
        let what = format!("no path from `{from}` to `{to}` and back");
        problems.field_help(field, what, "data need a path there, acknowledgements a path back");
    }
    None
}
