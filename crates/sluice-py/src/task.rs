//! Runs made on another machine, as `sluice.cluster` hands them about.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sluice_lab::Task;

use crate::errors;
use crate::monitor::watched;

/// A task in plain Python: build, scenario, inputs, seed.
pub type Told = (String, String, BTreeMap<String, Vec<u8>>, u64);

/// Makes the runs of a task; returns the files of each, by name.
#[pyfunction]
pub fn make(py: Python<'_>, task: Told) -> PyResult<Vec<BTreeMap<String, Vec<u8>>>> {
    let (build, scenario, inputs, seed) = task;
    let task = Task { build, scenario, inputs, seed };
    let made = watched(py, None, Arc::default(), |watch| task.run(watch))?;
    made.ok_or_else(|| PyKeyboardInterrupt::new_err("the task was interrupted"))
}

/// Keeps the files of a run among those in a folder of results.
#[pyfunction]
pub fn keep(folder: PathBuf, files: BTreeMap<String, Vec<u8>>) -> PyResult<()> {
    sluice_lab::keep(&folder, &files).map_err(|error| errors::run(&error))
}
