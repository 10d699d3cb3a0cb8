//! Entries of the manual.

use serde::Serialize;

use super::fields::{self, Field};
use super::kind::EntryKind;

/// An entry of the manual.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its kind.
    pub kind: EntryKind,
    /// Its name.
    pub name: String,
    /// Its description in one line.
    pub title: String,
    /// Its source in the literature; empty if there is none.
    pub source: String,
    /// Its equations, with their places in the source.
    pub equations: &'static [&'static str],
    /// Its values, if it is no table.
    pub takes: String,
    /// The fields of its table, if it has one.
    pub fields: Vec<Field>,
    /// The fields (as paths) or quantities in which it may be written; empty for what [`entries`](super::entries)
    /// lists.
    pub places: Vec<String>,
}

impl Entry {
    pub(super) fn new(kind: EntryKind, name: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            title: title.into(),
            source: String::new(),
            equations: &[],
            takes: String::new(),
            fields: Vec::new(),
            places: Vec::new(),
        }
    }

    pub(super) fn from(self, source: impl Into<String>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// Adds what the schema says of the field at this path.
    pub(super) fn at(self, schema: &serde_json::Value, path: &[&str]) -> Self {
        let (takes, fields) = (fields::taken(schema, path), fields::of(schema, path));
        Self { takes, fields, ..self }
    }
}
