//! The version of the format.

use toml::de::DeTable;

use super::problem::{Location, Problem};

/// The version of the format that this crate reads and writes.
pub const SCHEMA: u32 = 1;

/// Checks the version first: in a file of another one, every changed field would be an error.
pub(super) fn check_schema(table: &DeTable<'_>) -> Result<(), Problem> {
    let Some(schema) = table.get("schema") else {
        let help = format!("add `schema = {SCHEMA}`, the version of the format");
        return Err(Problem::new(Location::Document, "missing field `schema`").with_help(help));
    };
    let version = schema.get_ref().as_integer().map(|integer| integer.as_str());
    if version == Some(SCHEMA.to_string().as_str()) {
        return Ok(());
    }
    let help = format!("this version of Sluice reads `schema = {SCHEMA}`");
    Err(Problem::at(schema.span(), "unknown version of the format").with_help(help))
}
