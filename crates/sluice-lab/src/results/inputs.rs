//! The scenario beside its results, with copies of the files it names: it can be run from there.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::Value;

use super::store::FileSet;
use crate::scenario::Scenario;
use crate::{BUILD, Plan};

/// Adds `scenario.toml` and `scenario.json`, every default stated, and copies of the files they name as
/// `input-N.csv`, or with the extension that they have. Returns the names of what it added.
pub(crate) fn add_scenario(set: &mut FileSet<'_>, plan: &Plan) -> io::Result<Vec<String>> {
    let (scenario, copies) = here(plan);
    let toml = scenario.to_toml().map_err(io::Error::other)?;
    for (from, name) in &copies {
        let bytes = std::fs::read(from)?;
        set.add(name, |out| out.write_all(&bytes))?;
    }
    let json = json(&scenario)?;
    set.add("scenario.toml", |out| {
        writeln!(out, "# Every default stated, by sluice {BUILD}.")?;
        out.write_all(toml.as_bytes())
    })?;
    set.add("scenario.json", |out| writeln!(out, "{json:#}"))?;
    let written = ["scenario.toml".to_owned(), "scenario.json".to_owned()];
    Ok(copies.into_values().chain(written).collect())
}

/// The scenario as TOML that can be run from any folder, with the contents of the files it names.
pub(crate) fn portable(plan: &Plan) -> io::Result<(String, BTreeMap<String, Vec<u8>>)> {
    let (scenario, copies) = here(plan);
    let read = |(from, name): (PathBuf, String)| Ok((name, std::fs::read(from)?));
    let contents = copies.into_iter().map(read).collect::<io::Result<_>>()?;
    Ok((scenario.to_toml().map_err(io::Error::other)?, contents))
}

/// The scenario with the files it names beside it, and which file gets which name there.
fn here(plan: &Plan) -> (Scenario, BTreeMap<PathBuf, String>) {
    let mut scenario = plan.scenario.clone();
    let mut copies: BTreeMap<PathBuf, String> = BTreeMap::new();
    for path in scenario.files() {
        let kind = path.extension().map_or("csv".into(), |kind| kind.to_string_lossy());
        let next = format!("input-{}.{kind}", copies.len());
        let name = copies.entry(plan.folder.join(&*path)).or_insert(next);
        *path = PathBuf::from(name.as_str());
    }
    (scenario, copies)
}

/// The same as one object, with the build that stated it.
fn json(scenario: &Scenario) -> serde_json::Result<Value> {
    let mut json = serde_json::to_value(scenario.stated())?;
    if let (Value::Object(all), Value::Object(parameters)) =
        (&mut json, serde_json::to_value(&scenario.parameters)?)
    {
        all.extend(parameters);
        all.insert("build".into(), BUILD.into());
    }
    Ok(json)
}
