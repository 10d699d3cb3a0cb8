//! Events written one by one.

use sluice_sim::{Config, TraceConfig};
use sluice_units::Bytes;

use super::group::GroupPlan;
use super::metrics::link;
use crate::scenario::topology::Network;
use crate::scenario::{Problems, Scenario, Selection, suggest};

/// The largest packet that a capture can hold: IPv4 counts 65535 bytes, 80 of which may be headers.
const MAX_PACKET: Bytes = Bytes::new(65_535 - 80);

/// Adds the traces to `config`, which has its groups already.
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
        Selection::All(_) => found.groups.extend(0..config.groups.len()),
        Selection::Named(names) => {
            for (i, name) in names.iter().enumerate() {
                found.groups.extend(named(name, i, scenario, groups, config, problems));
            }
        }
    }
    match &trace.packets {
        Selection::All(_) => found.links.extend(0..config.links.len()),
        Selection::Named(links) => {
            for (i, ends) in links.iter().enumerate() {
                found.links.extend(link(ends, &format!("trace.packets[{i}]"), network, problems));
            }
        }
    }
    if trace.flows == Selection::default() && trace.packets == Selection::default() {
        let help =
            "set `flows`, `packets` or both, e.g. `flows = \"all\"`, `packets = [[\"a\", \"b\"]]`";
        problems.field_help("trace", "nothing to trace", help);
    }
    if trace.packets != Selection::default() && scenario.packet > MAX_PACKET {
        let what =
            format!("`packet` must be at most {MAX_PACKET} to trace packets: IPv4 has none larger");
        problems.field("packet", what);
    }
    for indices in [&mut found.groups, &mut found.links] {
        indices.sort_unstable();
        indices.dedup();
    }
    config.trace = found;
}

/// The groups of that name: a group, one pair's, or those of all its pairs.
fn named(
    name: &str,
    index: usize,
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
        let what = format!("unknown group `{name}`");
        problems.field_help(format!("trace.flows[{index}]"), what, suggest(name, names));
    }
    found
}
