//! The scenario beside its results, with copies of the files it names: it can be run from there.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::whole;
use crate::Plan;
use crate::scenario::Group;

/// Writes `scenario.toml`, every default stated, and copies the files it names to `input-N.csv`.
/// Returns the names of what it wrote.
pub(crate) fn write_scenario(folder: &Path, plan: &Plan) -> io::Result<Vec<String>> {
    let mut scenario = plan.scenario.clone();
    let mut copies: BTreeMap<PathBuf, String> = BTreeMap::new();
    for path in scenario.group.iter_mut().flat_map(Group::files) {
        let next = format!("input-{}.csv", copies.len());
        let name = copies.entry(plan.folder.join(&*path)).or_insert(next);
        *path = PathBuf::from(name.as_str());
    }
    let toml = scenario.to_toml().map_err(io::Error::other)?;
    for (from, name) in &copies {
        let bytes = std::fs::read(from)?;
        whole(&folder.join(name), |out| out.write_all(&bytes))?;
    }
    whole(&folder.join("scenario.toml"), |out| out.write_all(toml.as_bytes()))?;
    Ok(copies.into_values().chain(["scenario.toml".to_owned()]).collect())
}
