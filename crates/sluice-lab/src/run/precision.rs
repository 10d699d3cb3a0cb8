//! Whether more replications are required.

use crate::Plan;
use crate::results::{self, StoredRun};

/// The total number of replications to make next; `None` if those done suffice or are the maximum.
/// Batches grow by half, whatever the number of threads, so that results do not depend on it.
pub(super) fn required(plan: &Plan, runs: &[StoredRun], done: u64) -> Option<u64> {
    let precision = plan.scenario.precision.as_ref()?;
    let is_enough = done >= precision.max_runs || results::is_precise(plan, runs);
    (!is_enough).then(|| (done + 1).max(done * 3 / 2).min(precision.max_runs))
}
