//! Random events of a law: often edge cases, otherwise numbers of every magnitude.

use proptest::prelude::*;
use proptest::sample::select;
use sluice_laws::WireHeader;
use sluice_laws::host::{PacketKind, RateSample};
use sluice_laws::router::CompetingTraffic;
use sluice_laws::telemetry::HopReading;
use sluice_sim::limits::CAPACITY;
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

/// Parameters of a case.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub capacity: Rate,
    pub packet: Bytes,
    pub control: Bytes,
    /// The part of the link that the router law begins with, if it may move it.
    pub weight: Option<Ratio>,
    pub hops: u32,
    pub line_rate: Rate,
    pub base_rtt: Span,
}

/// One event at the sender, router or receiver.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// Time passes.
    Pass(Span),
    /// The sender gets an ACK with any header.
    Ack { answer: Answer, header: WireHeader },
    /// The sender detects a loss.
    Lost { in_flight: u32 },
    /// This number of the sender's packets is newly found lost.
    MarkedLost(u32),
    /// The sender gets a delivery rate sample.
    Sampled(RateSample),
    /// The sender gets what this number of links, at most 20, report.
    Reported { hops: u32, reading: HopReading },
    /// The sender's recovery ends.
    Recovered,
    /// The sender's packets take another path, of this number of links.
    Rerouted { hops: u32 },
    /// The sender's timer expires.
    Rto { in_flight: u32, first: bool },
    /// The sender sends.
    Send(Packet),
    /// A packet of the sender passes the router and the receiver, and its ACK returns.
    RoundTrip { packet: Packet, answer: Answer },
    /// The receiver gets a packet with any header.
    Heard(WireHeader),
    /// The receiver acknowledges.
    Answered,
    /// Any packet reaches the router.
    Arrive { header: WireHeader, bytes: u32 },
    /// Any packet is stamped.
    Stamp { header: WireHeader, bytes: u32 },
    /// The router's next timer ticks.
    Tick { when: When, seen: Seen },
}

/// A departing packet, without its time.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    pub kind: PacketKind,
    pub bytes: u32,
    pub srtt: Option<Span>,
    pub in_flight: u32,
    pub backlogged: bool,
    /// Packets that follow, if the flow has an end.
    pub left: Option<u32>,
}

/// Contents of an ACK, without its time and header.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub kind: PacketKind,
    pub rtt: Option<Span>,
    pub srtt: Option<Span>,
    pub min_rtt: Option<Span>,
    pub acked: u32,
    pub marked: u32,
    pub in_flight: u32,
    pub used: u32,
    pub recovering: bool,
}

/// Time of a timer's tick.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// At the time that the law requested.
    Asked,
    /// This long after its last tick, early or late.
    After(Span),
}

/// Measurements of the link.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// A new capacity, if it changed.
    pub capacity: Option<Rate>,
    pub queue: Bytes,
    pub waiting: Bytes,
    pub min_queue: Bytes,
    pub arrived: Bytes,
    pub dropped: Bytes,
    pub drained: Option<Rate>,
    /// What the traffic of the other class adds to its counts.
    pub competing: CompetingTraffic,
}

/// Any link of the engine's: 1 kb/s to 100 Tb/s, with packets of 1 byte to 64 KiB.
pub fn start() -> impl Strategy<Value = Start> {
    let path = (number(), capacity(), years());
    let weight = prop::option::of((0.01..=0.99).prop_map(Ratio::new));
    (capacity(), weight, 1..=65_535_u64, 1..=65_535_u64, path).prop_map(
        |(capacity, weight, packet, control, (hops, line_rate, base_rtt))| Start {
            capacity,
            weight,
            packet: Bytes::new(packet),
            control: Bytes::new(control.min(packet)),
            hops: hops.max(1),
            line_rate,
            base_rtt,
        },
    )
}

/// Any operation.
pub fn any() -> impl Strategy<Value = Operation> {
    prop_oneof![
        1 => years().prop_map(Operation::Pass),
        1 => (answer(), header()).prop_map(|(answer, header)| Operation::Ack { answer, header }),
        1 => number().prop_map(|in_flight| Operation::Lost { in_flight }),
        1 => number().prop_map(Operation::MarkedLost),
        3 => sample().prop_map(Operation::Sampled),
        3 => (number(), reading())
            .prop_map(|(hops, reading)| Operation::Reported { hops: hops % 21, reading }),
        1 => Just(Operation::Recovered),
        1 => number().prop_map(|hops| Operation::Rerouted { hops: hops.max(1) }),
        1 => (number(), prop::bool::ANY)
            .prop_map(|(in_flight, first)| Operation::Rto { in_flight, first }),
        1 => packet().prop_map(Operation::Send),
        3 => (packet(), answer())
            .prop_map(|(packet, answer)| Operation::RoundTrip { packet, answer }),
        1 => header().prop_map(Operation::Heard),
        1 => Just(Operation::Answered),
        2 => (header(), number()).prop_map(|(header, bytes)| Operation::Arrive { header, bytes }),
        2 => (header(), number()).prop_map(|(header, bytes)| Operation::Stamp { header, bytes }),
        3 => (when(), seen()).prop_map(|(when, seen)| Operation::Tick { when, seen }),
    ]
}

fn packet() -> impl Strategy<Value = Packet> {
    let left = prop::option::of(number());
    (kind(), number(), maybe_rtt(), number(), prop::bool::ANY, left).prop_map(
        |(kind, bytes, srtt, in_flight, backlogged, left)| Packet {
            kind,
            bytes,
            srtt,
            in_flight,
            backlogged,
            left,
        },
    )
}

fn answer() -> impl Strategy<Value = Answer> {
    let rtts = (maybe_rtt(), maybe_rtt(), maybe_rtt());
    let counts = (number(), number(), number(), number());
    (kind(), rtts, counts, prop::bool::ANY).prop_map(
        |(kind, (rtt, srtt, min_rtt), (acked, marked, in_flight, used), recovering)| Answer {
            kind,
            rtt,
            srtt,
            min_rtt,
            acked,
            marked,
            in_flight,
            used,
            recovering,
        },
    )
}

fn sample() -> impl Strategy<Value = RateSample> {
    let counts = (number(), number(), number(), number(), number());
    (counts, maybe_rtt(), prop::bool::ANY).prop_map(
        |((delivered, prior, in_flight_at_send, lost, newly_lost), interval, app_limited)| {
            RateSample {
                sent: Time::ZERO,
                delivered: delivered.into(),
                prior_delivered: prior.into(),
                interval: interval.filter(|&interval| interval > Span::ZERO),
                app_limited,
                in_flight_at_send,
                lost: lost.into(),
                newly_lost: newly_lost.into(),
            }
        },
    )
}

fn reading() -> impl Strategy<Value = HopReading> {
    (0..3_u32, capacity(), years(), number(), bytes()).prop_map(
        |(link, capacity, at, sent, queue)| HopReading {
            link,
            capacity,
            at: Time::ZERO + at,
            sent: sent.into(),
            queue,
        },
    )
}

fn when() -> impl Strategy<Value = When> {
    prop_oneof![2 => Just(When::Asked), 1 => years().prop_map(When::After)]
}

fn seen() -> impl Strategy<Value = Seen> {
    let changed = prop_oneof![4 => Just(None), 1 => capacity().prop_map(Some)];
    let drained = prop_oneof![1 => Just(None), 2 => capacity().prop_map(Some)];
    let sizes = (bytes(), bytes(), bytes(), bytes(), bytes());
    (changed, sizes, drained, competing()).prop_map(
        |(capacity, (queue, waiting, min_queue, arrived, dropped), drained, competing)| Seen {
            capacity,
            queue,
            waiting,
            min_queue,
            arrived,
            dropped,
            drained,
            competing,
        },
    )
}

fn competing() -> impl Strategy<Value = CompetingTraffic> {
    (large(), large(), large(), large(), bytes()).prop_map(
        |(packets, bytes, squares, lost, waiting)| CompetingTraffic {
            packets,
            bytes,
            squares,
            lost,
            waiting,
            // That of the link, at the tick.
            ..CompetingTraffic::default()
        },
    )
}

fn kind() -> impl Strategy<Value = PacketKind> {
    select(
        &[
            PacketKind::Syn,
            PacketKind::SynAck,
            PacketKind::Data,
            PacketKind::Ack,
            PacketKind::Probe,
            PacketKind::ProbeAck,
        ][..],
    )
}

fn header() -> impl Strategy<Value = WireHeader> {
    [number(), number(), number(), number()].prop_map(WireHeader::new)
}

fn capacity() -> impl Strategy<Value = Rate> {
    let (min, max) = (CAPACITY.start().as_bps(), CAPACITY.end().as_bps());
    let any = (min..=max, 0..37_u32).prop_map(|(bps, shift)| bps >> shift);
    prop_oneof![Just(min), Just(max), any].prop_map(move |bps| Rate::from_bps(bps.max(min)))
}

fn maybe_rtt() -> impl Strategy<Value = Option<Span>> {
    prop_oneof![1 => Just(None), 4 => large().prop_map(|ns| Some(Span::from_nanos(ns)))]
}

/// Zero to 36 years, the longest that a run may be.
fn years() -> impl Strategy<Value = Span> {
    large().prop_map(|ns| Span::from_nanos(ns >> 4))
}

fn bytes() -> impl Strategy<Value = Bytes> {
    large().prop_map(Bytes::new)
}

/// A number of any magnitude.
fn large() -> impl Strategy<Value = u64> {
    let any = (proptest::num::u64::ANY, 0..64_u32).prop_map(|(bits, shift)| bits >> shift);
    prop_oneof![1 => Just(0), 1 => Just(u64::MAX), 8 => any]
}

/// A number of any magnitude, or at the limit of a sign or range.
fn number() -> impl Strategy<Value = u32> {
    let any = (proptest::num::u32::ANY, 0..32_u32).prop_map(|(bits, shift)| bits >> shift);
    prop_oneof![4 => any, 1 => select(&[0, 1, (1 << 31) - 1, 1 << 31, u32::MAX][..])]
}
