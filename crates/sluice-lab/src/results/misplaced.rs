//! A warning about flows in the queue of another protocol.

use sluice_sim::{GroupConfig, LinkId};

use super::summary::{Severity, Warning};
use super::system::System;
use super::wording::others;
use crate::Plan;

/// Groups without a congestion header in the class of a router law that divides the link between its flows and
/// such ones: it counts them in its input and gets no answer, so that its own flows give way.
pub(super) fn misplaced(plan: &Plan) -> Option<Warning> {
    let found = plan.protocols().find_map(|system| {
        let mut groups = in_class_of_law(plan, system);
        Some((system, groups.next()?, groups.count() + 1))
    });
    let (system, (group, own, link, law), count) = found?;
    let text = format!(
        "in runs of {system}, flows of group `{}`{} follow `{own}` in class {}, which at link {} is for `{law}`, \
         whose flows give way to them; class 0 has the queue for them",
        group.name,
        others(count),
        group.class,
        plan.network.link_name(link),
    );
    Some(Warning { severity: Severity::Bias, code: "misplaced".into(), text })
}

/// Such groups in a run of one protocol, each with its protocol, the first such link of its paths, and the
/// protocol of its law.
fn in_class_of_law(
    plan: &Plan,
    system: System,
) -> impl Iterator<Item = (&GroupConfig, &'static str, LinkId, &'static str)> {
    let config = &plan.config;
    let groups = config.groups.iter().zip(&plan.groups);
    let groups = groups.filter(|(group, _)| group.class > 0 && group.traffic.udp().is_none());
    let run = plan.protocol(system);
    groups.filter_map(move |(group, planned)| {
        let run = run?;
        let own = config.protocol_of(group, run);
        if own.has_header() {
            return None;
        }
        let law = |link: LinkId| {
            let law = config.links[link].weighing_law()?.protocol(run, &config.parameters)?;
            law.has_header().then(|| (link, law.about().name))
        };
        let links = planned.paths.out.links();
        let (link, law) = links.iter().find_map(|&link| law(link))?;
        Some((group, own.about().name, link, law))
    })
}
