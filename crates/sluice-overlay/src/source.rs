//! A source: NCP's sender, paced by what the routers grant.
//!
//! It sends frames as a stream does: without retransmission. Time is an argument; `processes` has the loop.

use sluice_laws::host::{AckEvent, HostLaw, PacketKind, SendEvent, SenderContext};
use sluice_laws::ncp::NcpParams;
use sluice_laws::protocol::Protocol as _;
use sluice_laws::transport::Rto;
use sluice_units::{Bytes, Rate, Span, Time};

use crate::datagram::OverlayDatagram;

/// Time between two SYNs: RFC 6298 (2.1).
const SYN_AGAIN: Span = Span::from_secs(1);
/// How far a source that woke up late catches up with its pace. What it could have sent before that is lost to
/// it, or a burst of any size would follow a stop of the process.
const CATCH_UP: Span = Span::from_millis(50);

/// A flow at its source.
pub struct OverlaySource {
    law: Box<dyn HostLaw>,
    rto: Rto,
    flow: u32,
    route: Vec<u16>,
    /// Size of a data packet.
    packet: Bytes,
    /// Whether the SYN is answered.
    is_open: bool,
    /// When the next packet leaves.
    next: Time,
    seq: u64,
    /// Data packets sent, and packets answered.
    sent: u64,
    acked: u64,
    /// When the last answer came, or the flow began.
    heard: Time,
    /// The last RTT sample.
    rtt: Option<Span>,
}

impl OverlaySource {
    /// A flow over `route`, its own port first, in packets of `packet` bytes, that begins at `now`.
    pub fn new(params: &NcpParams, flow: u32, route: Vec<u16>, packet: Bytes, now: Time) -> Self {
        let control = Bytes::new(OverlayDatagram::overhead(route.len()) as u64);
        let context = SenderContext::new(packet, control);
        Self {
            law: params.host(&context),
            rto: Rto::new(SYN_AGAIN, SYN_AGAIN),
            flow,
            route,
            packet,
            is_open: false,
            next: now,
            seq: 0,
            sent: 0,
            acked: 0,
            heard: now,
            rtt: None,
        }
    }

    /// When [`OverlaySource::send`] has a packet.
    pub fn due(&self) -> Time {
        self.next
    }

    /// The packet that is due by `now`: a SYN until one is answered, then data at the pace of the law.
    pub fn send(&mut self, now: Time) -> Option<OverlayDatagram> {
        if now < self.next {
            return None;
        }
        let kind = if self.is_open { PacketKind::Data } else { PacketKind::Syn };
        let header = self.law.header(&SendEvent {
            seq: self.sent,
            srtt: self.rto.srtt(),
            ..SendEvent::new(now, kind, self.packet.as_u64() as u32)
        });
        let room = self.packet.as_u64() as usize;
        let payload = room.saturating_sub(OverlayDatagram::overhead(self.route.len()));
        let datagram = OverlayDatagram {
            kind,
            flow: self.flow,
            seq: self.seq,
            sent: now,
            is_behind: false,
            at: 0,
            route: self.route.clone(),
            header,
            payload: if self.is_open { vec![0; payload] } else { Vec::new() },
        };
        self.seq += 1;
        self.sent += u64::from(self.is_open);
        self.plan_next(now);
        Some(datagram)
    }

    /// Paces from when this packet was due, not from when it left, so that late wake-ups do not lower the rate.
    fn plan_next(&mut self, now: Time) {
        self.next = match (self.is_open, self.law.rate()) {
            (false, _) => now + SYN_AGAIN,
            (true, Some(rate)) => self.next.max(now - CATCH_UP) + rate.time_for(self.packet),
            // The answer to a SYN always has a rate, unless no router of the path runs the law.
            (true, None) => now + self.rto.current(),
        };
    }

    /// An answer arrived.
    pub fn on_answer(&mut self, answer: &OverlayDatagram, now: Time) {
        if answer.flow != self.flow || answer.is_forward() || answer.sent > now {
            return;
        }
        let rtt = now.since(answer.sent);
        self.rto.sample(rtt);
        self.rtt = Some(rtt);
        self.heard = now;
        let is_data = answer.kind == PacketKind::Ack;
        self.acked += u64::from(is_data);
        self.law.on_ack(&AckEvent {
            kind: answer.kind,
            rtt: Some(rtt),
            srtt: self.rto.srtt(),
            min_rtt: self.rto.min_rtt(),
            acked: u32::from(is_data),
            delivered: u32::from(is_data),
            sent: answer.sent,
            ..AckEvent::new(now, answer.header)
        });
        if !self.is_open {
            (self.is_open, self.next) = (true, now);
        }
    }

    /// Whether an answer has come.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// How long no answer has come.
    pub fn silence(&self, now: Time) -> Span {
        now.since(self.heard)
    }

    /// Data packets sent, and those answered.
    pub fn counts(&self) -> (u64, u64) {
        (self.sent, self.acked)
    }

    /// The rate granted last; `None` before the first.
    pub fn granted(&self) -> Option<Rate> {
        self.law.rate()
    }

    /// The last RTT sample.
    pub fn rtt(&self) -> Option<Span> {
        self.rtt
    }
}
