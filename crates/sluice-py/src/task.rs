//! Runs made on other machines by `sluice.cluster`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sluice_lab::Task;

use crate::errors;
use crate::monitor::watched;

/// A task as a Python tuple: build, scenario, inputs, seed.
pub type TaskParts = (String, String, BTreeMap<String, Vec<u8>>, u64);

/// Makes the runs of a task; returns the files of each, by name.
#[pyfunction]
pub fn make(py: Python<'_>, task: TaskParts) -> PyResult<Vec<BTreeMap<String, Vec<u8>>>> {
    let (build, scenario, inputs, seed) = task;
    let task = Task { build, scenario, inputs, seed };
    let made = watched(py, None, Arc::default(), |watch| task.run(watch))?;
    made.ok_or_else(|| PyKeyboardInterrupt::new_err("the task was interrupted"))
}

/// Stores the files of a run in a folder of results. Returns what was wrong with a stored run that it
/// replaces.
#[pyfunction]
pub fn keep(folder: PathBuf, files: BTreeMap<String, Vec<u8>>) -> PyResult<Option<String>> {
    let damage = sluice_lab::keep(&folder, &files).map_err(|error| errors::run(&error))?;
    Ok(damage.map(|damage| damage.to_string()))
}
