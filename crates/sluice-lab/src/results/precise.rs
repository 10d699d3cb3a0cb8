//! How sure completion times are, against what the scenario wants.

use super::quantiles::Quantiles;
use super::summary::{BinSummary, ProtocolSummary};
use crate::Plan;
use crate::scenario::{Figure, Precision};

/// Sizes with fewer flows, all runs together, are not waited for.
const COUNTS_FROM: u64 = 100;

/// Whether every size of every protocol is as sure as the scenario wants, if it wants anything.
pub(crate) fn is_met(plan: &Plan, protocols: &[ProtocolSummary]) -> bool {
    let Some(precision) = &plan.scenario.precision else { return true };
    // Where nothing is random another run adds no information.
    let random = protocols.iter().filter(|protocol| protocol.repeats == 0);
    let mut sizes = random.flat_map(|protocol| &protocol.by_size);
    sizes.all(|bin| bin.flows < COUNTS_FROM || is_narrow(precision, bin))
}

/// Sizes without a limit may have no variance, and so no interval of their mean: they pass.
fn is_narrow(precision: &Precision, bin: &BinSummary) -> bool {
    let Quantiles { mean, p50, p99, intervals, .. } = &bin.completion;
    let (figure, interval) = match precision.on {
        Figure::Mean => (mean, intervals.mean),
        Figure::P50 => (p50, intervals.p50),
        Figure::P99 => (p99, intervals.p99),
    };
    match (figure, interval) {
        (Some(figure), Some([low, high])) => {
            (high - low) / 2.0 <= precision.relative.get() * figure
        }
        _ => bin.to.is_none(),
    }
}
