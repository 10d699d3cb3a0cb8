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

/// Estimates the cost of `run` with these arguments.
#[pyfunction]
#[pyo3(signature = (plan, folder, options))]
pub fn cost_of_run(
    py: Python<'_>,
    plan: &PyPlan,
    folder: PathBuf,
    options: PyOptions,
) -> PyResult<Estimated> {
    let options = options.options();
    estimated(py.detach(|| CostEstimate::of_run(plan.plan(), &folder, &options)))
}

/// Estimates the cost of `sweep` with these arguments, or with runs on a cluster.
#[pyfunction]
#[pyo3(signature = (points, folder, options, cluster=false))]
pub fn cost_of_sweep(
    py: Python<'_>,
    points: Vec<PlannedPoint>,
    folder: PathBuf,
    options: PyOptions,
    cluster: bool,
) -> PyResult<Estimated> {
    let options = options.options();
    let points: Vec<(Point, Plan)> =
        points.into_iter().map(|(set, plan)| (Point(set), plan.plan().clone())).collect();
    let cost = py.detach(|| CostEstimate::of_sweep(&points, &folder, &options));
    estimated(if cluster { cost.map(CostEstimate::on_cluster) } else { cost })
}

fn estimated(cost: Result<CostEstimate, RunError>) -> PyResult<Estimated> {
    let cost = cost.map_err(|error| errors::run(&error))?;
    Ok((cost.json().to_string(), cost.to_string(), cost.is_notable()))
}
