//! Warnings, in lines of 100 columns.

use std::collections::BTreeSet;

use super::text::wrapped;
use crate::scenario::Point;
use crate::{Plan, Warning};

/// What a plan shows before it runs: that its traffic exceeds its links, for instance.
pub fn forewarnings(plan: &Plan) -> String {
    lines(plan.warnings().into_iter().map(|warning| warning.text))
}

/// What the points of a sweep show before they run.
pub fn sweep_forewarnings(points: &[(Point, Plan)]) -> String {
    let found: Vec<(&Point, Vec<Warning>)> =
        points.iter().map(|(point, plan)| (point, plan.warnings())).collect();
    let found: Vec<_> = found.iter().map(|(point, warnings)| (*point, &warnings[..])).collect();
    of_points(&found)
}

/// A line, or several, for each text.
pub(super) fn lines(texts: impl IntoIterator<Item = String>) -> String {
    let lines: String =
        texts.into_iter().map(|text| wrapped(&format!("warning: {text}")) + "\n").collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// The number of warnings of one kind that are shown.
const MAX_ALIKE: usize = 3;

/// The warnings of points, each once with the points that it applies to.
pub(super) fn of_points(points: &[(&Point, &[Warning])]) -> String {
    let mut found: Vec<(&Warning, Vec<String>)> = Vec::new();
    for (point, warnings) in points {
        for warning in *warnings {
            match found.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, at)) => at.push(point.to_string()),
                None => found.push((warning, vec![point.to_string()])),
            }
        }
    }
    let mut texts = Vec::new();
    let codes: Vec<&str> = found.iter().map(|(warning, _)| &*warning.code).collect();
    let mut seen = BTreeSet::new();
    for code in codes.into_iter().filter(|code| seen.insert(*code)) {
        let alike: Vec<_> = found.iter().filter(|(warning, _)| warning.code == code).collect();
        for (warning, at) in alike.iter().take(MAX_ALIKE) {
            let place = match at.len() {
                all if all == points.len() => "at every point".into(),
                some if some > MAX_ALIKE => format!("at {some} of {} points", points.len()),
                _ => format!("at {}", at.join("; ")),
            };
            texts.push(format!("{place}: {}", warning.text));
        }
        if alike.len() > MAX_ALIKE {
            let more = alike.len() - MAX_ALIKE;
            texts.push(format!(
                "{more} more of this kind: see `warnings` in each point's summary.json"
            ));
        }
    }
    lines(texts)
}
