//! The CSV files that a scenario may name: flows and datagrams to replay, points of a distribution.

use std::collections::BTreeMap;
use std::path::Path;

use sluice_sim::limits;
use sluice_sim::traffic::sizes::CdfPoint;
use sluice_sim::traffic::{Datagram, Listed};
use sluice_units::Bytes;

use super::csv_table::{Column, ColumnKind, read};
use super::row_faults::RowFaults;

/// The flows of a file.
#[derive(Debug)]
pub(super) struct ReplayFile {
    /// By group; those of a file without a `group` column are under `None`.
    pub groups: BTreeMap<Option<String>, GroupRows>,
    /// Whether rows have nodes: a column `from` or `to`.
    pub has_nodes: bool,
}

/// The rows of a group, by their nodes.
pub(crate) type GroupRows = BTreeMap<RowNodes, NodeRows>;

/// The nodes of a row, where given.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowNodes {
    /// Source.
    pub from: Option<String>,
    /// Destination.
    pub to: Option<String>,
}

/// The rows with the same nodes.
#[derive(Debug)]
pub(crate) struct NodeRows {
    /// The line of the first row.
    pub line: usize,
    /// The flows.
    pub flows: Vec<Listed>,
}

/// The columns of a list of flows.
const FLOW_COLUMNS: [Column; 5] = [
    Column { name: "start", kind: ColumnKind::Time, required: true },
    Column { name: "size", kind: ColumnKind::Size, required: true },
    Column { name: "group", kind: ColumnKind::Name, required: false },
    Column { name: "from", kind: ColumnKind::Name, required: false },
    Column { name: "to", kind: ColumnKind::Name, required: false },
];

/// Reads flows.
pub(super) fn flows(path: &Path) -> Result<ReplayFile, RowFaults> {
    let mut groups = BTreeMap::<_, GroupRows>::new();
    let columns = read(path, &FLOW_COLUMNS, |row| {
        let (start, size) = (row.quantity("start")?, row.quantity("size")?);
        if !limits::LIMIT.contains(&start) {
            return Err(format!("`start`: must be at most {}, not {start}", limits::limit_end()));
        }
        if size == Bytes::ZERO {
            return Err("`size`: must be at least 1 B".into());
        }
        if row.cell("group") == Some("") {
            return Err("`group` is empty".into());
        }
        let node = |column| row.cell(column).filter(|cell| !cell.is_empty()).map(str::to_owned);
        let nodes = RowNodes { from: node("from"), to: node("to") };
        let group = groups.entry(row.cell("group").map(str::to_owned)).or_default();
        let rows =
            group.entry(nodes).or_insert_with(|| NodeRows { line: row.line, flows: Vec::new() });
        rows.flows.push(Listed { start, size });
        Ok(())
    })?;
    let has_nodes = columns.contains(&"from") || columns.contains(&"to");
    Ok(ReplayFile { groups, has_nodes })
}

/// The columns of a list of datagrams.
const DATAGRAM_COLUMNS: [Column; 2] = [
    Column { name: "time", kind: ColumnKind::Time, required: true },
    Column { name: "size", kind: ColumnKind::Size, required: true },
];

/// Reads datagrams, in order of time; those of one instant in the order of the file.
pub(super) fn datagrams(path: &Path) -> Result<Vec<Datagram>, RowFaults> {
    let mut datagrams = Vec::new();
    read(path, &DATAGRAM_COLUMNS, |row| {
        let (time, size) = (row.quantity("time")?, row.quantity("size")?);
        if !limits::LIMIT.contains(&time) {
            return Err(format!("`time`: must be at most {}, not {time}", limits::limit_end()));
        }
        if !limits::PACKET.contains(&size) {
            let (min, max) = (limits::PACKET.start(), limits::PACKET.end());
            return Err(format!("`size`: must be {min} to {max}, not {size}"));
        }
        datagrams.push(Datagram { time, size });
        Ok(())
    })?;
    datagrams.sort_by_key(|datagram| datagram.time);
    Ok(datagrams)
}

/// The columns of a cumulative distribution.
const POINT_COLUMNS: [Column; 2] = [
    Column { name: "size", kind: ColumnKind::Size, required: true },
    Column { name: "cumulative", kind: ColumnKind::Number, required: true },
];

/// Reads a cumulative distribution.
pub(super) fn points(path: &Path) -> Result<Vec<CdfPoint>, RowFaults> {
    let mut points = Vec::new();
    read(path, &POINT_COLUMNS, |row| {
        let (size, cumulative) = (row.quantity("size")?, row.fraction("cumulative")?);
        points.push(CdfPoint { size, cumulative });
        Ok(())
    })?;
    Ok(points)
}
