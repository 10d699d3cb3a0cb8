//! Packets on disk, a row for each thing that happened to one at a link.

use std::io;
use std::path::Path;

use parquet::data_type::ByteArray;
use sluice_laws::host::PacketKind;
use sluice_sim::{PacketAction, PacketEvent};

use crate::Plan;
use crate::results::columns::{Cell, Column, ColumnType, Rows};
use crate::results::label::RunLabel;

const COLUMNS: [Column; 9] = [
    ("time_ns", ColumnType::Int, false),
    ("link", ColumnType::Text, false),
    ("event", ColumnType::Text, false),
    ("group", ColumnType::Text, false),
    ("index", ColumnType::Int, false),
    ("kind", ColumnType::Text, false),
    ("ack", ColumnType::Bool, false),
    ("seq", ColumnType::Int, false),
    ("bytes", ColumnType::Int, false),
];

pub struct PacketFile {
    rows: Rows,
    links: Vec<ByteArray>,
    groups: Vec<ByteArray>,
}

impl PacketFile {
    pub fn create(folder: &Path, plan: &Plan, label: &RunLabel) -> io::Result<Self> {
        let rows = Rows::create(&folder.join("trace-packets.parquet"), &COLUMNS, label)?;
        let links = (0..plan.config.links.len()).map(|id| plan.path(&[vec![id]]).as_str().into());
        Ok(Self { rows, links: links.collect(), groups: group_names(plan) })
    }

    pub fn write(&mut self, event: &PacketEvent) -> io::Result<()> {
        let packet = &event.packet;
        self.rows.push([
            Cell::Int(event.time.as_nanos()),
            Cell::Text(self.links[event.link].clone()),
            Cell::Text(event_name(event.what).into()),
            Cell::Text(self.groups[packet.group].clone()),
            Cell::Int(packet.index),
            Cell::Text(kind_name(packet.kind).into()),
            Cell::Bool(is_answer(packet.kind)),
            Cell::Int(packet.seq),
            Cell::Int(packet.bytes.as_u64()),
        ])
    }

    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}

/// The name of each group.
pub fn group_names(plan: &Plan) -> Vec<ByteArray> {
    plan.config.groups.iter().map(|group| group.name.as_str().into()).collect()
}

/// Whether it travels from receiver to sender.
pub fn is_answer(kind: PacketKind) -> bool {
    matches!(kind, PacketKind::SynAck | PacketKind::Ack | PacketKind::ProbeAck)
}

fn event_name(what: PacketAction) -> &'static str {
    match what {
        PacketAction::Enqueued => "enqueue",
        PacketAction::Marked => "mark",
        PacketAction::Dropped => "drop",
        PacketAction::Dequeued => "dequeue",
        PacketAction::Lost => "lose",
        PacketAction::Delivered => "deliver",
    }
}

fn kind_name(kind: PacketKind) -> &'static str {
    match kind {
        PacketKind::Syn => "syn",
        PacketKind::SynAck => "syn-ack",
        PacketKind::Data => "data",
        PacketKind::Ack => "ack",
        PacketKind::Probe => "probe",
        PacketKind::Datagram => "datagram",
        PacketKind::ProbeAck => "probe-ack",
    }
}
