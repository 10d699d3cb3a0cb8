//! What all rows of a run's files have in common: which run, and which point of a sweep. A reader of
//! many files finds it in columns, and so reads them as one table.

use super::cell::{Cell, Column, ColumnType};
use super::key::RunId;
use crate::BUILD;
use crate::scenario::{PointColumn, PointValue, SCHEMA};

/// Columns with one value in all rows of a file, and the file's metadata.
pub struct RunLabel {
    /// Keys and values of the metadata.
    pub metadata: Vec<(String, String)>,
    run: [ConstantColumn; 2],
    point: Vec<ConstantColumn>,
}

/// A column with the same value in each row.
#[derive(Clone, Debug)]
pub struct ConstantColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnType,
    /// Its value.
    pub value: Cell,
}

impl RunLabel {
    /// The label of a run at a point of a sweep.
    pub fn of(id: &RunId, point: &[PointColumn]) -> Self {
        let of_run = [
            ("sluice.schema", SCHEMA.to_string()),
            ("sluice.build", BUILD.into()),
            ("sluice.protocol", id.system.to_string()),
            ("sluice.seed", id.seed.to_string()),
            ("sluice.key", id.key.clone()),
        ];
        let of_run = of_run.map(|(key, value)| (key.to_owned(), value));
        let units = point.iter().filter(|column| !column.unit.is_empty());
        let units =
            units.map(|column| (format!("sluice.unit.{}", column.field), column.unit.clone()));
        Self {
            metadata: of_run.into_iter().chain(units).collect(),
            run: [
                ConstantColumn::text("protocol", id.system.as_str()),
                ConstantColumn {
                    name: "seed".into(),
                    kind: ColumnType::Int,
                    value: Cell::Int(id.seed),
                },
            ],
            point: point.iter().map(ConstantColumn::of_point).collect(),
        }
    }

    /// The columns that come before those of a file. A swept field with the name of another column
    /// gets `point.` before it; libraries that ignore case would confuse `Group` and `group`.
    pub fn columns(&self, of_file: &[Column]) -> Vec<ConstantColumn> {
        let of_run = self.run.iter().map(|column| &*column.name);
        let taken: Vec<&str> = of_run.chain(of_file.iter().map(|&(name, ..)| name)).collect();
        let named = |column: &ConstantColumn| {
            let is_taken = taken.iter().any(|other| other.eq_ignore_ascii_case(&column.name));
            let prefix = if is_taken { "point." } else { "" };
            ConstantColumn { name: format!("{prefix}{}", column.name), ..column.clone() }
        };
        self.run.iter().cloned().chain(self.point.iter().map(named)).collect()
    }
}

impl ConstantColumn {
    fn text(name: &str, value: &str) -> Self {
        Self { name: name.into(), kind: ColumnType::Text, value: Cell::Text(value.into()) }
    }

    fn of_point(column: &PointColumn) -> Self {
        let name = column.field.clone();
        match &column.value {
            PointValue::Number(number) => {
                Self { name, kind: ColumnType::Float, value: Cell::Float(*number) }
            }
            PointValue::Text(text) => Self::text(&name, text),
        }
    }
}
