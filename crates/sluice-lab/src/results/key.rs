//! What names a run: all that can change what it finds.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use sluice_laws::registry::Parameters;
use sluice_sim::ideal::Ideal;

use super::system::System;
use crate::scenario::{Group, SCHEMA};
use crate::{BUILD, Plan};

/// Fields of a scenario that tell which runs there are, and change none of them.
const NOT_OF_A_RUN: [&str; 7] =
    ["name", "protocols", "ideals", "seed", "replications", "seeds", "precision"];

/// Which run: what ran, with which seed, under which conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId {
    /// What ran.
    pub system: System,
    /// Its seed.
    pub seed: u64,
    /// 16 hexadecimal digits, other ones for whatever can change the result.
    pub key: String,
}

impl RunId {
    /// The name of the run's folder.
    pub fn folder(&self) -> String {
        format!("{}-{}-{}", self.system, self.seed, self.key)
    }

    /// What the run's files say of themselves.
    pub fn about(&self) -> [(&'static str, String); 5] {
        [
            ("sluice.schema", SCHEMA.to_string()),
            ("sluice.build", BUILD.into()),
            ("sluice.protocol", self.system.to_string()),
            ("sluice.seed", self.seed.to_string()),
            ("sluice.key", self.key.clone()),
        ]
    }
}

/// Makes the keys of a plan's runs.
pub struct Keys {
    /// The scenario without what does not concern a run, in JSON with sorted names.
    scenario: String,
    parameters: Parameters,
    /// Whether flows are compared with the max-min ideal: that is a column of theirs.
    has_max_min: bool,
}

impl Keys {
    /// Reads the files that the scenario names: their contents count, not their names.
    pub fn of(plan: &Plan) -> io::Result<Self> {
        let mut scenario = plan.scenario.stated();
        let mut digests = BTreeMap::new();
        for path in scenario.group.iter_mut().flat_map(Group::files) {
            let digest = digest_once(plan.folder.join(&*path), &mut digests)?;
            *path = PathBuf::from(digest);
        }
        let mut value = serde_json::to_value(&scenario)?;
        if let Value::Object(fields) = &mut value {
            fields.retain(|name, _| !NOT_OF_A_RUN.contains(&name.as_str()));
        }
        Ok(Self {
            scenario: value.to_string(),
            parameters: plan.scenario.parameters.clone(),
            has_max_min: plan.scenario.ideals.contains(&Ideal::MaxMin),
        })
    }

    /// The run of `system` with `seed`.
    pub fn run(&self, system: System, seed: u64) -> io::Result<RunId> {
        let parameters = serde_json::to_value(&self.parameters)?;
        let own = parameters.get(system.as_str()).unwrap_or(&Value::Null);
        let Self { scenario, has_max_min, .. } = self;
        let all = format!("{BUILD}\n{system}\n{seed}\n{has_max_min}\n{own}\n{scenario}");
        Ok(RunId { system, seed, key: hex(&Sha256::digest(all), 8) })
    }
}

fn digest_once(path: PathBuf, known: &mut BTreeMap<PathBuf, String>) -> io::Result<String> {
    if let Some(digest) = known.get(&path) {
        return Ok(digest.clone());
    }
    let digest = digest_of(&path)?;
    known.insert(path, digest.clone());
    Ok(digest)
}

fn digest_of(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut std::fs::File::open(path)?, &mut hash)?;
    Ok(format!("sha256:{}", hex(&hash.finalize(), 32)))
}

fn hex(bytes: &[u8], most: usize) -> String {
    bytes.iter().take(most).fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}
