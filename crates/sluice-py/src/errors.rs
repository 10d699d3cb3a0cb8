//! Errors, with the words that the command line has for them.

use pyo3::exceptions::{PyException, PyOSError, PyValueError};
use pyo3::{PyErr, create_exception};
use sluice_lab::scenario::FileError;

create_exception!(
    sluice,
    ScenarioError,
    PyValueError,
    "A scenario is wrong: where, what, and what is allowed."
);
create_exception!(sluice, RunError, PyException, "A run could not be made.");

pub fn scenario(error: &FileError) -> PyErr {
    ScenarioError::new_err(error.to_string())
}

pub fn run(error: &sluice_lab::RunError) -> PyErr {
    match error {
        sluice_lab::RunError::Io(..) => PyOSError::new_err(error.to_string()),
        sluice_lab::RunError::Config(_) => ScenarioError::new_err(error.to_string()),
        _ => RunError::new_err(error.to_string()),
    }
}

/// JSON between Python and this crate that is not what it should be.
pub fn json(error: serde_json::Error) -> PyErr {
    RunError::new_err(error.to_string())
}
