//! The text of a file that a scenario names.

use std::path::Path;

/// The text of a file, or why there is none.
pub(super) fn text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "not UTF-8 text".into())
}
