//! Estimates of what runs will cost.

use std::path::PathBuf;

use pyo3::prelude::*;
use sluice_lab::scenario::Point;
use sluice_lab::{CostEstimate, Plan, RunError};

use crate::errors;
use crate::options::PyOptions;
use crate::plan::{PlannedPoint, PyPlan};

/// Numbers as JSON, a line of text, and whether to show it unasked.
type Estimated = (String, String, bool);

/// Estimates `run` with these arguments.
#[pyfunction]
#[pyo3(signature = (plan, folder, options))]
pub fn estimate_run(
    py: Python<'_>,
    plan: &PyPlan,
    folder: PathBuf,
    options: PyOptions,
) -> PyResult<Estimated> {
    let options = options.options();
    estimated(py.detach(|| CostEstimate::of_run(plan.plan(), &folder, &options)))
}

/// Estimates `sweep` with these arguments, or with runs on a cluster.
#[pyfunction]
#[pyo3(signature = (points, folder, options, cluster=false))]
pub fn estimate_sweep(
    py: Python<'_>,
    points: Vec<PlannedPoint>,
    folder: PathBuf,
    options: PyOptions,
    cluster: bool,
) -> PyResult<Estimated> {
    let options = options.options();
    let points: Vec<(Point, Plan)> =
        points.into_iter().map(|(set, plan)| (Point(set), plan.plan().clone())).collect();
    let estimate = py.detach(|| CostEstimate::of_sweep(&points, &folder, &options));
    estimated(if cluster { estimate.map(CostEstimate::on_cluster) } else { estimate })
}

fn estimated(estimate: Result<CostEstimate, RunError>) -> PyResult<Estimated> {
    let estimate = estimate.map_err(|error| errors::run(&error))?;
    Ok((estimate.json().to_string(), estimate.to_string(), estimate.is_notable()))
}
