//! The version of the format.

use toml::de::DeTable;

use super::problem::{Place, Problem};

/// The version of the format that this crate reads and writes.
pub const SCHEMA: u32 = 1;

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
