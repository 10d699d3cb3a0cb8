//! Protocols compared with the first one, flow by flow.

use std::fmt::Write;

use super::label::{CELL, label, label_width, systems};
use super::text::{figures, rate, time};
use crate::results::bins::{self, BINS};
use crate::{Comparison, ComparisonBin, LongComparison, Summary, System};

/// Each protocol's flows compared with the same flows under the first one.
pub fn comparison(summary: &Summary) -> String {
    let mut out = String::new();
    let Some(first) = summary.pairs.first().map(|pair| pair.first) else {
        return "nothing to compare: name at least two protocols\n".into();
    };
    let of = |pair: &Comparison, bin: usize| -> Option<ComparisonBin> {
        pair.by_size.iter().find(|found| found.from == bins::edges(bin).0).copied()
    };
    let used: Vec<usize> =
        (0..BINS).filter(|&bin| summary.pairs.iter().any(|pair| of(pair, bin).is_some())).collect();
    let wide = label_width(systems(summary));
    _ = write!(out, "\n{:wide$}{:>CELL$}", "flow size", "all");
    for &bin in &used {
        _ = write!(out, "{:>CELL$}", bins::label(bin));
    }
    out.push('\n');
    let mut block = |name: &str, value: fn(&ComparisonBin) -> String| {
        _ = writeln!(out, "{name}");
        for pair in &summary.pairs {
            _ = write!(out, "{:<wide$}", label(Some(pair.second)));
            let sizes = used.iter().map(|&bin| of(pair, bin));
            for bin in std::iter::once(Some(pair.all)).chain(sizes) {
                _ = write!(out, "{:>CELL$}", bin.as_ref().map_or("-".into(), value));
            }
            out.push('\n');
        }
    };
    block("flows finished under both", |bin| bin.flows.to_string());
    block(&format!("completion time relative to {first} (geometric mean)"), |bin| {
        figures(bin.ratio)
    });
    if summary.pairs.iter().any(|pair| pair.all.ratio_interval.is_some()) {
        block("  95 % interval, lower end", |bin| edge(bin, 0));
        block("  95 % interval, upper end", |bin| edge(bin, 1));
    }
    block(&format!("completion time minus that under {first} (mean)"), |bin| {
        signed(bin.difference)
    });
    block(&format!("flows that finish sooner than under {first}"), |bin| {
        format!("{} %", figures(100.0 * bin.faster))
    });
    long_flows(&mut out, first, &summary.pairs);
    out
}

/// Throughputs of long flows under each protocol and relative to the first one, with intervals.
fn long_flows(out: &mut String, first: System, pairs: &[Comparison]) {
    let of_both: Vec<(System, LongComparison)> =
        pairs.iter().filter_map(|pair| Some((pair.second, pair.long?))).collect();
    let Some((_, some)) = of_both.first() else { return };
    let wide = label_width(pairs.iter().map(|pair| Some(pair.second)));
    let line = |system: System, value: String, ends: Option<[String; 2]>| {
        let interval = ends.map_or(String::new(), |[low, high]| format!("  {low} to {high}"));
        format!("{:<wide$}{value:>CELL$}{interval}\n", label(Some(system)))
    };
    let rates = |ends: Option<[f64; 2]>| ends.map(|ends| ends.map(rate));
    let interval = some.first_interval.map_or("", |_| ", 95 % interval");
    _ = writeln!(out, "throughput of a long flow (mean){interval}");
    out.push_str(&line(first, rate(some.first), rates(some.first_interval)));
    for (system, long) in &of_both {
        out.push_str(&line(*system, rate(long.second), rates(long.second_interval)));
    }
    _ = writeln!(out, "throughput of long flows relative to {first} (mean){interval}");
    for (system, long) in &of_both {
        let ratio = long.ratio.map_or("-".into(), figures);
        out.push_str(&line(*system, ratio, long.ratio_interval.map(|ends| ends.map(figures))));
    }
}

fn edge(bin: &ComparisonBin, end: usize) -> String {
    bin.ratio_interval.map_or("-".into(), |interval| figures(interval[end]))
}

fn signed(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "-" } else { "+" };
    format!("{sign}{}", time(seconds.abs()))
}
