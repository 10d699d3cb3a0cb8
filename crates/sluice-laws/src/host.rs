//! Host laws: events in, a window and a pacing rate out.
//!
//! A host law decides how much may be in flight and how fast it leaves. Which packets leave is decided by
//! the loss recovery of [`crate::tcp`], which every protocol uses.
//! A window-based law is ack-clocked (`rate` is `None`); a rate-based one is paced.

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use crate::WireHeader;
use crate::conduct::Conduct;
use crate::telemetry::HopReading;
use crate::transport::Transport;

/// The flow of a sender, as it begins.
#[derive(Clone, Copy, Debug)]
pub struct SenderContext {
    /// Size of a full data packet on the wire.
    pub packet: Bytes,
    /// Size of a packet without data on the wire (SYN, ACK, probe).
    pub control: Bytes,
    /// The number of flows it counts as: throughputs at one bottleneck are in proportion. In the range
    /// of [`crate::protocol::Protocol::weights`]; laws without weights ignore it.
    pub weight: Ratio,
    /// The rate that it asks of the network as a guarantee; one that
    /// [`crate::protocol::Protocol::check_profile`] accepts.
    pub profile: Option<Rate>,
    /// How it departs from its law; one that [`crate::protocol::Protocol::check_conduct`] accepts.
    pub conduct: Conduct,
    /// Seeds what the sender draws at random.
    pub seed: u64,
    /// Whether its receiver may acknowledge two packets at once.
    pub delayed_ack: bool,
    /// The initial window in packets, in the range of [`Transport::INITIAL_WINDOWS`].
    pub initial_window: u32,
    /// Whether acknowledgements are selective, so that several losses of a round trip are found in it.
    pub selective: bool,
    /// Number of links from the sender to the receiver as the flow begins, at least 1. Where its packets
    /// take several paths in turn, these have equally many.
    pub hops: u32,
    /// Capacity of the first link of its data path, as a host knows it of its own interface.
    pub line_rate: Rate,
    /// RTT of a full data packet and its acknowledgement over the path as the flow begins, without queues, as
    /// operators of data centres know it. Laws for other networks measure it.
    pub base_rtt: Span,
}

impl SenderContext {
    /// A flow of weight 1 over one link of 10 Gb/s and 100 us, with the default initial window and loss recovery.
    pub const fn new(packet: Bytes, control: Bytes) -> Self {
        Self {
            packet,
            control,
            weight: Ratio::new(1.0),
            profile: None,
            conduct: Conduct::HONEST,
            seed: 0,
            delayed_ack: false,
            initial_window: Transport::DEFAULT.initial_window,
            selective: true,
            hops: 1,
            line_rate: Rate::from_bps(10_000_000_000),
            base_rtt: Span::from_micros(100),
        }
    }
}

/// What a sender may send, as of the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Most packets that may be in flight.
    pub window: u32,
    /// Pace of data packets, in bytes on the wire; `None` if packets leave as the window opens.
    pub rate: Option<Rate>,
    /// Silence after which a header without data is sent to learn the rate (RCP's REF); `None` for never.
    pub probe: Option<Span>,
}

/// The kind of a packet, as far as headers depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// Opens the connection and requests the first rate.
    Syn,
    /// Carries data.
    Data,
    /// Carries only a header (RCP's REF).
    Probe,
    /// Answers a SYN.
    SynAck,
    /// Acknowledges data.
    Ack,
    /// Answers a probe.
    ProbeAck,
    /// Belongs to a stream that does not respond to congestion: no header, no reply, no host law.
    Datagram,
}

/// The treatment that a packet gets from the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// That of its flow: the class of its group, and the header of its protocol.
    Own,
    /// Best effort: the lowest class, and the header of [`crate::protocol::Protocol::best_effort`].
    BestEffort,
}

/// What a sender has found out about its flow beyond its rate, where its protocol asks the network or checks its
/// receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowStatus {
    /// It has asked for a profile, and has no answer.
    Asking,
    /// Its profile is guaranteed.
    Admitted,
    /// Its profile was denied. It sends nothing, unless it asks again.
    Denied,
    /// Its profile was denied, and it is a flow of the best-effort protocol since.
    BestEffort,
    /// Its receiver lies about feedback.
    LyingReceiver,
    /// It is a flow of the best-effort protocol, since its path or its receiver does not support its own.
    Reverted,
}

impl FlowStatus {
    /// Its name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asking => "asking",
            Self::Admitted => "admitted",
            Self::Denied => "denied",
            Self::BestEffort => "best_effort",
            Self::LyingReceiver => "lying_receiver",
            Self::Reverted => "reverted",
        }
    }
}

/// A packet about to leave the sender.
///
/// Literals may leave fields to [`SendEvent::new`]: `SendEvent { srtt, ..SendEvent::new(now, kind, bytes) }`.
#[derive(Clone, Copy, Debug)]
pub struct SendEvent {
    /// The sender's clock.
    pub now: Time,
    /// Its kind.
    pub kind: PacketKind,
    /// Of data: its number in the flow, from 0. A retransmission has that of the packet which it repeats.
    pub seq: u64,
    /// Its size on the wire.
    pub bytes: u32,
    /// Smoothed RTT (RFC 6298), or `None` before the first sample.
    pub srtt: Option<Span>,
    /// Packets in flight before this one.
    pub in_flight: u32,
    /// Whether the sender has enough data to fill its window.
    pub backlogged: bool,
    /// Data packets that the sender has yet to send after this one, as far as it knows: those never sent, and those
    /// found lost and not sent again since. [`u64::MAX`] without an end, as where the application stops at a time or
    /// pauses. A SYN has all of the flow's packets after it, a probe all that are left.
    ///
    /// It falls by one a data packet, and rises as losses are found: so a flow may have several packets with nothing
    /// left after them ([`SendEvent::is_last`]). Reno and NewReno find one loss at a time.
    pub left: u64,
    /// Whether this data packet was sent before.
    pub again: bool,
}

impl SendEvent {
    /// A first transmission of a sender without an end, with nothing in flight and no RTT sample.
    pub const fn new(now: Time, kind: PacketKind, bytes: u32) -> Self {
        Self {
            now,
            kind,
            seq: 0,
            bytes,
            srtt: None,
            in_flight: 0,
            backlogged: true,
            left: u64::MAX,
            again: false,
        }
    }

    /// [`SendEvent::left`] in bytes on the wire, with full data packets of `packet` bytes. The last packet of a flow
    /// may be smaller, so this is an upper bound. [`u64::MAX`] without an end.
    #[inline]
    pub const fn left_bytes(&self, packet: u32) -> u64 {
        self.left.saturating_mul(packet as u64)
    }

    /// Whether it is the last data packet of the flow, unless one is found lost later.
    #[inline]
    pub fn is_last(&self) -> bool {
        self.left == 0 && self.kind == PacketKind::Data
    }
}

/// An acknowledgement, of a SYN or a probe too, that reached the sender. As for [`SendEvent`],
/// [`AckEvent::new`] has the defaults.
#[derive(Clone, Copy, Debug)]
pub struct AckEvent {
    /// The sender's clock.
    pub now: Time,
    /// Its kind: [`PacketKind::SynAck`], [`PacketKind::Ack`] or [`PacketKind::ProbeAck`].
    pub kind: PacketKind,
    /// Its congestion header.
    pub header: WireHeader,
    /// Its RTT sample, if it gave one.
    pub rtt: Option<Span>,
    /// Smoothed RTT (RFC 6298) with that sample in it.
    pub srtt: Option<Span>,
    /// Least RTT sampled so far.
    pub min_rtt: Option<Span>,
    /// Packets newly acknowledged in sequence; 0 for a duplicate.
    pub acked: u32,
    /// Packets newly delivered, in sequence or selectively.
    pub delivered: u32,
    /// Packets that it newly reports as marked, where the protocol's ECN feedback counts them
    /// ([`crate::tcp::EcnFeedback`]); else 0, and a mark is a [`CongestionEvent`].
    pub marked: u32,
    /// When the packet that it answers left.
    pub sent: Time,
    /// Packets in flight after it.
    pub in_flight: u32,
    /// Most packets that were in flight at once during the last window, for laws that must not
    /// grow or must age an unused window.
    pub used: u32,
    /// Whether the sender is repairing a loss, or this echoes a mark (RFC 3168 section 6.1.2): the
    /// window must not grow.
    pub recovering: bool,
}

/// How fast the path delivered what was in flight, measured from the newest packet acknowledged
/// (draft-ietf-ccwg-bbr: "RS"). Counts are packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSample {
    /// When that packet left.
    pub sent: Time,
    /// Packets delivered from then until now.
    pub delivered: u64,
    /// Packets delivered before it left, over the flow's life: where this reaches the count at which a
    /// round began, the round is over.
    pub prior_delivered: u64,
    /// The time that `delivered` took: that in which these packets left or that in which they were
    /// acknowledged, whichever is longer. `None` where it is shorter than the minimum RTT, which no
    /// delivery takes.
    pub interval: Option<Span>,
    /// Whether the application, not the window or the pace, limited what was sent.
    pub app_limited: bool,
    /// Packets in flight as it left, itself included.
    pub in_flight_at_send: u32,
    /// Packets found lost since it left.
    pub lost: u64,
    /// Packets found lost since the last sample.
    pub newly_lost: u64,
}

impl RateSample {
    /// The delivery rate of packets of that size; `None` without a valid interval.
    pub fn rate(&self, packet: Bytes) -> Option<Rate> {
        let bits = self.delivered as f64 * packet.as_f64() * 8.0;
        self.interval.map(|interval| Rate::from_bps_f64(bits / interval.as_secs_f64()))
    }
}

impl AckEvent {
    /// An acknowledgement with this header that acknowledges nothing new.
    pub const fn new(now: Time, header: WireHeader) -> Self {
        Self {
            now,
            kind: PacketKind::Ack,
            header,
            rtt: None,
            srtt: None,
            min_rtt: None,
            acked: 0,
            delivered: 0,
            marked: 0,
            sent: now,
            in_flight: 0,
            used: 0,
            recovering: false,
        }
    }

    /// Whether it acknowledges data of a sender that uses at least half of its window of `window`
    /// packets, the test of RFC 7661 section 4.1: a window that is not used shows nothing about the
    /// path and must not grow. Half, since slow start raises it by as much within the RTT that fills it.
    pub(crate) fn fills(&self, window: u32) -> bool {
        let used = self.used.max(self.in_flight.saturating_add(self.acked));
        self.kind == PacketKind::Ack && self.acked > 0 && used >= window / 2
    }
}

/// Congestion: a loss found without a time-out, reported once a recovery episode; or, where the
/// transport uses ECN, a router's mark, which counts as a loss (RFC 3168 section 6.1.2).
#[derive(Clone, Copy, Debug)]
pub struct CongestionEvent {
    /// The sender's clock.
    pub now: Time,
    /// Packets in flight (FlightSize, RFC 5681) as it was found.
    pub in_flight: u32,
}

impl CongestionEvent {
    /// Congestion found with that many packets in flight.
    pub const fn new(now: Time, in_flight: u32) -> Self {
        Self { now, in_flight }
    }
}

/// A retransmission time-out.
#[derive(Clone, Copy, Debug)]
pub struct RtoEvent {
    /// The sender's clock.
    pub now: Time,
    /// Packets in flight as the timer expired.
    pub in_flight: u32,
    /// Whether this is the first time-out for the segment now repeated (RFC 5681 section 3.1).
    pub first: bool,
}

impl RtoEvent {
    /// A first time-out with that many packets in flight.
    pub const fn new(now: Time, in_flight: u32) -> Self {
        Self { now, in_flight, first: true }
    }
}

/// The sender's side of a protocol, one for each flow. No method allocates.
pub trait HostLaw: Send {
    /// An acknowledgement arrived. The first is a [`PacketKind::SynAck`], of which there is one; without an
    /// RTT sample, and before any packet left, if the connection was open already.
    fn on_ack(&mut self, event: &AckEvent);
    /// [`HostLaw::on_ack`], then [`HostLaw::window`], in one dynamic call: every acknowledgement needs both.
    fn on_ack_and_window(&mut self, event: &AckEvent) -> u32 {
        self.on_ack(event);
        self.window()
    }
    /// Whether [`HostLaw::on_rate_sample`] is to be called; asked once, as the flow begins. Samples cost
    /// a record for each instant at which packets leave, so other laws do without.
    fn needs_rate_samples(&self) -> bool {
        false
    }
    /// An acknowledgement completed a delivery rate sample; its [`HostLaw::on_ack`] follows.
    fn on_rate_sample(&mut self, _sample: &RateSample) {}
    /// An acknowledgement returned what the links of the data path reported in the packet that it answers, in
    /// order ([`crate::protocol::Protocol::collects_telemetry`]); its [`HostLaw::on_ack`] follows.
    fn on_telemetry(&mut self, _hops: &[HopReading]) {}
    /// The packets from now on take a data path of `hops` links, another than before.
    fn on_new_path(&mut self, _hops: u32) {}
    /// Packets were marked lost: `lost` of the flow so far, each as often as it was.
    fn on_packets_lost(&mut self, _lost: u64) {}
    /// A loss was found without a time-out, or congestion without a loss.
    fn on_congestion(&mut self, event: &CongestionEvent);
    /// The episode that [`HostLaw::on_congestion`] began is over: all of it is repaired.
    fn on_recovered(&mut self) {}
    /// The retransmission timer expired.
    fn on_rto(&mut self, event: &RtoEvent);
    /// Most packets that may be in flight now.
    fn window(&self) -> u32;
    /// The window in packets that the sender has on average, with its fraction; by default [`HostLaw::window`].
    fn mean_window(&self) -> f64 {
        f64::from(self.window())
    }
    /// See [`Control::rate`]. A law that paces does so from its first acknowledgement on.
    fn rate(&self) -> Option<Rate> {
        None
    }
    /// See [`Control::probe`]. Read only for laws that pace.
    fn probe_after(&self) -> Option<Span> {
        None
    }
    /// Window, rate and probe interval together.
    fn control(&self) -> Control {
        Control { window: self.window(), rate: self.rate(), probe: self.probe_after() }
    }
    /// The header of a packet about to leave.
    fn header(&mut self, out: &SendEvent) -> WireHeader;
    /// The service of the packet whose header was asked for last. Read only for flows of protocols with
    /// best-effort packets; its own by default.
    fn service(&self) -> Service {
        Service::Own
    }
    /// What it has found out about its flow. By default nothing.
    fn status(&self) -> Option<FlowStatus> {
        None
    }
    /// Calls `out` with the name and value of each quantity worth plotting (cwnd in packets, rate
    /// in bits a second, ...). Names and order never change.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64));
}

/// The receiver's side of a protocol: how headers of data packets come back in acknowledgements.
pub trait Echo: Send + Sync {
    /// A packet with this header arrived. `pending` is the state for the next acknowledgement, at
    /// first that of [`crate::protocol::Protocol::receiver`].
    fn on_data(&self, pending: &mut WireHeader, header: &WireHeader);
    /// The header of the acknowledgement that leaves now. What it cannot carry stays in `pending`.
    fn ack_header(&self, pending: &mut WireHeader) -> WireHeader;
    /// Both in one call, for a packet that is acknowledged as it arrives.
    fn echo(&self, pending: &mut WireHeader, header: WireHeader) -> WireHeader {
        self.on_data(pending, &header);
        self.ack_header(pending)
    }
}

/// The receiver's side of a protocol without a congestion header.
#[derive(Clone, Copy, Debug)]
pub struct NoHeader;

impl Echo for NoHeader {
    fn on_data(&self, _pending: &mut WireHeader, _header: &WireHeader) {}

    fn ack_header(&self, _pending: &mut WireHeader) -> WireHeader {
        WireHeader::default()
    }
}
