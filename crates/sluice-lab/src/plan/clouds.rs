//! Clouds between border routers.

use sluice_sim::{CloudConfig, Config, ConfigError, LinkLaw};

use super::group::GroupPlan;
use super::paths::node;
use crate::scenario::topology::Network;
use crate::scenario::{Problems, Scenario};

/// The field of a scenario that a field of the configuration is from.
fn field(of: &str, groups: &[GroupPlan]) -> String {
    if let Some(rest) = of.strip_prefix("clouds") {
        return format!("cloud{rest}");
    }
    let parts = of.strip_prefix("groups[").and_then(|rest| rest.split_once(']'));
    let number = parts.and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest)));
    match number {
        Some((number, rest)) => format!("group[{}]{rest}", groups[number].of),
        None => of.into(),
    }
}

/// Adds the clouds to `config`, which has its groups already.
pub(super) fn plan(
    scenario: &Scenario,
    network: &Network,
    groups: &[GroupPlan],
    config: &mut Config,
    problems: &mut Problems,
) {
    let before = problems.0.len();
    for (i, cloud) in scenario.cloud.iter().enumerate() {
        let field = format!("cloud[{i}]");
        let edge = |(place, name): (usize, &String)| {
            node(name, &format!("{field}.edges[{place}]"), network, problems)
        };
        let edges: Option<Vec<usize>> = cloud.edges.iter().enumerate().map(edge).collect();
        let found = edges.is_some();
        let cloud = CloudConfig {
            edges: edges.unwrap_or_default(),
            mixed: cloud.mixed,
            buffer: cloud.buffer,
            min_interval: cloud.min_interval,
            flow_timeout: cloud.flow_timeout,
        };
        if found {
            problems.check(&field, |faults| cloud.check(config.nodes, faults));
        }
        config.clouds.push(cloud);
    }
    if problems.0.len() > before {
        return;
    }
    let error = config.check_clouds().err();
    for fault in error.iter().flat_map(ConfigError::faults) {
        problems.field(field(&fault.field, groups), &*fault.what);
    }
    // No protocol's law, in whatever run.
    for link in config.core_links() {
        config.links[link].router = LinkLaw::None.into();
    }
}
