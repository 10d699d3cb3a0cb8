//! Flow records on disk, one row a flow, written as flows end.

use std::io;
use std::path::Path;

use parquet::data_type::ByteArray;
use sluice_laws::host::FlowStatus;
use sluice_sim::{FlowRecord, RouteEpochs, StreamRecord};
use sluice_units::Span;

use super::columns::{Cell, Column, ColumnType, Rows};
use super::flow_paths::{FlowPaths, LinkLoad};
use super::label::RunLabel;
use crate::Plan;

/// The file's name in a run's folder.
pub const FLOWS: &str = "flows.parquet";

const COLUMNS: [Column; 22] = [
    ("group", ColumnType::Text, false),
    ("index", ColumnType::Int, false),
    ("path", ColumnType::Text, false),
    ("start_ns", ColumnType::Int, false),
    ("size_bytes", ColumnType::Int, true),
    ("completion_ns", ColumnType::Int, true),
    ("alone_ns", ColumnType::Int, true),
    ("slowdown", ColumnType::Float, true),
    ("ideal_ns", ColumnType::Int, true),
    ("ideal_ratio", ColumnType::Float, true),
    ("retransmissions", ColumnType::Int, false),
    ("resent_measured", ColumnType::Int, false),
    ("delivered_bytes", ColumnType::Int, false),
    ("measured", ColumnType::Bool, false),
    ("kind", ColumnType::Text, false),
    ("datagrams_sent", ColumnType::Int, true),
    ("datagrams_delivered", ColumnType::Int, true),
    ("datagrams_lost", ColumnType::Int, true),
    ("delay_mean_ns", ColumnType::Int, true),
    ("delay_p99_ns", ColumnType::Int, true),
    ("acknowledged_ns", ColumnType::Int, true),
    ("status", ColumnType::Text, true),
];

/// The flows of a run, written row by row.
pub struct FlowFile<'a> {
    rows: Rows,
    /// Name of each group.
    groups: Vec<ByteArray>,
    paths: FlowPaths<'a>,
}

impl<'a> FlowFile<'a> {
    /// A new file in a run's folder, whose flows take these paths, of each group.
    pub fn create(
        folder: &Path,
        plan: &'a Plan,
        routes: Vec<RouteEpochs>,
        label: &RunLabel,
    ) -> io::Result<Self> {
        let rows = Rows::create(&folder.join(FLOWS), &COLUMNS, label)?;
        let groups = plan.config.groups.iter().map(|group| group.name.as_str().into()).collect();
        Ok(Self { rows, groups, paths: FlowPaths::new(plan, routes) })
    }

    /// Adds a flow, with its completion time under the max-min ideal in nanoseconds.
    pub fn write(&mut self, flow: &FlowRecord, ideal: Option<u64>) -> io::Result<()> {
        let path = self.paths.of_flow(flow.group, flow.index, flow.start);
        path.flows += u128::from(flow.offered().as_u64());
        let completion = flow.completion.map(|span| span.as_nanos());
        let alone = flow.alone.map(|span| span.as_nanos());
        let kind = if flow.size.is_some() { "sized" } else { "long" };
        let over = |other: Option<u64>| Some(completion? as f64 / other?.max(1) as f64);
        self.rows.push([
            Cell::Text(self.groups[flow.group].clone()),
            Cell::Int(flow.index),
            Cell::Text(path.name.clone()),
            Cell::Int(flow.start.as_nanos()),
            Cell::int(flow.size.map(|size| size.as_u64())),
            Cell::int(completion),
            Cell::int(alone),
            Cell::float(over(alone)),
            Cell::int(ideal),
            Cell::float(over(ideal)),
            Cell::Int(flow.retransmissions),
            Cell::Int(flow.resent),
            Cell::Int(flow.delivered.as_u64()),
            Cell::Bool(flow.measured),
            Cell::Text(kind.into()),
            Cell::int(None),
            Cell::int(None),
            Cell::int(None),
            Cell::int(None),
            Cell::int(None),
            Cell::int(flow.acknowledged.map(|span| span.as_nanos())),
            Cell::text(flow.status.map(FlowStatus::name)),
        ])
    }

    /// Adds a stream of datagrams.
    pub fn write_stream(&mut self, stream: &StreamRecord) -> io::Result<()> {
        let path = self.paths.of_flow(stream.group, stream.index, stream.start);
        let counts = stream.datagrams;
        path.streams += u128::from(counts.map_or(0, |counts| counts.offered.as_u64()));
        let nanos = |span: Option<Span>| Cell::int(span.map(|span| span.as_nanos()));
        self.rows.push([
            Cell::Text(self.groups[stream.group].clone()),
            Cell::Int(stream.index),
            Cell::Text(path.name.clone()),
            Cell::Int(stream.start.as_nanos()),
            Cell::int(None),
            Cell::int(None),
            Cell::int(None),
            Cell::float(None),
            Cell::int(None),
            Cell::float(None),
            Cell::Int(0),
            Cell::Int(0),
            Cell::Int(stream.delivered.as_u64()),
            Cell::Bool(stream.measured),
            Cell::Text("udp".into()),
            Cell::int(counts.map(|counts| counts.sent)),
            Cell::int(counts.map(|counts| counts.delivered)),
            Cell::int(counts.map(|counts| counts.lost)),
            nanos(counts.and_then(|counts| counts.mean_delay)),
            nanos(counts.and_then(|counts| counts.p99_delay)),
            Cell::int(None),
            Cell::text(None),
        ])
    }

    /// Writes what is left; returns the load that flows and streams offered to each link.
    pub fn finish(self) -> io::Result<Vec<LinkLoad>> {
        let loads = self.paths.loads();
        self.rows.finish().map(|()| loads)
    }
}
