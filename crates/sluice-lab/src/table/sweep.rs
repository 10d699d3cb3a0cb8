//! The points of a sweep, one row each.

use std::fmt::Write;

use super::label::{CELL, label, label_width, systems};
use super::text::{figures, time};
use super::{
    INTERVAL, Print, Style, Value as SizeValue, block, has_any, heads, print_warnings, rows, sizes,
};
use crate::scenario::Point;
use crate::{ProtocolSummary, Summary, System, Warning};

/// The value that a block shows of a protocol at a point.
type Value = fn(&ProtocolSummary) -> Option<f64>;

/// Utilization of the most limiting link, which is named where it differs between points.
const UTILIZATION: &str = "bottleneck utilization";

/// The main results of every point, with a column for each protocol.
pub fn sweep(points: &[(Point, &Summary)]) -> String {
    let mut out = String::new();
    let ran: Vec<System> = points
        .first()
        .map_or(Vec::new(), |(_, summary)| summary.systems().map(|found| found.protocol).collect());
    let labels: Vec<String> = points.iter().map(|(point, _)| point.to_string()).collect();
    let wide = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) + 2;
    let blocks: [(&str, Value, Print); 8] = [
        ("completion time, mean", |found| found.all.completion.mean, time),
        (INTERVAL[0].0, |found| (INTERVAL[0].1)(&found.all), time),
        (INTERVAL[1].0, |found| (INTERVAL[1].1)(&found.all), time),
        ("completion time, 99th percentile", |found| found.all.completion.p99, time),
        ("slowdown, mean (1 = alone on an idle path)", |found| found.all.slowdown.mean, figures),
        ("slowdown, 99th percentile", |found| found.all.slowdown.p99, figures),
        (UTILIZATION, |found| Some(100.0 * found.bottleneck.utilization), percent),
        ("packets dropped", |found| Some(found.drops as f64), |n| format!("{n}")),
    ];
    let limits = |summary: &Summary| {
        let link = &summary.systems().next()?.bottleneck;
        Some(format!("{}->{}", link.from, link.to))
    };
    let differ = points.iter().any(|(_, found)| limits(found) != limits(points[0].1));
    for (name, value, print) in blocks {
        let of = |summary: &Summary, system| {
            let mut all = summary.systems();
            all.find(|found| found.protocol == system).and_then(value)
        };
        if points.iter().all(|(_, found)| ran.iter().all(|&one| of(found, one).is_none())) {
            continue;
        }
        if name.starts_with(' ') {
            // Part of the block above.
            _ = writeln!(out, "{name}");
        } else {
            _ = write!(out, "\n{name}\n{:wide$}", "");
            for system in &ran {
                _ = write!(out, "{:>1$}", label(Some(*system)).trim(), column(*system));
            }
            out.push('\n');
        }
        for (text, (_, summary)) in labels.iter().zip(points) {
            _ = write!(out, "  {text:<width$}", width = wide - 2);
            for &system in &ran {
                let text = of(summary, system).map_or("-".into(), print);
                _ = write!(out, "{text:>0$}", column(system));
            }
            if name == UTILIZATION && differ {
                _ = write!(out, "  {}", limits(summary).unwrap_or_default());
            }
            out.push('\n');
        }
    }
    by_size(&mut out, points);
    warnings(&mut out, points);
    out
}

/// Completion times by size at every point, with their intervals and a column for each size.
fn by_size(out: &mut String, points: &[(Point, &Summary)]) {
    let used = sizes(points.iter().map(|(_, summary)| *summary));
    if used.len() < 2 {
        return;
    }
    let all = points.iter().flat_map(|(_, summary)| systems(summary));
    heads(out, label_width(all), &used);
    let blocks: [(&str, SizeValue); 4] = [
        ("completion time, mean, by size", |bin| bin.completion.mean),
        INTERVAL[0],
        INTERVAL[1],
        ("completion time, 99th percentile, by size", |bin| bin.completion.p99),
    ];
    for (name, value) in blocks {
        let all: Vec<_> = points.iter().map(|(_, found)| rows(found, &used, value)).collect();
        if !all.iter().any(|rows| has_any(rows)) {
            continue;
        }
        _ = writeln!(out, "{name}");
        for ((point, _), rows) in points.iter().zip(&all) {
            block(out, &format!(" {point}"), rows, time, Style::Plain);
        }
    }
}

/// The number of warnings of one kind that are shown.
const MAX_ALIKE: usize = 3;

/// The warnings, each once with the points that it applies to.
fn warnings(out: &mut String, points: &[(Point, &Summary)]) {
    let mut found: Vec<(&Warning, Vec<String>)> = Vec::new();
    for (point, summary) in points {
        for warning in &summary.warnings {
            match found.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, at)) => at.push(point.to_string()),
                None => found.push((warning, vec![point.to_string()])),
            }
        }
    }
    let mut texts = Vec::new();
    let codes: Vec<&str> = found.iter().map(|(warning, _)| &*warning.code).collect();

    let mut seen = std::collections::BTreeSet::new();
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
    print_warnings(out, texts.into_iter());
}

/// The width of a system's column.
fn column(system: System) -> usize {
    label(Some(system)).len().max(CELL)
}

fn percent(value: f64) -> String {
    format!("{} %", figures(value))
}
