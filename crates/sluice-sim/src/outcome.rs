//! Results of a run.

use sluice_laws::host::FlowStatus;
use sluice_units::{Bytes, Rate, Span, Time};

use crate::cloud::IngressOutcome;
use crate::police::PoliceOutcome;

/// Result of one flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowRecord {
    /// Place of its group in [`crate::Config::groups`].
    pub group: usize,
    /// Its place among the group's arrivals, from 0.
    pub index: u64,
    /// When its SYN left, or its first data where connections are open already.
    pub start: Time,
    /// Its data, without headers; `None` for a flow that sends until it is stopped.
    pub size: Option<Bytes>,
    /// Completion time: from its start to the last byte's arrival (PS 3.1); `None` if unfinished.
    pub completion: Option<Span>,
    /// Time from its start until its sender has the acknowledgement of its last byte; `None` if unfinished, and
    /// without a size.
    pub acknowledged: Option<Span>,
    /// Completion time of the same flow alone on the empty path: SYN exchange, then the data at
    /// the path's lowest capacity; where capacity varies, at the nominal one, so a flow that finds more
    /// takes less. Slowdown is `completion / alone`. `None` without a size.
    pub alone: Option<Span>,
    /// Data packets retransmitted over its life; without a size, up to `stop`.
    pub retransmissions: u64,
    /// Those of them that left in [warm-up, stop), the time over which a link's `drops` are counted.
    pub resent: u64,
    /// Data (without headers) that reached the receiver in [warm-up, stop], each byte once.
    pub delivered: Bytes,
    /// Whether it arrived in [warm-up, stop).
    pub measured: bool,
    /// What its sender found out by the end ([`sluice_laws::host::HostLaw::status`]).
    pub status: Option<FlowStatus>,
}

impl FlowRecord {
    /// The record at the `end` of the run, without what comes later.
    pub(crate) fn until(self, end: Time) -> Self {
        let in_time = |took: &Span| self.start + *took <= end;
        Self {
            completion: self.completion.filter(in_time),
            acknowledged: self.acknowledged.filter(in_time),
            ..self
        }
    }

    /// Data that it offers in the measured time: its size, or nothing if it has none or is not measured.
    pub fn offered(&self) -> Bytes {
        self.size.filter(|_| self.measured).unwrap_or(Bytes::ZERO)
    }
}

/// Result of one stream of datagrams ([`crate::traffic::Udp`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamRecord {
    /// Place of its group in [`crate::Config::groups`].
    pub group: usize,
    /// Its place among the group's streams, from 0.
    pub index: u64,
    /// When it began.
    pub start: Time,
    /// Bytes of its datagrams, with headers, that reached the receiver in [warm-up, stop).
    pub delivered: Bytes,
    /// What became of its datagrams; `None` under an ideal, which has no packets.
    pub datagrams: Option<DatagramCounts>,
    /// Whether it began in [warm-up, stop).
    pub measured: bool,
}

/// The datagrams of one stream in [warm-up, stop): each event counts if it happens then. Those sent
/// are delivered, lost or still in flight at the end, and some delivered or lost may have been sent
/// before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatagramCounts {
    /// Datagrams sent.
    pub sent: u64,
    /// Their bytes, with headers.
    pub offered: Bytes,
    /// Datagrams delivered.
    pub delivered: u64,
    /// Datagrams dropped by queues or lost on wires.
    pub lost: u64,
    /// Mean time from sender to receiver; `None` if none was delivered.
    pub mean_delay: Option<Span>,
    /// 99th percentile of that time, to 3 %.
    pub p99_delay: Option<Span>,
}

/// Result of one link over [warm-up, stop].
#[derive(Clone, Debug, PartialEq)]
pub struct LinkOutcome {
    /// Bytes transmitted over those that could have been, capacity x time if it is constant; in
    /// [0, 1].
    pub utilization: f64,
    /// Bytes transmitted, with what had left of packets that an outage cut.
    pub sent: Bytes,
    /// Mean queue over time, with the packet in transmission.
    pub mean_queue: Bytes,
    /// 99th percentile over time of the queue (within 3%).
    pub p99_queue: Bytes,
    /// Largest queue.
    pub max_queue: Bytes,
    /// Packets the queue dropped, and those lost in it or refused in an outage
    /// ([`crate::schedule::OnDown::Drop`]).
    pub drops: u64,
    /// Those of them dropped while there was room.
    pub early_drops: u64,
    /// Packets the queue marked (RFC 3168).
    pub marks: u64,
    /// Packets lost on the wire, also to an outage.
    pub errors: u64,
    /// What its policing agent did; `None` without one, and where no flows have a protocol that it tests.
    pub police: Option<PoliceOutcome>,
    /// What became of packets in queues of macro-flows; `None` where none enters a cloud.
    pub ingress: Option<IngressOutcome>,
}

/// Packets over the whole run: `sent = delivered + dropped + in_flight`.
///
/// For benchmarks and tests, not a result: where a run ends as soon as its flows have finished,
/// elements that ran ahead have carried packets past that end, so the counts depend on lookahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketTotals {
    /// Packets of every kind that hosts put on their first link.
    pub sent: u64,
    /// Packets that reached their host.
    pub delivered: u64,
    /// Data packets among those delivered, repeats included.
    pub data_delivered: u64,
    /// Packets dropped by queues and lost on wires.
    pub dropped: u64,
    /// Packets still in queues and on wires at the end, counted there.
    pub in_flight: u64,
    /// Links crossed by delivered packets.
    pub hops: u64,
    /// Events: packets that waited on wires, hosts' first timers, releases of held packets.
    pub events: u64,
}

/// Results of a run, except for flows and samples, which the observer got as it went on.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// When the run ended.
    pub end: Time,
    /// Whether [`crate::Observer::tick`] ended it early.
    pub interrupted: bool,
    /// Flows measured, finished or not.
    pub measured: u64,
    /// Measured flows that had not finished when the run ended.
    pub unfinished: u64,
    /// Offered load: data of the measured flows over the time measured.
    pub offered: Rate,
    /// Data packets retransmitted in [warm-up, stop) by all flows, those that arrived before too.
    pub resent: u64,
    /// One for each link, in the order of [`crate::Config::links`].
    pub links: Vec<LinkOutcome>,
    /// Packet counts.
    pub totals: PacketTotals,
}
