//! The words of a scenario: every field, value and unit of its schema.

use serde_json::Value;
use sluice_units::WORDS;

use super::fields::{self, resolved, table};
use super::{Entry, EntryKind};

/// A word at one place of the schema.
pub(super) struct Word {
    pub entry: Entry,
    /// Whether it is a field that has fields of its own.
    is_table: bool,
}

/// The words of a schema, each at every place that it has.
pub(super) fn of(schema: &Value) -> Vec<Word> {
    let mut words = Vec::new();
    walk(&Place { root: schema, path: "" }, schema, &mut words);
    words
}

/// The entries of some words: those that differ only in their places are one.
pub(super) fn entries<'w>(words: impl IntoIterator<Item = &'w Word>) -> Vec<Entry> {
    let mut merged: Vec<Entry> = Vec::new();
    for Word { entry, .. } in words {
        let is_same = |other: &&mut Entry| {
            let key = |entry: &Entry| (entry.kind, entry.title.clone(), entry.takes.clone());
            key(other) == key(entry)
        };
        match merged.iter_mut().find(is_same) {
            None => merged.push(entry.clone()),
            Some(same) => {
                let new = entry.places.iter().filter(|place| !same.places.contains(place));
                let new: Vec<String> = new.cloned().collect();
                same.places.extend(new);
            }
        }
    }
    merged
}

impl Word {
    /// Whether it has this name, or is a field whose path ends with it.
    pub fn is_named(&self, name: &str) -> bool {
        let is_end = |path: &String| {
            path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.entry.name == name
            || self.entry.kind == EntryKind::Field && self.entry.places.iter().any(is_end)
    }

    /// Whether listed entries of its name explain it already: they describe tables, and what values
    /// name.
    pub fn repeats(&self, listed: &[Entry]) -> bool {
        let is_value = self.entry.kind == EntryKind::Value;
        let is_same = |entry: &Entry| entry.takes == self.entry.takes;
        !listed.is_empty() && (self.is_table || is_value || listed.iter().any(is_same))
    }
}

/// A place in the schema.
struct Place<'s> {
    root: &'s Value,
    /// The path of the field, empty at the top.
    path: &'s str,
}

/// Adds the words at a place and below it.
fn walk(place: &Place<'_>, schema: &Value, words: &mut Vec<Word>) {
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
    fn word(&self, name: &str, schema: &Value) -> Word {
        let inner = table(self.root, schema);
        let described =
            [schema, inner].into_iter().find_map(|schema| schema["description"].as_str());
        let is_table = !inner["properties"].is_null();
        let default = match &*fields::default(schema) {
            "" => String::new(),
            default => format!("; default {default}"),
        };
        let entry = Entry {
            takes: match is_table {
                true => String::new(),
                false => fields::takes(self.root, schema) + &default,
            },
            fields: fields::of_table(self.root, inner),
            places: vec![self.path.into()],
            ..Entry::new(EntryKind::Field, name, one_line(described.unwrap_or_default()))
        };
        Word { entry, is_table }
    }

    /// A value of the field at this place.
    fn value(&self, value: &str, schema: &Value) -> Word {
        let about = one_line(schema["description"].as_str().unwrap_or_default());
        let places = vec![self.path.into()];
        let entry = Entry { places, ..Entry::new(EntryKind::Value, value, about) };
        Word { entry, is_table: false }
    }
}

/// A unit, or another word of a quantity, which is its place.
fn unit(word: &str, meaning: &Value, quantity: &Value) -> Word {
    let what = quantity["description"].as_str().unwrap_or_default();
    let places = what.split(" (units").take(1).map(str::to_owned).collect();
    let meaning = meaning.as_str().unwrap_or_default();
    Word { entry: Entry { places, ..Entry::new(EntryKind::Unit, word, meaning) }, is_table: false }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}
