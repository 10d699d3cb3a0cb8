//! Long work in Rust, with progress and Ctrl-C in Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use sluice_lab::table::{self, LiveTable};
use sluice_lab::{FinishedRun, Meter, Monitor, Plan, RunProgress, Summary};

use crate::errors;

/// The longest and the first interval between checks for signals and reports of progress.
const MAX_PAUSE: Duration = Duration::from_millis(50);
const MIN_PAUSE: Duration = Duration::from_millis(1);

/// Adds up the progress of runs, keeps what the runs of a plan found, and stops them.
#[derive(Default)]
pub struct PyMonitor<'p> {
    meter: Meter,
    stop: Arc<AtomicBool>,
    /// The plan whose finished runs are shown.
    watched: Option<&'p Plan>,
    finished: Mutex<Finished>,
}

/// The runs that finished since Python was shown some.
#[derive(Default)]
struct Finished {
    /// A line for each.
    lines: Vec<String>,
    /// The table of all that finished so far.
    table: Option<LiveTable>,
}

impl Monitor for PyMonitor<'_> {
    fn expect(&self, runs: usize) -> usize {
        self.meter.expect(runs)
    }

    fn progress(&self, index: usize, fraction: f64) {
        self.meter.progress(index, fraction);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn watches(&self) -> bool {
        self.watched.is_some()
    }

    fn finished(&self, run: &FinishedRun, so_far: &Summary) {
        let Some(plan) = self.watched else { return };
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        finished.lines.push(table::finished_run(run));
        finished.table = Some(LiveTable::of(plan, so_far));
    }
}

/// Functions that Python shows the work with.
#[derive(Clone, Copy, Default)]
pub struct Callbacks<'a, 'py> {
    /// Called as `progress(finished, runs, done)`, where `done` is a fraction of all the work.
    pub progress: Option<&'a Bound<'py, PyAny>>,
    /// Called as `watch(lines, text, table)` when runs of the plan finished: a line for each, and the
    /// table of all so far as text and as JSON.
    pub watch: Option<(&'a Plan, &'a Bound<'py, PyAny>)>,
}

/// Does the work without Python's lock and calls the callbacks. At Ctrl-C, or if one raises, the work
/// ends early, keeps finished runs, and the exception is raised. Setting `stop` ends it early, too.
pub fn watched<T: Send>(
    py: Python<'_>,
    callbacks: Callbacks<'_, '_>,
    stop: Arc<AtomicBool>,
    work: impl FnOnce(&PyMonitor<'_>) -> Result<T, sluice_lab::RunError> + Send,
) -> PyResult<T> {
    let watched = callbacks.watch.map(|(plan, _)| plan);
    let watch = &PyMonitor { stop, watched, ..PyMonitor::default() };
    let mut raised = None;
    let done = thread::scope(|scope| {
        let worker = scope.spawn(move || work(watch));
        let mut pause = MIN_PAUSE;
        while !worker.is_finished() {
            py.detach(|| thread::sleep(pause));
            pause = MAX_PAUSE.min(pause * 2);
            if raised.is_none() {
                raised = report(py, callbacks, watch).err();
                watch.stop.fetch_or(raised.is_some(), Ordering::Relaxed);
            }
        }
        worker.join()
    });
    if raised.is_none() {
        raised = show(py, callbacks, watch).err();
    }
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Ok(done)) => done.map_err(|error| errors::run(&error)),
        (None, Err(panic)) => std::panic::resume_unwind(panic),
    }
}

/// Reports progress to Python; an error if it raises or was interrupted.
fn report(py: Python<'_>, callbacks: Callbacks<'_, '_>, watch: &PyMonitor<'_>) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = callbacks.progress {
        let RunProgress { runs, finished, thousandths } = watch.meter.total();
        let all = Meter::WHOLE as f64 * runs.max(1) as f64;
        progress.call1((finished, runs, thousandths as f64 / all))?;
    }
    show(py, callbacks, watch)
}

/// Shows Python the runs that finished since it was shown some. Workers that wait for the lock may
/// wait for Python's as well, so that it is not held during the call.
fn show(py: Python<'_>, callbacks: Callbacks<'_, '_>, watch: &PyMonitor<'_>) -> PyResult<()> {
    let Some((_, shown)) = callbacks.watch else { return Ok(()) };
    let new = py.detach(|| {
        std::mem::take(&mut *watch.finished.lock().unwrap_or_else(PoisonError::into_inner))
    });
    let Some(table) = new.table else { return Ok(()) };
    let json = serde_json::to_string(&table).map_err(errors::json)?;
    shown.call1((new.lines, table.to_string(), json)).map(drop)
}
