//! The scenario of a command: a file or a ready scenario, with settings of the command line.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sluice_lab::ideal::Ideal;
use sluice_lab::ready;
use sluice_lab::scenario::{Document, FileError, MAX_SEED, Point, suggest};
use sluice_lab::{Plan, PlanOverrides, System, max_threads};
use sluice_laws::registry::ProtocolName;

use crate::complete;
use crate::exit::{Exit, fail};

/// The scenario of a command.
#[derive(clap::Args)]
pub struct ScenarioArgs {
    /// Scenario file, or name of a ready scenario (see `sluice list scenarios`)
    #[arg(add = complete::scenarios())]
    pub file: PathBuf,
    #[command(flatten)]
    pub settings: ScenarioSettings,
}

/// What replaces parts of a scenario.
#[derive(Clone, clap::Args)]
pub struct ScenarioSettings {
    /// Set a field or a variable, e.g. `load=0.9`, `topology.dumbbell.buffer=0.1bdp`,
    /// `group.web.poisson.load=0.9`
    #[arg(long, value_name = "FIELD=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Run with this seed only
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Disable lookahead: slower, with the same results
    #[arg(long, hide = true)]
    no_lookahead: bool,
}

/// `FIELD=VALUE`.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((field, value)) if !field.trim().is_empty() => Ok((field.trim().into(), value.into())),
        _ => Err("expected FIELD=VALUE, e.g. `topology.dumbbell.rtt=100ms`".into()),
    }
}

/// A seed.
fn seed(text: &str) -> Result<u64, String> {
    whole(text, MAX_SEED)
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    whole(text, max_threads() as u64).map(|threads| threads as usize)
}

fn whole(text: &str, max: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number: &u64| number <= max);
    number.ok_or_else(|| format!("expected a whole number, 0 to {max}"))
}

/// The name of a protocol.
pub fn protocol(text: &str) -> Result<ProtocolName, String> {
    let names = ProtocolName::ALL.iter().map(|name| name.as_str());
    let found = ProtocolName::ALL.iter().copied().find(|name| name.as_str() == text);
    found.ok_or_else(|| suggest(text, names))
}

/// The name of an ideal or a protocol.
pub fn reference(text: &str) -> Result<System, String> {
    let ideals = Ideal::ALL.iter().map(|&ideal| System::Ideal(ideal));
    let protocols = ProtocolName::ALL.iter().map(|&name| System::Protocol(name));
    let all: Vec<System> = ideals.chain(protocols).collect();
    let found = all.iter().copied().find(|system| system.as_str() == text);
    found.ok_or_else(|| suggest(text, all.iter().map(System::as_str)))
}

/// The fields that a point of a sweep sets, as JSON.
pub fn point_json(point: &Point) -> Value {
    Value::Object(point.0.iter().map(|(path, value)| (path.clone(), json!(value))).collect())
}

/// Prints what is wrong with a scenario.
pub fn refuse(error: &FileError) -> Exit {
    fail(if error.is_unreadable() { Exit::Failure } else { Exit::WrongInput }, error)
}

impl ScenarioArgs {
    /// The scenario with the settings of the command line.
    pub fn document(&self) -> Result<Document, FileError> {
        let mut document = ready::document(&self.file)?;
        self.settings.set.iter().for_each(|(field, value)| document.set("--set", field, value));
        Ok(document)
    }

    /// The checked scenario.
    pub fn plan(&self, protocols: Option<&[ProtocolName]>) -> Result<Plan, FileError> {
        Plan::of(&self.document()?.source()?, self.folder(), &self.overrides(protocols))
    }

    /// The folder that the scenario's paths of files are relative to.
    pub fn folder(&self) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).to_owned()
    }

    /// The options that override parts of the scenario.
    pub fn overrides(&self, protocols: Option<&[ProtocolName]>) -> PlanOverrides {
        let seeds = self.settings.seed.map(|seed| vec![seed]);
        let no_lookahead = self.settings.no_lookahead;
        let protocols = protocols.map(<[_]>::to_vec);
        PlanOverrides { protocols, seeds, no_lookahead, ..PlanOverrides::default() }
    }
}
