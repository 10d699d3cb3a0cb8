//! Reads tables into types, finding every mistake rather than the first.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::choice::choice;
use super::explain::{explain, is_absence, is_choice};
use super::problem::{Location, Problem};

/// Reads the table at `span`; after a mistake takes out what was wrong and goes on, to find the next.
/// `extra_fields` are allowed in it, too, but read elsewhere.
pub(super) fn read_all<T: for<'de> Deserialize<'de>>(
    mut table: DeTable<'_>,
    span: &Range<usize>,
    extra_fields: &[&str],
    problems: &mut Vec<Problem>,
) -> Option<T> {
    const MAX_PROBLEMS: usize = 20;
    for round in 0..MAX_PROBLEMS {
        let error = match read(&table, span) {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        // Once something is taken out, something is missing.
        if round == 0 || !is_absence(error.message()) {
            let problem = explained::<T>(&error, &table, span, extra_fields);
            // Tables that one setting makes are taken out one by one.
            if problems.last() != Some(&problem) {
                problems.push(problem);
            }
        }
        match error.span() {
            Some(span) if remove(&mut table, &span) => {}
            _ => break,
        }
    }
    None
}

fn read<T: for<'de> Deserialize<'de>>(
    table: &DeTable<'_>,
    span: &Range<usize>,
) -> Result<T, toml::de::Error> {
    T::deserialize(toml::de::Deserializer::from(Spanned::new(span.clone(), table.clone())))
}

fn explained<T: for<'de> Deserialize<'de>>(
    error: &toml::de::Error,
    table: &DeTable<'_>,
    span: &Range<usize>,
    extra_fields: &[&str],
) -> Problem {
    let at = error.span();
    if is_choice(error.message())
        && let Some(at) = &at
        && let Some(problem) = choice(table, at, |table| read::<T>(table, span).err())
    {
        return problem;
    }
    let is_key = at.as_ref().is_some_and(|at| table.keys().any(|key| key.span() == *at));
    let problem = problem(error, if is_key { extra_fields } else { &[] });
    // No line of the document shows what is missing in all of it.
    let is_document = span.start == 0 && at.as_ref() == Some(span);
    if is_document { Problem { location: Location::Document, ..problem } } else { problem }
}

/// The problem that an error of serde or toml describes.
pub(super) fn problem(error: &toml::de::Error, extra_fields: &[&str]) -> Problem {
    let (what, help) = explain(error.message(), extra_fields);
    let location = error.span().map_or(Location::Document, Location::Bytes);
    Problem { location, what, help }
}

/// Takes out the innermost field whose key or value spans these bytes.
fn remove(table: &mut DeTable<'_>, span: &Range<usize>) -> bool {
    let hit = |bytes: &Range<usize>| bytes.start <= span.start && span.end <= bytes.end;
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
