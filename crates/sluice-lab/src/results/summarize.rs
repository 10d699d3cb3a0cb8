//! Makes the summary of runs.

use sluice_sim::{IngressOutcome, LinkId, Paths};
use sluice_units::{Span, Time};

use super::analytic;
use super::bins::{self, BINS};
use super::estimated;
use super::limits;
use super::links::LinkTotals;
use super::pairs::Comparison;
use super::precise::is_met;
use super::quantiles::Quantiles;
use super::ratios::CompletionRatios;
use super::repeats::are_repeats;
use super::run_file::StoredRun;
use super::stats::CONFIDENCE;
use super::streams::StreamSummary;
use super::summary::{
    BinSummary, GroupSummary, LinkSummary, LongSummary, ProtocolSummary, RunSummary, Summary,
};
use super::system::System;
use super::tally::{Completions, GroupTally, Tally, Values};
use super::warnings::{self, has_infinite_variance};
use crate::scenario::SCHEMA;
use crate::{BUILD, GroupPlan, Plan};

/// Sums the runs up.
pub(crate) fn summarize(
    plan: &Plan,
    runs: &[StoredRun],
    (pairs, ratios): (Vec<Comparison>, Vec<CompletionRatios>),
    interrupted: Vec<(System, u64)>,
    files: Vec<String>,
) -> Summary {
    let limits = limits::of(plan, runs);
    let protocols = protocols(plan, runs);
    Summary {
        schema: SCHEMA,
        name: plan.scenario.name.clone(),
        build: BUILD.into(),
        confidence: CONFIDENCE,
        measured: [plan.config.warm_up, plan.config.stop].map(Time::as_secs_f64),
        bottleneck_capacity: plan.config.links[limits[0]].capacity.as_bps(),
        links_left_out: limits.len().saturating_sub(limits::MAX_LINKS),
        analytic: analytic::of(plan, runs),
        warnings: warnings::of(plan, &protocols),
        protocols,
        ideals: of_systems(plan, plan.ideals(), runs, &limits, is_nothing_random(plan, runs)),
        pairs,
        ratios,
        runs: runs.iter().map(of_run).collect(),
        interrupted,
        files,
    }
}

/// Adds what models predict. Runs have no part in it, so only the last summary of a plan needs it.
pub(crate) fn add_estimates(plan: &Plan, summary: &mut Summary) {
    for system in summary.protocols.iter_mut().chain(&mut summary.ideals) {
        system.estimate = estimated::of(plan, system.protocol);
    }
}

/// Whether completion times are as precise as the scenario requires.
pub(crate) fn is_precise(plan: &Plan, runs: &[StoredRun]) -> bool {
    is_met(plan, &protocols(plan, runs))
}

/// The protocols that ran.
fn protocols(plan: &Plan, runs: &[StoredRun]) -> Vec<ProtocolSummary> {
    of_systems(plan, plan.protocols(), runs, &limits::of(plan, runs), is_nothing_random(plan, runs))
}

/// Whether everything that ran repeats its first run: then that one counts, everywhere alike.
fn is_nothing_random(plan: &Plan, runs: &[StoredRun]) -> bool {
    let of = |system| runs.iter().filter(|run| run.protocol == system).collect::<Vec<_>>();
    let mut all = plan.protocols().chain(plan.ideals()).map(of).filter(|runs| !runs.is_empty());
    all.all(|runs| are_repeats(&runs))
}

fn of_systems(
    plan: &Plan,
    systems: impl Iterator<Item = System>,
    runs: &[StoredRun],
    limits: &[usize],
    one_counts: bool,
) -> Vec<ProtocolSummary> {
    let of_system = |system| {
        let mut runs: Vec<&StoredRun> = runs.iter().filter(|run| run.protocol == system).collect();
        let repeats = if are_repeats(&runs) { runs.len() - 1 } else { 0 };
        if one_counts {
            runs.truncate(1);
        }
        let mut found = (!runs.is_empty()).then(|| of_protocol(plan, system, &runs, limits))?;
        found.repeats = repeats;
        if repeats > 0 {
            found.bins_mut().for_each(BinSummary::drop_intervals_over_runs);
        }
        Some(found)
    };
    systems.filter_map(of_system).collect()
}

fn of_protocol(
    plan: &Plan,
    protocol: System,
    runs: &[&StoredRun],
    limits: &[usize],
) -> ProtocolSummary {
    let mut tally = Tally::new(plan.config.groups.len());
    runs.iter().for_each(|run| tally.merge(&run.flows));
    let over_links = |value: fn(&LinkTotals) -> u64| -> u64 {
        runs.iter().flat_map(|run| &run.links).map(value).sum()
    };
    let all: Vec<Completions> = runs.iter().map(|run| run.flows.all_sizes()).collect();
    let by_size = (0..BINS).map(|bin| {
        let flows: Vec<&Completions> = runs.iter().map(|run| &run.flows.bins[bin]).collect();
        of_bin(plan, bins::edges(bin), &flows)
    });
    let long = tally.long;
    let shown = limits.iter().take(limits::MAX_LINKS);
    ProtocolSummary {
        protocol,
        runs: runs.len(),
        repeats: 0,
        unfinished: tally.unfinished,
        retransmissions: runs.iter().map(|run| run.resent).sum(),
        drops: over_links(|link| link.drops),
        ingress_drops: over_ingresses(runs, |ingress| ingress.dropped),
        capped_statements: over_ingresses(runs, |ingress| ingress.capped),
        errors: over_links(|link| link.errors),
        offered: mean(runs, |run| run.offered_bps as f64),
        all: of_bin(plan, (0, None), &all.iter().collect::<Vec<_>>()),
        by_size: by_size.filter(|bin| bin.flows > 0).collect(),
        estimate: None,
        bottleneck: of_link(plan, runs, limits[0]),
        links: shown.map(|&link| of_link(plan, runs, link)).collect(),
        groups: of_groups(plan, runs, &tally),
        long: (long.flows > 0).then(|| LongSummary { flows: long.flows, jain: long.jain() }),
        streams: streams(plan, runs, &together(plan, &tally, |_| true)),
    }
}

/// The sum of a count over all links where macro-flows enter, if there are clouds.
fn over_ingresses(runs: &[&StoredRun], count: fn(IngressOutcome) -> u64) -> Option<u64> {
    let entered = runs.iter().flat_map(|run| &run.links).filter_map(|link| link.ingress);
    entered.map(count).reduce(|sum, more| sum + more)
}

fn of_bin(plan: &Plan, (from, to): (u64, Option<u64>), runs: &[&Completions]) -> BinSummary {
    let quantiles = |values: fn(&Completions) -> &Values, unit: f64, min: f64| {
        let values: Vec<&Values> = runs.iter().map(|run| values(run)).collect();
        let mut found = Quantiles::of(&values, unit, min);
        if to.is_none() && has_infinite_variance(plan) {
            // No central limit holds for this mean.
            found.intervals.mean = None;
        }
        found
    };
    BinSummary {
        from,
        to,
        flows: runs.iter().map(|run| run.flows()).sum(),
        completion: quantiles(|flows| &flows.times, 1e9, 0.0),
        slowdown: quantiles(|flows| &flows.slowdowns, 1e3, 1.0),
        ideal_ratio: quantiles(|flows| &flows.ideal_ratios, 1e3, 0.0),
    }
}

fn of_link(plan: &Plan, runs: &[&StoredRun], link: usize) -> LinkSummary {
    let ends = &plan.config.links[link];
    let at = |value: fn(&LinkTotals) -> f64| mean(runs, |run| value(&run.links[link]));
    let load = |bytes: fn(&LinkTotals) -> u64| {
        a_second(plan, runs, runs.iter().map(|run| bytes(&run.links[link]) as f64).sum())
    };
    LinkSummary {
        from: plan.network.nodes[ends.from].clone(),
        to: plan.network.nodes[ends.to].clone(),
        capacity: ends.capacity.as_bps(),
        utilization: at(|link| link.utilization),
        mean_queue: at(|link| link.mean_queue as f64),
        p99_queue: at(|link| link.p99_queue as f64),
        drops: at(|link| link.drops as f64),
        marks: at(|link| link.marks as f64),
        errors: at(|link| link.errors as f64),
        bdp: bdp(plan, link),
        offered: load(|link| link.offered),
        unresponsive: load(|link| link.unresponsive),
    }
}

/// The bandwidth-delay product of a link in bytes, as buffers count it but for paths that groups change to in mid-flow.
fn bdp(plan: &Plan, link: LinkId) -> f64 {
    let crosses =
        |paths: &&Paths| paths.out.links().contains(&link) || paths.back.links().contains(&link);
    let paths = plan.groups.iter().map(|group| &group.paths).filter(crosses);
    let largest = paths.map(|paths| paths.rtpd(&plan.config)).max().unwrap_or(Span::ZERO);
    plan.config.links[link].capacity.as_bytes_per_sec_f64() * largest.as_secs_f64()
}

fn of_groups(plan: &Plan, runs: &[&StoredRun], tally: &Tally) -> Vec<GroupSummary> {
    let groups = plan.scenario.group.iter().enumerate().map(|(of, group)| {
        let found = together(plan, tally, |planned| planned.of == of);
        let mean = |sum: u128, unit: f64| {
            (found.finished > 0).then(|| sum as f64 / unit / found.finished as f64)
        };
        GroupSummary {
            name: group.name.clone(),
            flows: found.flows,
            throughput: a_second(plan, runs, found.delivered as f64),
            offered: a_second(plan, runs, found.offered as f64),
            completion: mean(found.times, 1e9),
            slowdown: mean(found.slowdowns, 1e3),
            streams: streams(plan, runs, &found),
            statuses: found.statuses.if_any(),
        }
    });
    groups.collect()
}

/// The sum over some of the groups.
fn together(plan: &Plan, tally: &Tally, of: impl Fn(&GroupPlan) -> bool) -> GroupTally {
    let mut sum = GroupTally::default();
    let groups = tally.groups.iter().zip(&plan.groups).filter(|(_, planned)| of(planned));
    groups.for_each(|(found, _)| sum.merge(found));
    sum
}

fn streams(plan: &Plan, runs: &[&StoredRun], found: &GroupTally) -> Option<StreamSummary> {
    let seconds = plan.config.stop.since(plan.config.warm_up).as_secs_f64();
    found.streams.summary(runs.len(), seconds)
}

/// Bytes in the measured time of all runs as bits a second, mean over runs.
fn a_second(plan: &Plan, runs: &[&StoredRun], bytes: f64) -> f64 {
    let seconds = plan.config.stop.since(plan.config.warm_up).as_secs_f64() * runs.len() as f64;
    bytes * 8.0 / seconds
}

fn of_run(run: &StoredRun) -> RunSummary {
    RunSummary {
        protocol: run.protocol,
        seed: run.seed,
        key: run.key.clone(),
        folder: format!("runs/{}", run.id().folder()),
        end: run.end_ns as f64 / 1e9,
        measured: run.measured,
        unfinished: run.unfinished,
        offered: run.offered_bps,
    }
}

fn mean(runs: &[&StoredRun], value: impl Fn(&StoredRun) -> f64) -> f64 {
    runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64
}
