//! The words of a scenario: every field, value and unit of its schema.

use serde_json::Value;
use sluice_units::WORDS;

use super::entry::Entry;
use super::fields::{self, resolved, table};
use super::kind::EntryKind;

/// The words of a schema, each once for every place that it has; those of outer tables first.
pub(super) fn of(schema: &Value) -> Vec<Entry> {
    let mut words = Vec::new();
    walk(&Place { root: schema, path: "" }, schema, &mut words);
    words.sort_by_key(|word| word.places.first().map_or(0, |path| path.matches('.').count()));
    words
}

/// Some words, of which those that differ only in their places are one.
pub(super) fn merged<'w>(words: impl IntoIterator<Item = &'w Entry>) -> Vec<Entry> {
    let mut merged: Vec<Entry> = Vec::new();
    for word in words {
        let is_same = |other: &&mut Entry| {
            other.kind == word.kind && other.title == word.title && other.takes == word.takes
        };
        match merged.iter_mut().find(is_same) {
            None => merged.push(word.clone()),
            Some(same) => {
                let new = word.places.iter().filter(|place| !same.places.contains(place));
                let new: Vec<String> = new.cloned().collect();
                same.places.extend(new);
            }
        }
    }
    merged
}

/// Whether a word has this name, or is a field whose path ends with it.
pub(super) fn is_named(word: &Entry, name: &str) -> bool {
    let is_end = |path: &String| {
        path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    word.name == name || word.kind == EntryKind::Field && word.places.iter().any(is_end)
}

/// Whether listed entries of its name explain a word already: they describe tables, and what values
/// name.
pub(super) fn repeats(word: &Entry, listed: &[Entry]) -> bool {
    let describes = word.kind == EntryKind::Value || !word.fields.is_empty();
    !listed.is_empty() && (describes || listed.iter().any(|entry| entry.takes == word.takes))
}

/// A place in the schema.
struct Place<'s> {
    root: &'s Value,
    /// The path of the field, empty at the top.
    path: &'s str,
}

/// Adds the words at a place and below it.
fn walk(place: &Place<'_>, schema: &Value, words: &mut Vec<Entry>) {
    let schema = resolved(place.root, schema);
    for (name, value) in schema["properties"].as_object().into_iter().flatten() {
        let path = match place.path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        let field = Place { path: &path, ..*place };
        words.push(field.word(name, value));
        walk(&field, value, words);
    }
    let choices =
        ["oneOf", "anyOf", "prefixItems"].iter().filter_map(|key| schema[*key].as_array());
    let inside = choices.flatten().chain(["items", "additionalProperties"].map(|key| &schema[key]));
    inside.filter(|schema| schema.is_object()).for_each(|schema| walk(place, schema, words));
    words.extend(values(schema).map(|value| place.value(value, schema)));
    words.extend(
        schema[WORDS]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(word, value)| unit(word, value, schema)),
    );
}

/// The texts among the values that a schema lists.
fn values(schema: &Value) -> impl Iterator<Item = &str> {
    let listed = schema["enum"].as_array().into_iter().flatten();
    listed.chain(schema.get("const")).filter_map(Value::as_str)
}

impl Place<'_> {
    /// The field at this place.
    fn word(&self, name: &str, schema: &Value) -> Entry {
        let inner = table(self.root, schema);
        let described =
            [schema, inner].into_iter().find_map(|schema| schema["description"].as_str());
        let is_table = !inner["properties"].is_null();
        let default = match &*fields::default(schema) {
            "" => String::new(),
            default => format!("; default {default}"),
        };
        Entry {
            takes: match is_table {
                true => String::new(),
                false => fields::takes(self.root, schema) + &default,
            },
            fields: fields::of_table(self.root, inner),
            places: vec![self.path.into()],
            ..Entry::new(EntryKind::Field, name, one_line(described.unwrap_or_default()))
        }
    }

    /// A value of the field at this place.
    fn value(&self, value: &str, schema: &Value) -> Entry {
        let about = one_line(schema["description"].as_str().unwrap_or_default());
        let places = vec![self.path.into()];
        Entry { places, ..Entry::new(EntryKind::Value, value, about) }
    }
}

/// A unit, or another word of a quantity, which is its place.
fn unit(word: &str, meaning: &Value, quantity: &Value) -> Entry {
    let what = quantity["description"].as_str().unwrap_or_default();
    let places = what.split(" (units").take(1).map(str::to_owned).collect();
    let meaning = meaning.as_str().unwrap_or_default();
    Entry { places, ..Entry::new(EntryKind::Unit, word, meaning) }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}
