//! Reads a scenario file: text to [`Scenario`], with every mistake it can find told at once.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use sluice_laws::registry::Name;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::explain::{explain, is_absence};
use super::problem::{FileError, Place, Problem};
use super::{SCHEMA, Scenario};

/// A scenario as it stands in a file, with what is needed to point into it.
#[derive(Debug)]
pub struct Source {
    /// The scenario, not yet checked beyond its types.
    pub scenario: Scenario,
    file: String,
    text: String,
}

impl Source {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| FileError::whole(&file, error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            FileError::whole(&file, format!("line {line} is not UTF-8 text"))
        })?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        Self::parse(&file, &text, &stem)
    }

    /// Reads a scenario from its text; `file` names it in errors, `name` in results unless the
    /// text does.
    pub fn parse(file: &str, text: &str, name: &str) -> Result<Self, FileError> {
        let wrong = |problems: &[Problem]| {
            FileError::places(file, text, problems, |field| locate(text, field))
        };
        let (table, syntax) = DeTable::parse_recoverable(text);
        if !syntax.is_empty() {
            return Err(wrong(&syntax.iter().map(|error| problem(error, &[])).collect::<Vec<_>>()));
        }
        let table = table.into_inner();
        if table.is_empty() {
            let what =
                "nothing in it: a scenario begins with `schema = 1`; see scenarios/ for whole ones";
            return Err(FileError::whole(file, what));
        }
        check_schema(&table).map_err(|problem| wrong(&[problem]))?;
        let mut scenario = scenario(table, text.len()).map_err(|problems| wrong(&problems))?;
        if scenario.name.is_empty() {
            scenario.name = name.into();
        }
        Ok(Self { scenario, file: file.into(), text: text.into() })
    }

    /// The error that shows these problems in the file.
    pub fn error(&self, problems: &[Problem]) -> FileError {
        FileError::places(&self.file, &self.text, problems, |field| locate(&self.text, field))
    }
}

/// A file of another schema gets one error, not one for each field that has changed since.
fn check_schema(table: &DeTable<'_>) -> Result<(), Problem> {
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

/// The protocols' own tables stand at the top of the file beside the scenario's fields, but the
/// registry alone knows them: they are read apart.
fn scenario(mut table: DeTable<'_>, len: usize) -> Result<Scenario, Vec<Problem>> {
    let names: Vec<&str> = Name::ALL.iter().map(|name| name.as_str()).collect();
    let (own, theirs): (Vec<_>, Vec<_>) = std::mem::take(&mut table)
        .into_iter()
        .partition(|(key, _)| !names.contains(&key.get_ref().as_ref()));
    let mut problems = Vec::new();
    let parameters = each(theirs.into_iter().collect(), len, &[], &mut problems);
    let scenario = each(own.into_iter().collect(), len, &names, &mut problems);
    match (scenario, parameters) {
        (Some(scenario), Some(parameters)) if problems.is_empty() => {
            Ok(Scenario { parameters, ..scenario })
        }
        _ => Err(problems),
    }
}

/// Reads a table; after a mistake takes out what was wrong and goes on, to find the next.
fn each<T: for<'de> Deserialize<'de>>(
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

fn problem(error: &toml::de::Error, more: &[&str]) -> Problem {
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

/// Where a field such as `group[2].poisson.load` stands: itself, or the nearest thing around it.
fn locate(text: &str, field: &str) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?.into_inner();
    let mut steps = field.split(['.', '[']).map(|step| step.trim_end_matches(']'));
    let mut here: Spanned<DeValue<'_>> = table.get(steps.next()?)?.clone();
    for step in steps {
        let next = match (here.get_ref(), step.parse::<usize>()) {
            (DeValue::Array(items), Ok(index)) => items.get(index).cloned(),
            (DeValue::Table(table), _) => table.get(step).cloned(),
            _ => None,
        };
        match next {
            Some(next) => here = next,
            None => break,
        }
    }
    Some(here.span())
}
