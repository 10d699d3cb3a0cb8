//! A packet in flight: a plain value of 64 bytes that moves from wire to wire.

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
pub(crate) use sluice_laws::tcp::Ecn;
use sluice_units::Time;

/// In place of selective acknowledgements, of a datagram: hosts handle both apart from all other packets,
/// which pay nothing for them.
pub(crate) const DATAGRAM: u32 = u32::MAX;

/// The same of a control packet of a cloud: the last number of selective acknowledgements, below those of labels.
pub(crate) const CONTROL: u32 = (1 << 30) - 1;

/// Names a flow for as long as it lives: late packets of a finished flow carry an old generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlowKey {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl FlowKey {
    /// Names the stream of datagrams with this number. No flow has the slot.
    pub(crate) fn of_stream(number: u32) -> Self {
        Self { slot: u32::MAX, generation: number }
    }

    /// The number of the stream that it names, if it names one.
    pub(crate) fn stream(self) -> Option<u32> {
        (self.slot == u32::MAX).then_some(self.generation)
    }
}

/// A packet. It is only read on its way: what changes is its [`Hop`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet {
    /// Of the hop that it waits for.
    pub(crate) at: Time,
    /// Data, datagram: its number in the flow. Acknowledgement: the first number not yet received.
    pub(crate) seq: u64,
    /// The sender's clock when it left; acknowledgements echo it (RFC 7323).
    pub(crate) sent: Time,
    /// Of the hop that it waits for.
    pub(crate) header: WireHeader,
    pub(crate) flow: FlowKey,
    /// Size on the wire.
    pub(crate) bytes: u32,
    /// Of the hop that it waits for.
    pub(crate) step: u32,
    /// Selective acknowledgements, telemetry or a label, stored apart because they are rare; 0 for none.
    /// [`DATAGRAM`] in a datagram without a label, [`CONTROL`] in a control packet.
    pub(crate) sacks: u32,
    pub(crate) kind: PacketKind,
    pub(crate) ecn: Ecn,
    /// Of its flow's group and index: the same whatever runs ahead of the clock, unlike `flow`.
    pub(crate) hash: u16,
}

/// The part of a packet that changes from step to step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hop {
    /// When the packet reaches the step.
    pub(crate) at: Time,
    /// The congestion header.
    pub(crate) header: WireHeader,
    /// The step, by its place among the plan's.
    pub(crate) step: u32,
}

impl Packet {
    /// Fills memory that holds no packet.
    pub(crate) const NONE: Self = Self {
        at: Time::ZERO,
        seq: 0,
        sent: Time::ZERO,
        header: WireHeader::new([0; 4]),
        flow: FlowKey { slot: 0, generation: 0 },
        bytes: 0,
        step: 0,
        sacks: 0,
        kind: PacketKind::Data,
        ecn: Ecn::NONE,
        hash: 0,
    };

    /// The hop that it waits for.
    #[inline(always)]
    pub(crate) fn hop(&self) -> Hop {
        Hop { at: self.at, header: self.header, step: self.step }
    }

    /// The same packet, waiting for `hop`.
    #[inline(always)]
    pub(crate) fn before(&self, hop: Hop) -> Self {
        Self { at: hop.at, header: hop.header, step: hop.step, ..*self }
    }

    /// The packet as a queue marks it (RFC 3168).
    pub(crate) fn marked(&self) -> Self {
        Self { ecn: self.ecn.with(Ecn::EXPERIENCED), ..*self }
    }

    /// Its queue among `queues`, up to 65,536: a hash of its flow and direction.
    #[inline]
    pub(crate) fn queue_of(&self, queues: usize) -> usize {
        let direction = if self.is_forward() { 0 } else { 0x9e37 };
        (usize::from(self.hash ^ direction) * queues) >> 16
    }

    /// Whether it is of a flow and travels from sender to receiver.
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
