//! Router laws alone: what a packet and a control decision cost at a router, without queue and engine.

use std::hint::black_box;

use sluice_laws::WireHeader;
use sluice_laws::alpha_fair::{AlphaFairParams, PriceControl};
use sluice_laws::flow_counter::CounterKind;
use sluice_laws::host::{AckEvent, HostLaw, PacketKind, SendEvent, SenderContext};
use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::ncp_increments::{NcpIncrementsParams, Sharing};
use sluice_laws::protocol::{LinkContext, Protocol};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::{FlowId, LinkSample, RouterPort};
use sluice_laws::xcp::{Efficiency, RttGroups, Shuffle, XcpParams};
use sluice_units::{Bytes, Rate, Span, Time};

use crate::core_clock::CoreClock;

const PACKET: u32 = 1000;
const LINK: LinkContext =
    LinkContext { capacity: Rate::from_bps(155_000_000), packet: Bytes::new(PACKET as u64) };
/// Flows, with RTTs from 60 to 100 ms.
const FLOWS: u32 = 64;
/// Each has sent a packet this many times, with a decision after each, before the clock starts.
const ROUNDS: u64 = 20;
/// Packets between decisions of the router, about those of an RTT.
const PACKETS_PER_DECISION: u64 = 24 * FLOWS as u64;

/// A router law to time.
pub struct RouterBenchmark {
    pub name: String,
    protocol: ProtocolName,
    parameters: Parameters,
}

/// Each registered protocol with a router law, and variants of XCP's, NCP's and alpha-fair RCP's.
pub fn all() -> Vec<RouterBenchmark> {
    let parameters = Parameters::default();
    let has_law = |name: &&ProtocolName| parameters.protocol(**name).router(&LINK).is_some();
    let registered = ProtocolName::ALL.iter().filter(has_law);
    let mut all: Vec<RouterBenchmark> = registered
        .map(|&name| RouterBenchmark::new(&name.to_string(), name, parameters.clone()))
        .collect();
    let plain = XcpParams::default();
    let rtt_groups = RttGroups::new(&[70, 80, 90].map(Span::from_millis));
    let variants = [
        ("xcp-measured", XcpParams { measure_capacity: true, ..plain }),
        ("xcp-queue-alone", XcpParams { efficiency: Efficiency::Queue, ..plain }),
        ("xcp-need", XcpParams { shuffle: Shuffle::Need, ..plain }),
        ("xcp-groups", XcpParams { rtt_groups, ..plain }),
    ];
    all.extend(variants.map(|(name, xcp)| {
        RouterBenchmark::new(name, ProtocolName::Xcp, Parameters { xcp, ..parameters.clone() })
    }));
    let counters = [
        ("ncp-counted", CounterKind::Exact),
        ("ncp-bitmap", CounterKind::Bitmap),
        ("ncp-hyperloglog", CounterKind::HyperLogLog),
    ];
    all.extend(counters.map(|(name, counter)| {
        let ncp = NcpParams { counted: FlowCount::Eq12, counter, ..parameters.ncp };
        RouterBenchmark::new(name, ProtocolName::Ncp, Parameters { ncp, ..parameters.clone() })
    }));
    let alpha_fair =
        AlphaFairParams { efficiency: PriceControl::Xcp, ..AlphaFairParams::default() };
    let ncp = NcpParams { compensated: true, ..NcpParams::default() };
    let compensated = Parameters { ncp, ..parameters.clone() };
    all.push(RouterBenchmark::new("ncp-compensated", ProtocolName::Ncp, compensated));
    let ncp_increments =
        NcpIncrementsParams { sharing: Sharing::EqualShare, ..NcpIncrementsParams::default() };
    let equal = Parameters { ncp_increments, ..parameters.clone() };
    let name = "ncp_increments-equal-share";
    all.push(RouterBenchmark::new(name, ProtocolName::NcpIncrements, equal));
    let steered = Parameters { alpha_fair, ..parameters };
    all.push(RouterBenchmark::new("alpha_fair-xcp", ProtocolName::AlphaFair, steered));
    all
}

impl RouterBenchmark {
    fn new(name: &str, protocol: ProtocolName, parameters: Parameters) -> Self {
        Self { name: format!("router-{name}"), protocol, parameters }
    }

    /// Prints its line: times are the medians of `times` runs of so many packets.
    pub fn measure(&self, packets: u64, times: usize) {
        let protocol = self.parameters.protocol(self.protocol);
        let (mut station, headers) = Station::new(protocol);
        let decisions = packets / PACKETS_PER_DECISION;
        let mut seconds: Vec<[f64; 2]> = (0..times)
            .map(|_| {
                let passed = timed(|| station.pass(&headers, packets));
                [passed, timed(|| station.decide(decisions))]
            })
            .collect();
        seconds.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let [passed, decided] = seconds[times / 2];
        println!(
            "bench {} ns_per_packet={:.1} ns_per_decision={:.0} packets={packets}",
            self.name,
            passed * 1e9 / packets as f64,
            decided * 1e9 / decisions as f64,
        );
    }
}

fn timed(run: impl FnOnce()) -> f64 {
    let clock = CoreClock::start();
    run();
    clock.seconds()
}

/// A router law at its link.
struct Station {
    port: Box<dyn RouterPort>,
    since: Time,
}

impl Station {
    /// The law after some decisions, and a packet of each flow as it then leaves its sender.
    fn new(protocol: &dyn Protocol) -> (Self, Vec<WireHeader>) {
        let port = protocol.router(&LINK).expect("it has a router law");
        let mut own = Self { port, since: Time::ZERO };
        let mut flows: Vec<Flow> = (0..FLOWS).map(|number| Flow::new(protocol, number)).collect();
        for round in 0..=ROUNDS {
            let kind = if round == 0 { PacketKind::Syn } else { PacketKind::Data };
            for flow in &mut flows {
                let header = own.port.pass(flow.leaves(own.since, kind), PACKET);
                flow.is_answered(protocol, own.since, kind, header);
            }
            own.decide(1);
        }
        let now = own.since;
        let headers = flows.iter_mut().map(|flow| flow.leaves(now, PacketKind::Data)).collect();
        (own, headers)
    }

    /// Packets through the router, those of all flows in turn.
    fn pass(&mut self, headers: &[WireHeader], packets: u64) {
        if self.port.counts_flows() {
            return self.pass_flows(headers, packets);
        }
        for header in headers.iter().cycle().take(packets as usize) {
            black_box(self.port.pass(*header, PACKET));
        }
    }

    /// The same where the law counts flows.
    fn pass_flows(&mut self, headers: &[WireHeader], packets: u64) {
        for (number, header) in (0..).zip(headers).cycle().take(packets as usize) {
            self.port.on_flow(FlowId::new(number));
            black_box(self.port.pass(*header, PACKET));
        }
    }

    /// The next control decisions of the router, after as many packets as fill half of the link.
    fn decide(&mut self, decisions: u64) {
        for _ in 0..decisions {
            loop {
                let (timer, now) = self.port.next();
                let grants = now >= self.port.next_grant();
                let elapsed = now.since(self.since);
                self.port.tick(timer, &sample(now, self.since, elapsed));
                if grants {
                    self.since = now;
                    break;
                }
            }
        }
    }
}

fn sample(now: Time, since: Time, elapsed: Span) -> LinkSample {
    let queue = Bytes::new(u64::from(PACKET));
    LinkSample {
        now,
        since,
        capacity: LINK.capacity,
        queue,
        waiting: queue,
        min_queue: Bytes::ZERO,
        arrived: Bytes::new(LINK.capacity.bytes_in(elapsed).as_u64() / 2),
        dropped: Bytes::ZERO,
        drained: Some(LINK.capacity),
    }
}

/// A sender, and the state of its receiver.
struct Flow {
    sender: Box<dyn HostLaw>,
    receiver: WireHeader,
    rtt: Span,
}

impl Flow {
    fn new(protocol: &dyn Protocol, number: u32) -> Self {
        let rtt = Span::from_micros(60_000 + 625 * u64::from(number));
        let plain = SenderContext::new(Bytes::new(u64::from(PACKET)), Bytes::new(40));
        let profile = Some(Rate::from_bps(1_000_000));
        let sender = protocol.host(&SenderContext { profile, base_rtt: rtt, ..plain });
        Self { sender, receiver: WireHeader::default(), rtt }
    }

    fn leaves(&mut self, now: Time, kind: PacketKind) -> WireHeader {
        let srtt = (kind != PacketKind::Syn).then_some(self.rtt);
        self.sender.header(&SendEvent { srtt, in_flight: 1, ..SendEvent::new(now, kind, PACKET) })
    }

    fn is_answered(
        &mut self,
        protocol: &dyn Protocol,
        now: Time,
        kind: PacketKind,
        header: WireHeader,
    ) {
        let answer = protocol.echo().echo(&mut self.receiver, header);
        let kind = if kind == PacketKind::Syn { PacketKind::SynAck } else { PacketKind::Ack };
        let (rtt, acked) = (Some(self.rtt), u32::from(kind == PacketKind::Ack));
        let window = self.sender.window();
        let event = AckEvent::new(now + self.rtt, answer);
        self.sender.on_ack(&AckEvent {
            kind,
            rtt,
            srtt: rtt,
            min_rtt: rtt,
            acked,
            delivered: acked,
            in_flight: window,
            used: window,
            ..event
        });
    }
}
