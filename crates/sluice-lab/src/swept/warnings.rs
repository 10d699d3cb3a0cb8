//! The warnings of all points of a sweep, together.

use crate::scenario::Point;
use crate::{Plan, Warning};

/// The number of warnings of one kind that are shown.
const MAX_ALIKE: usize = 3;
/// Where all warnings of a point that ran are.
pub(crate) const IN_SUMMARIES: &str = "`warnings` in each point's summary.json";

/// The warnings of a sweep that need no results ([`Plan::warnings`]), the gravest first, each once and
/// with the points that it applies to.
pub fn plan_warnings(points: &[(Point, Plan)]) -> Vec<Warning> {
    let found: Vec<(&Point, Vec<Warning>)> =
        points.iter().map(|(point, plan)| (point, plan.warnings())).collect();
    let found: Vec<_> = found.iter().map(|(point, warnings)| (*point, &warnings[..])).collect();
    warnings(&found, IN_SUMMARIES)
}

/// The warnings of a sweep, the gravest first, each once and with the points that it applies to.
/// Where those beyond the first few are is `rest`.
pub(crate) fn warnings(points: &[(&Point, &[Warning])], rest: &str) -> Vec<Warning> {
    let found = found(points);
    let mut kinds: Vec<&str> = Vec::new();
    for (warning, _) in &found {
        if !kinds.contains(&&*warning.code) {
            kinds.push(&warning.code);
        }
    }
    let of_kind = |code: &&str| {
        let alike: Vec<_> = found.iter().filter(|(warning, _)| warning.code == *code).collect();
        let shown = alike.iter().take(MAX_ALIKE).map(|(warning, at)| {
            let text = format!("{}: {}", place(at, points.len()), warning.text);
            Warning { text, ..(*warning).clone() }
        });
        let more = alike.len().saturating_sub(MAX_ALIKE);
        let text = format!("{more} more of this kind: see {rest}");
        let further = (more > 0).then(|| Warning { text, ..alike[0].0.clone() });
        shown.chain(further).collect::<Vec<_>>()
    };
    kinds.iter().flat_map(of_kind).collect()
}

/// Each warning with its points, the gravest first.
fn found<'a>(points: &[(&Point, &'a [Warning])]) -> Vec<(&'a Warning, Vec<String>)> {
    let mut found: Vec<(&Warning, Vec<String>)> = Vec::new();
    for (point, warnings) in points {
        for warning in *warnings {
            match found.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, at)) => at.push(point.to_string()),
                None => found.push((warning, vec![point.to_string()])),
            }
        }
    }
    found.sort_by_key(|(warning, _)| warning.severity);
    found
}

/// Which of this number of points these are.
pub(crate) fn place(at: &[String], points: usize) -> String {
    match at.len() {
        all if all == points => "at every point".into(),
        some if some > MAX_ALIKE => format!("at {some} of {points} points"),
        _ => format!("at {}", at.join("; ")),
    }
}
