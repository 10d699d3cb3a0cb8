//! Runs made on other machines by `sluice.cluster`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sluice_lab::Task;

use crate::errors;
use crate::monitor::{Callbacks, watched};

/// A task as a Python tuple: build, scenario, inputs, point as JSON, seed.
pub type TaskParts = (String, String, BTreeMap<String, Vec<u8>>, String, u64);

/// A task as Python passes it on.
pub fn parts(task: Task) -> PyResult<TaskParts> {
    let Task { build, scenario, inputs, point, seed } = task;
    Ok((build, scenario, inputs, serde_json::to_string(&point).map_err(errors::json)?, seed))
}

/// Makes the runs of a task; returns the files of each, by name.
#[pyfunction]
pub fn make(py: Python<'_>, task: TaskParts) -> PyResult<Vec<BTreeMap<String, Vec<u8>>>> {
    let (build, scenario, inputs, point, seed) = task;
    let point = serde_json::from_str(&point).map_err(errors::json)?;
    let task = Task { build, scenario, inputs, point, seed };
    let made = watched(py, Callbacks::default(), Arc::default(), |watch| task.run(watch))?;
    made.ok_or_else(|| PyKeyboardInterrupt::new_err("the task was interrupted"))
}

/// Stores the files of a run in a folder of results. Returns what was wrong with a stored run that it
/// replaces.
#[pyfunction]
pub fn keep(folder: PathBuf, files: BTreeMap<String, Vec<u8>>) -> PyResult<Option<String>> {
    let damage = sluice_lab::keep(&folder, &files).map_err(|error| errors::run(&error))?;
    Ok(damage.map(|damage| damage.to_string()))
}
