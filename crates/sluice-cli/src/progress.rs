//! A progress bar over all runs, and Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sluice_lab::Monitor;

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
    done: RwLock<Vec<AtomicU64>>,
    interrupted: Arc<AtomicBool>,
}

const WHOLE: u64 = 1000;

impl Bar {
    /// A bar of no run yet.
    pub fn new(quiet: bool, interrupted: Arc<AtomicBool>) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let template = "{msg} {bar:40} {percent:>3} %  {elapsed} gone, {eta} left";
        // The default style stands in for a template that is wrong.
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { bar, done: RwLock::default(), interrupted }
    }

    /// Takes the bar off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, all: &[AtomicU64]) {
        let done = |run: &AtomicU64| run.load(Ordering::Relaxed);
        let through = all.iter().filter(|run| done(run) == WHOLE).count();
        self.bar.set_message(format!("{through}/{} runs", all.len()));
        self.bar.set_position(all.iter().map(done).sum());
    }
}

impl Monitor for Bar {
    fn expect(&self, runs: usize) {
        // A thread that panicked left numbers that are as good as any.
        let mut done = self.done.write().unwrap_or_else(PoisonError::into_inner);
        done.extend((0..runs).map(|_| AtomicU64::new(0)));
        self.bar.set_length(WHOLE * done.len() as u64);
        self.show(&done);
    }

    fn progress(&self, index: usize, fraction: f64) {
        let thousandths = (fraction * WHOLE as f64) as u64;
        let done = self.done.read().unwrap_or_else(PoisonError::into_inner);
        // Drawing costs; only a step that can be seen is drawn.
        if done[index].swap(thousandths, Ordering::Relaxed) != thousandths {
            self.show(&done);
        }
    }

    fn cancelled(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
