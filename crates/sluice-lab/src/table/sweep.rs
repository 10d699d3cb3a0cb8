//! The points of a sweep, one row each.

use std::fmt::Write;

use super::label::{CELL, label, label_width, systems};
use super::text::{Print, figures, percent, time};
use super::{INTERVAL, Style, Value as SizeValue, block, has_any, heads, rows, sizes, warnings};
use crate::scenario::Point;
use crate::{ProtocolSummary, Summary, System, swept};

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
    let blocks: [(&str, Value, Print); 9] = [
        ("completion time, mean", |found| found.all.completion.mean, time),
        (INTERVAL[0].0, |found| (INTERVAL[0].1)(&found.all), time),
        (INTERVAL[1].0, |found| (INTERVAL[1].1)(&found.all), time),
        (super::ESTIMATED, |found| Some(found.estimate.as_ref()?.completion), time),
        ("completion time, 99th percentile", |found| found.all.completion.p99, time),
        ("slowdown, mean (1 = alone on an idle path)", |found| found.all.slowdown.mean, figures),
        ("slowdown, 99th percentile", |found| found.all.slowdown.p99, figures),
        (UTILIZATION, |found| Some(found.bottleneck.utilization), percent),
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
    let found: Vec<_> =
        points.iter().map(|(point, summary)| (point, &summary.warnings[..])).collect();
    out + &warnings::of_points(&found, swept::IN_SUMMARIES)
}

/// Results by size at every point, with a column for each size.
fn by_size(out: &mut String, points: &[(Point, &Summary)]) {
    let used = sizes(points.iter().map(|(_, summary)| *summary));
    if used.len() < 2 {
        return;
    }
    let all = points.iter().flat_map(|(_, summary)| systems(summary));
    heads(out, label_width(all), &used);
    let [low, high] = INTERVAL;
    let blocks: [(&str, SizeValue, Print); 7] = [
        ("flows finished, by size", |bin| Some(bin.flows as f64), |n| format!("{n}")),
        ("completion time, mean, by size", |bin| bin.completion.mean, time),
        (low.0, low.1, time),
        (high.0, high.1, time),
        ("completion time, 99th percentile, by size", |bin| bin.completion.p99, time),
        ("slowdown, mean, by size", |bin| bin.slowdown.mean, figures),
        ("slowdown, 99th percentile, by size", |bin| bin.slowdown.p99, figures),
    ];
    for (name, value, print) in blocks {
        let all: Vec<_> = points.iter().map(|(_, found)| rows(found, &used, value)).collect();
        if !all.iter().any(|rows| has_any(rows)) {
            continue;
        }
        _ = writeln!(out, "{name}");
        for ((point, _), rows) in points.iter().zip(&all) {
            block(out, &format!(" {point}"), rows, print, Style::Plain);
        }
    }
}

/// The width of a system's column.
fn column(system: System) -> usize {
    label(Some(system)).len().max(CELL)
}
