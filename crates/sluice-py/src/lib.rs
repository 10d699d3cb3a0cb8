//! The Rust part of the Python package, `sluice._core`: every class and function does its work in
//! `sluice-lab`, and nothing here decides about a scenario or a result. What users see is in
//! `python/sluice`; its `_core.pyi` declares the types.

mod command;
mod cost;
mod errors;
mod estimate;
mod law;
mod manual;
mod monitor;
mod options;
mod plan;
mod scenario;
mod task;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::cost::{cost_of_run, cost_of_sweep};
    #[pymodule_export]
    use crate::errors::{RunError, ScenarioError};
    #[pymodule_export]
    use crate::estimate::{estimate, estimate_points};
    #[pymodule_export]
    use crate::law::{PyLinkContext, PyLinkSample};
    #[pymodule_export]
    use crate::manual::{explain, manual, network, report, schema, sweep_table, table};
    #[pymodule_export]
    use crate::plan::{PyPlan, point_folder, run, sweep, sweep_warnings};
    #[pymodule_export]
    use crate::scenario::PyScenario;
    #[pymodule_export]
    use crate::task::{keep, make};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("BUILD", sluice_lab::BUILD)?;
        module.add("MAX_POINTS", sluice_lab::scenario::MAX_POINTS)?;
        module.add("MAX_SEED", sluice_lab::scenario::MAX_SEED)?;
        module.add("MAX_THREADS", sluice_lab::max_threads())?;
        module.add("SCHEMA", sluice_lab::scenario::SCHEMA)
    }
}
