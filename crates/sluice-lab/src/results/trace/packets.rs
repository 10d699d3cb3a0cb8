//! Packets on disk, a row for each thing that happened to one at a link.

use std::io;
use std::path::Path;

use parquet::data_type::ByteArray;
use sluice_laws::host::Kind as PacketKind;
use sluice_sim::{PacketEvent, What};

use crate::Plan;
use crate::results::columns::{Cell, Column, Kind, Rows};

const COLUMNS: [Column; 9] = [
    ("time_ns", Kind::Int, false),
    ("link", Kind::Text, false),
    ("event", Kind::Text, false),
    ("group", Kind::Text, false),
    ("index", Kind::Int, false),
    ("kind", Kind::Text, false),
    ("ack", Kind::Bool, false),
    ("seq", Kind::Int, false),
    ("bytes", Kind::Int, false),
];

pub struct PacketFile {
    rows: Rows,
    links: Vec<ByteArray>,
    groups: Vec<ByteArray>,
}

impl PacketFile {
    pub fn create(folder: &Path, plan: &Plan, about: &[(&str, String)]) -> io::Result<Self> {
        let rows = Rows::create(&folder.join("trace-packets.parquet"), &COLUMNS, about)?;
        let links = (0..plan.config.links.len()).map(|id| plan.path(&[id]).as_str().into());
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

fn event_name(what: What) -> &'static str {
    match what {
        What::Enqueued => "enqueue",
        What::Marked => "mark",
        What::Dropped => "drop",
        What::Dequeued => "dequeue",
        What::Lost => "lose",
        What::Delivered => "deliver",
    }
}

fn kind_name(kind: PacketKind) -> &'static str {
    match kind {
        PacketKind::Syn => "syn",
        PacketKind::SynAck => "syn-ack",
        PacketKind::Data => "data",
        PacketKind::Ack => "ack",
        PacketKind::Probe => "probe",
        PacketKind::ProbeAck => "probe-ack",
    }
}
