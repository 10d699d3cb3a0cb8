//! Results as tables of text, 100 columns wide.

mod comparison;
mod estimate;
mod grid;
mod label;
mod links;
mod live;
mod ratios;
mod sweep;
mod text;
mod title;
mod warnings;

pub use comparison::comparison;
pub use estimate::{not_modelled, of_estimate, of_estimates};
pub use live::{LiveRow, LiveTable, finished_run};
pub use ratios::against;
pub use sweep::sweep;
pub use warnings::{forewarnings, sweep_forewarnings};

use std::fmt::Write;

use grid::Grid;
use label::{CELL, label, label_width, systems};
use text::{Print, figures, percent, rate, time, wrapped};
use title::title;

use crate::results::bins::{self, BINS};
use crate::results::{BinSummary, ProtocolSummary, Statuses};
use crate::{Analytic, GroupSummary, Summary, System};

/// The style of a table.
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
    ratios::to_ideals(&mut out, summary);
    groups(&mut out, summary);
    links::links(&mut out, summary);
    links::packets(&mut out, summary);
    out + &warnings::lines(summary.warnings.iter().map(|warning| warning.text.clone()))
}

/// A row of a block: a system, or `None` for theory, and its value in each column.
type Row = (Option<System>, Vec<Option<f64>>);
/// The value that a block shows for flows of some sizes.
type Value = fn(&BinSummary) -> Option<f64>;
/// The number of flows with some status.
type Number = fn(&Statuses) -> u64;

/// Completion times and slowdowns, with a column for each size.
fn completions(out: &mut String, summary: &Summary, style: Style) {
    let used = sizes(std::iter::once(summary));
    heads(out, label_width(systems(summary)), &used);
    let rows = |value: Value| rows(summary, &used, value);
    let counts = rows(|bin| Some(bin.flows as f64));
    block(out, "flows finished", &counts, |n| format!("{n}"), Style::Plain);
    let blocks: [(&str, Value, Print); 6] = [
        ("completion time, mean", |bin| bin.completion.mean, time),
        ("completion time, median", |bin| bin.completion.p50, time),
        ("completion time, 99th percentile", |bin| bin.completion.p99, time),
        ("completion time, 99.9th percentile", |bin| bin.completion.p999, time),
        ("slowdown, mean (1 = alone on an idle path)", |bin| bin.slowdown.mean, figures),
        ("slowdown, 99th percentile", |bin| bin.slowdown.p99, figures),
    ];
    for (number, (name, value, print)) in blocks.into_iter().enumerate() {
        let theory = summary.analytic.iter().filter(|_| number == 0);
        let theory = theory.map(|analytic| (None, means(analytic, &used)));
        let all: Vec<Row> = rows(value).into_iter().chain(theory).collect();
        block(out, name, &all, print, style);
        for (name, end) in INTERVAL.into_iter().filter(|_| number == 0) {
            let ends = rows(end);
            if has_any(&ends) {
                block(out, name, &ends, print, Style::Plain);
            }
        }
        let estimates: Vec<Row> = estimates(summary, &used).collect();
        if number == 0 && !estimates.is_empty() {
            block(out, ESTIMATED, &estimates, print, Style::Plain);
        }
    }
    if !summary.ideals.is_empty() {
        let theory =
            if summary.analytic.is_some() { "; theory: M/G/1 processor sharing" } else { "" };
        _ = writeln!(out, "[ ]: fluid ideals with the same flows{theory}");
    }
    for system in summary.systems() {
        for doubt in system.estimate.iter().flat_map(|found| &found.doubts) {
            _ = writeln!(out, "{}", wrapped(&format!("estimate of {}: {doubt}", system.protocol)));
        }
    }
}

/// The bins of size that have flows.
fn sizes<'a>(summaries: impl Iterator<Item = &'a Summary> + Clone) -> Vec<usize> {
    let has = |summary: &Summary, bin: usize| {
        summary.protocols.iter().any(|protocol| of(protocol, bin).is_some())
    };
    (0..BINS).filter(|&bin| summaries.clone().any(|summary| has(summary, bin))).collect()
}

/// The header of blocks with a column for each size.
fn heads(out: &mut String, wide: usize, used: &[usize]) {
    _ = write!(out, "\n{:wide$}{:>CELL$}", "flow size", "all");
    for &bin in used {
        _ = write!(out, "{:>CELL$}", bins::label(bin));
    }
    out.push('\n');
}

/// A row for each system: all sizes together, then each bin.
fn rows(summary: &Summary, used: &[usize], value: Value) -> Vec<Row> {
    let row = |protocol: &ProtocolSummary| {
        let sizes = used.iter().map(|&bin| of(protocol, bin).and_then(value));
        (Some(protocol.protocol), std::iter::once(value(&protocol.all)).chain(sizes).collect())
    };
    summary.systems().map(row).collect()
}

/// The theory's mean for each column.
fn means(analytic: &Analytic, used: &[usize]) -> Vec<Option<f64>> {
    let of_bin = |&bin: &usize| {
        let found = analytic.by_size.iter().find(|found| found.from == bins::edges(bin).0);
        found.map(|found| found.completion)
    };
    std::iter::once(Some(analytic.all.completion)).chain(used.iter().map(of_bin)).collect()
}

/// The title of what models predict of the mean completion time.
const ESTIMATED: &str = "completion time, mean, estimated by formulas";

/// A row for each system that has an estimate.
fn estimates(summary: &Summary, used: &[usize]) -> impl Iterator<Item = Row> {
    let row = |system: &ProtocolSummary| {
        let found = system.estimate.as_ref()?;
        let of_bin = |&bin: &usize| found.of_bin(bin).map(|bin| bin.completion);
        let means = std::iter::once(Some(found.completion)).chain(used.iter().map(of_bin));
        Some((Some(system.protocol), means.collect()))
    };
    summary.systems().filter_map(row)
}

/// The ends of the 95 % confidence interval of the mean completion time.
const INTERVAL: [(&str, Value); 2] = [
    ("  95 % interval, lower end", |bin| bin.completion.intervals.mean.map(|[low, _]| low)),
    ("  95 % interval, upper end", |bin| bin.completion.intervals.mean.map(|[_, high]| high)),
];

fn has_any(rows: &[Row]) -> bool {
    rows.iter().any(|(_, values)| values.iter().any(Option::is_some))
}

fn of(protocol: &ProtocolSummary, bin: usize) -> Option<&BinSummary> {
    protocol.by_size.iter().find(|found| found.from == bins::edges(bin).0)
}

fn block(out: &mut String, name: &str, rows: &[Row], print: Print, style: Style) {
    _ = writeln!(out, "{name}");
    let wide = label_width(rows.iter().map(|(system, _)| *system));
    for (protocol, values) in rows {
        _ = write!(out, "{:<wide$}", label(*protocol));
        for (column, value) in values.iter().enumerate() {
            let text = value.map_or("-".into(), print);
            let text = format!("{text:>CELL$}");
            let best = style == Style::Terminal && is_best(rows, column, (*protocol, *value));
            out.push_str(&if best { format!("\x1b[1m{text}\x1b[0m") } else { text });
        }
        out.push('\n');
    }
}

/// Whether a value is the minimum among protocols; ideals do not compete, nor does a single protocol.
fn is_best(rows: &[Row], column: usize, (system, value): (Option<System>, Option<f64>)) -> bool {
    let competes = |system: Option<System>| system.is_some_and(|system| !system.is_ideal());
    let protocols = rows.iter().filter(|(system, _)| competes(*system));
    let others: Vec<f64> = protocols.filter_map(|(_, values)| values[column]).collect();
    let is_min = |value: f64| others.iter().all(|&other| value <= other);
    others.len() > 1 && competes(system) && value.is_some_and(is_min)
}

/// Results by group if there are several or long flows; and Jain's index of long flows.
fn groups(out: &mut String, summary: &Summary) {
    let all = || summary.systems();
    let Some(first) = all().next() else { return };
    let names: Vec<&str> = first.groups.iter().map(|group| group.name.as_str()).collect();
    let long = all().any(|system| system.long.is_some());
    let streams = all().any(|system| system.streams.is_some());
    let statuses = all().flat_map(|system| &system.groups).any(|group| group.statuses.is_some());
    if names.len() < 2 && !long && !streams && !statuses {
        return;
    }
    let grid = Grid::new(names, all().map(|system| system.protocol).collect());
    let block = |out: &mut String,
                 name: &str,
                 value: &dyn Fn(&GroupSummary) -> Option<f64>,
                 print: Print| {
        let systems: Vec<&ProtocolSummary> = all().collect();
        grid.block(out, name, &|row, column| value(&systems[column].groups[row]), print);
    };
    block(out, "mean completion time", &|group| group.completion, time);
    block(out, "mean slowdown", &|group| group.slowdown, figures);
    block(out, "throughput", &|group| Some(group.throughput), rate);
    if long {
        _ = write!(out, "{:1$}", "Jain's index, long flows", grid.width);
        for system in all() {
            let jain = system.long.and_then(|long| long.jain);
            let text = jain.map_or("-".into(), |jain| format!("{jain:.4}"));
            _ = write!(out, "{text:>0$}", grid::column(system.protocol));
        }
        out.push('\n');
    }
    block(out, "load of datagram streams", &|group| group.streams.map(|found| found.offered), rate);
    block(out, "datagrams lost", &|group| group.streams.and_then(|found| found.loss), percent);
    block(
        out,
        "datagram delay, mean",
        &|group| group.streams.and_then(|found| found.mean_delay),
        time,
    );
    let by_status: [(&str, Number); 7] = [
        ("flows admitted", |found| found.admitted),
        ("flows denied", |found| found.denied),
        ("denied, best effort", |found| found.best_effort),
        ("flows not answered", |found| found.asking),
        ("lying receivers found", |found| found.lying_receiver),
        ("flows that reverted", |found| found.reverted),
        ("convicted by agents", |found| found.convictions),
    ];
    for (name, number) in by_status {
        let value = |group: &GroupSummary| {
            group.statuses.as_ref().map(number).filter(|&flows| flows > 0).map(|flows| flows as f64)
        };
        block(out, name, &value, |flows| format!("{flows:.0}"));
    }
}

#[cfg(test)]
mod tests {
    use sluice_laws::registry::ProtocolName;

    use super::*;

    #[test]
    fn the_minimum_of_a_column_is_best_and_no_ideal_is() {
        let [rcp, tcp] =
            [ProtocolName::Rcp, ProtocolName::Tcp].map(|name| Some(System::Protocol(name)));
        let ideal = Some(System::Ideal(sluice_sim::ideal::Ideal::Srpt));
        let rows = [
            (rcp, vec![Some(1.0), None]),
            (tcp, vec![Some(2.0), None]),
            (ideal, vec![Some(0.5), None]),
        ];
        assert!(is_best(&rows, 0, (rcp, Some(1.0))));
        assert!(!is_best(&rows, 0, (tcp, Some(2.0))));
        assert!(!is_best(&rows, 0, (ideal, Some(0.5))));
        assert!(!is_best(&rows, 1, (rcp, None)));
        assert!(!is_best(&rows[..1], 0, (rcp, Some(1.0))));
        assert!(!is_best(&rows[1..], 0, (tcp, Some(2.0))));
    }
}
