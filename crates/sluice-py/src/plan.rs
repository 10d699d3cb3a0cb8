//! Plans, and running them.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use sluice_lab::scenario::{FileError, Point};
use sluice_lab::{Report, Task};

use crate::errors;
use crate::law::{LawFailure, PythonProtocol};
use crate::monitor::{Callbacks, PyMonitor, watched};
use crate::options::PyOptions;
use crate::task::{self, TaskParts};

/// A checked scenario, ready to run.
#[pyclass(frozen, from_py_object, module = "sluice._core", name = "Plan")]
#[derive(Clone)]
pub struct PyPlan {
    plan: sluice_lab::Plan,
    /// The first exception of a law written in Python.
    failure: Arc<LawFailure>,
}

/// A point of a sweep: the fields set, with their values as TOML, and its plan.
pub type PlannedPoint = (Vec<(String, String)>, PyPlan);

impl PyPlan {
    /// A plan; those that run together share `failure`.
    pub fn new(plan: sluice_lab::Plan, failure: &Arc<LawFailure>) -> Self {
        Self { plan, failure: Arc::clone(failure) }
    }

    /// The plan itself.
    pub fn plan(&self) -> &sluice_lab::Plan {
        &self.plan
    }
}

#[pymethods]
impl PyPlan {
    /// The scenario's name.
    #[getter]
    fn name(&self) -> &str {
        &self.plan.scenario.name
    }

    /// Warnings that need no results: that traffic exceeds a link, for instance.
    fn warnings(&self) -> Vec<String> {
        self.plan.warnings().into_iter().map(|warning| warning.text).collect()
    }

    /// The scenario as TOML, every default stated.
    fn toml(&self) -> PyResult<String> {
        self.plan.scenario.to_toml().map_err(|error| errors::RunError::new_err(error.to_string()))
    }

    /// The same plan with one more law: `law(link)` makes it for each link.
    fn with_law(&self, name: &str, law: Py<PyAny>) -> PyResult<Self> {
        let hosts = &self.plan.scenario.parameters.rcp;
        let protocol = PythonProtocol::new(name, law, hosts, Arc::clone(&self.failure));
        let plan = self.plan.clone().with_law(name, Arc::new(protocol));
        let wrong = |error| errors::scenario(&FileError::whole("laws={...}", error));
        Ok(Self::new(plan.map_err(wrong)?, &self.failure))
    }

    /// The seeds whose runs are missing in `folder`, as far as is known before they are made.
    fn pending(&self, folder: PathBuf) -> PyResult<Vec<u64>> {
        sluice_lab::pending(&self.plan, &folder).map_err(|error| errors::run(&error))
    }

    /// The task of making the runs with a seed on another machine.
    fn task(&self, seed: u64) -> PyResult<TaskParts> {
        task::parts(Task::new(&self.plan, seed)?)
    }
}

/// What was wrong with stored runs, which were made again: a line each.
type Damages = Vec<String>;

/// Runs a plan into a folder. Returns the summary, as JSON, and what was wrong with stored runs.
/// `progress` and `watch` are called as [`Callbacks`] has them.
#[pyfunction]
#[pyo3(signature = (plan, folder, options, progress=None, watch=None))]
pub fn run(
    py: Python<'_>,
    plan: &PyPlan,
    folder: PathBuf,
    options: PyOptions,
    progress: Option<&Bound<'_, PyAny>>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Damages)> {
    let options = options.options();
    let stop = plan.failure.stop();
    let callbacks = Callbacks { progress, watch: watch.map(|watch| (&plan.plan, watch)) };
    let report = watched(py, callbacks, stop, |watch| {
        sluice_lab::run(&plan.plan, &folder, &options, watch)
    })?;
    plan.failure.raise()?;
    Ok((report.json().to_string(), damages(&[report])))
}

/// Runs every point of a sweep: a folder for each, in `folder`. Returns what was wrong with stored runs.
#[pyfunction]
#[pyo3(signature = (points, folder, options, progress=None))]
pub fn sweep(
    py: Python<'_>,
    points: Vec<PlannedPoint>,
    folder: PathBuf,
    options: PyOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Damages> {
    let options = options.options();
    let failure = points.first().map_or_else(Arc::default, |(_, plan)| Arc::clone(&plan.failure));
    let points = planned(points);
    let stop = failure.stop();
    let swept = |watch: &PyMonitor<'_>| sluice_lab::sweep(&points, &folder, &options, watch);
    let reports = watched(py, Callbacks { progress, watch: None }, stop, swept)?;
    failure.raise()?;
    Ok(damages(&reports))
}

/// The warnings of all points that need no results, each once and with its points.
#[pyfunction]
pub fn sweep_warnings(points: Vec<PlannedPoint>) -> Vec<String> {
    let warnings = sluice_lab::swept::plan_warnings(&planned(points));
    warnings.into_iter().map(|warning| warning.text).collect()
}

fn planned(points: Vec<PlannedPoint>) -> Vec<(Point, sluice_lab::Plan)> {
    points.into_iter().map(|(set, plan)| (Point(set), plan.plan)).collect()
}

fn damages(reports: &[Report]) -> Damages {
    reports.iter().flat_map(|report| &report.damaged).map(ToString::to_string).collect()
}

/// The folder of the results of a point of a sweep, by its index from 0.
#[pyfunction]
pub fn point_folder(sweep: PathBuf, index: usize) -> PathBuf {
    sluice_lab::point_folder(&sweep, index)
}
