//! Flows that check their path with one packet, and spray the others over several.

use sluice_laws::protocol::Protocol;
use sluice_sim::{Config, GroupConfig, LinkId};

use super::group::GroupPlan;
use crate::scenario::{Problems, Scenario};

/// Refuses such flows over paths that do not all give the same answer: what one packet finds out would not hold
/// for the others.
pub(super) fn check(
    scenario: &Scenario,
    config: &Config,
    groups: &[GroupPlan],
    problems: &mut Problems,
) {
    for &run in &scenario.protocols {
        let run = scenario.parameters.protocol(run);
        for (group, planned) in config.groups.iter().zip(groups) {
            let own = config.protocol_of(group, run);
            let is_refused = group.traffic.udp().is_none()
                && own.checks_path()
                && differ(config, group, own, run, planned);
            if is_refused {
                let name = own.about().name;
                return problems.field_help(
                    format!("group[{}].routing", planned.of),
                    format!(
                        "flows with `{name}.fallback` check one of the paths over which their packets are \
                         sprayed, and these differ in their number of links, or in whether all run the router law"
                    ),
                    "use `routing = \"ecmp\"`, or run the law at the same links of all paths",
                );
            }
        }
    }
}

/// Whether the sprayed paths of a group, if it has some, differ in length or in whether each link runs the law of
/// its flows.
fn differ(
    config: &Config,
    group: &GroupConfig,
    own: &dyn Protocol,
    run: &dyn Protocol,
    planned: &GroupPlan,
) -> bool {
    let name = own.about().name;
    let runs = |&link: &LinkId| {
        let law = config.links[link].router.of_class(group.class);
        law.protocol(run, &config.parameters).is_some_and(|law| law.about().name == name)
    };
    let paths = planned.paths.out.sprayed_paths().unwrap_or_default();
    let mut kinds = paths.iter().map(|path| (path.len(), path.iter().all(runs)));
    kinds.next().is_some_and(|first| kinds.any(|other| other != first))
}
