//! `summary.json`: what a person or a program wants to know first.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sluice_units::Time;

use super::analytic::{self, Analytic};
use super::bins::{self, BINS};
use super::limits;
use super::links::LinkTotals;
use super::pairs::Pair;
use super::quantiles::{Intervals, Method, Quantiles};
use super::repeats::are_repeats;
use super::run_file::Run;
use super::stats::CONFIDENCE;
use super::system::System;
use super::tally::{Completions, GroupTally, Tally, Values};
use super::warnings::{self, Warning, has_infinite_variance};
use crate::scenario::SCHEMA;
use crate::{BUILD, GroupPlan, Plan};

/// The file's name in a folder of results.
pub(crate) const SUMMARY: &str = "summary.json";

/// Everything in `summary.json`. Times are in seconds, sizes in bytes, rates in bits a second.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The version of this format.
    pub schema: u32,
    /// The scenario's name.
    pub name: String,
    /// The build that made the runs: version and hash of the sources.
    pub build: String,
    /// How sure every interval is.
    pub confidence: f64,
    /// The measured time, from `warm_up` to `stop`: flows that arrive in it are measured, and
    /// packets that are dropped, marked, lost or sent again in it are counted.
    pub measured: [f64; 2],
    /// Capacity of `ProtocolSummary::bottleneck`.
    pub bottleneck_capacity: u64,
    /// How many links limit flows beside those in `ProtocolSummary::links`.
    pub links_left_out: usize,
    /// A protocol each, over all its runs, in the scenario's order, then laws of one's own.
    pub protocols: Vec<ProtocolSummary>,
    /// The same flows under ideals, in the scenario's order.
    pub ideals: Vec<ProtocolSummary>,
    /// What queueing theory says of these flows, where it says anything.
    pub analytic: Option<Analytic>,
    /// The first protocol against each other one, flow by flow.
    pub pairs: Vec<Pair>,
    /// What to know before believing the figures.
    pub warnings: Vec<Warning>,
    /// A run each, those of ideals first.
    pub runs: Vec<RunSummary>,
    /// Runs that were ended early: protocol and seed. They are in none of the figures above.
    pub interrupted: Vec<(System, u64)>,
    /// The files beside this one that belong to it, without those of the runs.
    pub files: Vec<String>,
}

/// One protocol, or one ideal, over all its runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProtocolSummary {
    /// Which.
    pub protocol: System,
    /// How many runs.
    pub runs: usize,
    /// How many runs found the same as the first one, whatever their seeds: then no mean has an
    /// interval. Where all protocols and ideals repeat, these runs are in no figure and not in `runs`.
    pub repeats: usize,
    /// Measured flows that did not finish before the run's limit.
    pub unfinished: u64,
    /// Data packets sent again in the measured time, as `drops` are.
    pub retransmissions: u64,
    /// Packets dropped by queues, all links together, in the measured time.
    pub drops: u64,
    /// Packets lost on wires, all links together, in the measured time.
    pub errors: u64,
    /// Data that measured flows brought a second, mean over runs.
    pub offered: f64,
    /// Measured flows that finished, of all sizes.
    pub all: BinSummary,
    /// The same by size; sizes without a flow are left out.
    pub by_size: Vec<BinSummary>,
    /// The link that limits flows most, the same for every protocol: the first of `links`.
    pub bottleneck: LinkSummary,
    /// The links that limit flows, at most five, those that hold back most first; the same for
    /// every protocol. On some way of data or acknowledgements each is used most under some
    /// protocol, or drops, marks or loses most.
    pub links: Vec<LinkSummary>,
    /// Groups as the scenario has them (pairs together).
    pub groups: Vec<GroupSummary>,
    /// Flows that send until they are stopped; `None` if there are none.
    pub long: Option<LongSummary>,
}

impl ProtocolSummary {
    /// All sizes together, then each.
    fn bins_mut(&mut self) -> impl Iterator<Item = &mut BinSummary> {
        std::iter::once(&mut self.all).chain(&mut self.by_size)
    }
}

/// Flows of some sizes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BinSummary {
    /// The least size in bytes.
    pub from: u64,
    /// Sizes are less than this; `None` for no limit.
    pub to: Option<u64>,
    /// How many flows.
    pub flows: u64,
    /// Completion time in seconds, from the SYN to the last byte's arrival.
    pub completion: Quantiles,
    /// Completion time over that of the same flow alone on the empty path.
    pub slowdown: Quantiles,
    /// Completion time over that of the same flow under the max-min ideal; no values without it.
    pub ideal_ratio: Quantiles,
}

impl BinSummary {
    /// Runs that found the same say nothing of how sure they are; within a single one quantiles do.
    fn forget_how_sure_runs_are(&mut self) {
        for found in [&mut self.completion, &mut self.slowdown, &mut self.ideal_ratio] {
            if found.intervals.method == Some(Method::Replications) {
                found.intervals = Intervals::default();
            }
        }
    }
}

/// One link in the measured time, means over runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinkSummary {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// In bits a second.
    pub capacity: u64,
    /// Bytes sent over capacity x time.
    pub utilization: f64,
    /// Mean queue in bytes.
    pub mean_queue: f64,
    /// 99th percentile of the queue in bytes.
    pub p99_queue: f64,
    /// Packets that its queue dropped.
    pub drops: f64,
    /// Packets that its queue marked.
    pub marks: f64,
    /// Packets lost on its wire.
    pub errors: f64,
    /// Data of the measured flows that cross it, in bits a second: the load.
    pub offered: f64,
}

/// One group of the scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GroupSummary {
    /// Its name.
    pub name: String,
    /// How many flows it had, all runs together.
    pub flows: u64,
    /// Data delivered in the measured time, in bits a second, mean over runs.
    pub throughput: f64,
    /// Data that its measured flows brought, in bits a second, mean over runs.
    pub offered: f64,
    /// Mean completion time of its measured flows that finished, in seconds; `None` if none did.
    pub completion: Option<f64>,
    /// Their mean slowdown.
    pub slowdown: Option<f64>,
}

/// Flows that send until they are stopped.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LongSummary {
    /// How many, all runs together.
    pub flows: u64,
    /// Jain's index of their throughputs; `None` for fewer than two.
    pub jain: Option<f64>,
}

/// One run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunSummary {
    /// Which protocol or ideal.
    pub protocol: System,
    /// Its seed.
    pub seed: u64,
    /// Its key: another for whatever can change what it finds.
    pub key: String,
    /// Its folder, beside this file.
    pub folder: String,
    /// When the run ended.
    pub end: f64,
    /// Measured flows.
    pub measured: u64,
    /// Measured flows that did not finish.
    pub unfinished: u64,
    /// Data that measured flows brought, in bits a second.
    pub offered: u64,
}

impl Summary {
    /// The summary of a folder of results.
    ///
    /// An error of kind `InvalidData` if it is not one that this version reads.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let text = std::fs::read(folder.join(SUMMARY))?;
        serde_json::from_slice(&text).map_err(|error| {
            let what = format!("not a summary of this version of sluice ({error}); run again");
            io::Error::new(io::ErrorKind::InvalidData, what)
        })
    }

    /// What ran: protocols, then ideals.
    pub fn systems(&self) -> impl Iterator<Item = &ProtocolSummary> {
        self.protocols.iter().chain(&self.ideals)
    }
}

/// Sums the runs up.
pub(crate) fn summarize(
    plan: &Plan,
    runs: &[Run],
    pairs: Vec<Pair>,
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
        links_left_out: limits.len().saturating_sub(limits::MOST),
        analytic: analytic::of(plan, runs),
        warnings: warnings::of(plan, &protocols),
        protocols,
        ideals: of_systems(plan, plan.ideals(), runs, &limits, is_nothing_random(plan, runs)),
        pairs,
        runs: runs.iter().map(of_run).collect(),
        interrupted,
        files,
    }
}

/// The protocols that ran.
pub(crate) fn protocols(plan: &Plan, runs: &[Run]) -> Vec<ProtocolSummary> {
    of_systems(plan, plan.protocols(), runs, &limits::of(plan, runs), is_nothing_random(plan, runs))
}

/// Whether everything that ran repeats its first run: then that one counts, everywhere alike.
fn is_nothing_random(plan: &Plan, runs: &[Run]) -> bool {
    let of = |system| runs.iter().filter(|run| run.protocol == system).collect::<Vec<_>>();
    let mut all = plan.protocols().chain(plan.ideals()).map(of).filter(|runs| !runs.is_empty());
    all.all(|runs| are_repeats(&runs))
}

fn of_systems(
    plan: &Plan,
    systems: impl Iterator<Item = System>,
    runs: &[Run],
    limits: &[usize],
    one_counts: bool,
) -> Vec<ProtocolSummary> {
    let of_system = |system| {
        let mut runs: Vec<&Run> = runs.iter().filter(|run| run.protocol == system).collect();
        let repeats = if are_repeats(&runs) { runs.len() - 1 } else { 0 };
        if one_counts {
            runs.truncate(1);
        }
        let mut found = (!runs.is_empty()).then(|| of_protocol(plan, system, &runs, limits))?;
        found.repeats = repeats;
        if repeats > 0 {
            found.bins_mut().for_each(BinSummary::forget_how_sure_runs_are);
        }
        Some(found)
    };
    systems.filter_map(of_system).collect()
}

fn of_protocol(plan: &Plan, protocol: System, runs: &[&Run], limits: &[usize]) -> ProtocolSummary {
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
    let shown = limits.iter().take(limits::MOST);
    ProtocolSummary {
        protocol,
        runs: runs.len(),
        repeats: 0,
        unfinished: tally.unfinished,
        retransmissions: runs.iter().map(|run| run.resent).sum(),
        drops: over_links(|link| link.drops),
        errors: over_links(|link| link.errors),
        offered: mean(runs, |run| run.offered_bps as f64),
        all: of_bin(plan, (0, None), &all.iter().collect::<Vec<_>>()),
        by_size: by_size.filter(|bin| bin.flows > 0).collect(),
        bottleneck: of_link(plan, runs, &tally, limits[0]),
        links: shown.map(|&link| of_link(plan, runs, &tally, link)).collect(),
        groups: of_groups(plan, runs, &tally),
        long: (long.flows > 0).then(|| LongSummary { flows: long.flows, jain: long.jain() }),
    }
}

fn of_bin(plan: &Plan, (from, to): (u64, Option<u64>), runs: &[&Completions]) -> BinSummary {
    let quantiles = |values: fn(&Completions) -> &Values, unit: f64, least: f64| {
        let values: Vec<&Values> = runs.iter().map(|run| values(run)).collect();
        let mut found = Quantiles::of(&values, unit, least);
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

fn of_link(plan: &Plan, runs: &[&Run], tally: &Tally, link: usize) -> LinkSummary {
    let ends = &plan.config.links[link];
    let at = |value: fn(&LinkTotals) -> f64| mean(runs, |run| value(&run.links[link]));
    let crossing = together(plan, tally, |planned| planned.paths.out.contains(&link));
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
        offered: a_second(plan, runs, crossing.offered),
    }
}

fn of_groups(plan: &Plan, runs: &[&Run], tally: &Tally) -> Vec<GroupSummary> {
    let groups = plan.scenario.group.iter().enumerate().map(|(of, group)| {
        let found = together(plan, tally, |planned| planned.of == of);
        let mean = |sum: u128, unit: f64| {
            (found.finished > 0).then(|| sum as f64 / unit / found.finished as f64)
        };
        GroupSummary {
            name: group.name.clone(),
            flows: found.flows,
            throughput: a_second(plan, runs, found.delivered),
            offered: a_second(plan, runs, found.offered),
            completion: mean(found.times, 1e9),
            slowdown: mean(found.slowdowns, 1e3),
        }
    });
    groups.collect()
}

/// What some of the groups come to.
fn together(plan: &Plan, tally: &Tally, of: impl Fn(&GroupPlan) -> bool) -> GroupTally {
    let mut sum = GroupTally::default();
    let groups = tally.groups.iter().zip(&plan.groups).filter(|(_, planned)| of(planned));
    groups.for_each(|(found, _)| sum.merge(found));
    sum
}

/// Bytes in the measured time of all runs as bits a second, mean over runs.
fn a_second(plan: &Plan, runs: &[&Run], bytes: u128) -> f64 {
    let seconds = plan.config.stop.since(plan.config.warm_up).as_secs_f64() * runs.len() as f64;
    bytes as f64 * 8.0 / seconds
}

fn of_run(run: &Run) -> RunSummary {
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

fn mean(runs: &[&Run], value: impl Fn(&Run) -> f64) -> f64 {
    runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64
}
