//! JSON files of results that state the number of their format.

use std::io;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::scenario::SCHEMA;

/// The field that every format has.
#[derive(Deserialize)]
struct Versioned {
    schema: u32,
}

/// Reads a file, called `name` in errors.
///
/// An error of kind `InvalidData` if it is of another format, or has not all fields of this one.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, name: &str) -> io::Result<T> {
    let text = std::fs::read(path)?;
    let unreadable = |reason: String| {
        let error = format!("not a {name} of this version of sluice ({reason}); run again");
        io::Error::new(io::ErrorKind::InvalidData, error)
    };
    let parse_error = |error: serde_json::Error| unreadable(error.to_string());
    let Versioned { schema } = serde_json::from_slice(&text).map_err(parse_error)?;
    if schema != SCHEMA {
        return Err(unreadable(format!("its `schema` is {schema}, this version reads {SCHEMA}")));
    }
    serde_json::from_slice(&text).map_err(parse_error)
}
