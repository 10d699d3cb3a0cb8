//! Whether completion times are as precise as the scenario requires.

use super::quantiles::Quantiles;
use super::summary::{BinSummary, ProtocolSummary};
use crate::Plan;
use crate::scenario::{Precision, Statistic};

/// The fewest flows, over all runs, of a size bin that must be precise.
const MIN_FLOWS: u64 = 100;

/// Whether every size bin of every protocol is as precise as the scenario requires.
pub(crate) fn is_met(plan: &Plan, protocols: &[ProtocolSummary]) -> bool {
    let Some(precision) = &plan.scenario.precision else { return true };
    // Where nothing is random another run adds no information.
    let random = protocols.iter().filter(|protocol| protocol.repeats == 0);
    let mut sizes = random.flat_map(|protocol| &protocol.by_size);
    sizes.all(|bin| bin.flows < MIN_FLOWS || is_narrow(precision, bin))
}

/// The bin without an upper edge may have infinite variance, and so no interval of its mean: it
/// passes.
fn is_narrow(precision: &Precision, bin: &BinSummary) -> bool {
    let Quantiles { mean, p50, p99, intervals, .. } = &bin.completion;
    let (value, interval) = match precision.on {
        Statistic::Mean => (mean, intervals.mean),
        Statistic::P50 => (p50, intervals.p50),
        Statistic::P99 => (p99, intervals.p99),
    };
    match (value, interval) {
        (Some(value), Some([low, high])) => (high - low) / 2.0 <= precision.relative.get() * value,
        _ => bin.to.is_none(),
    }
}
