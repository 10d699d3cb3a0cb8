//! A warning about NCP-S, which does not settle once its queue is drained fast.
//!
//! (6) with flows that send at the R of an interval before is r(k+1) = r(k) - r(k-1) - beta q(k), where q(k) = q(k-1) +
//! r(k-1) on a full link: z^3 - 2 z^2 + (2 + beta) z - 1 = 0, whose roots have a product of 1 and one of them below 1,
//! so that any beta above 0 makes R swing ever more, by about 1 + beta / 2 in each interval. What 1 - alpha leaves idle
//! bounds the swing while beta is small. The bounds are by runs (100 Mb/s, RTT 100 ms, buffer 1 to 1.25 BDP):
//! 2, 10 and 50 long flows use 94 % of the link at a beta of 0.1, 91 % or 67 % at 0.2, depending on when they
//! start, and 49 to 60 % at 1; flows of 100 kB at a load of 0.8 take 0.22 s at 0.7, 1.8 s at 0.8 and 4 s at 1.

use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_sim::GroupConfig;
use sluice_sim::traffic::Traffic;

use super::summary::{Severity, Warning};
use crate::Plan;

/// The largest beta at which long flows settle, and flows of some size.
const LONG: f64 = 0.1;
const SIZED: f64 = 0.7;

/// Groups under NCP-S with a beta at which it collapses.
pub(super) fn swinging(plan: &Plan) -> Option<Warning> {
    let NcpParams { counted: FlowCount::Eq6, beta, .. } = plan.config.parameters.ncp else {
        return None;
    };
    let beta = beta.get();
    let (system, group) = plan.protocols().find_map(|system| {
        let run = plan.protocol(system)?;
        let is_own = |group: &&GroupConfig| {
            let own = plan.config.protocol_of(group, run);
            group.traffic.udp().is_none() && own.about().name == "ncp"
        };
        let groups: Vec<&GroupConfig> = plan.config.groups.iter().filter(is_own).collect();
        let alone = matches!(groups[..], [one] if is_one_flow(one));
        let found = groups.into_iter().find(|group| !alone && beta > bound(group))?;
        Some((system, found))
    })?;
    let what = match group.traffic.is_endless() {
        true => format!(
            "on 100 Mb/s over 100 ms, long flows use 94 % of the link at {LONG}, and 49 to 60 % at 1"
        ),
        false => format!(
            "on 100 Mb/s over 100 ms at a load of 0.8, flows of 100 kB take 8 times as long at 0.8 as at {SIZED}"
        ),
    };
    let text = format!(
        "in runs of {system}, R of group `{}` swings ever more: `counted = \"eq6\"` has no damping, and \
         `beta = {beta}` adds to it; {what}",
        group.name
    );
    Some(Warning { severity: Severity::Bias, code: "ncp_s_swings".into(), text })
}

/// A flow that is alone has no queue.
fn is_one_flow(group: &GroupConfig) -> bool {
    matches!(&group.traffic, Traffic::Long(long) if long.count == 1)
}

fn bound(group: &GroupConfig) -> f64 {
    if group.traffic.is_endless() { LONG } else { SIZED }
}
