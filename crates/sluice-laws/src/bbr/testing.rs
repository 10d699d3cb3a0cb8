//! A hand-fed sender: what reaches it is what a test says.

use sluice_units::{Bytes, Span, Time};

use crate::WireHeader;
use crate::host::{AckEvent, HostLaw, PacketKind, RateSample, RtoEvent, SendEvent, SenderContext};

/// Packets of 1000 bytes: 8000 bits.
pub(crate) const CONTEXT: SenderContext = SenderContext::new(Bytes::new(1000), Bytes::new(40));
/// The round trip of the path.
pub(crate) const RTT: Span = Span::from_millis(100);

/// A sender with the state of its connection, from which its events are made.
pub(crate) struct Fed<L> {
    pub(crate) law: L,
    pub(crate) now: Time,
    pub(crate) rtt: Span,
    pub(crate) delivered: u64,
    pub(crate) lost: u64,
    pub(crate) recovering: bool,
    pub(crate) app_limited: bool,
    /// "C.inflight" after each acknowledgement, and "P.tx_in_flight".
    pub(crate) in_flight: u32,
    pub(crate) tx_in_flight: u32,
    /// "P.lost": what had been lost as the packet acknowledged left.
    pub(crate) lost_before: u64,
}

impl<L: HostLaw> Fed<L> {
    /// One whose SYN-ACK arrived after a round trip.
    pub(crate) fn open(law: L) -> Self {
        let mut fed = Self {
            law,
            now: Time::ZERO + RTT,
            rtt: RTT,
            delivered: 0,
            lost: 0,
            recovering: false,
            app_limited: false,
            in_flight: 10,
            tx_in_flight: 10,
            lost_before: 0,
        };
        let event = fed.event(0);
        fed.law.on_ack(&AckEvent { kind: PacketKind::SynAck, ..event });
        fed
    }

    fn event(&self, delivered: u32) -> AckEvent {
        let rtt = Some(self.rtt);
        AckEvent {
            rtt,
            srtt: rtt,
            min_rtt: rtt,
            acked: delivered,
            delivered,
            in_flight: self.in_flight,
            recovering: self.recovering,
            ..AckEvent::new(self.now, WireHeader::default())
        }
    }

    /// An acknowledgement of `newly` packets, with a delivery rate of `bw` packets a second and, if `round`,
    /// of a packet that left after all that was delivered before.
    pub(crate) fn ack(&mut self, newly: u32, bw: u32, round: bool) {
        let before = self.delivered;
        self.delivered += u64::from(newly);
        self.law.on_rate_sample(&RateSample {
            sent: Time::ZERO,
            delivered: u64::from(bw),
            prior_delivered: if round { before } else { 0 },
            interval: Some(Span::from_secs(1)),
            app_limited: self.app_limited,
            in_flight_at_send: self.tx_in_flight,
            lost: self.lost - self.lost_before,
            newly_lost: 0,
        });
        let event = self.event(newly);
        self.law.on_ack(&event);
    }

    /// The same, after a round trip.
    pub(crate) fn round(&mut self, bw: u32) {
        self.now += self.rtt;
        self.ack(1, bw, true);
    }

    /// `packets` are found lost.
    pub(crate) fn lose(&mut self, packets: u64) {
        self.lost += packets;
        self.law.on_packets_lost(self.lost);
    }

    /// A data packet leaves with `in_flight` packets before it in flight.
    pub(crate) fn send(&mut self, in_flight: u32) {
        let out = SendEvent::new(self.now, PacketKind::Data, 1000);
        self.law.header(&SendEvent { in_flight, ..out });
    }

    /// The timer expires with `outstanding` packets not acknowledged.
    pub(crate) fn time_out(&mut self, outstanding: u32) {
        self.law.on_rto(&RtoEvent::new(self.now, outstanding));
    }

    /// The pace in bits a second.
    pub(crate) fn pace(&self) -> f64 {
        self.law.rate().map_or(0.0, |rate| rate.as_bps_f64())
    }
}

/// Whether two numbers are equal but for rounding.
pub(crate) fn near(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-6
}
