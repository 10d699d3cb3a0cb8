//! Traced events.

use sluice_laws::WireHeader;
use sluice_laws::host::{PacketKind, Service};
use sluice_laws::tcp::{Block, Ecn};
use sluice_units::{Bytes, Rate, Time};

use crate::config::LinkId;

/// An event of a packet at a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketEvent {
    /// When it happened.
    pub time: Time,
    /// The link.
    pub link: LinkId,
    /// What happened.
    pub what: PacketAction,
    /// The packet, as it was then.
    pub packet: TracedPacket,
}

/// What happens to packets at a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PacketAction {
    /// It joined the queue.
    Enqueued,
    /// The queue marked it (RFC 3168) as it joined.
    Marked,
    /// The queue dropped it.
    Dropped,
    /// Its last bit left.
    Dequeued,
    /// It was lost on the wire; the time is when it would have reached the end of the link, or when the
    /// outage began that lost it.
    Lost,
    /// It reached the end of the link.
    Delivered,
}

/// A packet as a trace shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracedPacket {
    /// Its flow's group.
    pub group: usize,
    /// Its flow's place among the group's arrivals, from 0.
    pub index: u64,
    /// Data of its flow; `None` for a flow that sends until it is stopped.
    pub size: Option<Bytes>,
    /// Its kind.
    pub kind: PacketKind,
    /// Data: its number in the flow, from 0. Acknowledgement: the first number not yet received.
    pub seq: u64,
    /// Its size on the wire.
    pub bytes: Bytes,
    /// Its ECN bits.
    pub ecn: Ecn,
    /// Its service, on which the form of its header depends.
    pub service: Service,
    /// The congestion header.
    pub header: WireHeader,
    /// Selective acknowledgements, in packets, padded with empty blocks.
    pub sacks: [Block; 3],
}

/// A sender after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenderEvent {
    /// When it happened.
    pub time: Time,
    /// Its flow's group.
    pub group: usize,
    /// Its flow's place among the group's arrivals, from 0.
    pub index: u64,
    /// The law's window in packets, with its fraction; `None` for a law without one.
    pub cwnd: Option<f64>,
    /// The rate at which data packets are paced; `None` if they leave as the window opens.
    pub rate: Option<Rate>,
    /// Data packets acknowledged in sequence.
    pub acked: u64,
}
