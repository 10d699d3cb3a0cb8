//! Comparisons flow by flow, stored beside the runs so that they are made once.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::RunError;
use crate::Plan;
use crate::results::read::io_error;
use crate::results::{Comparison, ComparisonTally, FLOWS, Sealed, Store, StoredRun, System};

/// The folder of the comparisons in a folder of results.
const PAIRS: &str = "pairs";

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
    let pairs = folder.join(PAIRS);
    std::fs::create_dir_all(&pairs).map_err(|error| RunError::Io(pairs, error))?;
    let of_system = |system| runs.iter().filter(move |run| run.protocol == system);
    let of_pair = |&second: &System| {
        let seconds = |one: &StoredRun| of_system(second).find(|run| run.seed == one.seed).cloned();
        let both: Vec<(&StoredRun, StoredRun)> =
            of_system(*first).filter_map(|one| Some((one, seconds(one)?))).collect();
        let read = |(one, other): &(&StoredRun, StoredRun)| tally(plan, folder, store, one, other);
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
    let name = format!("{PAIRS}/{}-{}-{}.json", one.protocol, one.key, other.id().folder());
    let kept = folder.join(&name);
    if let Some(tally) = std::fs::read(&kept).ok().and_then(|text| Sealed::read(&text)) {
        return Ok(tally);
    }
    let tally = read()?;
    keep(store, &name, &tally).map_err(|error| RunError::Io(kept, error))?;
    Ok(tally)
}

fn keep(store: &Store, name: &str, tally: &ComparisonTally) -> io::Result<()> {
    let mut set = store.folder().file_set();
    set.add(name, |out| Sealed::write(tally, out))?;
    set.publish()
}
