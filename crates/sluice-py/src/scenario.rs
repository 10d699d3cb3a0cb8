//! A scenario as written, before it is checked as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sluice_lab::scenario::{Document, FileError};
use sluice_lab::{PlanOverrides, ready};
use sluice_laws::registry::ProtocolName;

use crate::errors;
use crate::plan::{PlannedPoint, PyPlan};

/// How users write the settings of a scenario, for errors.
const SET: &str = "Scenario.set({...})";
const OVER: &str = "sweep(over={...})";
const SWEEP: &str = "sweep(...)";

/// A document, and the folder that its paths of files are relative to. Frozen: `set` and `vary` return
/// another one.
#[pyclass(frozen, module = "sluice._core", name = "Scenario")]
pub struct PyScenario {
    document: Document,
    folder: PathBuf,
}

#[pymethods]
impl PyScenario {
    /// A file, or a ready scenario by its name.
    #[staticmethod]
    fn load(file: PathBuf) -> PyResult<Self> {
        let document = ready::document(&file).map_err(|error| errors::scenario(&error))?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { document, folder })
    }

    /// TOML; `name` is the name of results unless the text has one.
    #[staticmethod]
    fn parse(text: &str, name: &str, folder: PathBuf) -> Self {
        Self { document: Document::new(&format!("{name}.toml"), text, name), folder }
    }

    /// The fields as JSON. They are converted to TOML, in which errors show them.
    #[staticmethod]
    fn from_json(json: &str, name: &str, folder: PathBuf) -> PyResult<Self> {
        let wrong = |what: String| errors::scenario(&FileError::whole(name, what));
        let fields: serde_json::Value =
            serde_json::from_str(json).map_err(|error| wrong(error.to_string()))?;
        let text = toml::to_string_pretty(&fields).map_err(|error| wrong(error.to_string()))?;
        Ok(Self::parse(&text, name, folder))
    }

    /// All of it, for [`Self::restored`].
    fn state(&self) -> PyResult<(String, PathBuf)> {
        let document = serde_json::to_string(&self.document);
        let document = document.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((document, self.folder.clone()))
    }

    /// The scenario with this state.
    #[staticmethod]
    fn restored(document: &str, folder: PathBuf) -> PyResult<Self> {
        let document = serde_json::from_str(document);
        let document = document.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { document, folder })
    }

    /// Sets fields or variables, as `--set` does.
    fn set(&self, fields: Vec<(String, String)>) -> Self {
        let mut document = self.document.clone();
        fields.iter().for_each(|(field, value)| document.set(SET, field, value));
        Self { document, folder: self.folder.clone() }
    }

    /// Sweeps fields or variables, as `--vary` does; `options` is a table: how they are combined.
    fn vary(&self, fields: Vec<(String, String)>, options: Option<&str>) -> Self {
        let mut document = self.document.clone();
        fields.iter().for_each(|(field, values)| document.vary(OVER, field, values));
        options.into_iter().for_each(|options| document.set_sweep_options(SWEEP, options));
        Self { document, folder: self.folder.clone() }
    }

    /// The checked scenario, ready to run.
    #[pyo3(signature = (protocols=None, seeds=None))]
    fn plan(&self, protocols: Option<Vec<String>>, seeds: Option<Vec<u64>>) -> PyResult<PyPlan> {
        let overrides = overrides(protocols, seeds)?;
        let plan = self
            .document
            .source()
            .and_then(|source| sluice_lab::Plan::of(&source, self.folder.clone(), &overrides));
        plan.map(|plan| PyPlan::new(plan, &Arc::default()))
            .map_err(|error| errors::scenario(&error))
    }

    /// The points of its sweep.
    #[pyo3(signature = (protocols=None, seeds=None))]
    fn points(
        &self,
        protocols: Option<Vec<String>>,
        seeds: Option<Vec<u64>>,
    ) -> PyResult<Vec<PlannedPoint>> {
        let overrides = overrides(protocols, seeds)?;
        let planned = sluice_lab::plan_sweep(&self.document, &self.folder, &overrides);
        let planned = planned.map_err(|error| errors::scenario(&error))?;
        let failure = Arc::default();
        Ok(planned
            .into_iter()
            .map(|(point, plan)| (point.0, PyPlan::new(plan, &failure)))
            .collect())
    }
}

fn overrides(protocols: Option<Vec<String>>, seeds: Option<Vec<u64>>) -> PyResult<PlanOverrides> {
    let protocol = |name: &String| {
        let find = || ProtocolName::ALL.iter().copied().find(|known| known.as_str() == name);
        find().ok_or_else(|| {
            let names = ProtocolName::ALL.iter().map(|name| name.as_str());
            let help = sluice_lab::scenario::suggest(name, names);
            errors::scenario(&FileError::whole(name, format!("unknown protocol\n   = {help}")))
        })
    };
    let protocols = protocols.map(|names| names.iter().map(protocol).collect::<PyResult<_>>());
    Ok(PlanOverrides { protocols: protocols.transpose()?, seeds, ..PlanOverrides::default() })
}
