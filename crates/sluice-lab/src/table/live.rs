//! Completion times while runs go on.

use std::fmt::Write;

use super::label::label_width;
use super::text::time;
use super::{Row, Style, Value, block, heads, rows, sizes};
use crate::{FinishedRun, Plan, Summary, System};

/// Completion times of the runs of `plan` that finished so far, with a row for each protocol and
/// ideal that it runs, and how many runs of each finished.
pub fn live(plan: &Plan, so_far: &Summary) -> String {
    let systems: Vec<System> = plan.protocols().chain(plan.ideals()).collect();
    let used = sizes(std::iter::once(so_far));
    let rows = |value: Value| all_rows(&systems, rows(so_far, &used, value));
    let mut out = String::new();
    heads(&mut out, label_width(systems.iter().map(|&system| Some(system))), &used);
    let mut means = String::new();
    block(
        &mut means,
        "completion time, mean",
        &rows(|bin| bin.completion.mean),
        time,
        Style::Plain,
    );
    let counts = systems.iter().map(|&system| finished_runs(plan, system, so_far));
    for (line, count) in means.lines().zip(std::iter::once(String::new()).chain(counts)) {
        _ = writeln!(out, "{line}{count}");
    }
    let p99 = rows(|bin| bin.completion.p99);
    block(&mut out, "completion time, 99th percentile", &p99, time, Style::Plain);
    out.trim_start().into()
}

/// How many runs of a system finished, as the end of a line.
fn finished_runs(plan: &Plan, system: System, so_far: &Summary) -> String {
    let runs = so_far.runs.iter().filter(|run| run.protocol == system).count();
    let all = plan.scenario.seeds().len().max(runs);
    format!("  ({runs} of {all} runs)")
}

/// A line about a run that finished.
pub fn finished_run(run: &FinishedRun) -> String {
    let FinishedRun { system, seed, flows, completion } = run;
    match completion {
        Some(mean) => {
            format!("{system}, seed {seed}: {flows} flows, mean completion time {}", time(*mean))
        }
        None => format!("{system}, seed {seed}: no flow finished"),
    }
}

/// A row for each system; an empty one for those without a run.
fn all_rows(systems: &[System], found: Vec<Row>) -> Vec<Row> {
    let width = found.first().map_or(1, |(_, values)| values.len());
    let row = |&system: &System| {
        let known = found.iter().find(|(other, _)| *other == Some(system)).cloned();
        known.unwrap_or_else(|| (Some(system), vec![None; width]))
    };
    systems.iter().map(row).collect()
}
