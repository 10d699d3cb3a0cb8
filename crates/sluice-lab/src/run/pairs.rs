//! Comparisons flow by flow, stored beside the runs so that they are made once.

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::RunError;
use crate::Plan;
use crate::results::read::io_error;
use crate::results::{Comparison, ComparisonTally, FLOWS, Store, StoredRun, System, whole};

/// Compares each protocol with the first one, over the seeds that both have runs with.
pub(super) fn of(
    plan: &Plan,
    folder: &Path,
    store: &Store,
    runs: &[StoredRun],
) -> Result<Vec<Comparison>, RunError> {
    let protocols: Vec<System> = plan.protocols().collect();
    let [first, others @ ..] = &protocols[..] else { return Ok(Vec::new()) };
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let folder = folder.join("pairs");
    std::fs::create_dir_all(&folder).map_err(|error| RunError::Io(folder.clone(), error))?;
    let of_system = |system| runs.iter().filter(move |run| run.protocol == system);
    let of_pair = |&second: &System| {
        let seconds = |one: &StoredRun| of_system(second).find(|run| run.seed == one.seed).cloned();
        let both: Vec<(&StoredRun, StoredRun)> =
            of_system(*first).filter_map(|one| Some((one, seconds(one)?))).collect();
        let read = |(one, other): &(&StoredRun, StoredRun)| tally(plan, &folder, store, one, other);
        let tallies = both.par_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let long: Vec<_> =
            both.iter().map(|(one, other)| [one.flows.long, other.flows.long]).collect();
        Ok(Comparison::of(*first, second, &tallies, &long))
    };
    others.iter().map(of_pair).collect()
}

fn tally(
    plan: &Plan,
    folder: &Path,
    store: &Store,
    one: &StoredRun,
    other: &StoredRun,
) -> Result<ComparisonTally, RunError> {
    let files = [one, other].map(|run| store.file(&run.id(), FLOWS));
    let read = || {
        ComparisonTally::read(plan, &files[0], &files[1])
            .map_err(|error| RunError::Io(files[1].clone(), io_error(error)))
    };
    if !(one.protocol.is_kept() && other.protocol.is_kept()) {
        return read();
    }
    let name = format!("{}-{}-{}.json", one.protocol, one.key, other.id().folder());
    let kept: PathBuf = folder.join(name);
    if let Some(tally) = std::fs::read(&kept).ok().and_then(|t| serde_json::from_slice(&t).ok()) {
        return Ok(tally);
    }
    let tally = read()?;
    let io = |error| RunError::Io(kept.clone(), error);
    whole(&kept, |out| {
        serde_json::to_writer(&mut *out, &tally)?;
        out.write_all(b"\n")
    })
    .map_err(io)?;
    Ok(tally)
}
