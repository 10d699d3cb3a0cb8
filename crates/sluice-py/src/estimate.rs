//! What models predict of results.

use pyo3::prelude::*;
use sluice_lab::scenario::Point;
use sluice_lab::{Estimate, table};

use crate::errors;
use crate::plan::{PlannedPoint, PyPlan};

/// Estimates a plan: all of it as JSON, and as tables.
#[pyfunction]
pub fn estimate(py: Python<'_>, plan: &PyPlan) -> PyResult<(String, String)> {
    let found = py.detach(|| Estimate::of(plan.plan()));
    if found.systems.is_empty() {
        return Err(nothing(&found));
    }
    Ok((found.json().to_string(), table::of_estimate(&found)))
}

/// Estimates the points of a sweep: each as JSON, and all as tables.
#[pyfunction]
pub fn estimate_points(
    py: Python<'_>,
    points: Vec<PlannedPoint>,
) -> PyResult<(Vec<String>, String)> {
    let found: Vec<(Point, Estimate)> = py.detach(|| {
        points.into_iter().map(|(set, plan)| (Point(set), Estimate::of(plan.plan()))).collect()
    });
    if let Some((_, first)) = found.first()
        && found.iter().all(|(_, found)| found.systems.is_empty())
    {
        return Err(nothing(first));
    }
    let all = found.iter().map(|(_, found)| found.json().to_string()).collect();
    Ok((all, table::of_estimates(&found)))
}

fn nothing(found: &Estimate) -> PyErr {
    let reasons = table::not_modelled(&found.not_modelled);
    errors::ScenarioError::new_err(format!(
        "nothing of this scenario can be estimated\n{}",
        reasons.trim_end()
    ))
}
