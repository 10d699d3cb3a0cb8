//! A progress bar over all runs, and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sluice_lab::{Meter, Monitor, RunProgress};

use crate::exit::Exit;

/// Returns a flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn handle_interrupts() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted.code().into());
        }
    })?;
    Ok(flag)
}

/// Shows the progress of all runs and the time left, unless standard error is no terminal.
pub struct Bar {
    bar: ProgressBar,
    meter: Meter,
    interrupted: Arc<AtomicBool>,
}

impl Bar {
    /// A bar without runs.
    pub fn new(quiet: bool, interrupted: Arc<AtomicBool>) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let template = "{msg} {bar:40} {percent:>3} %  {elapsed} elapsed, {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { bar, meter: Meter::default(), interrupted }
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

impl Monitor for Bar {
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
}
