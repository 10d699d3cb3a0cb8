//! The manual of scenarios, and tables and pages of results.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use sluice_lab::scenario::Point;
use sluice_lab::table::Style;
use sluice_lab::{Summary, manual as lab};

use crate::errors;

/// All that scenarios may name, as JSON, as `sluice list --json` prints it.
#[pyfunction]
pub fn manual() -> PyResult<String> {
    serde_json::to_string(lab::entries()).map_err(errors::json)
}

/// What a word of a scenario means, as JSON, as `sluice explain --json` prints it.
#[pyfunction]
pub fn explain(name: &str) -> PyResult<String> {
    let found = lab::find(name).map_err(PyValueError::new_err)?;
    serde_json::to_string(&found).map_err(errors::json)
}

/// The JSON Schema of scenarios.
#[pyfunction]
pub fn schema() -> String {
    lab::schema().to_string()
}

/// The table of a summary, given as JSON, as the command line prints it.
#[pyfunction]
pub fn table(summary: &str) -> PyResult<String> {
    let summary: Summary = serde_json::from_str(summary).map_err(errors::json)?;
    Ok(sluice_lab::table::render(&summary, Style::Plain))
}

/// The table of a sweep's points, each given by the fields set and its folder of results.
#[pyfunction]
pub fn sweep_table(points: Vec<(Vec<(String, String)>, PathBuf)>) -> PyResult<String> {
    let read = |(set, folder): (_, PathBuf)| Ok((Point(set), Summary::read(&folder)?));
    let points: Vec<(Point, Summary)> = points.into_iter().map(read).collect::<PyResult<_>>()?;
    let rows: Vec<(Point, &Summary)> =
        points.iter().map(|(point, summary)| (point.clone(), summary)).collect();
    Ok(sluice_lab::table::sweep(&rows))
}

/// Writes the page of a folder of results; returns its path.
#[pyfunction]
#[pyo3(signature = (folder, out=None))]
pub fn report(folder: PathBuf, out: Option<PathBuf>) -> PyResult<PathBuf> {
    sluice_lab::report::write(&folder, out.as_deref())
        .map_err(|error| PyOSError::new_err(error.to_string()))
}

/// The network of a folder of results as JSON: places of nodes, and what links did.
#[pyfunction]
pub fn network(folder: PathBuf) -> PyResult<String> {
    let found = sluice_lab::report::network(&folder)
        .map_err(|error| PyOSError::new_err(error.to_string()))?;
    serde_json::to_string(&found).map_err(errors::json)
}
