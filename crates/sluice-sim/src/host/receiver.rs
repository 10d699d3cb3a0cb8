//! The receiving end of a flow: puts data in order, answers, notices the end.

use sluice_laws::Words;
use sluice_laws::host::{Echo, Kind};
use sluice_laws::tcp::{AckRule, Block, Ecn, Marks, Reassembly};

use crate::packet::Packet;

pub(crate) struct Receiver {
    reassembly: Reassembly,
    echo: &'static dyn Echo,
    /// What the next acknowledgement will say of the headers heard.
    pending: Words,
    marks: Marks,
    /// Longest wait of a delayed acknowledgement; `None` answers every packet.
    delay: Option<u64>,
    /// When a delayed acknowledgement must leave; [`u64::MAX`] if none waits.
    ack_due: u64,
    /// Send time of the earliest packet not yet answered (RFC 7323 section 4.3).
    unanswered: u64,
    arrived: u64,
    /// Packets of data that make the flow whole.
    end: u64,
    /// When it was whole.
    completed: Option<u64>,
    /// Data packets in [warm-up, stop], each once.
    delivered: u64,
    /// Whether the last packet of a sized flow was among them (it may be short).
    delivered_last: bool,
    window: (u64, u64),
}

/// An answer to send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    pub(crate) kind: Kind,
    pub(crate) seq: u64,
    pub(crate) sent: u64,
    pub(crate) words: Words,
    pub(crate) ecn: Ecn,
    /// Whether selective acknowledgements go with it ([`Receiver::blocks`]).
    pub(crate) gaps: bool,
}

impl Receiver {
    pub(crate) fn new(
        echo: &'static dyn Echo,
        delay: Option<u64>,
        end: u64,
        window: (u64, u64),
    ) -> Self {
        Self {
            reassembly: Reassembly::new(),
            echo,
            pending: Words::default(),
            marks: Marks::default(),
            delay,
            ack_due: u64::MAX,
            unanswered: u64::MAX,
            arrived: 0,
            end,
            completed: None,
            delivered: 0,
            delivered_last: false,
            window,
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

    /// A packet arrives; gives the answer that leaves at once.
    #[inline]
    pub(crate) fn hear(&mut self, now: u64, packet: &Packet, words: Words) -> Option<Reply> {
        self.arrived += 1;
        self.echo.heard(&mut self.pending, &words);
        self.marks.heard(packet.ecn);
        self.unanswered = self.unanswered.min(packet.sent);
        match packet.kind {
            Kind::Syn => Some(self.reply(Kind::SynAck)),
            Kind::Probe => Some(self.reply(Kind::ProbeAck)),
            _ => self.take_data(now, packet.seq),
        }
    }

    /// The timer fires; gives the acknowledgement that waited.
    pub(crate) fn timer(&mut self, now: u64) -> Option<Reply> {
        (self.ack_due <= now).then(|| self.reply(Kind::Ack))
    }

    fn take_data(&mut self, now: u64, seq: u64) -> Option<Reply> {
        let arrival = self.reassembly.arrived(seq);
        if arrival.fresh && now.wrapping_sub(self.window.0) < self.window.1 - self.window.0 {
            self.delivered += 1;
            self.delivered_last |= seq + 1 == self.end;
        }
        if self.completed.is_none() && self.reassembly.cumulative() == self.end {
            self.completed = Some(now);
        }
        match (arrival.ack, self.delay) {
            (AckRule::MayDelay, Some(delay)) => {
                self.ack_due = self.ack_due.min(now.saturating_add(delay));
                None
            }
            _ => Some(self.reply(Kind::Ack)),
        }
    }

    #[inline]
    fn reply(&mut self, kind: Kind) -> Reply {
        let words = self.echo.answer(&mut self.pending);
        let sent = std::mem::replace(&mut self.unanswered, u64::MAX);
        self.ack_due = u64::MAX;
        if kind == Kind::Ack {
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
