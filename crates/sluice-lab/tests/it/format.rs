//! What a number of the scenario format promises: a file that was right stays right.

use std::collections::BTreeSet;

use serde_json::Value;
use sluice_lab::manual;
use sluice_lab::scenario::SCHEMA;

/// Every field and listed value of the last release's format, one a line, with the fields that a file
/// must have. `UPDATE_GOLDEN=1` writes those of today, at each release: none may be lost.
fn golden() -> String {
    format!("tests/schema-{SCHEMA}.txt")
}

#[test]
fn a_schema_keeps_its_words_and_requires_no_more() {
    let path = golden();
    let today = lines(&manual::schema());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let lines: String = today.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, lines).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let before: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let had = |table: &str| table.is_empty() || before.contains(table);
    let lost: Vec<_> =
        before.difference(&today).filter(|line| !line.starts_with(REQUIRED)).collect();
    assert!(lost.is_empty(), "files that have these are no longer read: {lost:?}");
    let required = today.difference(&before).filter_map(|line| line.strip_prefix(REQUIRED));
    let missed: Vec<_> = required.filter(|field| had(table(field))).collect();
    assert!(missed.is_empty(), "files without these are no longer read: {missed:?}");
}

const REQUIRED: &str = "required ";

/// The table that a field is in: `group` for `group[].name`, and `` for `stop`.
fn table(field: &str) -> &str {
    let (table, _) = field.rsplit_once('.').unwrap_or_default();
    table.trim_end_matches("[]")
}

/// The schema as lines: `topology.dumbbell.rtt`, `transport.recovery = "rack"`, `required stop`.
fn lines(schema: &Value) -> BTreeSet<String> {
    let mut words = Words { root: schema, found: BTreeSet::new() };
    words.collect(schema, "", &[]);
    words.found
}

struct Words<'a> {
    root: &'a Value,
    found: BTreeSet<String>,
}

impl<'a> Words<'a> {
    /// Adds the lines of the part at `path`, whose definitions are inside those of `within`.
    fn collect(&mut self, part: &'a Value, path: &str, within: &[&'a str]) {
        if !path.is_empty() {
            self.found.insert(path.to_owned());
        }
        if let Some(name) = part["$ref"].as_str().and_then(|target| target.rsplit('/').next())
            && !within.contains(&name)
        {
            self.collect(&self.root["$defs"][name], path, &[within, &[name]].concat());
        }
        let field =
            |name: &str| if path.is_empty() { name.into() } else { format!("{path}.{name}") };
        for (name, value) in part["properties"].as_object().into_iter().flatten() {
            self.collect(value, &field(name), within);
        }
        // A table of one field is the tag of a choice: not every file has to choose it.
        let is_tag = part["properties"].as_object().is_some_and(|fields| fields.len() == 1);
        for name in texts(&part["required"]).filter(|_| !is_tag) {
            self.found.insert(format!("{REQUIRED}{}", field(name)));
        }
        for value in texts(&part["enum"]).chain(part["const"].as_str()) {
            self.found.insert(format!("{path} = {value:?}"));
        }
        for choice in ["anyOf", "oneOf", "allOf"] {
            for part in part[choice].as_array().into_iter().flatten() {
                self.collect(part, path, within);
            }
        }
        self.collect_if_object(&part["items"], &format!("{path}[]"), within);
        self.collect_if_object(&part["additionalProperties"], &field("*"), within);
    }

    fn collect_if_object(&mut self, part: &'a Value, path: &str, within: &[&'a str]) {
        if part.is_object() {
            self.collect(part, path, within);
        }
    }
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}
