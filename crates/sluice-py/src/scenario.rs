//! A scenario as it is written, before it is checked as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use sluice_lab::scenario::{Document, FileError};
use sluice_lab::{PlanOverrides, ready};
use sluice_laws::registry::ProtocolName;

use crate::errors;
use crate::plan::{Plan, PlannedPoint};

/// A document and where its paths of files start from. Frozen: `set` and `vary` give another one.
#[pyclass(frozen, module = "sluice._core")]
pub struct Scenario {
    document: Document,
    folder: PathBuf,
}

#[pymethods]
impl Scenario {
    /// A file, or a ready scenario by its name.
    #[staticmethod]
    fn load(file: PathBuf) -> PyResult<Self> {
        let document = ready::document(&file).map_err(|error| errors::scenario(&error))?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { document, folder })
    }

    /// TOML; `name` is what results are called unless the text says it.
    #[staticmethod]
    fn parse(text: &str, name: &str, folder: PathBuf) -> Self {
        Self { document: Document::new(&format!("{name}.toml"), text, name), folder }
    }

    /// The fields as JSON; they become TOML, so that errors can show where they are.
    #[staticmethod]
    fn from_json(json: &str, name: &str, folder: PathBuf) -> PyResult<Self> {
        let wrong = |what: String| errors::scenario(&FileError::whole(name, what));
        let fields: serde_json::Value =
            serde_json::from_str(json).map_err(|error| wrong(error.to_string()))?;
        let text = toml::to_string_pretty(&fields).map_err(|error| wrong(error.to_string()))?;
        Ok(Self::parse(&text, name, folder))
    }

    /// Puts values into fields or variables, as `--set` does.
    fn set(&self, fields: Vec<(String, String)>) -> Self {
        let mut document = self.document.clone();
        fields.iter().for_each(|(field, value)| document.set(field, value));
        Self { document, folder: self.folder.clone() }
    }

    /// Sweeps fields or variables, as `--vary` does; `ways` is a table: how they go together.
    fn vary(&self, fields: Vec<(String, String)>, ways: Option<&str>) -> Self {
        let mut document = self.document.clone();
        fields.iter().for_each(|(field, values)| document.vary(field, values));
        ways.into_iter().for_each(|ways| document.how(ways));
        Self { document, folder: self.folder.clone() }
    }

    /// The scenario checked, ready to run.
    #[pyo3(signature = (protocols=None, seeds=None))]
    fn plan(&self, protocols: Option<Vec<String>>, seeds: Option<Vec<u64>>) -> PyResult<Plan> {
        let overrides = overrides(protocols, seeds)?;
        let plan = self
            .document
            .source()
            .and_then(|source| sluice_lab::Plan::of(&source, self.folder.clone(), &overrides));
        plan.map(|plan| Plan::new(plan, &Arc::default())).map_err(|error| errors::scenario(&error))
    }

    /// The points of its sweep.
    #[pyo3(signature = (protocols=None, seeds=None))]
    fn points(
        &self,
        protocols: Option<Vec<String>>,
        seeds: Option<Vec<u64>>,
    ) -> PyResult<Vec<PlannedPoint>> {
        let overrides = overrides(protocols, seeds)?;
        let failure = Arc::default();
        let plan = |(point, source): (sluice_lab::scenario::Point, _)| {
            let plan = sluice_lab::Plan::of(&source, self.folder.clone(), &overrides)?;
            Ok((point.0, Plan::new(plan, &failure)))
        };
        let points = self.document.points();
        let plans = points.and_then(|points| points.into_iter().map(plan).collect());
        plans.map_err(|error: FileError| errors::scenario(&error))
    }
}

fn overrides(protocols: Option<Vec<String>>, seeds: Option<Vec<u64>>) -> PyResult<PlanOverrides> {
    let protocol = |name: &String| {
        let find = || ProtocolName::ALL.iter().copied().find(|known| known.as_str() == name);
        find().ok_or_else(|| {
            let names = ProtocolName::ALL.iter().map(|name| name.as_str());
            let help = sluice_lab::scenario::suggest(name, names);
            errors::scenario(&FileError::whole(name, format!("no protocol\n   = {help}")))
        })
    };
    let protocols = protocols.map(|names| names.iter().map(protocol).collect::<PyResult<_>>());
    Ok(PlanOverrides { protocols: protocols.transpose()?, seeds, ..PlanOverrides::default() })
}
