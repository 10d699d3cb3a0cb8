//! What to know before believing a summary.

use sluice_sim::traffic::{Sizes, Traffic};
use sluice_units::Time;

use super::footing;
use super::precise::is_met;
use super::summary::{ProtocolSummary, Warning};
use crate::Plan;

/// The realised load may miss what was asked by so much.
const LOAD_MISSES: f64 = 0.05;
/// Fewer flows than this say little of their bin.
const FEW_FLOWS: u64 = 30;

/// What there is to warn of.
pub(crate) fn of(plan: &Plan, protocols: &[ProtocolSummary]) -> Vec<Warning> {
    let all = [
        infinite_variance(plan),
        no_randomness(protocols),
        single_replication(protocols),
        ("unequal_transports", footing::differences(plan)),
        load_differs(plan, protocols),
        replayed_too_late(plan),
        unfinished(protocols),
        imprecise(plan, protocols),
        few_flows(protocols),
    ];
    let known = |(code, text): (&str, Option<String>)| {
        let code = code.into();
        text.map(|text| Warning { code, text })
    };
    all.into_iter().filter_map(known).collect()
}

/// Whether flow sizes have no variance: then means over all sizes converge too slowly for any
/// interval to be right.
pub(crate) fn has_infinite_variance(plan: &Plan) -> bool {
    plan.config.groups.iter().any(|group| match group.traffic.clone().sizes_mut() {
        Some(Sizes::Pareto(pareto)) => pareto.shape.get() <= 2.0,
        _ => false,
    })
}

fn infinite_variance(plan: &Plan) -> (&'static str, Option<String>) {
    let text = "flow sizes are Pareto with a shape of 2 or less, so their variance is infinite: \
                no interval on the mean over all sizes is valid; compare by size";
    ("infinite_variance", has_infinite_variance(plan).then(|| text.into()))
}

fn no_randomness(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let same: Vec<&ProtocolSummary> =
        protocols.iter().filter(|protocol| protocol.repeats > 0).collect();
    let text = same.first().map(|first| {
        let names: Vec<String> = same.iter().map(|same| same.protocol.to_string()).collect();
        format!(
            "all {} seeds found the same under {}: no interval can say how sure these figures are",
            first.repeats + 1,
            names.join(", "),
        )
    });
    ("no_randomness", text)
}

fn single_replication(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let text = "one run each: intervals are those of quantiles, as if flows were independent; \
                with `replications` above 1 there are intervals of means too";
    let is_single = protocols
        .iter()
        .any(|protocol| protocol.runs == 1 && protocol.repeats == 0 && protocol.all.flows > 0);
    ("single_replication", is_single.then(|| text.into()))
}

fn load_differs(plan: &Plan, protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let text = || {
        // Long flows, lists and the like bring what nobody asked for.
        let is_known = |traffic: &Traffic| matches!(traffic, Traffic::Long(_));
        let counted = plan.groups.iter().zip(&plan.config.groups);
        let asked = counted
            .filter(|(_, group)| !is_known(&group.traffic))
            .try_fold(0.0, |sum, (planned, _)| Some(sum + planned.mean_rate?.as_bps_f64()))?;
        let offered = protocols.first()?.offered;
        let off = offered / asked - 1.0;
        (asked > 0.0 && off.abs() > LOAD_MISSES).then(|| {
            let more = if off > 0.0 { "more" } else { "less" };
            format!("flows brought {:.1} % {more} data than asked for", 100.0 * off.abs())
        })
    };
    ("load_differs", text())
}

/// Flows of a replayed list that start when measuring has ended: some may run, as traffic for the
/// measured ones, and none has a completion time in the figures.
fn replayed_too_late(plan: &Plan) -> (&'static str, Option<String>) {
    let stop = plan.config.stop;
    let mut starts: Vec<Time> = Vec::new();
    for group in &plan.config.groups {
        if let Traffic::List(flows) = &group.traffic {
            starts.extend(flows.iter().map(|flow| flow.start));
        }
    }
    let late = starts.iter().filter(|&&start| start >= stop).count();
    let last = starts.iter().max().filter(|_| late > 0);
    let text = last.map(|last| {
        format!(
            "{late} of the {} replayed flows start at `stop`, {stop}, or later, and are not \
             measured: set `stop` above {last}, when the last of them starts",
            starts.len()
        )
    });
    ("replayed_after_stop", text)
}

fn unfinished(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let left: Vec<String> = protocols
        .iter()
        .filter(|protocol| protocol.unfinished > 0)
        .map(|protocol| format!("{} ({})", protocol.protocol, protocol.unfinished))
        .collect();
    let text = || {
        format!(
            "flows had not finished at `limit` and are in no completion time, which makes these \
             look better than they are: {}",
            left.join(", ")
        )
    };
    ("unfinished", (!left.is_empty()).then(text))
}

fn imprecise(plan: &Plan, protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let text = "the most replications are done, and intervals are wider than `precision` wants";
    ("precision_not_reached", (!is_met(plan, protocols)).then(|| text.into()))
}

fn few_flows(protocols: &[ProtocolSummary]) -> (&'static str, Option<String>) {
    let of_any = protocols.iter().flat_map(|protocol| &protocol.by_size);
    let mut few: Vec<u64> =
        of_any.filter(|bin| bin.flows < FEW_FLOWS).map(|bin| bin.from).collect();
    few.sort_unstable();
    few.dedup();
    let text = || {
        let from: Vec<String> = few.iter().map(|from| format!("{from} B")).collect();
        format!("fewer than {FEW_FLOWS} flows finished in the sizes from {}", from.join(", from "))
    };
    ("few_flows", (!few.is_empty()).then(text))
}
