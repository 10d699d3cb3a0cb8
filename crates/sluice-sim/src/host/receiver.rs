//! The receiving end of a flow: reassembles data, replies, and detects completion.

use sluice_laws::WireHeader;
use sluice_laws::host::{Echo, PacketKind};
use sluice_laws::tcp::{AckRule, Block, Ecn, Marks, Reassembly};
use sluice_units::{Span, Time};

use crate::packet::Packet;

/// The order in memory puts what packets seldom need first, in cache lines of its own.
#[repr(C)]
pub(crate) struct Receiver {
    /// When all data had arrived.
    completed: Option<Time>,
    reassembly: Reassembly,
    /// Data packets of the flow; [`u64::MAX`] without an end.
    end: u64,
    marks: Marks,
    /// Whether `delivered` includes the last packet of a flow with a size, which may be short.
    delivered_last: bool,
    echo: &'static dyn Echo,
    /// The header to be echoed in the next acknowledgement.
    pending: WireHeader,
    /// When a delayed acknowledgement must leave; [`Time::NEVER`] if none waits.
    ack_due: Time,
    /// Send time of the earliest packet not yet acknowledged (RFC 7323 section 4.3).
    unanswered: Time,
    arrived: u64,
    /// Data packets in [warm-up, stop], each once.
    delivered: u64,
    /// Longest delay of an acknowledgement; `None` to acknowledge every packet at once.
    delay: Option<Span>,
}

/// A reply to send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    pub(crate) kind: PacketKind,
    pub(crate) seq: u64,
    pub(crate) sent: Time,
    pub(crate) header: WireHeader,
    pub(crate) ecn: Ecn,
    /// Whether it carries selective acknowledgements ([`Receiver::blocks`]).
    pub(crate) gaps: bool,
}

impl Receiver {
    /// `echo` has what is pending at first, too.
    pub(crate) fn new(
        (echo, pending): (&'static dyn Echo, WireHeader),
        marks: Marks,
        delay: Option<Span>,
        end: u64,
    ) -> Self {
        Self {
            reassembly: Reassembly::new(),
            echo,
            pending,
            marks,
            delay,
            ack_due: Time::NEVER,
            unanswered: Time::NEVER,
            arrived: 0,
            end,
            completed: None,
            delivered: 0,
            delivered_last: false,
        }
    }

    /// Number of packets of every kind that have arrived.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Data packets that have arrived, each once.
    pub(crate) fn received(&self) -> u64 {
        self.reassembly.received()
    }

    pub(crate) fn completed(&self) -> Option<Time> {
        self.completed
    }

    /// Data packets delivered in [warm-up, stop], and whether the flow's last is among them.
    pub(crate) fn delivered(&self) -> (u64, bool) {
        (self.delivered, self.delivered_last)
    }

    /// When its timer must fire; [`Time::NEVER`] for never.
    #[inline]
    pub(crate) fn wake(&self) -> Time {
        self.ack_due
    }

    /// Whether a packet with these bits is one for [`Receiver::on_ecn`].
    #[inline(always)]
    pub(crate) fn minds(&self, ecn: Ecn) -> bool {
        self.marks.are_changed_by(ecn)
    }

    /// A packet arrives; data count as delivered if `measured`. Returns the reply that leaves at once.
    #[inline(always)]
    pub(crate) fn on_packet(
        &mut self,
        now: Time,
        packet: &Packet,
        header: WireHeader,
        measured: bool,
    ) -> Option<Reply> {
        self.arrived += 1;
        let sent = self.unanswered.min(packet.sent);
        let kind = match packet.kind {
            PacketKind::Syn => PacketKind::SynAck,
            PacketKind::Probe => PacketKind::ProbeAck,
            _ => {
                if let Some(delay) = self.take_data(now, packet.seq, measured) {
                    self.delay_ack(now + delay, header, sent);
                    return None;
                }
                PacketKind::Ack
            }
        };
        let header = self.echo.echo(&mut self.pending, header);
        Some(self.reply(kind, header, sent))
    }

    /// [`Receiver::on_packet`] for a packet that is marked, or of a flow whose marks are counted. Where
    /// marks begin or end with it, it is acknowledged at once, and the acknowledgement that waits, if there
    /// is one, leaves first if one cannot report both ([`Marks::separates`]).
    pub(crate) fn on_ecn(
        &mut self,
        now: Time,
        packet: &Packet,
        header: WireHeader,
        measured: bool,
    ) -> Option<Reply> {
        if !self.marks.turns(packet.ecn) {
            self.marks.on_data(packet.ecn);
            return self.on_packet(now, packet, header, measured);
        }
        self.arrived += 1;
        let waits = self.ack_due != Time::NEVER && self.marks.separates();
        let before = waits.then(|| {
            let header = self.echo.ack_header(&mut self.pending);
            self.reply(PacketKind::Ack, header, self.unanswered)
        });
        self.marks.on_data(packet.ecn);
        self.take_data(now, packet.seq, measured);
        if let Some(before) = before {
            self.delay_ack(now + Span::NANO, header, packet.sent);
            return Some(before);
        }
        let sent = self.unanswered.min(packet.sent);
        let header = self.echo.echo(&mut self.pending, header);
        Some(self.reply(PacketKind::Ack, header, sent))
    }

    /// An acknowledgement waits until `due` or for the next packet.
    #[inline(never)]
    fn delay_ack(&mut self, due: Time, header: WireHeader, sent: Time) {
        self.echo.on_data(&mut self.pending, &header);
        self.unanswered = sent;
        self.ack_due = self.ack_due.min(due);
    }

    /// The timer fires. Returns the delayed acknowledgement, if it is due.
    pub(crate) fn timer(&mut self, now: Time) -> Option<Reply> {
        (self.ack_due <= now).then(|| {
            let header = self.echo.ack_header(&mut self.pending);
            self.reply(PacketKind::Ack, header, self.unanswered)
        })
    }

    /// Reassembles a data packet. Returns how long its acknowledgement may be delayed, if it may.
    #[inline(always)]
    fn take_data(&mut self, now: Time, seq: u64, measured: bool) -> Option<Span> {
        let arrival = self.reassembly.arrived(seq);
        if arrival.fresh && measured {
            self.delivered += 1;
            self.delivered_last |= seq + 1 == self.end;
        }
        if self.reassembly.cumulative() == self.end {
            self.completed.get_or_insert(now);
        }
        match self.delay {
            Some(delay) if arrival.ack == AckRule::MayDelay => Some(delay),
            _ => None,
        }
    }

    #[inline(always)]
    fn reply(&mut self, kind: PacketKind, header: WireHeader, sent: Time) -> Reply {
        self.unanswered = Time::NEVER;
        self.ack_due = Time::NEVER;
        if kind == PacketKind::Ack {
            self.reassembly.answered();
        }
        let gaps = self.reassembly.has_gaps();
        let ecn = self.marks.of_ack();
        Reply { kind, seq: self.reassembly.cumulative(), sent, header, ecn, gaps }
    }

    /// The selective acknowledgements of a reply that leaves now, padded with empty blocks.
    #[cold]
    pub(crate) fn blocks(&self) -> [Block; 3] {
        let mut blocks = [Block::default(); 3];
        self.reassembly.blocks(&mut blocks);
        blocks
    }
}
