//! Flows whose congestion headers no router law on their path reads, so that nothing limits them.

use sluice_laws::protocol::Protocol;
use sluice_sim::{Config, LinkId};

use super::group::GroupPlan;
use crate::scenario::{Problems, Scenario};

/// The groups of such flows in a run of `run`, by their numbers, each with the protocol of the headers.
pub(crate) fn unread<'a>(
    config: &'a Config,
    groups: &'a [GroupPlan],
    run: &'a dyn Protocol,
) -> impl Iterator<Item = (usize, &'a dyn Protocol)> {
    let of_flows = (0..groups.len()).filter(|&group| config.groups[group].traffic.udp().is_none());
    let of_packets = of_flows.flat_map(move |group| {
        let own = config.protocol_of(&config.groups[group], run);
        let class = config.groups[group].class;
        // Best-effort packets are of the lowest class.
        let other =
            config.best_effort_of(own).map(|protocol| PacketsRead { group, class: 0, protocol });
        // Flows that check their path send packets of their own protocol only where all links read them.
        let own = (!own.checks_path()).then_some(PacketsRead { group, class, protocol: own });
        [own, other]
    });
    of_packets.flatten().filter_map(move |packets| {
        let is_read = readers(config, groups, packets, run).next().is_some();
        let unread = packets.protocol.has_header() && !is_read;
        unread.then_some((packets.group, packets.protocol))
    })
}

/// Packets of a group of this number that are of one class and have the header of one protocol.
#[derive(Clone, Copy)]
pub(super) struct PacketsRead<'a> {
    pub(super) group: usize,
    pub(super) class: u8,
    pub(super) protocol: &'a dyn Protocol,
}

/// The links on the data paths of these packets whose router law reads their headers in a run of `run`.
pub(super) fn readers<'a>(
    config: &'a Config,
    groups: &'a [GroupPlan],
    packets: PacketsRead<'a>,
    run: &'a dyn Protocol,
) -> impl Iterator<Item = LinkId> {
    let name = packets.protocol.about().name;
    let reads = move |&link: &LinkId| {
        let law = config.links[link].router.of_class(packets.class);
        let law = law.protocol(run, &config.parameters);
        law.is_some_and(|law| law.about().name == name)
    };
    groups[packets.group].paths.out.links().into_owned().into_iter().filter(reads)
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
