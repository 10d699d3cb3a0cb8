//! The `sluice` command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sluice_cli::{Cluster, Failed};

use crate::plan::Plan;

/// Runs the command and returns its exit code. `make(address, plans, quiet)` has runs made on a
/// cluster, `plans` being a list of (folder, plan).
#[pyfunction]
pub fn command(py: Python<'_>, args: Vec<OsString>, make: Py<PyAny>) -> u8 {
    let cluster = ByPython(make);
    py.detach(|| sluice_cli::run(args, Some(&cluster)).0)
}

/// A cluster that Python knows how to reach.
struct ByPython(Py<PyAny>);

impl Cluster for ByPython {
    fn make(
        &self,
        address: &str,
        plans: &[(PathBuf, sluice_lab::Plan)],
        quiet: bool,
    ) -> Result<(), Failed> {
        // The command line knows no laws in Python.
        let none = Arc::default();
        let plans: Vec<(PathBuf, Plan)> = plans
            .iter()
            .map(|(folder, plan)| (folder.clone(), Plan::new(plan.clone(), &none)))
            .collect();
        Python::attach(|py| {
            let made = self.0.call1(py, (address, plans, quiet));
            made.map(drop).map_err(|error| match error.is_instance_of::<PyKeyboardInterrupt>(py) {
                true => Failed::Interrupted,
                false => Failed::Error(error.value(py).to_string()),
            })
        })
    }
}
