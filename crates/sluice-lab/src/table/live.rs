//! Completion times while runs go on.

use std::fmt;

use serde::Serialize;

use super::label::{CELL, label};
use super::text::time;
use super::{Value, rows, sizes};
use crate::results::bins;
use crate::{FinishedRun, Plan, Summary, System};

/// Completion times of the runs of a plan that finished so far, with a row for each protocol and
/// ideal that it runs. Displayed, it is a table of text with as many lines at any time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveTable {
    /// The flow sizes of the columns: all, then each range that has flows.
    pub sizes: Vec<&'static str>,
    /// Protocols, then ideals.
    pub rows: Vec<LiveRow>,
}

/// What is known of a protocol or an ideal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveRow {
    /// Its name; those of ideals stand in brackets.
    pub name: String,
    /// How many of its runs finished.
    pub finished: usize,
    /// The number of its runs, as far as it is known: `precision` may add some.
    pub runs: usize,
    /// Mean completion time for each column, with its unit; `-` if no flow finished.
    pub mean: Vec<String>,
    /// The 99th percentile, likewise.
    pub p99: Vec<String>,
}

impl LiveTable {
    /// The table of a plan, from the summary of the runs that finished so far.
    pub fn of(plan: &Plan, so_far: &Summary) -> Self {
        let used = sizes(std::iter::once(so_far));
        let row = |system: System| {
            let cells = |value: Value| {
                let all = rows(so_far, &used, value);
                let found = all.into_iter().find(|(other, _)| *other == Some(system));
                let values = found.map_or_else(|| vec![None; 1 + used.len()], |(_, values)| values);
                values.into_iter().map(|value| value.map_or("-".into(), time)).collect()
            };
            let finished = so_far.runs.iter().filter(|run| run.protocol == system).count();
            LiveRow {
                name: label(Some(system)).trim().into(),
                finished,
                runs: plan.scenario.seeds().len().max(finished),
                mean: cells(|bin| bin.completion.mean),
                p99: cells(|bin| bin.completion.p99),
            }
        };
        let bins = used.iter().map(|&bin| bins::label(bin));
        Self {
            sizes: std::iter::once("all").chain(bins).collect(),
            rows: plan.protocols().chain(plan.ideals()).map(row).collect(),
        }
    }
}

impl fmt::Display for LiveTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.indented().len()).fold(10, usize::max);
        let cells = |cells: &[String]| -> String {
            cells.iter().map(|cell| format!("{cell:>CELL$}")).collect()
        };
        let sizes: String = self.sizes.iter().map(|size| format!("{size:>CELL$}")).collect();
        writeln!(f, "{:width$}{sizes}", "flow size")?;
        writeln!(f, "completion time, mean")?;
        for row in &self.rows {
            let (name, LiveRow { finished, runs, .. }) = (row.indented(), row);
            writeln!(f, "{name:width$}{}  ({finished} of {runs} runs)", cells(&row.mean))?;
        }
        writeln!(f, "completion time, 99th percentile")?;
        self.rows
            .iter()
            .try_for_each(|row| writeln!(f, "{:width$}{}", row.indented(), cells(&row.p99)))
    }
}

impl LiveRow {
    /// The name as tables of text have it.
    fn indented(&self) -> String {
        format!("{}{}", if self.name.starts_with('[') { " " } else { "  " }, self.name)
    }
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
