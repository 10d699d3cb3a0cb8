//! Flows whose congestion headers no router law on their path reads, so that nothing limits them.

use sluice_laws::protocol::Protocol;
use sluice_sim::{Config, LinkId};

use super::group::GroupPlan;
use crate::scenario::{Problems, Scenario};

/// The groups of such flows in a run of `run`, by their numbers, each with its protocol.
pub(crate) fn unread<'a>(
    config: &'a Config,
    groups: &'a [GroupPlan],
    run: &'a dyn Protocol,
) -> impl Iterator<Item = (usize, &'a dyn Protocol)> {
    let of_flows = (0..groups.len()).filter(|&group| config.groups[group].traffic.udp().is_none());
    of_flows.filter_map(move |number| {
        let group = &config.groups[number];
        let own = config.protocol_of(group, run);
        let name = own.about().name;
        let reads = |&link: &LinkId| {
            let law = config.links[link].router.of_class(group.class);
            let law = law.protocol(run, &config.parameters);
            law.is_some_and(|law| law.about().name == name)
        };
        let is_read = groups[number].paths.out.links().iter().any(reads);
        (own.has_header() && !is_read).then_some((number, own))
    })
}

/// Refuses long flows of them that request no rate in particular: their windows would grow until memory is full.
pub(super) fn check(
    scenario: &Scenario,
    config: &Config,
    groups: &[GroupPlan],
    problems: &mut Problems,
) {
    let mut refused: Vec<(usize, &str)> = Vec::new();
    for &run in &scenario.protocols {
        for (number, own) in unread(config, groups, scenario.parameters.protocol(run)) {
            let found = (groups[number].of, own.about().name);
            let is_endless = config.groups[number].traffic.is_endless();
            if is_endless && !own.bounds_itself() && !refused.contains(&found) {
                refused.push(found);
            }
        }
    }
    for (group, name) in refused {
        problems.field_help(
            format!("group[{group}]"),
            format!(
                "no link on the path runs the router law of `{name}`, so nothing limits its long flows"
            ),
            format!("run it at a link (`router = \"{name}\"`), or set `{name}.desired_rate`"),
        );
    }
}
