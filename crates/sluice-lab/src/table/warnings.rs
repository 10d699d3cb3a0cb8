//! Warnings, in lines of 100 columns.

use super::text::wrapped;
use crate::scenario::Point;
use crate::{Plan, Warning, swept};

/// What a plan shows before it runs: that its traffic exceeds its links, for instance.
pub fn forewarnings(plan: &Plan) -> String {
    lines(plan.warnings().into_iter().map(|warning| warning.text))
}

/// What the points of a sweep show before they run.
pub fn sweep_forewarnings(points: &[(Point, Plan)]) -> String {
    lines(swept::plan_warnings(points).into_iter().map(|warning| warning.text))
}

/// A line, or several, for each text.
pub(super) fn lines(texts: impl IntoIterator<Item = String>) -> String {
    let lines: String =
        texts.into_iter().map(|text| wrapped(&format!("warning: {text}")) + "\n").collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// The warnings of points, each once with the points that it applies to; beyond the first few, they are in `rest`.
pub(super) fn of_points(points: &[(&Point, &[Warning])], rest: &str) -> String {
    lines(swept::warnings(points, rest).into_iter().map(|warning| warning.text))
}
