//! Samples over time, in the long format: a row for each value, written as they come.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use parquet::data_type::ByteArray;
use sluice_sim::{Samples, Subject};

use super::columns::{Cell, Column, ColumnType, Rows};
use super::label::RunLabel;
use crate::Plan;

const COLUMNS: [Column; 6] = [
    ("link", ColumnType::Text, true),
    ("group", ColumnType::Text, true),
    ("index", ColumnType::Int, true),
    ("time_ns", ColumnType::Int, false),
    ("quantity", ColumnType::Text, false),
    ("value", ColumnType::Float, false),
];

/// `series.parquet` in a run's folder; without metrics it has no rows. Rows of one subject are in order
/// of time.
pub struct SeriesFile<'a> {
    plan: &'a Plan,
    rows: Rows,
    /// The first three columns of each subject so far.
    subjects: HashMap<Subject, [Cell; 3]>,
}

impl<'a> SeriesFile<'a> {
    /// A new file in a run's folder.
    pub fn create(folder: &Path, plan: &'a Plan, label: &RunLabel) -> io::Result<Self> {
        let rows = Rows::create(&folder.join("series.parquet"), &COLUMNS, label)?;
        Ok(Self { plan, rows, subjects: HashMap::new() })
    }

    /// Adds samples.
    pub fn write(&mut self, samples: &Samples<'_>) -> io::Result<()> {
        let subject = samples.subject;
        let named = self.subjects.entry(subject).or_insert_with(|| columns_of(self.plan, subject));
        let quantities: Vec<ByteArray> =
            samples.columns.iter().map(|name| (&**name).into()).collect();
        let rows = samples.values.chunks(quantities.len().max(1));
        for (time, values) in samples.times.iter().zip(rows) {
            for (quantity, &value) in quantities.iter().zip(values) {
                if is_missing(quantity, value) {
                    continue;
                }
                let [link, group, index] = named.clone();
                let time = Cell::Int(time.as_nanos());
                let quantity = Cell::Text(quantity.clone());
                self.rows.push([link, group, index, time, quantity, Cell::Float(value)])?;
            }
        }
        Ok(())
    }

    /// Writes what is left and the end of the file.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}

/// The first three columns: a link by its ends, a flow, or a group without an index.
fn columns_of(plan: &Plan, subject: Subject) -> [Cell; 3] {
    match subject {
        Subject::Link(link) => {
            [Cell::Text(plan.path(&[vec![link]]).as_str().into()), Cell::None, Cell::None]
        }
        Subject::Flow { group, index } => {
            let name = plan.config.groups[group].name.as_str();
            [Cell::None, Cell::Text(name.into()), Cell::Int(index)]
        }
        Subject::Group(metrics) => {
            let of = plan.groups[plan.config.group_metrics[metrics].groups[0]].of;
            let name = plan.scenario.group[of].name.as_str();
            [Cell::None, Cell::Text(name.into()), Cell::None]
        }
    }
}

/// Whether a group had too few flows for Jain's index, which is above 0.
fn is_missing(column: &ByteArray, value: f64) -> bool {
    column.data() == b"jain" && value == 0.0
}
