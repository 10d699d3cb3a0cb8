//! Flows that policing agents convicted: a row each.

use std::io;
use std::path::Path;

use sluice_laws::xcp::policing::Charge;
use sluice_sim::Conviction;

use super::columns::{Cell, Column, ColumnType, Rows};
use super::label::RunLabel;
use crate::Plan;

const COLUMNS: [Column; 8] = [
    ("link", ColumnType::Text, false),
    ("group", ColumnType::Text, false),
    ("index", ColumnType::Int, false),
    ("since_ns", ColumnType::Int, false),
    ("time_ns", ColumnType::Int, false),
    ("charge", ColumnType::Text, false),
    ("measured_bps", ColumnType::Int, false),
    ("required_bps", ColumnType::Int, false),
];

/// `verdicts.parquet` in a run's folder.
pub struct VerdictFile<'a> {
    plan: &'a Plan,
    rows: Rows,
}

impl<'a> VerdictFile<'a> {
    /// A new file in a run's folder; `None` if no link has a policing agent.
    pub fn create(folder: &Path, plan: &'a Plan, label: &RunLabel) -> io::Result<Option<Self>> {
        if plan.config.links.iter().all(|link| link.police.is_none()) {
            return Ok(None);
        }
        let rows = Rows::create(&folder.join("verdicts.parquet"), &COLUMNS, label)?;
        Ok(Some(Self { plan, rows }))
    }

    /// Adds a conviction.
    pub fn write(&mut self, found: &Conviction) -> io::Result<()> {
        let Conviction { link, group, index, since, at, charge, measured, required } = *found;
        let charge = match charge {
            Charge::Unresponsive => "unresponsive",
            Charge::Understates => "understates",
        };
        self.rows.push([
            Cell::Text(self.plan.path(&[vec![link]]).as_str().into()),
            Cell::Text(self.plan.config.groups[group].name.as_str().into()),
            Cell::Int(index),
            Cell::Int(since.as_nanos()),
            Cell::Int(at.as_nanos()),
            Cell::Text(charge.into()),
            Cell::Int(measured.as_bps()),
            Cell::Int(required.as_bps()),
        ])
    }

    /// Writes what is left and the end of the file.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}
