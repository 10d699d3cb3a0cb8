//! A progress bar over all runs, and results as they finish.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sluice_lab::{FinishedRun, Meter, Monitor, Plan, RunProgress, Summary, table};

/// Shows the progress of all runs and the time left, unless standard error is no terminal.
pub struct Bar<'p> {
    bar: ProgressBar,
    meter: Meter,
    interrupted: Arc<AtomicBool>,
    /// The plan whose finished runs are shown.
    watched: Option<&'p Plan>,
}

impl<'p> Bar<'p> {
    /// A bar without runs.
    pub fn new(quiet: bool, interrupted: Arc<AtomicBool>) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        // The prefix is the table of finished runs.
        let template = "{prefix}{msg} {bar:40} {percent:>3} %  {elapsed} elapsed, {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { bar, meter: Meter::default(), interrupted, watched: None }
    }

    /// Shows the results of a plan's runs as they finish: as a table above the bar, or, without a
    /// terminal, a line for each run.
    pub fn watching(self, plan: Option<&'p Plan>) -> Self {
        Self { watched: plan, ..self }
    }

    /// Removes the bar from the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self) {
        let RunProgress { runs, finished, thousandths } = self.meter.total();
        self.bar.set_message(format!("{finished}/{runs} runs"));
        self.bar.set_length(Meter::WHOLE * runs as u64);
        self.bar.set_position(thousandths);
    }
}

impl Monitor for Bar<'_> {
    fn expect(&self, runs: usize) -> usize {
        let first = self.meter.expect(runs);
        self.show();
        first
    }

    fn progress(&self, index: usize, fraction: f64) {
        // Drawing is slow: skip steps too small to be seen.
        if self.meter.progress(index, fraction) {
            self.show();
        }
    }

    fn cancelled(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn watches(&self) -> bool {
        self.watched.is_some()
    }

    fn finished(&self, run: &FinishedRun, so_far: &Summary) {
        let Some(plan) = self.watched else { return };
        if self.bar.is_hidden() {
            eprintln!("{}", table::finished_run(run));
        } else {
            self.bar.set_prefix(format!("{}\n", table::LiveTable::of(plan, so_far)));
        }
    }
}
