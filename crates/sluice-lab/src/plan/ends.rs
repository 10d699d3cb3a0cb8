//! Where the flows of a group go: the pairs of nodes that its fields or the rows of its file name.

use std::collections::BTreeMap;
use std::path::Path;

use sluice_sim::traffic::Listed;
use sluice_units::shortened;

use super::matrix;
use super::nodes::nodes;
use super::pair::{GroupPair, MAX_PAIRS, sharing};
use super::paths::node;
use crate::scenario::topology::{GroupHosts, Network};
use crate::scenario::{
    Direction, Group, Nodes, PairSelection, Problems, Replays, RowFaults, RowNodes, suggest,
};

/// The pairs of nodes of a group.
pub(super) fn pairs(
    group: &Group,
    field: &str,
    network: &Network,
    replays: &mut Replays<'_>,
    problems: &mut Problems,
) -> Vec<GroupPair> {
    if let Some(file) = &group.replay {
        let replay_field = format!("{field}.replay");
        match replays.has_nodes(file, &replay_field, problems) {
            None => return Vec::new(),
            Some(true) => return pairs_of_rows(group, file, field, network, replays, problems),
            Some(false) => {}
        }
    }
    ends(group, field, network, problems)
}

/// The pairs of nodes that rows of the group's file name, in the order of the network's nodes.
fn pairs_of_rows(
    group: &Group,
    file: &Path,
    field: &str,
    network: &Network,
    replays: &mut Replays<'_>,
    problems: &mut Problems,
) -> Vec<GroupPair> {
    let Some(default) = default_nodes(group, field, network, problems) else { return Vec::new() };
    let field = format!("{field}.replay");
    let Some(rows) = replays.rows(file, &group.name, &field, problems) else { return Vec::new() };
    let mut faults = RowFaults::none(&replays.path(file).display().to_string());
    let mut pairs = BTreeMap::<(usize, usize), Vec<Listed>>::new();
    for (nodes, rows) in rows {
        match ends_of_row(&nodes, default, network) {
            Ok(ends) => pairs.entry(ends).or_default().extend(rows.flows),
            Err(what) => faults.add(rows.line, what),
        }
    }
    faults.report(&field, problems);
    if pairs.len() > MAX_PAIRS {
        let pairs = pairs.len();
        problems.field(field, format!("{pairs} pairs of nodes: at most {MAX_PAIRS} are allowed"));
        return Vec::new();
    }
    let listed = |(ends, flows)| GroupPair { ends, share: (0, 1), flows: Some(flows) };
    pairs.into_iter().map(listed).collect()
}

/// The nodes of rows that do not name them: the group's `from` and `to`; `None` with problems.
fn default_nodes(
    group: &Group,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Option<(Option<usize>, Option<usize>)> {
    let help = "the file has a column `from` or `to`, for which a group has one node as default";
    for (name, is_set) in [("pairs", group.pairs.is_some()), ("rtt", group.rtt.is_some())] {
        if is_set {
            let what = format!("`{name}` and nodes in `replay` exclude each other");
            problems.field_help(format!("{field}.{name}"), what, help);
            return None;
        }
    }
    let mut default = |name: &str, nodes: &Option<Nodes>| match nodes {
        None => Some(None),
        Some(Nodes::One(named)) => {
            node(named, &format!("{field}.{name}"), network, problems).map(Some)
        }
        Some(Nodes::Several(_)) => {
            let what = format!("`{name}` is a list, and `replay` names nodes");
            problems.field_help(format!("{field}.{name}"), what, help);
            None
        }
    };
    Some((default("from", &group.from)?, default("to", &group.to)?))
}

/// The nodes of a row, or what is wrong with them.
fn ends_of_row(
    row: &RowNodes,
    (from, to): (Option<usize>, Option<usize>),
    network: &Network,
) -> Result<(usize, usize), String> {
    let end = |column, cell: &Option<String>, default: Option<usize>| match cell {
        None => default.ok_or_else(|| {
            format!("missing `{column}`: neither the row nor the group names a node")
        }),
        Some(name) => network.node(name).ok_or_else(|| {
            let name = shortened(name);
            let help = suggest(&name, network.nodes.iter().map(String::as_str));
            format!("unknown node `{name}`; {help}")
        }),
    };
    let ends = (end("from", &row.from, from)?, end("to", &row.to, to)?);
    if ends.0 == ends.1 {
        return Err(format!("`from` and `to` are both `{}`", network.nodes[ends.0]));
    }
    Ok(ends)
}

/// The nodes that a group's flows go from and to.
fn ends(group: &Group, field: &str, network: &Network, problems: &mut Problems) -> Vec<GroupPair> {
    match (&group.from, &group.to, &group.pairs, group.rtt) {
        (Some(from), Some(to), None, None) => {
            let pairs = product((from, to), field, network, problems);
            sharing(&pairs).collect()
        }
        (None, None, Some(selection), None) => {
            let mut pairs = selected(selection, &format!("{field}.pairs"), network, problems);
            pairs.iter_mut().for_each(|pair| pair.ends = oriented(pair.ends, group.direction));
            pairs
        }
        (None, None, None, Some(rtt)) => {
            let (left, right) = GroupHosts { name: &group.name, rtt, field }.names();
            let hosts = network.node(&left).zip(network.node(&right));
            let hosts = hosts.map(|hosts| oriented(hosts, group.direction));
            sharing(hosts.as_slice()).collect()
        }
        _ => {
            report_endpoints(group, field, problems);
            Vec::new()
        }
    }
}

/// Every pair of one of these sources and one of these destinations.
fn product(
    (from, to): (&Nodes, &Nodes),
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Vec<(usize, usize)> {
    let from = nodes(from, &format!("{field}.from"), network, problems);
    let to_field = format!("{field}.to");
    let to = nodes(to, &to_field, network, problems);
    if from.iter().any(|from| to.contains(from)) {
        problems.field(to_field, "`from` and `to` must be different nodes");
        return Vec::new();
    }
    let count = from.len() * to.len();
    if count > MAX_PAIRS {
        let what =
            format!("`from` and `to` make {count} pairs of nodes: at most {MAX_PAIRS} are allowed");
        problems.field(to_field, what);
        return Vec::new();
    }
    from.iter().flat_map(|&from| to.iter().map(move |&to| (from, to))).collect()
}

/// The pairs of `pairs`, by what shares a load: a bottleneck, or a source.
fn selected(
    selection: &PairSelection,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Vec<GroupPair> {
    if *selection != PairSelection::Each {
        let pairs = matrix::pairs(selection, field, network, problems);
        return pairs.chunk_by(|a, b| a.0 == b.0).flat_map(sharing).collect();
    }
    if network.pairs.is_empty() {
        let help = "on other topologies, use `from` and `to`, or `\"permutation\"` and the like";
        let what = "`\"each\"` needs `[topology.dumbbell]` or `[topology.parking_lot]`";
        problems.field_help(field, what, help);
    }
    network.pairs.iter().flat_map(|pairs| sharing(pairs)).collect()
}

/// Reports that the fields that say where flows go conflict, or are missing.
fn report_endpoints(group: &Group, field: &str, problems: &mut Problems) {
    let set = [
        ("from", group.from.is_some()),
        ("to", group.to.is_some()),
        ("pairs", group.pairs.is_some()),
        ("rtt", group.rtt.is_some()),
    ];
    let set: Vec<&str> = set.into_iter().filter_map(|(name, is)| is.then_some(name)).collect();
    let help = "set `from` and `to`; or `pairs`; or, on a dumbbell, `rtt`";
    match set[..] {
        [] => problems.field_help(field, "missing `from` and `to`", help),
        ["from"] => problems.field_help(field, "missing field `to`", help),
        ["to"] => problems.field_help(field, "missing field `from`", help),
        _ => problems.conflict(field, &set, help),
    }
}

fn oriented((left, right): (usize, usize), direction: Direction) -> (usize, usize) {
    match direction {
        Direction::Forward => (left, right),
        Direction::Reverse => (right, left),
    }
}
