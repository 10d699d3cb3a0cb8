//! The receiving end of a flow: puts data in order, answers, notices the end.

use sluice_laws::WireHeader;
use sluice_laws::host::{Echo, PacketKind};
use sluice_laws::tcp::{AckRule, Block, Ecn, Marks, Reassembly};

use crate::packet::Packet;

/// In this order in memory: behind what packets seldom need, which fills a cache line.
#[repr(C)]
pub(crate) struct Receiver {
    /// When the flow was whole.
    completed: Option<u64>,
    reassembly: Reassembly,
    /// Packets of data that make the flow whole.
    end: u64,
    marks: Marks,
    /// Whether the last packet of a sized flow was among those delivered (it may be short).
    delivered_last: bool,
    echo: &'static dyn Echo,
    /// What the next acknowledgement will say of the headers heard.
    pending: WireHeader,
    /// When a delayed acknowledgement must leave; [`u64::MAX`] if none waits.
    ack_due: u64,
    /// Send time of the earliest packet not yet answered (RFC 7323 section 4.3).
    unanswered: u64,
    arrived: u64,
    /// Data packets in [warm-up, stop], each once.
    delivered: u64,
    /// Longest wait of a delayed acknowledgement; `None` answers every packet.
    delay: Option<u64>,
}

/// An answer to send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    pub(crate) kind: PacketKind,
    pub(crate) seq: u64,
    pub(crate) sent: u64,
    pub(crate) words: WireHeader,
    pub(crate) ecn: Ecn,
    /// Whether selective acknowledgements go with it ([`Receiver::blocks`]).
    pub(crate) gaps: bool,
}

impl Receiver {
    pub(crate) fn new(echo: &'static dyn Echo, delay: Option<u64>, end: u64) -> Self {
        Self {
            reassembly: Reassembly::new(),
            echo,
            pending: WireHeader::default(),
            marks: Marks::default(),
            delay,
            ack_due: u64::MAX,
            unanswered: u64::MAX,
            arrived: 0,
            end,
            completed: None,
            delivered: 0,
            delivered_last: false,
        }
    }

    /// Packets of every kind that reached it.
    pub(crate) fn arrived(&self) -> u64 {
        self.arrived
    }

    pub(crate) fn completed(&self) -> Option<u64> {
        self.completed
    }

    /// Data packets delivered in [warm-up, stop], and whether the flow's last was one.
    pub(crate) fn delivered(&self) -> (u64, bool) {
        (self.delivered, self.delivered_last)
    }

    /// When a timer must wake it; [`u64::MAX`] for never.
    #[inline]
    pub(crate) fn wake(&self) -> u64 {
        self.ack_due
    }

    /// A packet arrives, which is `measured` if it is data; gives the answer that leaves at once.
    #[inline(always)]
    pub(crate) fn hear(
        &mut self,
        now: u64,
        packet: &Packet,
        words: WireHeader,
        measured: bool,
    ) -> Option<Reply> {
        self.arrived += 1;
        self.marks.on_data(packet.ecn);
        let sent = self.unanswered.min(packet.sent);
        let kind = match packet.kind {
            PacketKind::Syn => PacketKind::SynAck,
            PacketKind::Probe => PacketKind::ProbeAck,
            _ => {
                if let Some(delay) = self.take_data(now, packet.seq, measured) {
                    self.put_off(now.saturating_add(delay), words, sent);
                    return None;
                }
                PacketKind::Ack
            }
        };
        let words = self.echo.echo(&mut self.pending, words);
        Some(self.reply(kind, words, sent))
    }

    /// An acknowledgement waits until `due` or for the next packet.
    #[inline(never)]
    fn put_off(&mut self, due: u64, words: WireHeader, sent: u64) {
        self.echo.on_data(&mut self.pending, &words);
        self.unanswered = sent;
        self.ack_due = self.ack_due.min(due);
    }

    /// The timer fires; gives the acknowledgement that waited.
    pub(crate) fn timer(&mut self, now: u64) -> Option<Reply> {
        (self.ack_due <= now).then(|| {
            let words = self.echo.ack_header(&mut self.pending);
            self.reply(PacketKind::Ack, words, self.unanswered)
        })
    }

    /// Takes in a data packet; gives how long its acknowledgement may wait, if it may.
    #[inline(always)]
    fn take_data(&mut self, now: u64, seq: u64, measured: bool) -> Option<u64> {
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
    fn reply(&mut self, kind: PacketKind, words: WireHeader, sent: u64) -> Reply {
        self.unanswered = u64::MAX;
        self.ack_due = u64::MAX;
        if kind == PacketKind::Ack {
            self.reassembly.answered();
        }
        let gaps = self.reassembly.has_gaps();
        let ecn = self.marks.of_ack();
        Reply { kind, seq: self.reassembly.cumulative(), sent, words, ecn, gaps }
    }

    /// The selective acknowledgements of an answer that leaves now; empty ones fill up the array.
    #[cold]
    pub(crate) fn blocks(&self) -> [Block; 3] {
        let mut blocks = [Block::default(); 3];
        self.reassembly.blocks(&mut blocks);
        blocks
    }
}
