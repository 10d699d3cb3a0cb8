//! `summary.json`: what a person or a program wants to know first.

use serde::Serialize;
use sluice_laws::registry::Name;
use sluice_sim::{LinkOutcome, Outcome};

use super::bins::{self, BINS};
use super::tally::{Completions, Tally};
use crate::Plan;
use crate::scenario::SCHEMA;

/// A run that went to its end.
pub(crate) struct Run {
    pub protocol: Name,
    pub seed: u64,
    pub outcome: Outcome,
    pub tally: Tally,
    /// The files it wrote.
    pub files: Vec<String>,
}

/// Everything in `summary.json`. Times are in seconds, sizes in bytes, rates in bits a second.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The version of this format.
    pub schema: u32,
    /// The scenario's name.
    pub name: String,
    /// Capacity of the link that `ProtocolSummary::bottleneck` tells of.
    pub bottleneck_capacity: u64,
    /// A protocol each, over all its runs, in the scenario's order.
    pub protocols: Vec<ProtocolSummary>,
    /// A run each.
    pub runs: Vec<RunSummary>,
    /// Runs that were ended early: protocol and seed. They are in none of the figures above.
    pub interrupted: Vec<(Name, u64)>,
    /// The files written beside this one.
    pub files: Vec<String>,
}

/// One protocol over all its runs.
#[derive(Clone, Debug, Serialize)]
pub struct ProtocolSummary {
    /// Which protocol.
    pub protocol: Name,
    /// How many runs.
    pub runs: usize,
    /// Measured flows that did not finish before the run's limit.
    pub unfinished: u64,
    /// Packets sent again.
    pub retransmissions: u64,
    /// Packets dropped by queues, all links together, in the measured time.
    pub drops: u64,
    /// Packets lost on wires, all links together, in the measured time.
    pub errors: u64,
    /// Data that measured flows brought a second, mean over runs: the realised load.
    pub offered: f64,
    /// Measured flows that finished, of all sizes.
    pub all: BinSummary,
    /// The same by size; sizes without a flow are left out.
    pub by_size: Vec<BinSummary>,
    /// The busiest link with a router law (of any, if none has one), the same for every protocol;
    /// means over runs.
    pub bottleneck: LinkSummary,
    /// Groups as the scenario has them (pairs together).
    pub groups: Vec<GroupSummary>,
    /// Flows that send until they are stopped; `None` if there are none.
    pub long: Option<LongSummary>,
}

/// Flows of some sizes.
#[derive(Clone, Debug, Serialize)]
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
}

/// A distribution in three figures; `None` where there are no values.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Quantiles {
    /// Mean.
    pub mean: Option<f64>,
    /// Median, within 0.4 %.
    pub p50: Option<f64>,
    /// 99th percentile, within 0.4 %.
    pub p99: Option<f64>,
}

/// One link.
#[derive(Clone, Debug, Serialize)]
pub struct LinkSummary {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Bytes sent over capacity x time.
    pub utilization: f64,
    /// Mean queue in bytes.
    pub mean_queue: f64,
    /// 99th percentile of the queue in bytes.
    pub p99_queue: f64,
}

/// One group of the scenario.
#[derive(Clone, Debug, Serialize)]
pub struct GroupSummary {
    /// Its name.
    pub name: String,
    /// How many flows it had, all runs together.
    pub flows: u64,
    /// Data delivered in the measured time, in bits a second, mean over runs.
    pub throughput: f64,
    /// Data that its measured flows brought, in bits a second, mean over runs.
    pub offered: f64,
}

/// Flows that send until they are stopped.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LongSummary {
    /// How many, all runs together.
    pub flows: u64,
    /// Jain's index of their throughputs; `None` for fewer than two.
    pub jain: Option<f64>,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunSummary {
    /// Which protocol.
    pub protocol: Name,
    /// Its seed.
    pub seed: u64,
    /// When the run ended.
    pub end: f64,
    /// Measured flows.
    pub measured: u64,
    /// Measured flows that did not finish.
    pub unfinished: u64,
    /// Data that measured flows brought, in bits a second.
    pub offered: u64,
}

/// Sums the runs up.
pub(crate) fn summarize(
    plan: &Plan,
    runs: &[Run],
    interrupted: Vec<(Name, u64)>,
    files: Vec<String>,
) -> Summary {
    let bottleneck = busiest(plan, runs);
    let protocols = plan.scenario.protocols.iter().filter_map(|&protocol| {
        let runs: Vec<&Run> = runs.iter().filter(|run| run.protocol == protocol).collect();
        (!runs.is_empty()).then(|| of_protocol(plan, protocol, &runs, bottleneck))
    });
    Summary {
        schema: SCHEMA,
        name: plan.scenario.name.clone(),
        bottleneck_capacity: plan.config.links[bottleneck].capacity.as_bps(),
        protocols: protocols.collect(),
        runs: runs.iter().map(of_run).collect(),
        interrupted,
        files,
    }
}

/// The link that protocols are compared at.
fn busiest(plan: &Plan, runs: &[Run]) -> usize {
    let busy =
        |link: usize| -> f64 { runs.iter().map(|run| run.outcome.links[link].utilization).sum() };
    let any_router = plan.config.links.iter().any(|link| link.router);
    let candidates =
        (0..plan.config.links.len()).filter(|&link| plan.config.links[link].router || !any_router);
    // The first of equals, so that it is the same every time.
    candidates.reduce(|best, link| if busy(link) > busy(best) { link } else { best }).unwrap_or(0)
}

fn of_protocol(plan: &Plan, protocol: Name, runs: &[&Run], bottleneck: usize) -> ProtocolSummary {
    let mut tally = Tally::new(plan.config.groups.len());
    runs.iter().for_each(|run| tally.merge(&run.tally));
    let over_links = |value: fn(&LinkOutcome) -> u64| -> u64 {
        runs.iter().flat_map(|run| &run.outcome.links).map(value).sum()
    };
    let by_size = (0..BINS).map(|bin| of_bin(bins::edges(bin), &tally.bins[bin]));
    let long = tally.long;
    ProtocolSummary {
        protocol,
        runs: runs.len(),
        unfinished: tally.unfinished,
        retransmissions: tally.retransmissions,
        drops: over_links(|link| link.drops),
        errors: over_links(|link| link.errors),
        offered: mean(runs, |run| run.outcome.offered.as_bps_f64()),
        all: of_bin((0, None), &tally.all_sizes()),
        by_size: by_size.filter(|bin| bin.flows > 0).collect(),
        bottleneck: of_link(plan, runs, bottleneck),
        groups: of_groups(plan, runs, &tally),
        long: (long.flows > 0).then(|| LongSummary { flows: long.flows, jain: long.jain() }),
    }
}

fn of_bin((from, to): (u64, Option<u64>), flows: &Completions) -> BinSummary {
    let quantiles = |histogram: &super::histogram::Histogram, sum: u128, unit: f64| {
        let count = histogram.total();
        let at = |fraction| histogram.percentile(fraction).map(|value| value as f64 / unit);
        Quantiles {
            mean: (count > 0).then(|| sum as f64 / unit / count as f64),
            p50: at(0.5),
            p99: at(0.99),
        }
    };
    BinSummary {
        from,
        to,
        flows: flows.times.total(),
        completion: quantiles(&flows.times, flows.time_sum, 1e9),
        slowdown: quantiles(&flows.slowdowns, flows.slowdown_sum, 1e3),
    }
}

fn of_link(plan: &Plan, runs: &[&Run], link: usize) -> LinkSummary {
    let ends = &plan.config.links[link];
    let at = |value: fn(&LinkOutcome) -> f64| mean(runs, |run| value(&run.outcome.links[link]));
    LinkSummary {
        from: plan.network.nodes[ends.from].clone(),
        to: plan.network.nodes[ends.to].clone(),
        utilization: at(|link| link.utilization),
        mean_queue: at(|link| link.mean_queue.as_f64()),
        p99_queue: at(|link| link.p99_queue.as_f64()),
    }
}

fn of_groups(plan: &Plan, runs: &[&Run], tally: &Tally) -> Vec<GroupSummary> {
    let seconds = plan.config.stop.since(plan.config.warm_up).as_secs_f64() * runs.len() as f64;
    let groups = plan.scenario.group.iter().enumerate().map(|(of, group)| {
        let (mut flows, mut delivered, mut offered) = (0, 0, 0);
        for (found, _) in tally.groups.iter().zip(&plan.groups).filter(|(_, plan)| plan.of == of) {
            flows += found.flows;
            delivered += found.delivered;
            offered += found.offered;
        }
        let rate = |bytes: u128| bytes as f64 * 8.0 / seconds;
        let (throughput, offered) = (rate(delivered), rate(offered));
        GroupSummary { name: group.name.clone(), flows, throughput, offered }
    });
    groups.collect()
}

fn of_run(run: &Run) -> RunSummary {
    let Run { protocol, seed, outcome, .. } = run;
    RunSummary {
        protocol: *protocol,
        seed: *seed,
        end: outcome.end.as_secs_f64(),
        measured: outcome.measured,
        unfinished: outcome.unfinished,
        offered: outcome.offered.as_bps(),
    }
}

fn mean(runs: &[&Run], value: impl Fn(&Run) -> f64) -> f64 {
    runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64
}
