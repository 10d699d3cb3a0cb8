//! Warnings about the results in a summary.

use sluice_sim::traffic::Sizes;
use sluice_units::Bytes;

use super::footing;
use super::precise::is_met;
use super::summary::{ProtocolSummary, Severity, Warning};
use crate::Plan;

/// The relative difference between realised and requested load above which a warning is due.
const LOAD_MISSES: f64 = 0.05;
/// A bin with fewer flows than this gets a warning.
pub(crate) const FEW_FLOWS: u64 = 30;

/// The warnings that apply.
pub(crate) fn of(plan: &Plan, protocols: &[ProtocolSummary]) -> Vec<Warning> {
    let by_severity = [
        (Severity::Bias, unfinished(protocols)),
        (Severity::Bias, load_differs(plan, protocols)),
        (Severity::Bias, capped_statements(protocols)),
        (Severity::Uncertainty, infinite_variance(plan)),
        (Severity::Uncertainty, single_replication(protocols)),
        (Severity::Uncertainty, imprecise(plan, protocols)),
        (Severity::Uncertainty, few_flows(protocols)),
        (Severity::Remark, no_randomness(protocols)),
        (Severity::Remark, ("unequal_transports", footing::differences(plan))),
    ];
    let known = |(severity, (code, text)): (Severity, (&str, Option<String>))| {
        let code = code.into();
        text.map(|text| Warning { severity, code, text })
    };
    let mut found: Vec<Warning> = by_severity.into_iter().filter_map(known).collect();
    found.extend(plan.warnings());
    found.sort_by_key(|warning| warning.severity);
    found
}

/// Whether flow sizes have infinite variance: then means over all sizes converge too slowly for any
/// interval to be valid.
pub(crate) fn has_infinite_variance(plan: &Plan) -> bool {
    plan.config.groups.iter().any(|group| match group.traffic.clone().sizes_mut() {
        Some(Sizes::Pareto(pareto)) => pareto.shape.get() <= 2.0,
        _ => false,
    })
}

fn infinite_variance(plan: &Plan) -> (&'static str, Option<String>) {
    let text = "Pareto flow sizes of shape 2 or less have infinite variance: no confidence interval \
                of the mean over all sizes is valid; compare by size";
    ("infinite_variance", has_infinite_variance(plan).then(|| text.into()))
}

fn no_randomness(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let same: Vec<&ProtocolSummary> =
        protocols.iter().filter(|protocol| protocol.repeats > 0).collect();
    let text = same.first().map(|first| {
        let names: Vec<String> = same.iter().map(|same| same.protocol.to_string()).collect();
        format!(
            "all {} seeds give identical results under {}: nothing is random, so means have no \
             confidence intervals",
            first.repeats + 1,
            names.join(", "),
        )
    });
    ("no_randomness", text)
}

fn single_replication(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let text = "single run: only quantiles have intervals (assuming independent flows); set \
                `replications` >= 2 for means";
    let is_single = protocols
        .iter()
        .any(|protocol| protocol.runs == 1 && protocol.repeats == 0 && protocol.all.flows > 0);
    ("single_replication", is_single.then(|| text.into()))
}

fn load_differs(plan: &Plan, protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let text = || {
        // Long flows and lists have no requested load.
        let counted = plan.groups.iter().zip(&plan.config.groups);
        let requested = counted
            .filter(|(_, group)| !group.traffic.is_endless())
            .try_fold(0.0, |sum, (planned, _)| Some(sum + planned.mean_rate?.as_bps_f64()))?;
        let offered = protocols.first()?.offered;
        let off = offered / requested - 1.0;
        (requested > 0.0 && off.abs() > LOAD_MISSES).then(|| {
            let side = if off > 0.0 { "above" } else { "below" };
            format!("the offered load is {:.1} % {side} the requested load", 100.0 * off.abs())
        })
    };
    ("load_differs", text())
}

fn unfinished(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let left: Vec<String> = protocols
        .iter()
        .filter(|protocol| protocol.unfinished > 0)
        .map(|protocol| format!("{} ({})", protocol.protocol, protocol.unfinished))
        .collect();
    let text = || {
        format!(
            "flows unfinished at `limit` are not counted in completion times, which are biased low: \
             {}",
            left.join(", ")
        )
    };
    ("unfinished", (!left.is_empty()).then(text))
}

fn capped_statements(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let capped: Vec<String> = protocols
        .iter()
        .filter_map(|protocol| Some((protocol.protocol, protocol.capped_statements?)))
        .filter(|&(_, count)| count > 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let text = || {
        format!(
            "control packets of clouds state at most 65536 s, the time since the one before times the number of \
             micro-flows or their weights, and 4.29 GB; macro-flows exceed that and have wrong shares: \
             {} control packets",
            capped.join(", ")
        )
    };
    ("capped_statements", (!capped.is_empty()).then(text))
}

fn imprecise(plan: &Plan, protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let text = "`max_runs` is reached, and intervals are wider than `precision` requires";
    ("precision_not_reached", (!is_met(plan, protocols)).then(|| text.into()))
}

fn few_flows(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let of_any = protocols.iter().flat_map(|protocol| &protocol.by_size);
    let mut few: Vec<u64> =
        of_any.filter(|bin| bin.flows < FEW_FLOWS).map(|bin| bin.from).collect();
    few.sort_unstable();
    few.dedup();
    let text = || {
        let from: Vec<String> = few.iter().map(|&from| Bytes::new(from).to_string()).collect();
        format!("fewer than {FEW_FLOWS} flows finished in the bins from {}", from.join(", "))
    };
    ("few_flows", (!few.is_empty()).then(text))
}
