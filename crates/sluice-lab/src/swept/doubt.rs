//! Why a point of a curve may not say what it seems to.

use super::measure::Measure;
use crate::results::FEW_FLOWS;
use crate::{BinSummary, ProtocolSummary, Summary};

/// The reasons to doubt a measure at a point, the gravest first.
pub(super) fn doubts(
    summary: &Summary,
    system: &ProtocolSummary,
    bin: &BinSummary,
    (measure, has_interval): (&Measure, bool),
) -> Vec<String> {
    if measure.is_estimate() {
        // Nothing of the runs is in it.
        return system.estimate.as_ref().map_or(Vec::new(), |found| found.doubts.clone());
    }
    let mut reasons = Vec::new();
    let left = system.unfinished;
    if measure.is_statistic() && left > 0 {
        reasons.push(format!("{left} of {} flows unfinished", left + system.all.flows));
    }
    let load = summary.warnings.iter().filter(|warning| warning.code == "load_differs");
    reasons.extend(load.map(|warning| warning.text.clone()));
    if !summary.interrupted.is_empty() {
        reasons.push(format!("{} runs interrupted", summary.interrupted.len()));
    }
    if measure.is_statistic() && bin.flows < FEW_FLOWS {
        reasons.push(format!("fewer than {FEW_FLOWS} flows"));
    }
    if measure.is_statistic() && !has_interval {
        reasons.push("no confidence interval".into());
    }
    reasons
}
