//! The groups of a scenario: where their flows go and when they arrive.

use std::path::Path;
use std::sync::Arc;

use sluice_laws::registry::{Parameters, ProtocolChoice, ProtocolName};
use sluice_sim::traffic::{Traffic, TrafficContext};
use sluice_sim::{Config, GroupConfig, LinkId, Paths, Routes};
use sluice_units::Rate;

use super::group::GroupPlan;
use crate::scenario::topology::{Network, Own};
use crate::scenario::{
    Context, Direction, Group, Nodes, Problems, Replays, Scenario, check_name, suggest,
};

/// Puts the groups into `config`; tells what is known of each.
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

/// What a group speaks whatever protocol is run, if it says so. Weights are checked under every
/// protocol that it will speak.
fn protocol(
    scenario: &Scenario,
    group: &Group,
    parameters: &Arc<Parameters>,
    field: &str,
    problems: &mut Problems,
) -> Option<ProtocolChoice> {
    let own =
        group.protocol.map(|name| ProtocolChoice { name, parameters: Arc::clone(parameters) });
    if own.as_ref().is_some_and(|own| own.protocol().wire().is_some()) {
        let headless =
            ProtocolName::ALL.iter().filter(|&&name| parameters.protocol(name).wire().is_none());
        let headless: Vec<String> = headless.map(|name| format!("`{name}`")).collect();
        problems.field_help(
            format!("{field}.protocol"),
            "the routers of a run have the law of the protocol compared, and no other",
            format!("a group's own protocol is one that needs no router: {}", headless.join(", ")),
        );
    }
    let spoken =
        own.as_ref().map_or(&scenario.protocols[..], |own| std::slice::from_ref(&own.name));
    let wrong =
        spoken.iter().find_map(|&name| parameters.protocol(name).check_weight(group.weight).err());
    if let Some(what) = wrong {
        problems.field(format!("{field}.weight"), what);
    }
    own
}

/// More pairs of nodes than this are a slip of the pen.
const MOST_PAIRS: usize = 10_000;

/// Where a group's flows begin and end.
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
                problems.field(to_field, "flows go from one node to another");
                return Vec::new();
            }
            if from.len() * to.len() > MOST_PAIRS {
                let what = format!(
                    "{} pairs of nodes are too many: at most {MOST_PAIRS}",
                    from.len() * to.len()
                );
                problems.field(to_field, what);
                return Vec::new();
            }
            from.iter().flat_map(|&from| to.iter().map(move |&to| (from, to))).collect()
        }
        (None, None, Some(_), None) => {
            if network.pairs.is_empty() {
                let help = "`pairs` is for `[topology.dumbbell]`; give `from` and `to`";
                problems.field_help(format!("{field}.pairs"), "there are no pairs here", help);
            }
            network.pairs.iter().map(|&pair| oriented(pair, group.direction)).collect()
        }
        (None, None, None, Some(rtt)) => {
            let (left, right) = Own { name: &group.name, rtt, field }.hosts();
            let hosts = network.node(&left).zip(network.node(&right));
            hosts.map(|hosts| oriented(hosts, group.direction)).into_iter().collect()
        }
        _ => {
            let help =
                "`from` and `to`; or, on a dumbbell, `pairs = \"each\"`, or `rtt` for own hosts";
            problems.field_help(field, "from where to where do these flows go?", help);
            Vec::new()
        }
    }
}

/// The nodes of these names, each named once.
fn nodes(named: &Nodes, field: &str, network: &Network, problems: &mut Problems) -> Vec<usize> {
    let mut found = Vec::new();
    for name in named.names() {
        match node(name, field, network, problems) {
            Some(node) if found.contains(&node) => {
                problems.field(field, format!("`{name}` is named twice"));
            }
            node => found.extend(node),
        }
    }
    if named.names().is_empty() {
        problems.field(field, "name at least one node");
    }
    found
}

/// Puts the hosts of groups that have their own into the network.
pub(super) fn add_own_hosts(scenario: &Scenario, network: &mut Network, problems: &mut Problems) {
    for (of, group) in scenario.group.iter().enumerate() {
        let Some(rtt) = group.rtt else { continue };
        let field = format!("group[{of}].rtt");
        let own = Own { name: &group.name, rtt, field: &field };
        if !scenario.topology.add_own(network, &own, problems) {
            let help = "a group has an `rtt` of its own on `[topology.dumbbell]`";
            problems.field_help(&field, "there is no bottleneck to put hosts beside", help);
        }
    }
}

fn oriented((left, right): (usize, usize), direction: Direction) -> (usize, usize) {
    match direction {
        Direction::Forward => (left, right),
        Direction::Reverse => (right, left),
    }
}

/// The node of that name, or an error that names the nearest.
pub(super) fn node(
    name: &str,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Option<usize> {
    let node = network.node(name);
    if node.is_none() {
        let names = network.nodes.iter().map(String::as_str);
        problems.field_help(field, format!("there is no node `{name}`"), suggest(name, names));
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
        problems.field(field, format!("this path must lead from `{from}` to `{to}`"));
        return None;
    }
    let hops = nodes.windows(2).map(|hop| {
        let link = network.link(hop[0], hop[1]);
        if link.is_none() {
            let (a, b) = (&network.nodes[hop[0]], &network.nodes[hop[1]]);
            problems.field(field, format!("there is no link from `{a}` to `{b}`"));
        }
        link
    });
    hops.collect()
}

/// The paths of a group and the least capacity on the way there.
fn route(
    routes: &mut Routes<'_>,
    group: &GroupConfig,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Option<(Paths, Rate)> {
    let Ok(paths) = routes.paths(group) else {
        let (from, to) = (&network.nodes[group.from], &network.nodes[group.to]);
        let what = format!("no links lead from `{from}` to `{to}` and back");
        problems.field_help(field, what, "data need a path there, acknowledgements one back");
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
            problems.field(field, format!("another group is called `{}` already", group.name));
        }
    }
}
