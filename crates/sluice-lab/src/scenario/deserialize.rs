//! Reads tables into types, finding every mistake rather than the first.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::explain::{explain, is_absence};
use super::problem::{Place, Problem};

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
