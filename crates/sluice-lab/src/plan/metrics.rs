//! Quantities sampled over time.

use sluice_sim::{Config, FlowMetrics, LinkMetrics};
use sluice_units::Span;

use super::paths::node;
use crate::scenario::topology::Network;
use crate::scenario::{MeasuredFlow, Metrics, Problems, Scenario, suggest};

/// Adds the metrics to `config`, which has its groups already.
pub(super) fn plan(
    scenario: &Scenario,
    network: &Network,
    config: &mut Config,
    problems: &mut Problems,
) {
    for (i, metric) in scenario.metrics.iter().enumerate() {
        let twin = |other: &Metrics| (&other.link, &other.flow) == (&metric.link, &metric.flow);
        if scenario.metrics[..i].iter().any(twin) {
            problems.field(format!("metrics[{i}]"), "duplicate metrics of this link or flow");
        }
        let field = format!("metrics[{i}]");
        let every = metric.every;
        if every == Span::ZERO {
            problems.field(format!("{field}.every"), "`every` must be above 0");
        }
        match (&metric.link, &metric.flow) {
            (Some(ends), None) => {
                if let Some(link) = link(ends, &format!("{field}.link"), network, problems) {
                    config.link_metrics.push(LinkMetrics { link, every });
                }
            }
            (None, Some(flow)) => {
                if let Some(group) = group(flow, &format!("{field}.flow.group"), config, problems) {
                    config.flow_metrics.push(FlowMetrics { group, index: flow.index, every });
                }
            }
            (Some(_), Some(_)) => {
                problems.conflict(&field, &["link", "flow"], "set exactly one of `link`, `flow`");
            }
            (None, None) => {
                let help = "set `link = [\"a\", \"b\"]` or `flow = { group = \"...\" }`";
                problems.field_help(field, "missing field `link` or `flow`", help);
            }
        }
    }
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
    found
}
