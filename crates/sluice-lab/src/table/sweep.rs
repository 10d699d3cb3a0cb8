//! The points of a sweep, a row each.

use std::fmt::Write;

use super::{CELL, Print, figures, label, time};
use crate::scenario::Point;
use crate::{ProtocolSummary, Summary, System};

/// What a block tells of a protocol at a point.
type Value = fn(&ProtocolSummary) -> Option<f64>;

/// The main figures of every point, a column for each protocol.
pub fn sweep(points: &[(Point, &Summary)]) -> String {
    let mut out = String::new();
    let systems: Vec<System> = points
        .first()
        .map_or(Vec::new(), |(_, summary)| summary.systems().map(|found| found.protocol).collect());
    let labels: Vec<String> = points.iter().map(|(point, _)| point.to_string()).collect();
    let wide = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) + 2;
    let blocks: [(&str, Value, Print); 6] = [
        ("completion time, mean", |found| found.all.completion.mean, time),
        ("completion time, 99th percentile", |found| found.all.completion.p99, time),
        ("slowdown, mean (1 = alone on an empty path)", |found| found.all.slowdown.mean, figures),
        ("slowdown, 99th percentile", |found| found.all.slowdown.p99, figures),
        ("bottleneck used", |found| Some(100.0 * found.bottleneck.utilization), percent),
        ("packets dropped", |found| Some(found.drops as f64), |n| format!("{n}")),
    ];
    for (name, value, print) in blocks {
        let of = |summary: &Summary, system| {
            let mut all = summary.systems();
            all.find(|found| found.protocol == system).and_then(value)
        };
        if points.iter().all(|(_, found)| systems.iter().all(|&one| of(found, one).is_none())) {
            continue;
        }
        _ = write!(out, "\n{name}\n{:wide$}", "");
        for system in &systems {
            _ = write!(out, "{:>1$}", label(Some(*system)).trim(), column(*system));
        }
        out.push('\n');
        for (text, (_, summary)) in labels.iter().zip(points) {
            _ = write!(out, "  {text:<width$}", width = wide - 2);
            for &system in &systems {
                let text = of(summary, system).map_or("-".into(), print);
                _ = write!(out, "{text:>0$}", column(system));
            }
            out.push('\n');
        }
    }
    out
}

/// Width of a system's column.
fn column(system: System) -> usize {
    label(Some(system)).len().max(CELL)
}

fn percent(value: f64) -> String {
    format!("{} %", figures(value))
}
