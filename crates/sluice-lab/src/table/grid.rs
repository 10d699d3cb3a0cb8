//! A table with a row for each group, say, and a column for each system.

use std::fmt::Write;

use super::label::label;
use super::text::Print;
use crate::System;

pub(super) struct Grid<'a> {
    rows: Vec<&'a str>,
    systems: Vec<System>,
    /// Width of the column of names.
    pub width: usize,
}

impl<'a> Grid<'a> {
    pub fn new(rows: Vec<&'a str>, systems: Vec<System>) -> Self {
        const MIN: usize = 22;
        let width = rows.iter().map(|name| name.chars().count()).fold(MIN, usize::max) + 2;
        Self { rows, systems, width }
    }

    /// A value of each row under each system, by their numbers; nothing if there is none.
    pub fn block(
        &self,
        out: &mut String,
        name: &str,
        value: &dyn Fn(usize, usize) -> Option<f64>,
        print: Print,
    ) {
        self.texts(out, name, &|row, column| value(row, column).map(print));
    }

    /// The same of cells that are texts.
    pub fn texts(
        &self,
        out: &mut String,
        name: &str,
        text: &dyn Fn(usize, usize) -> Option<String>,
    ) {
        let columns = 0..self.systems.len();
        let mut cells =
            (0..self.rows.len()).flat_map(|row| columns.clone().map(move |column| (row, column)));
        if cells.all(|(row, column)| text(row, column).is_none()) {
            return;
        }
        _ = write!(out, "\n{name:0$}", self.width);
        for &system in &self.systems {
            _ = write!(out, "{:>1$}", label(Some(system)), column(system));
        }
        out.push('\n');
        for (row, name) in self.rows.iter().enumerate() {
            _ = write!(out, "  {name:<0$}", self.width - 2);
            for (number, &system) in self.systems.iter().enumerate() {
                let text = text(row, number).unwrap_or("-".into());
                _ = write!(out, "{text:>0$}", column(system));
            }
            out.push('\n');
        }
    }
}

/// The width of a system's column.
pub(super) fn column(system: System) -> usize {
    const MIN: usize = 11;
    label(Some(system)).len().max(MIN)
}
