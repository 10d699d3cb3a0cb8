//! Tables in which exactly one field must be set, such as `sizes`: each is an enum of the schema.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::explain::unknown;
use super::problem::{Problem, both_set, set_exactly_one};

/// A field that no table has: the error for it lists those that are allowed.
const UNKNOWN: &str = "?";

/// Names the fields set in the table at `span`, of which there are none or several, and those that
/// may be. `read` is what reading the document's table gives if it fails.
pub(super) fn choice(
    table: &DeTable<'_>,
    span: &Range<usize>,
    read: impl Fn(&DeTable<'_>) -> Option<toml::de::Error>,
) -> Option<Problem> {
    // Tables that one setting makes have the same span.
    for number in 0.. {
        let (mut tried, mut skip) = (table.clone(), number);
        let mut keys = replace(&mut tried, span, &mut skip)?;
        let error = read(&tried)?;
        let Some((UNKNOWN, allowed)) = unknown(error.message(), "variant") else { continue };
        // What is written last is shown: settings follow the file.
        keys.sort_by_key(|key| key.span().start);
        let fields: Vec<&str> = keys.iter().map(|key| key.get_ref().as_ref()).collect();
        let location = keys.last().map_or_else(|| span.clone(), Spanned::span);
        let help = set_exactly_one(allowed);
        return Some(Problem::at(location, both_set(&fields)).with_help(help));
    }
    None
}

/// Replaces the fields of a table at `span` that has none or several, after `skip` others; returns
/// their names.
fn replace<'t>(
    table: &mut DeTable<'t>,
    span: &Range<usize>,
    skip: &mut usize,
) -> Option<Vec<Spanned<Cow<'t, str>>>> {
    table.iter_mut().find_map(|(_, value)| replace_in(value, span, skip))
}

fn replace_in<'t>(
    value: &mut Spanned<DeValue<'t>>,
    span: &Range<usize>,
    skip: &mut usize,
) -> Option<Vec<Spanned<Cow<'t, str>>>> {
    let is_here = value.span() == *span;
    match value.get_mut() {
        DeValue::Table(table) if is_here && table.len() != 1 => {
            if *skip > 0 {
                *skip -= 1;
                return replace(table, span, skip);
            }
            let keys = table.keys().cloned().collect();
            let key = Spanned::new(span.clone(), Cow::Borrowed(UNKNOWN));
            let empty = Spanned::new(span.clone(), DeValue::Table(DeTable::new()));
            *table = std::iter::once((key, empty)).collect();
            Some(keys)
        }
        DeValue::Table(table) => replace(table, span, skip),
        DeValue::Array(items) => items.iter_mut().find_map(|item| replace_in(item, span, skip)),
        _ => None,
    }
}
