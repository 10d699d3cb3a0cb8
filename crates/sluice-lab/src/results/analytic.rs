//! Prediction of queueing theory: processor sharing of Poisson arrivals at one link.

use serde::{Deserialize, Serialize};
use sluice_sim::GroupConfig;
use sluice_sim::traffic::Traffic;

use super::bins::{self, BINS};
use super::run_file::StoredRun;
use super::tally::Completions;
use crate::Plan;

/// Mean completion times under processor sharing, for the sizes that arrived.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Analytic {
    /// The formula and its source.
    pub source: String,
    /// The node where the shared link begins.
    pub from: String,
    /// The node where it ends.
    pub to: String,
    /// Its requested load, headers included, in (0, 1).
    pub load: f64,
    /// Flows of all sizes.
    pub all: AnalyticBin,
    /// The same by size; sizes without a flow are left out.
    pub by_size: Vec<AnalyticBin>,
}

/// Flows of some sizes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AnalyticBin {
    /// The smallest size in bytes.
    pub from: u64,
    /// Sizes are less than this; `None` for no limit.
    pub to: Option<u64>,
    /// Number of flows.
    pub flows: u64,
    /// Their mean completion time in seconds.
    pub completion: f64,
}

const SOURCE: &str = "E[T | L] = alone + L / (C (1 - load)) - L / C: M/G/1 processor sharing, as \
                      equation (3) of Processor Sharing Flows in the Internet (IWQoS 2005), whose \
                      1.5 RTT are part of what the flow takes alone";

/// The prediction, if all arrivals are Poisson and share exactly one link, the slowest of every
/// path, and no capacity varies.
pub(crate) fn of(plan: &Plan, runs: &[StoredRun]) -> Option<Analytic> {
    let link = shared(plan)?;
    let capacity = plan.config.links[link].capacity.as_bytes_per_sec_f64();
    let load = wire_rate(plan)? / capacity;
    let system = runs.first()?.protocol;
    let mut flows: Vec<Completions> = vec![Completions::default(); BINS];
    for run in runs.iter().filter(|run| run.protocol == system) {
        flows.iter_mut().zip(&run.flows.bins).for_each(|(sum, bin)| sum.merge(bin));
    }
    let of_bin = |(from, to): (u64, Option<u64>), flows: &Completions| AnalyticBin {
        from,
        to,
        flows: flows.flows(),
        completion: mean(flows, capacity, load),
    };
    let all = flows.iter().fold(Completions::default(), |mut all, bin| {
        all.merge(bin);
        all
    });
    let by_size = (0..BINS).filter(|&bin| flows[bin].flows() > 0);
    (load > 0.0 && load < 1.0 && all.flows() > 0).then(|| Analytic {
        source: SOURCE.into(),
        from: plan.network.nodes[plan.config.links[link].from].clone(),
        to: plan.network.nodes[plan.config.links[link].to].clone(),
        load,
        all: of_bin((0, None), &all),
        by_size: by_size.map(|bin| of_bin(bins::edges(bin), &flows[bin])).collect(),
    })
}

/// The link that every group crosses once, if each has a single path of constant capacity, no path has
/// a slower one and all arrivals are Poisson during the measurement.
fn shared(plan: &Plan) -> Option<usize> {
    let is_poisson = |group: &GroupConfig| match &group.traffic {
        Traffic::Poisson(model) => {
            model.start <= plan.config.warm_up && model.stop >= plan.config.stop
        }
        _ => false,
    };
    if !plan.config.groups.iter().all(is_poisson) {
        return None;
    }
    let capacity = |link: usize| plan.config.links[link].capacity;
    let varies = |link: usize| plan.config.links[link].schedule.is_some();
    let paths: Vec<&[usize]> =
        plan.groups.iter().map(|group| group.paths.out.only()).collect::<Option<_>>()?;
    let slowest = paths.first()?.iter().copied().min_by_key(|&link| capacity(link))?;
    let fits = |path: &&[usize]| {
        path.iter().filter(|&&link| link == slowest).count() == 1
            && path.iter().all(|&link| capacity(link) >= capacity(slowest) && !varies(link))
    };
    paths.iter().all(fits).then_some(slowest)
}

/// Requested rate of data and headers over all groups, in bytes per second; headers by mean size.
fn wire_rate(plan: &Plan) -> Option<f64> {
    plan.groups.iter().try_fold(0.0, |sum, group| {
        let (rate, size) = (group.mean_rate?.as_bytes_per_sec_f64(), group.mean_size?);
        let payload = (plan.config.packet - plan.config.header).as_f64();
        let packets = (size / payload).max(1.0);
        Some(sum + rate * (1.0 + packets * plan.config.header.as_f64() / size))
    })
}

fn mean(flows: &Completions, capacity: f64, load: f64) -> f64 {
    let shared = flows.wire as f64 / capacity * load / (1.0 - load);
    (flows.alone as f64 / 1e9 + shared) / flows.flows().max(1) as f64
}
