//! Results as a person reads them: at a glance, in 100 columns.

use std::fmt::Write;

use sluice_laws::registry::Name;

use crate::Summary;
use crate::results::bins::{self, BINS};
use crate::results::{BinSummary, ProtocolSummary};

/// How a table looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For files and pipes.
    Plain,
    /// For a terminal: the best of each column in bold.
    Terminal,
}

/// The tables of a summary.
pub fn render(summary: &Summary, style: Style) -> String {
    let mut out = String::new();
    title(&mut out, summary);
    if summary.protocols.iter().any(|protocol| protocol.all.flows > 0) {
        completions(&mut out, summary, style);
    }
    if summary.protocols.iter().any(|protocol| protocol.long.is_some()) {
        throughputs(&mut out, summary);
    }
    links(&mut out, summary);
    out
}

fn title(out: &mut String, summary: &Summary) {
    let Some(first) = summary.protocols.first() else {
        _ = writeln!(out, "{}: no run went to its end", summary.name);
        return;
    };
    let capacity = rate(summary.bottleneck_capacity as f64);
    let link = &first.bottleneck;
    let runs = if first.runs == 1 { String::new() } else { format!(", {} runs each", first.runs) };
    _ = write!(out, "{}: {capacity} from {} to {}{runs}", summary.name, link.from, link.to);
    if first.offered > 0.0 {
        let load = 100.0 * first.offered / summary.bottleneck_capacity as f64;
        _ = write!(out, ", flows brought {} ({load:.1} % of it)", rate(first.offered));
    }
    out.push('\n');
}

const LABEL: usize = 10;
const CELL: usize = 10;

/// A row of a block: a protocol and its value for each column.
type Row = (Name, Vec<Option<f64>>);
/// What a block tells of flows of some sizes.
type Value = fn(&BinSummary) -> Option<f64>;
/// How it prints that.
type Print = fn(f64) -> String;

/// Completion times and slowdowns, a column for each size.
fn completions(out: &mut String, summary: &Summary, style: Style) {
    let used: Vec<usize> = (0..BINS)
        .filter(|&bin| summary.protocols.iter().any(|protocol| of(protocol, bin).is_some()))
        .collect();
    _ = write!(out, "\n{:LABEL$}{:>CELL$}", "flow size", "all");
    for &bin in &used {
        _ = write!(out, "{:>CELL$}", bins::label(bin));
    }
    out.push('\n');
    let rows = |value: Value| -> Vec<Row> {
        let row = |protocol: &ProtocolSummary| {
            let sizes = used.iter().map(|&bin| of(protocol, bin).and_then(value));
            (protocol.protocol, std::iter::once(value(&protocol.all)).chain(sizes).collect())
        };
        summary.protocols.iter().map(row).collect()
    };
    let counts = rows(|bin| Some(bin.flows as f64));
    block(out, "flows finished", &counts, |n| format!("{n}"), Style::Plain);
    let blocks: [(&str, Value, Print); 5] = [
        ("completion time, mean", |bin| bin.completion.mean, time),
        ("completion time, median", |bin| bin.completion.p50, time),
        ("completion time, 99th percentile", |bin| bin.completion.p99, time),
        ("slowdown, mean (1 = alone on an empty path)", |bin| bin.slowdown.mean, figures),
        ("slowdown, 99th percentile", |bin| bin.slowdown.p99, figures),
    ];
    for (name, value, print) in blocks {
        block(out, name, &rows(value), print, style);
    }
}

fn of(protocol: &ProtocolSummary, bin: usize) -> Option<&BinSummary> {
    protocol.by_size.iter().find(|found| found.from == bins::edges(bin).0)
}

fn block(out: &mut String, name: &str, rows: &[Row], print: Print, style: Style) {
    _ = writeln!(out, "{name}");
    for (protocol, values) in rows {
        _ = write!(out, "  {protocol:<width$}", width = LABEL - 2);
        for (column, value) in values.iter().enumerate() {
            let text = value.map_or("-".into(), print);
            let text = format!("{text:>CELL$}");
            let best = style == Style::Terminal && is_best(rows, column, *value);
            out.push_str(&if best { format!("\x1b[1m{text}\x1b[0m") } else { text });
        }
        out.push('\n');
    }
}

/// Less is better; where there is nothing to compare with, nothing is best.
fn is_best(rows: &[Row], column: usize, value: Option<f64>) -> bool {
    let others = rows.iter().filter_map(|(_, values)| values[column]);
    rows.len() > 1 && value.is_some_and(|value| others.into_iter().all(|other| value <= other))
}

/// What the groups got, and how evenly flows that send until they are stopped shared.
fn throughputs(out: &mut String, summary: &Summary) {
    let names: Vec<&str> = summary.protocols[0].groups.iter().map(|g| g.name.as_str()).collect();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max(22) + 2;
    _ = write!(out, "\n{:width$}", "throughput of");
    for protocol in &summary.protocols {
        _ = write!(out, "{:>12}", protocol.protocol);
    }
    out.push('\n');
    for (i, name) in names.iter().enumerate() {
        _ = write!(out, "  {name:<width$}", width = width - 2);
        for protocol in &summary.protocols {
            _ = write!(out, "{:>12}", rate(protocol.groups[i].throughput));
        }
        out.push('\n');
    }
    _ = write!(out, "{:width$}", "Jain's index, long flows");
    for protocol in &summary.protocols {
        let jain = protocol.long.and_then(|long| long.jain);
        _ = write!(out, "{:>12}", jain.map_or("-".into(), |jain| format!("{jain:.4}")));
    }
    out.push('\n');
}

/// The bottleneck, and what went wrong anywhere.
fn links(out: &mut String, summary: &Summary) {
    let Some(first) = summary.protocols.first() else { return };
    let name = format!("{}->{}", first.bottleneck.from, first.bottleneck.to);
    _ = writeln!(out, "\nlink {name}, and packets anywhere");
    _ = writeln!(
        out,
        "{:LABEL$}{:>CELL$}{:>12}{:>12}{:>CELL$}{:>CELL$}{:>CELL$}{:>12}",
        "", "used", "mean queue", "p99 queue", "dropped", "lost", "resent", "unfinished"
    );
    for protocol in &summary.protocols {
        let link = &protocol.bottleneck;
        _ = writeln!(
            out,
            "  {:<8}{:>8.2} %{:>12}{:>12}{:>CELL$}{:>CELL$}{:>CELL$}{:>12}",
            protocol.protocol,
            100.0 * link.utilization,
            size(link.mean_queue),
            size(link.p99_queue),
            protocol.drops,
            protocol.errors,
            protocol.retransmissions,
            protocol.unfinished,
        );
    }
}

fn time(seconds: f64) -> String {
    scaled(seconds, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")])
}

fn rate(bps: f64) -> String {
    scaled(bps, &[(1e12, "Tbps"), (1e9, "Gbps"), (1e6, "Mbps"), (1e3, "kbps"), (1.0, "bps")])
}

fn size(bytes: f64) -> String {
    scaled(bytes, &[(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")])
}

/// In the greatest unit that leaves at least 1, to three figures.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let fits = units.iter().find(|(unit, _)| value >= *unit * 0.9995);
    match fits.or(units.last()) {
        Some((unit, name)) => format!("{} {name}", figures(value / unit)),
        None => figures(value),
    }
}

/// Three figures.
fn figures(value: f64) -> String {
    match value {
        v if v >= 99.95 || v == 0.0 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_figures_in_the_unit_that_fits() {
        assert_eq!(time(0.038_24), "38.2 ms");
        assert_eq!(time(0.999_9), "1.00 s");
        assert_eq!(time(123.4), "123 s");
        assert_eq!(rate(2.4e9), "2.40 Gbps");
        assert_eq!(size(0.0), "0 B");
    }

    #[test]
    fn the_least_of_a_column_is_best() {
        let rows = [(Name::ALL[0], vec![Some(1.0), None]), (Name::ALL[1], vec![Some(2.0), None])];
        assert!(is_best(&rows, 0, Some(1.0)));
        assert!(!is_best(&rows, 0, Some(2.0)));
        assert!(!is_best(&rows, 1, None));
        assert!(!is_best(&rows[..1], 0, Some(1.0)));
    }
}
