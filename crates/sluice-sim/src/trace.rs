//! What a run tells event by event, where it is asked to.

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
use sluice_laws::tcp::{Block, Ecn};
use sluice_units::{Bytes, Rate, Time};

use crate::config::LinkId;

/// Something that happened to a packet at a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketEvent {
    /// When.
    pub time: Time,
    /// At which link.
    pub link: LinkId,
    /// What.
    pub what: PacketAction,
    /// To which packet, as it was then.
    pub packet: TracedPacket,
}

/// What may happen to a packet at a link.
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
    /// It was lost on the wire: it would have been at the end of the link now.
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
    /// Its flow's data; `None` for a flow that sends until it is stopped.
    pub size: Option<Bytes>,
    /// What it is.
    pub kind: PacketKind,
    /// Data: its number in the flow, from 0. Acknowledgement: the first number not yet received.
    pub seq: u64,
    /// Its size on the wire.
    pub bytes: Bytes,
    /// What it says of congestion.
    pub ecn: Ecn,
    /// The congestion header.
    pub words: WireHeader,
    /// Selective acknowledgements, in packets; empty ones fill up the array.
    pub sacks: [Block; 3],
}

/// A sender after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SenderEvent {
    /// When.
    pub time: Time,
    /// Its flow's group.
    pub group: usize,
    /// Its flow's place among the group's arrivals, from 0.
    pub index: u64,
    /// The window in packets as the law keeps it, with its fraction; `None` for a law without one.
    pub cwnd: Option<f64>,
    /// The pace at which data packets leave; `None` if they leave as the window opens.
    pub rate: Option<Rate>,
    /// Data packets acknowledged in sequence.
    pub acked: u64,
}
