//! What is written event by event.

use sluice_sim::{Config, TraceConfig};
use sluice_units::Bytes;

use super::group::GroupPlan;
use super::metrics::link;
use crate::scenario::topology::Network;
use crate::scenario::{Problems, Scenario, Which, suggest};

/// The longest packet that a capture can show: IPv4 counts 65535 bytes, 80 of which may be headers.
const LONGEST: Bytes = Bytes::new(65_535 - 80);

/// Puts what is traced into `config`, whose groups are there already.
pub(super) fn plan(
    scenario: &Scenario,
    network: &Network,
    groups: &[GroupPlan],
    config: &mut Config,
    problems: &mut Problems,
) {
    let Some(trace) = &scenario.trace else { return };
    let mut found = TraceConfig::default();
    match &trace.flows {
        Which::All(_) => found.groups.extend(0..config.groups.len()),
        Which::These(names) => {
            for (i, name) in names.iter().enumerate() {
                found.groups.extend(named(name, i, scenario, groups, config, problems));
            }
        }
    }
    match &trace.packets {
        Which::All(_) => found.links.extend(0..config.links.len()),
        Which::These(links) => {
            for (i, ends) in links.iter().enumerate() {
                found.links.extend(link(ends, &format!("trace.packets[{i}]"), network, problems));
            }
        }
    }
    if trace.flows == Which::default() && trace.packets == Which::default() {
        let help = "`flows = \"all\"`, `packets = [[\"a\", \"b\"]]`";
        problems.field_help("trace", "what is traced? give one of or both", help);
    }
    if trace.packets != Which::default() && scenario.packet > LONGEST {
        let what = format!("packets of more than {LONGEST} cannot be traced: IPv4 has none");
        problems.field("packet", what);
    }
    for places in [&mut found.groups, &mut found.links] {
        places.sort_unstable();
        places.dedup();
    }
    config.trace = found;
}

/// The groups of that name: a group, one pair's, or those of all its pairs.
fn named(
    name: &str,
    place: usize,
    scenario: &Scenario,
    groups: &[GroupPlan],
    config: &Config,
    problems: &mut Problems,
) -> Vec<usize> {
    let is_named = |&group: &usize| {
        config.groups[group].name == name || scenario.group[groups[group].of].name == name
    };
    let found: Vec<usize> = (0..config.groups.len()).filter(is_named).collect();
    if found.is_empty() {
        let names = scenario.group.iter().map(|group| group.name.as_str());
        let what = format!("there is no group `{name}`");
        problems.field_help(format!("trace.flows[{place}]"), what, suggest(name, names));
    }
    found
}
