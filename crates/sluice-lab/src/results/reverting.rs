//! A warning about flows that check their path and follow another protocol.

use sluice_sim::{GroupConfig, LinkId};

use super::summary::{Severity, Warning};
use super::system::System;
use crate::Plan;

/// A group with flows that revert.
struct Reverting<'a> {
    group: &'a GroupConfig,
    /// The protocol that they follow then.
    to: &'static str,
    reason: Reason,
}

/// Why they do.
enum Reason {
    /// Those that cross this link do, and those that cross further such links.
    Link(LinkId, usize),
    /// All do.
    Receiver,
}

/// Groups with flows that revert, since a link of their paths or their receiver does not support their protocol. Of
/// paths at the beginning, the first such group.
pub(super) fn reverting(plan: &Plan) -> Option<Warning> {
    let found = plan.protocols().find_map(|system| Some((system, first(plan, system)?)));
    let (system, Reverting { group, to, reason }) = found?;
    let name = &group.name;
    let text = match reason {
        Reason::Receiver => format!(
            "in runs of {system}, flows of group `{name}` revert to `{to}`: their receiver does not know \
             the protocol"
        ),
        Reason::Link(link, more) => {
            let others = match more {
                0 => String::new(),
                1 => " and another link".into(),
                more => format!(" and {more} other links"),
            };
            format!(
                "in runs of {system}, flows of group `{name}` revert to `{to}` where their path has link \
                 {}{others}: `fallback` counts all links, and these do not run the router law",
                plan.network.link_name(link),
            )
        }
    };
    Some(Warning { severity: Severity::Remark, code: "reverting".into(), text })
}

/// The first such group in a run of one protocol.
fn first(plan: &Plan, system: System) -> Option<Reverting<'_>> {
    let (run, config) = (plan.protocol(system)?, &plan.config);
    let flows = config.groups.iter().zip(&plan.groups);
    let mut flows = flows.filter(|(group, _)| group.traffic.udp().is_none());
    flows.find_map(|(group, planned)| {
        let own = config.protocol_of(group, run);
        let to = own.best_effort().filter(|_| own.checks_path())?;
        if group.conduct.conventional_receiver {
            return Some(Reverting { group, to, reason: Reason::Receiver });
        }
        let name = own.about().name;
        let runs = |link: LinkId| {
            let law = config.links[link].router.of_class(group.class);
            law.protocol(run, &config.parameters).is_some_and(|law| law.about().name == name)
        };
        let links = planned.paths.out.shares().into_iter().map(|(link, _)| link);
        let mut without = links.filter(|&link| !runs(link));
        let reason = Reason::Link(without.next()?, without.count());
        Some(Reverting { group, to, reason })
    })
}
