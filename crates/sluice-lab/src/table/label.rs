//! What ran, as rows and columns name it.

use crate::{Summary, System};

/// Width of a column.
pub(super) const CELL: usize = 10;

/// Width of the column that names these: wider only for a law of one's own with a long name.
pub(super) fn label_width(systems: impl Iterator<Item = Option<System>>) -> usize {
    const LEAST: usize = 10;
    systems.map(|system| label(system).len()).fold(LEAST, usize::max)
}

/// What a summary tells of.
pub(super) fn systems(summary: &Summary) -> impl Iterator<Item = Option<System>> {
    summary.systems().map(|found| Some(found.protocol))
}

/// Ideals stand apart: `[srpt]`.
pub(super) fn label(system: Option<System>) -> String {
    match system {
        Some(System::Ideal(ideal)) => format!(" [{}]", ideal.name()),
        Some(system) => format!("  {system}"),
        None => " [theory]".into(),
    }
}
