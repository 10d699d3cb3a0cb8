//! Long work in Rust, with progress and Ctrl-C in Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use sluice_lab::{Meter, Monitor, RunProgress};

use crate::errors;

/// The longest and the first interval between checks for signals and reports of progress.
const MAX_PAUSE: Duration = Duration::from_millis(50);
const MIN_PAUSE: Duration = Duration::from_millis(1);

/// Adds up the progress of runs, and stops them.
#[derive(Default)]
pub struct PyMonitor {
    meter: Meter,
    stop: Arc<AtomicBool>,
}

impl Monitor for PyMonitor {
    fn expect(&self, runs: usize) -> usize {
        self.meter.expect(runs)
    }

    fn progress(&self, index: usize, fraction: f64) {
        self.meter.progress(index, fraction);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does the work without Python's lock and calls `progress(finished, runs, done)`, where `done` is a
/// fraction of all the work. At Ctrl-C, or if `progress` raises, the work ends early, keeps finished
/// runs, and the exception is raised. Setting `stop` ends it early, too.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    stop: Arc<AtomicBool>,
    work: impl FnOnce(&PyMonitor) -> Result<T, sluice_lab::RunError> + Send,
) -> PyResult<T> {
    let watch = &PyMonitor { stop, ..PyMonitor::default() };
    let mut raised = None;
    let done = thread::scope(|scope| {
        let worker = scope.spawn(move || work(watch));
        let mut pause = MIN_PAUSE;
        while !worker.is_finished() {
            py.detach(|| thread::sleep(pause));
            pause = MAX_PAUSE.min(pause * 2);
            if raised.is_none() {
                raised = report(py, progress, watch.meter.total()).err();
                watch.stop.fetch_or(raised.is_some(), Ordering::Relaxed);
            }
        }
        worker.join()
    });
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Ok(done)) => done.map_err(|error| errors::run(&error)),
        (None, Err(panic)) => std::panic::resume_unwind(panic),
    }
}

/// Reports progress to Python; an error if it raises or was interrupted.
fn report(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>, total: RunProgress) -> PyResult<()> {
    py.check_signals()?;
    let Some(progress) = progress else { return Ok(()) };
    let RunProgress { runs, finished, thousandths } = total;
    let all = Meter::WHOLE as f64 * runs.max(1) as f64;
    progress.call1((finished, runs, thousandths as f64 / all)).map(drop)
}
