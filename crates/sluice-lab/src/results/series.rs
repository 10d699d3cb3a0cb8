//! Samples over time, in the long format: a row for each value.

use std::io;
use std::path::Path;

use parquet::data_type::ByteArray;
use sluice_sim::{Series, Subject};

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

/// Writes `series.parquet` into a run's folder; without metrics it has no rows.
pub fn write(folder: &Path, plan: &Plan, all: &[Series], label: &RunLabel) -> io::Result<()> {
    let mut rows = Rows::create(&folder.join("series.parquet"), &COLUMNS, label)?;
    for series in all {
        let [link, group, index] = subject(plan, series.subject);
        let columns: Vec<ByteArray> = series.columns.iter().map(|&name| name.into()).collect();
        for (time, values) in series.times.iter().zip(series.values.chunks(columns.len().max(1))) {
            let known =
                columns.iter().zip(values).filter(|(name, value)| !is_missing(name, **value));
            for (column, &value) in known {
                rows.push([
                    link.clone(),
                    group.clone(),
                    index.clone(),
                    Cell::Int(time.as_nanos()),
                    Cell::Text(column.clone()),
                    Cell::Float(value),
                ])?;
            }
        }
    }
    rows.finish()
}

/// The first three columns: a link by its ends, a flow, or a group without an index.
fn subject(plan: &Plan, subject: Subject) -> [Cell; 3] {
    match subject {
        Subject::Link(link) => {
            [Cell::Text(plan.path(&[link]).as_str().into()), Cell::None, Cell::None]
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
