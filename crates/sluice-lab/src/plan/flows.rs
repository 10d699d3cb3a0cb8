//! The groups of a scenario: endpoints, paths and traffic.

use std::collections::BTreeSet;
use std::path::Path;

use sluice_sim::traffic::{Traffic, TrafficContext};
use sluice_sim::{Config, GroupConfig, Routes, limits};
use sluice_units::Faults;

use super::ends;
use super::group::GroupPlan;
use super::pair::GroupPair;
use super::paths::{links, reroutes, route, weighted_paths};
use crate::scenario::topology::{GroupHosts, Network};
use crate::scenario::{Context, Group, Problems, Replays, Resolved, Scenario, check_name};

/// Adds the groups to `config`; returns what is known of each.
pub(super) fn plan(
    scenario: &Scenario,
    network: &Network,
    folder: &Path,
    config: &mut Config,
    problems: &mut Problems,
) -> Vec<GroupPlan> {
    let mut replays = Replays::new(folder);
    let mut routes = Routes::new(network.nodes.len(), &network.links);
    let mut plans = Vec::new();
    let mut groups = Vec::new();
    for (of, group) in scenario.group.iter().enumerate() {
        let field = format!("group[{of}]");
        check_name(&group.name, &format!("{field}.name"), problems);
        group.check(&field, problems);
        check_senders(scenario, group, &field, problems);
        let pairs = ends::pairs(group, &field, network, &mut replays, problems);
        let several = group.pairs.is_some() || pairs.len() > 1;
        for (number, pair) in pairs.into_iter().enumerate() {
            let GroupPair { ends: (from, to), share: (pair, pairs), flows } = pair;
            let found = problems.0.len();
            let name = match several {
                true => format!("{}.{number}", group.name),
                false => group.name.clone(),
            };
            let mut planned = GroupConfig {
                name,
                from,
                to,
                path: links(&group.path, &format!("{field}.path"), (from, to), network, problems),
                paths: weighted_paths(group, &field, (from, to), network, problems),
                back: links(&group.back, &format!("{field}.back"), (to, from), network, problems),
                reroute: reroutes(group, &field, (from, to), network, problems),
                traffic: Traffic::List(Vec::new()),
                routing: group.routing,
                protocol: group.protocol,
                weight: group.weight,
                profile: group.profile,
                conduct: group.conduct,
                class: group.class,
                queue_weight: group.queue_weight,
            };
            let found_paths = route(&mut routes, &planned, config.seed, &field, network, problems);
            let Some((paths, capacity)) = found_paths else { break };
            let payload = scenario.packet - scenario.header;
            let setting = TrafficContext { payload, capacity, pair, pairs };
            let context = Context { setting, folder };
            let traffic = match flows {
                Some(flows) => Some(Resolved::listed(flows)),
                None => group.traffic(&field, &planned.name, &context, &mut replays, problems),
            };
            let Some(traffic) = traffic else { break };
            planned.traffic = traffic.traffic;
            let (mean_rate, mean_size) = (traffic.mean_rate, traffic.mean_size);
            plans.push(GroupPlan { of, paths, capacity, mean_rate, mean_size });
            groups.push(planned);
            if problems.0.len() > found {
                // The other pairs would only repeat them.
                break;
            }
        }
    }
    check_unique(&groups, &plans, problems);
    replays.check_all_taken(problems);
    config.groups = groups;
    plans
}

/// Checks what queues know of the group, and its weight and conduct under every protocol that it may use. A field that several of
/// them refuse is one problem.
fn check_senders(scenario: &Scenario, group: &Group, field: &str, problems: &mut Problems) {
    let own = group.protocol.as_ref().map(std::slice::from_ref);
    let faults = Faults::of(|faults| {
        faults.within("class", &group.class, &limits::CLASS);
        faults.within("queue_weight", &group.queue_weight, &limits::QUEUE_WEIGHT);
        for &name in own.unwrap_or(&scenario.protocols) {
            let protocol = scenario.parameters.protocol(name);
            protocol.check_weight(group.weight, faults);
            if group.udp.is_none() {
                faults.inside("conduct", |faults| protocol.check_conduct(&group.conduct, faults));
            }
        }
    });
    let mut reported = BTreeSet::new();
    for fault in faults {
        if reported.insert(fault.field.clone()) {
            problems.field(format!("{field}.{}", fault.field), fault.what);
        }
    }
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

fn check_unique(groups: &[GroupConfig], plans: &[GroupPlan], problems: &mut Problems) {
    let mut seen = std::collections::BTreeSet::new();
    for (group, plan) in groups.iter().zip(plans) {
        if !seen.insert(&group.name) {
            let field = format!("group[{}].name", plan.of);
            problems.field(field, format!("duplicate group name `{}`", group.name));
        }
    }
}
