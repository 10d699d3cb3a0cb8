//! A packet in flight: a plain value of 64 bytes that moves from wire to wire.

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
pub(crate) use sluice_laws::tcp::Ecn;

/// Names a flow for as long as it lives: late packets of a finished flow carry an old generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlowKey {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet {
    /// When it reaches the end of the link that it is on.
    pub(crate) at: u64,
    /// Data: its number in the flow. Acknowledgement: the first number not yet received.
    pub(crate) seq: u64,
    /// The sender's clock when it left; acknowledgements bring it back (RFC 7323).
    pub(crate) sent: u64,
    pub(crate) words: WireHeader,
    pub(crate) flow: FlowKey,
    pub(crate) bytes: u32,
    /// Where it is on its way: its place in the plan's steps.
    pub(crate) step: u32,
    /// Selective acknowledgements, kept aside because they are rare; 0 for none.
    pub(crate) sacks: u32,
    pub(crate) kind: PacketKind,
    pub(crate) ecn: Ecn,
}

impl Packet {
    /// Fills memory that holds no packet.
    pub(crate) const NONE: Self = Self {
        at: 0,
        seq: 0,
        sent: 0,
        words: WireHeader::new([0; 4]),
        flow: FlowKey { slot: 0, generation: 0 },
        bytes: 0,
        step: 0,
        sacks: 0,
        kind: PacketKind::Data,
        ecn: Ecn::NONE,
    };

    /// Whether it travels from sender to receiver.
    pub(crate) fn is_forward(&self) -> bool {
        matches!(self.kind, PacketKind::Syn | PacketKind::Data | PacketKind::Probe)
    }
}

/// A packet where many are kept: in one cache line, which one on the stack need not be.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct CacheLine(pub(crate) Packet);

impl CacheLine {
    /// See [`Packet::NONE`].
    pub(crate) const NONE: Self = Self(Packet::NONE);
}

const _: () = assert!(size_of::<CacheLine>() == 64);
