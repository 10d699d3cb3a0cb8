//! Which scenario a command is about: a file or a ready one, with what the command line changes.

use std::path::{Path, PathBuf};

use sluice_lab::ready;
use sluice_lab::scenario::{Document, FileError, suggest};
use sluice_lab::{Plan, PlanOverrides};
use sluice_laws::registry::ProtocolName;

/// The scenario of a command.
#[derive(clap::Args)]
pub struct Input {
    /// The scenario file, or the name of a ready scenario (`sluice list scenarios`).
    file: PathBuf,
    /// Put a value into a field or a variable: `load=0.9`, `topology.dumbbell.buffer=0.1bdp`,
    /// `group.web.poisson.load=0.9`.
    #[arg(long, value_name = "FIELD=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
    /// Run with this seed only.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Settle every packet in order of time: slower, same results.
    #[arg(long, hide = true)]
    no_lookahead: bool,
}

/// `FIELD=VALUE`.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((field, value)) if !field.trim().is_empty() => Ok((field.trim().into(), value.into())),
        _ => Err("write FIELD=VALUE, e.g. `topology.dumbbell.rtt=100ms`".into()),
    }
}

/// The name of a protocol.
pub fn protocol(text: &str) -> Result<ProtocolName, String> {
    let names = ProtocolName::ALL.iter().map(|name| name.as_str());
    let found = ProtocolName::ALL.iter().copied().find(|name| name.as_str() == text);
    found.ok_or_else(|| suggest(text, names))
}

impl Input {
    /// The scenario as written, with what the command line sets.
    pub fn document(&self) -> Result<Document, FileError> {
        let mut document = ready::document(&self.file)?;
        self.set.iter().for_each(|(field, value)| document.set(field, value));
        Ok(document)
    }

    /// The scenario checked, ready to run.
    pub fn plan(&self, protocols: Option<&[ProtocolName]>) -> Result<Plan, FileError> {
        Plan::of(&self.document()?.source()?, self.folder(), &self.overrides(protocols))
    }

    /// Where the scenario's paths of files start from.
    pub fn folder(&self) -> PathBuf {
        self.file.parent().unwrap_or(Path::new("")).to_owned()
    }

    /// What the command line says in the scenario's stead.
    pub fn overrides(&self, protocols: Option<&[ProtocolName]>) -> PlanOverrides {
        let seeds = self.seed.map(|seed| vec![seed]);
        let no_lookahead = self.no_lookahead;
        PlanOverrides { protocols: protocols.map(<[_]>::to_vec), seeds, no_lookahead }
    }
}
