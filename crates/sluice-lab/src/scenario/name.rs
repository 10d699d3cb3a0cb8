//! What names may be.

use super::problem::Problems;

/// Names go into file names and CSV cells as they are.
pub(crate) fn check_name(name: &str, field: &str, problems: &mut Problems) {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if name.is_empty() || name.starts_with('.') || name.len() > 64 || !name.chars().all(good) {
        let what = format!("`{name}` cannot be a name");
        let help = "letters, digits, `_`, `-` and `.`, not first; 1 to 64 of them";
        problems.field_help(field, what, help);
    }
}
