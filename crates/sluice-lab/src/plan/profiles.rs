//! The rates that flows ask the network to guarantee.

use std::collections::BTreeSet;

use sluice_laws::protocol::{Protocol, ReservedPath};
use sluice_sim::Config;
use sluice_units::Faults;

use super::group::GroupPlan;
use super::unread::{PacketsRead, readers};
use crate::scenario::{Problems, Scenario};

/// Checks the profile of each group under every protocol that it may use, over its paths.
pub(super) fn check(
    scenario: &Scenario,
    config: &Config,
    groups: &[GroupPlan],
    problems: &mut Problems,
) {
    let mut refused = BTreeSet::new();
    for &run in &scenario.protocols {
        let run = scenario.parameters.protocol(run);
        for (number, group) in config.groups.iter().enumerate() {
            let of = groups[number].of;
            if group.traffic.udp().is_some() || refused.contains(&of) {
                continue;
            }
            let own = config.protocol_of(group, run);
            let path = path_of(config, groups, number, (own, run));
            let faults =
                Faults::of(|faults| own.check_profile(group.profile, path.as_ref(), faults));
            if let Some(fault) = faults.into_iter().next() {
                // The table's, if the group relies on that.
                let of_table =
                    || Faults::of(|faults| own.check_profile(None, None, faults)).is_empty();
                let (place, what) = if group.profile.is_none() && of_table() {
                    let what = format!("{}, in group `{}`", fault.what, group.name);
                    (format!("{}.{}", own.about().name, fault.field), what)
                } else {
                    (format!("group[{of}].{}", fault.field), fault.what)
                };
                problems.field(place, what);
                refused.insert(of);
            }
        }
    }
}

/// The path of a group of this protocol in a run of `run`.
pub(crate) fn path_of(
    config: &Config,
    groups: &[GroupPlan],
    number: usize,
    (own, run): (&dyn Protocol, &dyn Protocol),
) -> Option<ReservedPath> {
    let capacity = |link: usize| config.links[link].capacity;
    let packets = PacketsRead { group: number, class: config.groups[number].class, protocol: own };
    let paths = &groups[number].paths;
    Some(ReservedPath {
        narrowest: paths.out.links().iter().map(|&link| capacity(link)).min()?,
        admitting: readers(config, groups, packets, run).map(capacity).min(),
        rtt: paths.rtpd(config),
        sprayed: paths.out.spray() > 1,
    })
}
