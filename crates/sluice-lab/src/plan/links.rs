//! Fields of single links of the topology: `[[link]]`.

use std::path::Path;

use sluice_sim::schedule::CapacitySchedule;
use sluice_sim::{LinkConfig, LinkId};
use sluice_units::{Fault, Faults};

use super::nodes::nodes;
use super::paths::neighbours;
use crate::scenario::topology::Network;
use crate::scenario::{LinkOverride, Problems, Scenario, list};

/// Applies the entries to the links of the network, in order. An entry with problems changes nothing.
pub(super) fn apply(
    scenario: &Scenario,
    folder: &Path,
    network: &mut Network,
    problems: &mut Problems,
) {
    for (i, entry) in scenario.link.iter().enumerate() {
        let field = format!("link[{i}]");
        let fields = entry.fields();
        if !fields.iter().any(|(_, is_set)| *is_set) {
            let help = format!("set at least one of {}", list(fields.map(|(name, _)| name)));
            problems.field_help(&field, "the entry changes nothing", help);
            continue;
        }
        let links = named(entry, &field, network, problems);
        for (id, link) in changed(entry, &links, &field, folder, network, problems) {
            network.links[id] = link;
        }
    }
}

/// The links that an entry holds for; none with a problem.
fn named(
    entry: &LinkOverride,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Vec<LinkId> {
    let before = problems.0.len();
    let from = nodes(&entry.from, &format!("{field}.from"), network, problems);
    let to = nodes(&entry.to, &format!("{field}.to"), network, problems);
    if problems.0.len() > before {
        return Vec::new();
    }
    let (is_from, is_to) = (among(&from, network), among(&to, network));
    let is_meant = |link: &LinkConfig| {
        let there = is_from[link.from] && is_to[link.to];
        there || entry.both_ways && is_to[link.from] && is_from[link.to]
    };
    let ids = (0..network.links.len()).filter(|&id| is_meant(&network.links[id]));
    let found: Vec<LinkId> = ids.collect();
    if found.is_empty() {
        let what = "no links from nodes of `from` to nodes of `to`";
        problems.field_help(field, what, neighbours(from[0], network));
    }
    found
}

/// Whether each node of the network is one of these.
fn among(nodes: &[usize], network: &Network) -> Vec<bool> {
    let mut among = vec![false; network.nodes.len()];
    nodes.iter().for_each(|&node| among[node] = true);
    among
}

/// The links with the fields of an entry; none with a problem.
fn changed(
    entry: &LinkOverride,
    links: &[LinkId],
    field: &str,
    folder: &Path,
    network: &Network,
    problems: &mut Problems,
) -> Vec<(LinkId, LinkConfig)> {
    let before = problems.0.len();
    let schedule = links.first().and_then(|&first| {
        let capacity = entry.capacity.unwrap_or(network.links[first].capacity);
        let schedule = entry.schedule.as_ref()?;
        schedule.lay(capacity, &format!("{field}.schedule"), folder, problems)
    });
    let mut changed = Vec::new();
    for &id in links {
        let link = with_fields(entry, &schedule, &network.links[id]);
        check(&link, entry, field, &network.link_name(id), problems);
        if problems.0.len() > before {
            // Other links would only repeat it.
            return Vec::new();
        }
        changed.push((id, link));
    }
    changed
}

/// Checks a link with the fields of an entry. What the entry leaves as it was may not fit the rest.
fn check(
    link: &LinkConfig,
    entry: &LinkOverride,
    field: &str,
    name: &str,
    problems: &mut Problems,
) {
    for Fault { field: path, what } in Faults::of(|faults| link.check(faults)) {
        let of_link = path.split(['.', '[']).next().unwrap_or_default();
        if entry.fields().contains(&(of_link, true)) {
            problems.field(format!("{field}.{path}"), what);
        } else {
            problems.field(field, format!("`{of_link}` of link {name}: {what}"));
        }
    }
}

/// The link with the fields of an entry, whose schedule this is.
fn with_fields(
    entry: &LinkOverride,
    schedule: &Option<CapacitySchedule>,
    link: &LinkConfig,
) -> LinkConfig {
    LinkConfig {
        capacity: entry.capacity.unwrap_or(link.capacity),
        schedule: schedule.clone().or_else(|| link.schedule.clone()),
        delay: entry.delay.unwrap_or(link.delay),
        buffer: entry.buffer.unwrap_or(link.buffer),
        queue: entry.queue.unwrap_or(link.queue),
        error: entry.error.unwrap_or(link.error),
        router: entry.router.unwrap_or(link.router),
        police: entry.police.or(link.police),
        ..link.clone()
    }
}
