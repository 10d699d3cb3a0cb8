//! Valid names.

use super::problem::Problems;

/// Checks a name: it becomes part of file names and a cell of CSV files.
pub(crate) fn check_name(name: &str, field: &str, problems: &mut Problems) {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if name.is_empty() || name.starts_with('.') || name.len() > 64 || !name.chars().all(good) {
        let what = format!("invalid name `{name}`");
        let help = "expected 1 to 64 letters, digits, `_`, `-` and `.`, the first not `.`";
        problems.field_help(field, what, help);
    }
}
