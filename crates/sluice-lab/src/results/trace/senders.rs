//! Senders on disk, a row for each answer and for whatever else changes them.

use std::io;
use std::path::Path;

use parquet::data_type::ByteArray;
use sluice_sim::SenderEvent;

use crate::Plan;
use crate::results::columns::{Cell, Column, ColumnType, Rows};
use crate::results::label::RunLabel;

const COLUMNS: [Column; 6] = [
    ("time_ns", ColumnType::Int, false),
    ("group", ColumnType::Text, false),
    ("index", ColumnType::Int, false),
    ("cwnd_packets", ColumnType::Float, true),
    ("rate_bps", ColumnType::Int, true),
    ("acked_packets", ColumnType::Int, false),
];

pub struct SenderFile {
    rows: Rows,
    groups: Vec<ByteArray>,
}

impl SenderFile {
    pub fn create(folder: &Path, plan: &Plan, label: &RunLabel) -> io::Result<Self> {
        let rows = Rows::create(&folder.join("trace-flows.parquet"), &COLUMNS, label)?;
        Ok(Self { rows, groups: super::packets::group_names(plan) })
    }

    pub fn write(&mut self, event: &SenderEvent) -> io::Result<()> {
        self.rows.push([
            Cell::Int(event.time.as_nanos()),
            Cell::Text(self.groups[event.group].clone()),
            Cell::Int(event.index),
            Cell::float(event.cwnd),
            Cell::int(event.rate.map(|rate| rate.as_bps())),
            Cell::Int(event.acked),
        ])
    }

    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}
