//! Warnings about reservations, which follow from the plan alone.

use super::summary::{Severity, Warning};
use super::wording::others;
use crate::Plan;
use crate::plan::path_of;

/// Groups whose flows reserve bandwidth across a link that admits nobody, and is narrower than those that do.
pub(super) fn unguarded(plan: &Plan) -> Option<Warning> {
    let found = |system| {
        let run = plan.protocol(system)?;
        let mut groups = plan.config.groups.iter().enumerate().filter_map(|(number, group)| {
            let own = plan.config.protocol_of(group, run);
            own.profile(group.profile)?;
            let path = path_of(&plan.config, &plan.groups, number, (own, run))?;
            let admitting = path.admitting?;
            (path.narrowest < admitting).then_some((group, own, path.narrowest, admitting))
        });
        Some((system, groups.next()?, groups.count() + 1))
    };
    let (system, (group, own, narrowest, admitting), count) = plan.protocols().find_map(found)?;
    let text = format!(
        "in runs of {system}, the path of group `{}`{} has a link of {narrowest} without the router law of {}, \
         narrower than those with it, {admitting}: flows are admitted that it cannot carry",
        group.name,
        others(count),
        own.about().name,
    );
    Some(Warning { severity: Severity::Bias, code: "no_admission".into(), text })
}
