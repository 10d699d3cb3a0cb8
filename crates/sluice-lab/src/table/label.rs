//! The names of systems in rows and columns.

use crate::{Summary, System};

/// Width of a column.
pub(super) const CELL: usize = 10;

/// Width of the column of names: wider only for a custom law with a long name.
pub(super) fn label_width(systems: impl Iterator<Item = Option<System>>) -> usize {
    const MIN: usize = 10;
    systems.map(|system| label(system).len()).fold(MIN, usize::max)
}

/// The systems of a summary.
pub(super) fn systems(summary: &Summary) -> impl Iterator<Item = Option<System>> {
    summary.systems().map(|found| Some(found.protocol))
}

/// The name of a system; those of ideals stand in brackets: `[srpt]`.
pub(super) fn label(system: Option<System>) -> String {
    match system {
        Some(System::Ideal(ideal)) => format!(" [{}]", ideal.name()),
        Some(system) => format!("  {system}"),
        None => " [theory]".into(),
    }
}
