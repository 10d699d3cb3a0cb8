//! The points of a sweep, a row each.

use std::fmt::Write;

use super::label::{CELL, label, label_width, systems};
use super::text::{figures, time};
use super::{
    INTERVAL, Print, Style, Value as SizeValue, block, has_any, heads, notes, rows, sizes,
};
use crate::scenario::Point;
use crate::{ProtocolSummary, Summary, System, Warning};

/// What a block tells of a protocol at a point.
type Value = fn(&ProtocolSummary) -> Option<f64>;

/// How much of the link that limits flows most is used; where that is not the same link at every
/// point, it is named.
const USED: &str = "bottleneck used";

/// The main figures of every point, a column for each protocol.
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
        ("slowdown, mean (1 = alone on an empty path)", |found| found.all.slowdown.mean, figures),
        ("slowdown, 99th percentile", |found| found.all.slowdown.p99, figures),
        (USED, |found| Some(100.0 * found.bottleneck.utilization), percent),
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
            if name == USED && differ {
                _ = write!(out, "  {}", limits(summary).unwrap_or_default());
            }
            out.push('\n');
        }
    }
    by_size(&mut out, points);
    doubts(&mut out, points);
    out
}

/// Completion times by size at every point, with their intervals, a column for each size.
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

/// Most texts of one kind that are shown.
const MOST_ALIKE: usize = 3;

/// What to know before believing the rest: each text once, with the points that it is about.
fn doubts(out: &mut String, points: &[(Point, &Summary)]) {
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
        for (warning, at) in alike.iter().take(MOST_ALIKE) {
            let place = match at.len() {
                all if all == points.len() => "at every point".into(),
                some if some > MOST_ALIKE => format!("at {some} of {} points", points.len()),
                _ => format!("at {}", at.join("; ")),
            };
            texts.push(format!("{place}: {}", warning.text));
        }
        if alike.len() > MOST_ALIKE {
            let more = alike.len() - MOST_ALIKE;
            texts.push(format!("{more} more like that: `warnings` of each point's summary.json"));
        }
    }
    notes(out, texts.into_iter());
}

/// Width of a system's column.
fn column(system: System) -> usize {
    label(Some(system)).len().max(CELL)
}

fn percent(value: f64) -> String {
    format!("{} %", figures(value))
}
