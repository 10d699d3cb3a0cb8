//! Warnings that follow from the plan alone: they are known before anything runs.

use std::collections::BTreeSet;

use sluice_laws::transport::EcnMode;
use sluice_sim::traffic::Traffic;
use sluice_sim::{Config, GroupConfig, LinkConfig, LinkId, RouteEpochs, Routes, Routing, Ways};
use sluice_units::Time;

use super::misplaced::misplaced;
use super::policed::{too_far_for_police, unpoliced};
use super::reserved::unguarded;
use super::reverting::reverting;
use super::summary::{Severity, Warning};
use super::swinging::swinging;
use super::system::System;
use super::wording::others;
use crate::Plan;
use crate::plan::{GroupPlan, unread};

impl Plan {
    /// Warnings about results that this plan will have; they are also in its summary.
    pub fn warnings(&self) -> Vec<Warning> {
        let routes = changing_routes(&self.config);
        let found = [
            overload(self),
            replayed_too_late(self),
            idle_paths(self, &routes),
            without_routers(self),
            unguarded(self),
            reverting(self),
            swinging(self),
            misplaced(self),
            without_marks(self),
            too_far(self),
            unpoliced(self),
            too_far_for_police(self),
            changing_under_ideals(self, &routes),
        ];
        found.into_iter().flatten().collect()
    }
}

/// The requested load of a link above which a warning is due; rounding of rates is below it.
const FULL: f64 = 1.001;

/// Links to which more traffic is sent than they carry.
fn overload(plan: &Plan) -> Option<Warning> {
    let loads = loads(plan);
    let over: Vec<usize> = (0..loads.len()).filter(|&link| loads[link] > FULL).collect();
    let &worst = over.iter().max_by(|&&a, &&b| loads[a].total_cmp(&loads[b]).then(b.cmp(&a)))?;
    let others = match over.len() - 1 {
        0 => String::new(),
        1 => ", and above 100 % on another link".into(),
        more => format!(", and above 100 % on {more} other links"),
    };
    let capacity = match &plan.config.links[worst].schedule {
        None => "capacity",
        Some(_) => "mean capacity while flows are measured",
    };
    let text = format!(
        "the requested load of link {} is {:.0} % of its {capacity}{others}: queues grow until \
         `stop`, and completion times depend on how long that is",
        plan.network.link_name(worst),
        100.0 * loads[worst],
    );
    Some(Warning { severity: Severity::Bias, code: "overload".into(), text })
}

/// The mean load of each link by groups whose rate is known, headers included, over its capacity, the
/// mean while flows are measured; 0 where only streams of datagrams cross it.
fn loads(plan: &Plan) -> Vec<f64> {
    let mut rates = vec![0.0; plan.config.links.len()];
    let payload = plan.config.packet - plan.config.header;
    let on_the_wire = plan.config.packet.as_f64() / payload.as_f64();
    let mut delays_flows = vec![false; rates.len()];
    for (group, planned) in plan.config.groups.iter().zip(&plan.groups) {
        let Some(rate) = planned.mean_rate else { continue };
        // Streams of datagrams state their headers, and have no completion times.
        let is_udp = group.traffic.udp().is_some();
        let rate = rate.as_bps_f64() * if is_udp { 1.0 } else { on_the_wire };
        for (link, share) in planned.paths.out.shares() {
            rates[link] += share * rate;
            delays_flows[link] |= !is_udp;
        }
    }
    let Config { warm_up, stop, ref links, .. } = plan.config;
    let loads = rates.iter().zip(links).zip(delays_flows);
    let load = |((rate, link), counts): ((&f64, &LinkConfig), bool)| {
        if counts { rate / link.mean_capacity(warm_up, stop).as_bps_f64() } else { 0.0 }
    };
    loads.map(load).collect()
}

/// The routes of the groups whose routes change, each with the group.
fn changing_routes(config: &Config) -> Vec<(&GroupConfig, RouteEpochs)> {
    let may_change = config.reconvergence.is_some()
        || config.groups.iter().any(|group| !group.reroute.is_empty());
    let routes = may_change.then(|| RouteEpochs::of(config).ok()).flatten().unwrap_or_default();
    let of_groups = config.groups.iter().zip(routes);
    of_groups.filter(|(_, routes)| !routes.later().is_empty()).collect()
}

/// Ideals have the flows of groups whose routes change on other paths than protocols.
fn changing_under_ideals(plan: &Plan, routes: &[(&GroupConfig, RouteEpochs)]) -> Option<Warning> {
    let (first, _) = routes.first()?;
    plan.ideals().next()?;
    let text = format!(
        "routes of group `{}`{} change in mid-flow: flows under ideals, and alone, keep the paths that \
         they have before any change, so protocols may be faster",
        first.name,
        others(routes.len()),
    );
    Some(Warning { severity: Severity::Remark, code: "changing_routes".into(), text })
}

/// Paths as short as those that groups are bound to, of which no group's data use a link. A group that
/// is bound to a longer path takes a detour on purpose.
fn idle_paths(plan: &Plan, changing: &[(&GroupConfig, RouteEpochs)]) -> Option<Warning> {
    let Config { nodes, links, groups, .. } = &plan.config;
    let first = plan.groups.iter().map(|group| &group.paths);
    let later = changing.iter().flat_map(|(_, routes)| routes.all());
    let used: BTreeSet<LinkId> =
        first.chain(later).flat_map(|paths| paths.out.links().into_owned()).collect();
    let mut routes = Routes::new(*nodes, links);
    let mut idle = |group: &GroupConfig, bound: &Ways| {
        let is_given = group.path.is_some() || !group.paths.is_empty();
        if !is_given && group.routing != Routing::Single {
            return None;
        }
        let least = routes.least_links(group.from, group.to);
        let is_detour = bound.links().iter().any(|link| !least.contains(link));
        least.into_iter().find(|link| !is_detour && !used.contains(link))
    };
    let bound = groups.iter().zip(&plan.groups);
    let bound: Vec<(&GroupConfig, LinkId)> = bound
        .filter_map(|(group, planned)| Some((group, idle(group, &planned.paths.out)?)))
        .collect();
    let &(first, link) = bound.first()?;
    let reason = match first {
        GroupConfig { path: Some(_), .. } => "`path`",
        GroupConfig { paths, .. } if !paths.is_empty() => "`paths`",
        _ => "`routing = \"single\"`",
    };
    let text = format!(
        "paths of least delay lie idle: no data cross link {}, which {reason} of group `{}`{} leaves \
         out; without it, flows spread over all of them",
        plan.network.link_name(link),
        first.name,
        others(bound.len()),
    );
    Some(Warning { severity: Severity::Remark, code: "idle_paths".into(), text })
}

/// Replayed flows that start after the measured time: some may run, as competing traffic, but none
/// has a completion time in the results.
fn replayed_too_late(plan: &Plan) -> Option<Warning> {
    let stop = plan.config.stop;
    let mut starts: Vec<Time> = Vec::new();
    for group in &plan.config.groups {
        if let Traffic::List(flows) = &group.traffic {
            starts.extend(flows.iter().map(|flow| flow.start));
        }
    }
    let late = starts.iter().filter(|&&start| start >= stop).count();
    let last = starts.iter().max().filter(|_| late > 0);
    last.map(|last| Warning {
        severity: Severity::Bias,
        code: "replayed_after_stop".into(),
        text: format!(
            "{late} of the {} replayed flows start at or after `stop`, {stop}, and are not measured; \
             set `stop` above {last}, the last start",
            starts.len()
        ),
    })
}

/// Groups whose flows carry a congestion header that no link of their paths reads.
fn without_routers(plan: &Plan) -> Option<Warning> {
    let found = plan.protocols().find_map(|system| {
        let mut groups = unread(&plan.config, &plan.groups, plan.protocol(system)?);
        let (first, own) = groups.next()?;
        Some((system, &plan.config.groups[first], own, groups.count()))
    });
    let (system, group, own, more) = found?;
    let others = match more {
        0 => String::new(),
        1 => ", nor of another group".into(),
        more => format!(", nor of {more} other groups"),
    };
    let effect = match own.collects_telemetry() {
        true => "get no telemetry, and send at the rate of their first link",
        false if own.profile(group.profile).is_some() => {
            "are admitted without a test, and send at their profiles"
        }
        false => "send what they request, which only `desired_rate` bounds",
    };
    let text = format!(
        "in runs of {system}, no link on the paths of group `{}` has the router law of {}{others}: \
         such flows {effect}",
        group.name,
        own.about().name,
    );
    Some(Warning { severity: Severity::Remark, code: "no_router_law".into(), text })
}

/// Groups whose packets are ECN-capable while no link of their paths marks packets.
fn without_marks(plan: &Plan) -> Option<Warning> {
    let runs: Vec<(System, Vec<&GroupConfig>)> =
        plan.protocols().filter_map(|system| Some((system, never_marked(plan, system)?))).collect();
    let (_, groups) = runs.first()?;
    let names: Vec<String> = runs.iter().map(|(system, _)| system.to_string()).collect();
    let text = format!(
        "in runs of {}, packets of group `{}`{} are ECN-capable, but no link on their paths marks \
         packets: senders learn of congestion by losses only. `threshold`, and active queue \
         management with `ecn`, mark packets",
        names.join(" and "),
        groups[0].name,
        others(groups.len()),
    );
    Some(Warning { severity: Severity::Remark, code: "no_marks".into(), text })
}

/// Such groups in a run of one protocol; `None` if there are none.
fn never_marked(plan: &Plan, system: System) -> Option<Vec<&GroupConfig>> {
    let Config { groups, links, parameters, .. } = &plan.config;
    let run = plan.protocol(system)?;
    let is_capable = |group: &GroupConfig| {
        let transport = plan.config.protocol_of(group, run).transport(&parameters.transport);
        group.traffic.udp().is_none() && transport.ecn != EcnMode::Off
    };
    let is_marked = |planned: &GroupPlan| {
        planned.paths.out.links().iter().any(|&link| links[link].queue.marks())
    };
    let planned = groups.iter().zip(&plan.groups);
    let found = planned.filter(|(group, planned)| is_capable(group) && !is_marked(planned));
    let found: Vec<&GroupConfig> = found.map(|(group, _)| group).collect();
    (!found.is_empty()).then_some(found)
}

/// Groups whose RTT is too long for the law of their flows, queue or not.
fn too_far(plan: &Plan) -> Option<Warning> {
    let far = |system| {
        let run = plan.protocol(system)?;
        let groups = plan.config.groups.iter().zip(&plan.groups);
        let flows = groups.filter(|(group, _)| group.traffic.udp().is_none());
        let mut far = flows.filter_map(|(group, planned)| {
            let own = plan.config.protocol_of(group, run);
            let hops = u32::try_from(planned.paths.out.of_flow(0).len()).unwrap_or(u32::MAX);
            let (rtt, longest) = (planned.paths.rtpd(&plan.config), own.longest_rtt(hops)?);
            (rtt > longest).then(|| (group, own.about().name, rtt, longest))
        });
        Some((system, far.next()?, far.count() + 1))
    };
    let (system, (group, name, rtt, longest), count) = plan.protocols().find_map(far)?;
    let text = format!(
        "in runs of {system}, the RTT of group `{}`{} is {rtt} without a queue, above the delay that {name} \
         aims at, {longest}: such flows slow down, to `min_cwnd` at worst; `{name}.base_target` raises it",
        group.name,
        others(count),
    );
    Some(Warning { severity: Severity::Bias, code: "rtt_above_target".into(), text })
}
