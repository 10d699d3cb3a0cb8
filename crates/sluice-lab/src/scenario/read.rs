//! Reads a scenario file: text to [`Scenario`], with every mistake it can find told at once.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use sluice_laws::registry::Parameters;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::Document;
use super::explain::{explain, is_absence};
use super::problem::{FileError, Place, Problem};
use super::sweep::Setting;
use super::tree::locate;
use super::{SCHEMA, Scenario};

/// A scenario as it stands in a document, with what is needed to point into it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The scenario, not yet checked beyond its types.
    pub scenario: Scenario,
    document: Arc<Document>,
    /// Which point of the sweep it is.
    point: Option<usize>,
}

impl Source {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        Document::read(path)?.source()
    }

    /// Reads a scenario from its text; `file` names it in errors, `name` in results unless the
    /// text does.
    pub fn parse(file: &str, text: &str, name: &str) -> Result<Self, FileError> {
        Document::new(file, text, name).source()
    }

    /// The document's scenario, or that of a point of its sweep, where these are the settings.
    pub(super) fn new(
        document: Arc<Document>,
        point: Option<usize>,
        settings: &[Setting<'_>],
    ) -> Result<Self, FileError> {
        let scenario = with_fields(&document, settings, |table| {
            let mut scenario = scenario(table, document.len())?;
            if scenario.name.is_empty() {
                scenario.name = document.name().into();
            }
            Ok(scenario)
        })?;
        Ok(Self { scenario, document, point })
    }

    /// The error that shows these problems in the document.
    pub fn error(&self, problems: &[Problem]) -> FileError {
        let shown = self.settings().and_then(|settings| {
            with_fields(&self.document, &settings, |table| {
                Ok(self.document.error(problems, |field| locate(&table, field)))
            })
        });
        shown.unwrap_or_else(|error| error)
    }

    /// What is set at its point.
    fn settings(&self) -> Result<Vec<Setting<'_>>, FileError> {
        let Some(point) = self.point else { return Ok(Vec::new()) };
        Ok(self.document.settings()?.into_iter().nth(point).unwrap_or_default())
    }
}

/// Does something with the fields of a document, with these settings of a point of its sweep.
fn with_fields<T>(
    document: &Document,
    settings: &[Setting<'_>],
    then: impl FnOnce(DeTable<'_>) -> Result<T, Vec<Problem>>,
) -> Result<T, FileError> {
    let done = document.tree()?.fields(settings).and_then(then);
    done.map_err(|problems| document.error(&problems, |_| None))
}

/// A file of another schema gets one error, not one for each field that has changed since.
pub(super) fn check_schema(table: &DeTable<'_>) -> Result<(), Problem> {
    let help = Some(format!("write `schema = {SCHEMA}`: the version of the format"));
    let Some(schema) = table.get("schema") else {
        return Err(Problem {
            place: Place::File,
            what: "the field `schema` is missing".into(),
            help,
        });
    };
    let is = schema.get_ref().as_integer().map(|integer| integer.as_str());
    if is == Some(SCHEMA.to_string().as_str()) {
        return Ok(());
    }
    let what = format!("this schema is not known; this version of Sluice reads schema {SCHEMA}");
    Err(Problem { place: Place::Bytes(schema.span()), what, help })
}

/// The tables of the transport and of protocols stand at the top of the file beside the scenario's
/// fields, but the registry alone knows them: they are read apart.
fn scenario(mut table: DeTable<'_>, len: usize) -> Result<Scenario, Vec<Problem>> {
    // A setting may have changed it since the file was read.
    check_schema(&table).map_err(|problem| vec![problem])?;
    let names = Parameters::TABLES;
    let (own, theirs): (Vec<_>, Vec<_>) = std::mem::take(&mut table)
        .into_iter()
        .partition(|(key, _)| !names.contains(&key.get_ref().as_ref()));
    let mut problems = Vec::new();
    let parameters = each(theirs.into_iter().collect(), len, &[], &mut problems);
    let scenario = each(own.into_iter().collect(), len, names, &mut problems);
    match (scenario, parameters) {
        (Some(scenario), Some(parameters)) if problems.is_empty() => {
            Ok(Scenario { parameters, ..scenario })
        }
        _ => Err(problems),
    }
}

/// Reads a table; after a mistake takes out what was wrong and goes on, to find the next.
pub(super) fn each<T: for<'de> Deserialize<'de>>(
    mut table: DeTable<'_>,
    len: usize,
    more: &[&str],
    problems: &mut Vec<Problem>,
) -> Option<T> {
    const MOST: usize = 20;
    for round in 0..MOST {
        let error =
            match T::deserialize(toml::de::Deserializer::from(Spanned::new(0..len, table.clone())))
            {
                Ok(value) => return Some(value),
                Err(error) => error,
            };
        // Once something is taken out, something is missing.
        if round == 0 || !is_absence(error.message()) {
            let top = error.span().is_some_and(|span| table.keys().any(|key| key.span() == span));
            problems.push(problem(&error, if top { more } else { &[] }));
        }
        match error.span() {
            Some(span) if remove(&mut table, &span) => {}
            _ => break,
        }
    }
    None
}

pub(super) fn problem(error: &toml::de::Error, more: &[&str]) -> Problem {
    let (what, help) = explain(error.message(), more);
    Problem { place: error.span().map_or(Place::File, Place::Bytes), what, help }
}

/// Takes out the innermost field whose key or value spans these bytes.
fn remove(table: &mut DeTable<'_>, span: &Range<usize>) -> bool {
    let hit = |place: &Range<usize>| place.start <= span.start && span.end <= place.end;
    for (_, value) in table.iter_mut() {
        if remove_inside(value, span) {
            return true;
        }
    }
    let key = table
        .iter()
        .find(|(key, value)| hit(&key.span()) || hit(&value.span()))
        .map(|(key, _)| key.clone());
    key.is_some_and(|key| table.remove(&key).is_some())
}

fn remove_inside(value: &mut Spanned<DeValue<'_>>, span: &Range<usize>) -> bool {
    match value.get_mut() {
        DeValue::Table(table) => remove(table, span),
        DeValue::Array(items) => items.iter_mut().any(|item| remove_inside(item, span)),
        _ => false,
    }
}
