//! Runs that found the same whatever the seed: where nothing is random there is one run, however
//! often it is made.

use super::links::LinkTotals;
use super::run_file::StoredRun;

/// Whether two runs or more found the same, whatever their seeds. Runs without a packet found nothing.
pub(crate) fn are_repeats(runs: &[&StoredRun]) -> bool {
    let is_empty =
        |run: &StoredRun| run.offered_bps == 0 && run.links.iter().all(|link| link.sent == 0);
    runs.len() > 1 && !is_empty(runs[0]) && runs.windows(2).all(|two| is_same(two[0], two[1]))
}

/// Queues are not compared: the instants at which they are sampled differ with the seed.
fn is_same(one: &StoredRun, other: &StoredRun) -> bool {
    let counts =
        |run: &StoredRun| (run.end_ns, run.measured, run.unfinished, run.offered_bps, run.resent);
    let of_link = |link: &LinkTotals| {
        let LinkTotals { sent, drops, early_drops, marks, errors, .. } = *link;
        [sent, drops, early_drops, marks, errors]
    };
    counts(one) == counts(other)
        && one.flows == other.flows
        && one.links.iter().map(of_link).eq(other.links.iter().map(of_link))
}
