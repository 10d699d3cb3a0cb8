//! Warnings about policing agents, which follow from the plan alone.

use sluice_laws::protocol::Protocol as _;
use sluice_laws::xcp::XcpParams;
use sluice_sim::{GroupConfig, LinkId};
use sluice_units::Span;

use super::summary::{Severity, Warning};
use super::system::System;
use crate::Plan;

/// A group whose flows the agent of a link tests.
struct Tested<'a> {
    group: &'a GroupConfig,
    rtt: Span,
    link: LinkId,
    longest_rtt: Span,
}

fn tested(plan: &Plan, system: System) -> Option<Vec<Tested<'_>>> {
    let run = plan.protocol(system)?;
    let name = XcpParams::default().about().name;
    let groups = plan.config.groups.iter().zip(&plan.groups);
    let groups =
        groups.filter(|(group, _)| plan.config.protocol_of(group, run).about().name == name);
    let met = groups.flat_map(|(group, planned)| {
        let rtt = planned.paths.rtpd(&plan.config);
        planned.paths.out.shares().into_iter().filter_map(move |(link, _)| {
            let longest_rtt = plan.config.links[link].police?.longest_rtt;
            Some(Tested { group, rtt, link, longest_rtt })
        })
    });
    Some(met.collect())
}

/// Agents where no run has flows that they could test.
pub(super) fn unpoliced(plan: &Plan) -> Option<Warning> {
    let link = plan.config.links.iter().position(|link| link.police.is_some())?;
    let mut tests = plan.protocols().filter_map(|system| tested(plan, system)).peekable();
    tests.peek()?;
    tests.all(|tested| tested.is_empty()).then(|| {
        let text = format!(
            "no flows of xcp cross link {} or another with `police`: agents test no others",
            plan.network.link_name(link),
        );
        Warning { severity: Severity::Remark, code: "nothing_to_police".into(), text }
    })
}

/// Groups whose RTT is above the largest that an agent on their path allows.
pub(super) fn too_far_for_police(plan: &Plan) -> Option<Warning> {
    let far =
        |system| tested(plan, system)?.into_iter().find(|found| found.rtt > found.longest_rtt);
    let (system, far) = plan.protocols().find_map(|system| Some((system, far(system)?)))?;
    let text = format!(
        "in runs of {system}, the RTT of group `{}` is {} without a queue, above the `longest_rtt` of the agent \
         at link {}, {}: its flows fail tests though they keep to their law",
        far.group.name,
        far.rtt,
        plan.network.link_name(far.link),
        far.longest_rtt,
    );
    Some(Warning { severity: Severity::Bias, code: "rtt_above_police".into(), text })
}
