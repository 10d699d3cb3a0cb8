//! Whether more replications are wanted.

use crate::Plan;
use crate::results::{self, Run};

/// How many replications there should be in all; `None` if those done are enough or the most.
/// Batches grow by half, whatever the number of threads, so that results do not depend on it.
pub(super) fn wanted(plan: &Plan, runs: &[Run], done: u64) -> Option<u64> {
    let precision = plan.scenario.precision.as_ref()?;
    let is_enough = done >= precision.max_runs || results::is_precise(plan, runs);
    (!is_enough).then(|| (done + 1).max(done * 3 / 2).min(precision.max_runs))
}
