//! The manual of the names that scenarios may use.

use std::collections::BTreeSet;
use std::path::Path;

use jsonschema::Validator;
use serde_json::Value;
use sluice_lab::manual::{self, EntryKind};
use sluice_lab::ready::{Ready, STARTER};
use sluice_lab::scenario::Document;

fn validator() -> Validator {
    jsonschema::draft202012::new(&manual::schema()).unwrap()
}

fn json(toml: &str) -> serde_json::Value {
    serde_json::to_value(toml::from_str::<toml::Table>(toml).unwrap()).unwrap()
}

#[test]
fn everything_that_has_a_name_is_explained() {
    for entry in manual::entries() {
        let name = &entry.name;
        assert!(entry.title.len() > 5, "{name}: {:?}", entry.title);
        let has_source = entry.kind != EntryKind::Table;
        assert!(!has_source || !entry.source.is_empty(), "{name} has no source");
        assert!(
            entry.kind != EntryKind::Protocol || !entry.equations.is_empty(),
            "{name}: which equations?"
        );
        let has_table =
            !matches!(entry.kind, EntryKind::Ideal | EntryKind::Workload | EntryKind::Scenario);
        assert!(!has_table || entry.takes.len() + entry.fields.len() > 0, "{name} takes nothing");
        for field in &entry.fields {
            assert!(!field.about.is_empty(), "{name}.{} is not explained", field.name);
            assert!(!field.takes.contains("a value"), "{name}.{}: {}", field.name, field.takes);
        }
    }
}

#[test]
fn a_name_is_found_with_everything_that_has_it() {
    let kinds: Vec<EntryKind> =
        manual::find("websearch").unwrap().into_iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Workload, EntryKind::Scenario]);
    assert!(manual::find("rpc").unwrap_err().contains("did you mean `rcp`?"));
}

/// Adds every word of a schema: keys, values that it lists, units, and the units of its examples.
fn collect(schema: &Value, words: &mut BTreeSet<String>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(fields) => {
            for key in ["properties", "x-words"] {
                words.extend(
                    schema[key].as_object().into_iter().flatten().map(|(key, _)| key.clone()),
                );
            }
            let listed = schema["enum"].as_array().into_iter().flatten();
            let values = listed.chain(fields.get("const")).filter_map(Value::as_str);
            words.extend(values.map(str::to_owned));
            let examples = schema["examples"].as_array().into_iter().flatten();
            let quantities = examples.filter_map(Value::as_str).filter_map(|example| {
                let unit =
                    example.trim_start_matches(|c: char| c.is_ascii_digit() || ". ".contains(c));
                (unit != example).then(|| unit.to_owned())
            });
            words.extend(quantities);
            let data = ["default", "examples", "enum", "const", "x-words"];
            let schemas = fields.iter().filter(|(key, _)| !data.contains(&key.as_str()));
            schemas.for_each(|(_, value)| collect(value, words));
        }
        _ => {}
    }
}

#[test]
fn every_word_of_the_schema_is_explained() {
    let mut words = BTreeSet::new();
    collect(&manual::schema(), &mut words);
    for known in ["replay", "bdp", "ms", "packets", "/s", "unlimited", "per_ack", "xi_n_counts"] {
        assert!(words.contains(known), "{known}: {words:?}");
    }
    for word in &words {
        let entries = manual::find(word).unwrap_or_else(|error| panic!("{error}"));
        for entry in entries {
            assert!(!entry.title.is_empty(), "{word} in {:?} is not explained", entry.places);
            assert!(!entry.title.contains("crate::"), "{word}: {}", entry.title);
        }
    }
}

#[test]
fn a_field_is_explained_at_each_of_its_places() {
    let places = |name: &str| -> Vec<String> {
        manual::find(name).unwrap().into_iter().flat_map(|entry| entry.places).collect()
    };
    assert_eq!(places("replay"), ["group.replay", "group.udp.replay"]);
    assert_eq!(places("poisson.load"), ["group.poisson.load"]);
    let all = places("buffer");
    for place in ["topology.dumbbell.buffer", "topology.link.buffer"] {
        assert!(all.contains(&place.into()), "{all:?}");
    }
    // A topology, a table at the top, and a field of another table.
    let kinds: Vec<EntryKind> =
        manual::find("link").unwrap().into_iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Topology, EntryKind::Table, EntryKind::Field]);
}

#[test]
fn every_file_of_scenarios_is_a_ready_scenario() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let ready: BTreeSet<String> = Ready::ALL.iter().map(|ready| ready.name.to_owned()).collect();
    assert_eq!(files, ready);
}

#[test]
fn the_schema_accepts_ready_scenarios() {
    let validator = validator();
    let starter = [("the starter", STARTER)];
    for (name, text) in Ready::ALL.iter().map(|ready| (ready.name, ready.text)).chain(starter) {
        let errors: Vec<String> =
            validator.iter_errors(&json(text)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        let scenario = Document::new(name, text, name).source().unwrap().scenario;
        let stated = json(&scenario.to_toml().unwrap());
        assert!(validator.is_valid(&stated), "{name}, every default stated");
    }
}

#[test]
fn the_schema_rejects_invalid_scenarios() {
    let validator = validator();
    for name in ["misspelt-key", "misspelt-traffic", "missing-fields", "negative"] {
        let path = Path::new("tests/wrong").join(name).with_extension("toml");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(!validator.is_valid(&json(&text)), "{name}");
    }
}
