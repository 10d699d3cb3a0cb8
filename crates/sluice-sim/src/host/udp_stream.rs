//! A stream of datagrams: what its sending host has yet to send, and what became of the rest.

use std::iter::Peekable;

use sluice_laws::WireHeader;
use sluice_laws::host::{PacketKind, Service};
use sluice_units::{Bytes, Time};

use super::delays::Delays;
use super::spray::Spray;
use super::timers::TimerId;
use crate::outcome::DatagramCounts;
use crate::packet::{DATAGRAM, Ecn, FlowKey, Packet};
use crate::traffic::Emissions;

/// A stream of datagrams.
pub(crate) struct UdpStream {
    pub(crate) group: usize,
    /// Its place among the streams of its group, from 0.
    pub(crate) index: u64,
    pub(crate) start: Time,
    /// The host that sends, and its timer for the next datagram.
    pub(crate) from: usize,
    pub(crate) timer: TimerId,
    /// First step of its path.
    out: u32,
    /// Where datagrams take several paths in turn: those.
    spray: Option<Box<Spray>>,
    /// When its datagrams leave by other paths; [`Time::NEVER`] for never.
    pub(crate) until: Time,
    /// Names it in its packets.
    key: FlowKey,
    /// See [`Packet::hash`].
    hash: u16,
    emissions: Peekable<Emissions>,
    /// Datagrams sent so far.
    next: u64,
    /// In the time measured: datagrams sent, delivered and lost, and bytes sent and delivered.
    sent: u64,
    delivered: u64,
    lost: u64,
    offered: u64,
    bytes: u64,
    delays: Delays,
}

/// Where a stream sends.
pub(crate) struct UdpPath {
    pub(crate) from: usize,
    pub(crate) timer: TimerId,
    pub(crate) out: u32,
    pub(crate) spray: Option<Box<Spray>>,
    pub(crate) until: Time,
    pub(crate) key: FlowKey,
    pub(crate) hash: u16,
}

impl UdpStream {
    /// Stream `index` of a group.
    pub(crate) fn new(
        (group, index): (usize, u64),
        start: Time,
        path: UdpPath,
        emissions: Emissions,
    ) -> Self {
        let UdpPath { from, timer, out, spray, until, key, hash } = path;
        Self {
            group,
            index,
            start,
            from,
            timer,
            out,
            spray,
            until,
            key,
            hash,
            emissions: emissions.peekable(),
            next: 0,
            sent: 0,
            delivered: 0,
            lost: 0,
            offered: 0,
            bytes: 0,
            delays: Delays::default(),
        }
    }

    /// Datagrams leave by these paths until then.
    pub(crate) fn reroute(&mut self, out: u32, spray: Option<Box<Spray>>, until: Time) {
        (self.out, self.spray, self.until) = (out, spray, until);
    }

    /// When its next datagram leaves; [`Time::NEVER`] if there is none.
    pub(crate) fn due(&mut self) -> Time {
        self.emissions.peek().map_or(Time::NEVER, |datagram| datagram.time)
    }

    /// The next datagram, if it leaves by `now`. It carries no congestion header.
    pub(crate) fn send(&mut self, now: Time, measured: bool) -> Option<Packet> {
        let datagram = self.emissions.next_if(|datagram| datagram.time <= now)?;
        let seq = self.next;
        self.next += 1;
        if measured {
            self.sent += 1;
            self.offered += datagram.size.as_u64();
        }
        let step = self.spray.as_mut().map_or(self.out, |spray| spray.next(Service::Own));
        Some(Packet {
            at: now,
            seq,
            sent: now,
            header: WireHeader::default(),
            flow: self.key,
            bytes: datagram.size.as_u64() as u32,
            step,
            sacks: DATAGRAM,
            kind: PacketKind::Datagram,
            ecn: Ecn::NONE,
            hash: self.hash,
        })
    }

    /// A datagram arrives in the time measured.
    pub(crate) fn deliver(&mut self, packet: &Packet, now: Time) {
        self.delivered += 1;
        self.bytes += u64::from(packet.bytes);
        self.delays.add(now.since(packet.sent));
    }

    /// A datagram is lost in the time measured.
    pub(crate) fn lose(&mut self) {
        self.lost += 1;
    }

    /// Bytes delivered in the time measured.
    pub(crate) fn bytes(&self) -> Bytes {
        Bytes::new(self.bytes)
    }

    /// What became of its datagrams in the time measured.
    pub(crate) fn counts(&self) -> DatagramCounts {
        let &Self { sent, delivered, lost, .. } = self;
        let (mean_delay, p99_delay) = (self.delays.mean(), self.delays.p99());
        let offered = Bytes::new(self.offered);
        DatagramCounts { sent, offered, delivered, lost, mean_delay, p99_delay }
    }
}
