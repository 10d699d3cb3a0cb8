//! Quantities sampled over time.

use sluice_sim::{Config, FlowMetrics, GroupMetrics, LinkMetrics};
use sluice_units::Span;

use super::group::GroupPlan;
use super::paths::node;
use crate::scenario::topology::Network;
use crate::scenario::{MeasuredFlow, Metrics, Problems, Scenario, suggest};

/// Adds the metrics to `config`, which has its groups already.
pub(super) fn plan(
    scenario: &Scenario,
    network: &Network,
    groups: &[GroupPlan],
    config: &mut Config,
    problems: &mut Problems,
) {
    for (i, metric) in scenario.metrics.iter().enumerate() {
        let twin = |other: &Metrics| {
            (&other.link, &other.flow, &other.group) == (&metric.link, &metric.flow, &metric.group)
        };
        if scenario.metrics[..i].iter().any(twin) {
            problems
                .field(format!("metrics[{i}]"), "duplicate metrics of this link, flow or group");
        }
        let field = format!("metrics[{i}]");
        let every = metric.every;
        if every == Span::ZERO {
            problems.field(format!("{field}.every"), "`every` must be above 0");
        }
        match (&metric.link, &metric.flow, &metric.group) {
            (Some(ends), None, None) => {
                if let Some(link) = link(ends, &format!("{field}.link"), network, problems) {
                    config.link_metrics.push(LinkMetrics { link, every });
                }
            }
            (None, Some(flow), None) => {
                if let Some(group) = group(flow, &format!("{field}.flow.group"), config, problems) {
                    config.flow_metrics.push(FlowMetrics { group, index: flow.index, every });
                }
            }
            (None, None, Some(name)) => {
                if let Some(of) = whole_group(name, &format!("{field}.group"), scenario, problems) {
                    let numbers = groups.iter().enumerate().filter(|(_, group)| group.of == of);
                    let groups = numbers.map(|(number, _)| number).collect();
                    config.group_metrics.push(GroupMetrics { groups, every });
                }
            }
            (None, None, None) => {
                let help = "set `link = [\"a\", \"b\"]`, `flow = { group = \"...\" }` or \
                            `group = \"...\"`";
                problems.field_help(field, "missing field `link`, `flow` or `group`", help);
            }
            _ => conflict(metric, &field, problems),
        }
    }
}

fn conflict(metric: &Metrics, field: &str, problems: &mut Problems) {
    let given = [
        ("link", metric.link.is_some()),
        ("flow", metric.flow.is_some()),
        ("group", metric.group.is_some()),
    ];
    let given: Vec<&str> = given.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    problems.conflict(field, &given, "set exactly one of `link`, `flow`, `group`");
}

pub(super) fn link(
    (from, to): &(String, String),
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Option<usize> {
    let ends = (node(from, field, network, problems)?, node(to, field, network, problems)?);
    let link = network.link(ends.0, ends.1);
    if link.is_none() {
        problems.field(field, format!("no link from `{from}` to `{to}`"));
    }
    link
}

/// The place of a group in the scenario, whatever its number of pairs.
fn whole_group(
    name: &str,
    field: &str,
    scenario: &Scenario,
    problems: &mut Problems,
) -> Option<usize> {
    let found = scenario.group.iter().position(|group| group.name == name);
    if found.is_none() {
        let names = scenario.group.iter().map(|group| group.name.as_str());
        problems.field_help(field, format!("unknown group `{name}`"), suggest(name, names));
    }
    found
}

fn group(
    flow: &MeasuredFlow,
    field: &str,
    config: &Config,
    problems: &mut Problems,
) -> Option<usize> {
    let found = config.groups.iter().position(|group| group.name == flow.group);
    if found.is_none() {
        let names = config.groups.iter().map(|group| group.name.as_str());
        let what = format!("unknown group `{}`", flow.group);
        problems.field_help(field, what, suggest(&flow.group, names));
    }
    if found.is_some_and(|group| config.groups[group].traffic.udp().is_some()) {
        let what =
            format!("`{}` has streams of datagrams, which have no window to sample", flow.group);
        problems.field_help(field, what, "use `group = \"...\"` for their throughput");
    }
    found
}
