//! Long work in Rust, seen from Python: how far it has got, and Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use sluice_lab::{Meter, Monitor, Reached};

use crate::errors;

/// Python is asked whether to stop, and told how far it is, soon at first and then this often.
const LONGEST: Duration = Duration::from_millis(50);
const SHORTEST: Duration = Duration::from_millis(1);

/// Counts how far runs have got, and stops them.
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

/// Does the work without Python's lock. `progress(through, runs, done)` is told how far it is, `done`
/// being a part of all from 0 to 1. At Ctrl-C, or if `progress` raises, the work ends early, keeps
/// what is finished, and the exception is raised; if another sets `stop`, it ends early.
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
        let mut pause = SHORTEST;
        while !worker.is_finished() {
            py.detach(|| thread::sleep(pause));
            pause = LONGEST.min(pause * 2);
            if raised.is_none() {
                raised = ask(py, progress, watch.meter.reached()).err();
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

/// Tells Python how far it is; an error if it wants to stop.
fn ask(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>, reached: Reached) -> PyResult<()> {
    py.check_signals()?;
    let Some(progress) = progress else { return Ok(()) };
    let Reached { runs, through, thousandths } = reached;
    let all = Meter::WHOLE as f64 * runs.max(1) as f64;
    progress.call1((through, runs, thousandths as f64 / all)).map(drop)
}
