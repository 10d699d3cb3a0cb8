//! A progress bar over all runs, and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sluice_lab::{Monitor, Plan};

/// Raises the flag it returns at Ctrl-C. A second Ctrl-C ends the program at once.
pub fn handle_interrupts() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(flag)
}

/// Shows how far all runs together have got and how long the rest will take; nothing where nobody
/// watches.
pub struct Bar {
    bar: ProgressBar,
    /// Thousandths of each run.
    done: Vec<AtomicU64>,
    interrupted: Arc<AtomicBool>,
}

const WHOLE: u64 = 1000;

impl Bar {
    /// A bar for the runs of `plan`.
    pub fn new(plan: &Plan, quiet: bool, interrupted: Arc<AtomicBool>) -> Self {
        let runs = plan.scenario.protocols.len() * plan.scenario.seeds().len();
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(WHOLE * runs as u64), target);
        let template = "{msg} {bar:40} {percent:>3} %  {elapsed} gone, {eta} left";
        // The default style stands in for a template that is wrong.
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let done = (0..runs).map(|_| AtomicU64::new(0)).collect();
        let this = Self { bar, done, interrupted };
        this.show();
        this
    }

    /// Takes the bar off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self) {
        let done = |run: &AtomicU64| run.load(Ordering::Relaxed);
        let through = self.done.iter().filter(|run| done(run) == WHOLE).count();
        self.bar.set_message(format!("{through}/{} runs", self.done.len()));
        self.bar.set_position(self.done.iter().map(done).sum());
    }
}

impl Monitor for Bar {
    fn progress(&self, index: usize, fraction: f64) {
        let thousandths = (fraction * WHOLE as f64) as u64;
        // Drawing costs; only a step that can be seen is drawn.
        if self.done[index].swap(thousandths, Ordering::Relaxed) != thousandths {
            self.show();
        }
    }

    fn cancelled(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
