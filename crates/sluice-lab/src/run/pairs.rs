//! Comparisons flow by flow, stored beside the runs so that they are made once.

use std::io;
use std::path::Path;

use parquet::errors::ParquetError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::RunError;
use crate::Plan;
use crate::results::read::io_error;
use crate::results::{
    Comparison, ComparisonTally, CompletionRatios, FLOWS, RatioTally, Sealed, Store, StoredRun,
    System, each_matched,
};

/// The folder of the comparisons in a folder of results.
const PAIRS: &str = "pairs";

/// What compares protocols with each other and with ideals.
#[derive(Default)]
pub(super) struct Comparisons {
    /// Each protocol compared with the first one.
    pub(super) pairs: Vec<Comparison>,
    /// Each protocol relative to each ideal, then to the first protocol.
    pub(super) ratios: Vec<CompletionRatios>,
}

/// What two runs with one seed add up to, flow by flow.
#[derive(Clone, Serialize, Deserialize)]
struct PairTally {
    comparison: ComparisonTally,
    ratios: RatioTally,
}

impl PairTally {
    fn read(plan: &Plan, files: [&Path; 2], end_ns: u64) -> Result<Self, ParquetError> {
        let mut tally =
            Self { comparison: ComparisonTally::default(), ratios: RatioTally::new(plan) };
        each_matched(plan, files, |flow| {
            tally.comparison.add(flow);
            tally.ratios.add(plan, flow, end_ns);
        })?;
        Ok(tally)
    }
}

/// Compares each protocol with each ideal and with the first protocol, over the seeds that both have runs
/// with.
pub(super) fn of(
    plan: &Plan,
    folder: &Path,
    store: &Store,
    runs: &[StoredRun],
) -> Result<Comparisons, RunError> {
    let first = plan.protocols().next();
    let references = plan.ideals().chain(first);
    let couples: Vec<(System, System)> = references
        .flat_map(|reference| plan.protocols().map(move |protocol| (reference, protocol)))
        .filter(|(reference, protocol)| reference != protocol)
        .collect();
    let mut found = Comparisons::default();
    if couples.is_empty() {
        return Ok(found);
    }
    let pairs = folder.join(PAIRS);
    std::fs::create_dir_all(&pairs).map_err(|error| RunError::Io(pairs, error))?;
    for (reference, protocol) in couples {
        let both = same_seeds(runs, reference, protocol);
        let read = |(one, other): &(&StoredRun, &StoredRun)| tally(plan, folder, store, one, other);
        let tallies = both.par_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let (comparisons, ratios): (Vec<_>, Vec<_>) =
            tallies.into_iter().map(|tally| (tally.comparison, tally.ratios)).unzip();
        found.ratios.extend(CompletionRatios::of(plan, protocol, reference, &ratios));
        if Some(reference) == first {
            let long = both.iter().map(|(one, other)| [one.flows.long, other.flows.long]);
            let long: Vec<_> = long.collect();
            found.pairs.push(Comparison::of(reference, protocol, &comparisons, &long));
        }
    }
    Ok(found)
}

/// The runs of two systems, those with the same seed together.
fn same_seeds(runs: &[StoredRun], first: System, second: System) -> Vec<(&StoredRun, &StoredRun)> {
    let of_system = |system| runs.iter().filter(move |run| run.protocol == system);
    let partner = |one: &StoredRun| of_system(second).find(|run| run.seed == one.seed);
    of_system(first).filter_map(|one| Some((one, partner(one)?))).collect()
}

fn tally(
    plan: &Plan,
    folder: &Path,
    store: &Store,
    one: &StoredRun,
    other: &StoredRun,
) -> Result<PairTally, RunError> {
    let files = [one, other].map(|run| store.file(&run.id(), FLOWS));
    let read = || {
        PairTally::read(plan, [&files[0], &files[1]], other.end_ns)
            .map_err(|error| RunError::Io(files[1].clone(), io_error(error)))
    };
    if !(one.protocol.is_kept() && other.protocol.is_kept()) {
        return read();
    }
    let name = format!("{PAIRS}/{}-{}-{}.json", one.protocol, one.key, other.id().folder());
    let kept = folder.join(&name);
    if let Some(tally) = std::fs::read(&kept).ok().and_then(|text| Sealed::read(&text)) {
        return Ok(tally);
    }
    let tally = read()?;
    keep(store, &name, &tally).map_err(|error| RunError::Io(kept, error))?;
    Ok(tally)
}

fn keep(store: &Store, name: &str, tally: &PairTally) -> io::Result<()> {
    let mut set = store.folder().file_set();
    set.add(name, |out| Sealed::write(tally, out))?;
    set.publish()
}
