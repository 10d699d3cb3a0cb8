//! The `sluice` command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyKeyboardInterrupt, PyLookupError};
use pyo3::prelude::*;
use sluice_cli::{Package, PackageError, ReproduceArgs};

use crate::plan::PyPlan;

/// Runs the command and returns its exit code. `make(address, plans, quiet)` makes runs on a cluster,
/// where `plans` is a list of (folder, plan); `reproduce(figures, list, scale, out, quiet)` draws
/// figures of the papers.
#[pyfunction]
pub fn command(py: Python<'_>, args: Vec<OsString>, make: Py<PyAny>, reproduce: Py<PyAny>) -> u8 {
    let package = InPython { make, reproduce };
    py.detach(|| sluice_cli::run(args, Some(&package)).code())
}

/// The features of the package, as Python functions.
struct InPython {
    make: Py<PyAny>,
    reproduce: Py<PyAny>,
}

impl Package for InPython {
    fn make(
        &self,
        address: &str,
        plans: &[(PathBuf, sluice_lab::Plan)],
        quiet: bool,
    ) -> Result<(), PackageError> {
        // No law in Python can come from the command line.
        let none = Arc::default();
        let plan = |(folder, plan): &(PathBuf, sluice_lab::Plan)| {
            (folder.clone(), PyPlan::new(plan.clone(), &none))
        };
        let plans: Vec<(PathBuf, PyPlan)> = plans.iter().map(plan).collect();
        Python::attach(|py| done(py, self.make.call1(py, (address, plans, quiet))))
    }

    fn reproduce(&self, asked: &ReproduceArgs) -> Result<(), PackageError> {
        let ReproduceArgs { figures, list, scale, out, quiet } = asked.clone();
        Python::attach(|py| done(py, self.reproduce.call1(py, (figures, list, scale, out, quiet))))
    }
}

fn done(py: Python<'_>, result: PyResult<Py<PyAny>>) -> Result<(), PackageError> {
    result.map(drop).map_err(|error| {
        let first = || error.value(py).getattr("args").and_then(|args| args.get_item(0));
        let message = first().map_or_else(|_| error.to_string(), |first| first.to_string());
        match error {
            error if error.is_instance_of::<PyKeyboardInterrupt>(py) => PackageError::Interrupted,
            error if error.is_instance_of::<PyLookupError>(py) => PackageError::Arguments(message),
            _ => PackageError::Error(message),
        }
    })
}
