//! The groups of a scenario: endpoints, paths and traffic.

use std::path::Path;
use std::sync::Arc;

use sluice_laws::registry::{Parameters, ProtocolChoice, ProtocolName};
use sluice_sim::traffic::{Traffic, TrafficContext};
use sluice_sim::{Config, GroupConfig, LinkId, Paths, Routes};
use sluice_units::{Faults, Rate};

use super::group::GroupPlan;
use crate::scenario::topology::{GroupHosts, Network};
use crate::scenario::{
    Context, Direction, Group, Nodes, Problems, Replays, Scenario, check_name, suggest,
};

/// Adds the groups to `config`; returns what is known of each.
pub(super) fn plan(
    scenario: &Scenario,
    network: &Network,
    folder: &Path,
    config: &mut Config,
    problems: &mut Problems,
) -> Vec<GroupPlan> {
    let mut replays = Replays::default();
    let parameters = Arc::new(scenario.parameters.clone());
    let mut routes = Routes::new(network.nodes.len(), &network.links);
    let mut plans = Vec::new();
    let mut groups = Vec::new();
    for (of, group) in scenario.group.iter().enumerate() {
        let field = format!("group[{of}]");
        check_name(&group.name, &format!("{field}.name"), problems);
        group.check(&field, problems);
        let protocol = protocol(scenario, group, &parameters, &field, problems);
        let ends = ends(group, &field, network, problems);
        let (pairs, several) = (ends.len(), group.pairs.is_some() || ends.len() > 1);
        for (pair, (from, to)) in ends.into_iter().enumerate() {
            let name = match several {
                true => format!("{}.{pair}", group.name),
                false => group.name.clone(),
            };
            let mut planned = GroupConfig {
                name,
                from,
                to,
                path: links(&group.path, &format!("{field}.path"), (from, to), network, problems),
                back: links(&group.back, &format!("{field}.back"), (to, from), network, problems),
                traffic: Traffic::List(Vec::new()),
                protocol: protocol.clone(),
                weight: group.weight,
            };
            let Some((paths, capacity)) = route(&mut routes, &planned, &field, network, problems)
            else {
                break;
            };
            let payload = scenario.packet - scenario.header;
            let setting = TrafficContext { payload, capacity, pair, pairs };
            let context = Context { setting, folder };
            let traffic = group.traffic(&field, &planned.name, &context, &mut replays, problems);
            let Some(traffic) = traffic else { break };
            planned.traffic = traffic.traffic;
            let (mean_rate, mean_size) = (traffic.mean_rate, traffic.mean_size);
            plans.push(GroupPlan { of, paths, capacity, mean_rate, mean_size });
            groups.push(planned);
        }
    }
    check_unique(&groups, &plans, problems);
    replays.check_all_taken(problems);
    config.groups = groups;
    plans
}

/// The group's own protocol, if it has one. Its weight is checked under every protocol that it may
/// use.
fn protocol(
    scenario: &Scenario,
    group: &Group,
    parameters: &Arc<Parameters>,
    field: &str,
    problems: &mut Problems,
) -> Option<ProtocolChoice> {
    let own =
        group.protocol.map(|name| ProtocolChoice { name, parameters: Arc::clone(parameters) });
    if let Some(own) = own.as_ref().filter(|own| own.protocol().wire().is_some()) {
        let headless =
            ProtocolName::ALL.iter().filter(|&&name| parameters.protocol(name).wire().is_none());
        let headless: Vec<String> = headless.map(|name| format!("`{name}`")).collect();
        problems.field_help(
            format!("{field}.protocol"),
            format!(
                "`{}` needs a router law; routers run only that of the protocol compared",
                own.name
            ),
            format!("use a protocol without a router law: {}", headless.join(", ")),
        );
    }
    let spoken =
        own.as_ref().map_or(&scenario.protocols[..], |own| std::slice::from_ref(&own.name));
    let faults = Faults::of(|faults| {
        for &name in spoken {
            parameters.protocol(name).check_weight(group.weight, faults);
        }
    });
    if let Some(fault) = faults.into_iter().next() {
        problems.field(format!("{field}.{}", fault.field), fault.what);
    }
    own
}

/// The largest number of pairs of nodes of a group: more are taken for a mistake.
const MAX_PAIRS: usize = 10_000;

/// The nodes that a group's flows go from and to.
fn ends(
    group: &Group,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Vec<(usize, usize)> {
    match (&group.from, &group.to, group.pairs, group.rtt) {
        (Some(from), Some(to), None, None) => {
            let from = nodes(from, &format!("{field}.from"), network, problems);
            let to_field = format!("{field}.to");
            let to = nodes(to, &to_field, network, problems);
            if from.iter().any(|from| to.contains(from)) {
                problems.field(to_field, "`from` and `to` must be different nodes");
                return Vec::new();
            }
            if from.len() * to.len() > MAX_PAIRS {
                let what = format!(
                    "`from` and `to` make {} pairs of nodes: at most {MAX_PAIRS} are allowed",
                    from.len() * to.len()
                );
                problems.field(to_field, what);
                return Vec::new();
            }
            from.iter().flat_map(|&from| to.iter().map(move |&to| (from, to))).collect()
        }
        (None, None, Some(_), None) => {
            if network.pairs.is_empty() {
                let help = "on other topologies, use `from` and `to`";
                let what = "`pairs` needs `[topology.dumbbell]`";
                problems.field_help(format!("{field}.pairs"), what, help);
            }
            network.pairs.iter().map(|&pair| oriented(pair, group.direction)).collect()
        }
        (None, None, None, Some(rtt)) => {
            let (left, right) = GroupHosts { name: &group.name, rtt, field }.names();
            let hosts = network.node(&left).zip(network.node(&right));
            hosts.map(|hosts| oriented(hosts, group.direction)).into_iter().collect()
        }
        _ => {
            report_endpoints(group, field, problems);
            Vec::new()
        }
    }
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
    let help = "set `from` and `to`; or, on a dumbbell, `pairs = \"each\"` or `rtt`";
    match set[..] {
        [] => problems.field_help(field, "missing `from` and `to`", help),
        ["from"] => problems.field_help(field, "missing field `to`", help),
        ["to"] => problems.field_help(field, "missing field `from`", help),
        _ => problems.conflict(field, &set, help),
    }
}

/// The nodes of these names, which must differ.
fn nodes(named: &Nodes, field: &str, network: &Network, problems: &mut Problems) -> Vec<usize> {
    let mut found = Vec::new();
    for name in named.names() {
        match node(name, field, network, problems) {
            Some(node) if found.contains(&node) => {
                problems.field(field, format!("`{name}` is listed twice"));
            }
            node => found.extend(node),
        }
    }
    if named.names().is_empty() {
        problems.field(field, "no nodes: name at least one");
    }
    found
}

/// Adds the hosts of groups that have their own to the network.
pub(super) fn add_own_hosts(scenario: &Scenario, network: &mut Network, problems: &mut Problems) {
    for (of, group) in scenario.group.iter().enumerate() {
        let Some(rtt) = group.rtt else { continue };
        let field = format!("group[{of}].rtt");
        let hosts = GroupHosts { name: &group.name, rtt, field: &field };
        if !scenario.topology.add_hosts(network, &hosts, problems) {
            let help = "on other topologies, use `from` and `to`";
            problems.field_help(&field, "`rtt` needs `[topology.dumbbell]`", help);
        }
    }
}

fn oriented((left, right): (usize, usize), direction: Direction) -> (usize, usize) {
    match direction {
        Direction::Forward => (left, right),
        Direction::Reverse => (right, left),
    }
}

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
fn links(
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
    let hops = nodes.windows(2).map(|hop| {
        let link = network.link(hop[0], hop[1]);
        if link.is_none() {
            let (a, b) = (&network.nodes[hop[0]], &network.nodes[hop[1]]);
            problems.field(field, format!("no link from `{a}` to `{b}`"));
        }
        link
    });
    hops.collect()
}

/// The paths of a group and the lowest capacity on the way there.
fn route(
    routes: &mut Routes<'_>,
    group: &GroupConfig,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Option<(Paths, Rate)> {
    let Ok(paths) = routes.paths(group) else {
        let (from, to) = (&network.nodes[group.from], &network.nodes[group.to]);
        let what = format!("no path from `{from}` to `{to}` and back");
        problems.field_help(field, what, "data need a path there, acknowledgements a path back");
        return None;
    };
    let capacity = paths.out.iter().map(|&link| network.links[link].capacity).min()?;
    Some((paths, capacity))
}

fn check_unique(groups: &[GroupConfig], plans: &[GroupPlan], problems: &mut Problems) {
    let mut seen = std::collections::BTreeSet::new();
    for (group, plan) in groups.iter().zip(plans) {
        if !seen.insert(&group.name) {
            let field = format!("group[{}].name", plan.of);
            problems.field(field, format!("duplicate group name `{}`", group.name));
        }
    }
}
