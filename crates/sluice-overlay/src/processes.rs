//! The loops of a router, a source and a sink. Each prints lines of `key=value` fields every half second: a router one
//! for each link, a source one, a sink one for each flow.

use std::collections::BTreeMap;
use std::io::{self, Write};

use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
use sluice_laws::ncp::NcpParams;
use sluice_laws::protocol::Protocol as _;
use sluice_units::{Bytes, Span, Time};

use crate::capacity::CapacityEstimate;
use crate::datagram::{MAX_LENGTH, MAX_NODES, OverlayDatagram};
use crate::endpoint::{Arrived, Endpoint};
use crate::error::OverlayError;
use crate::link::{GUESS, OverlayLink};
use crate::plan::LinkPlan;
use crate::source::OverlaySource;

/// Time between two reports.
pub const REPORT: Span = Span::from_millis(500);
/// Default of how long a source waits for answers: some SYNs, and far above the RTTs of the demonstration.
pub const PATIENCE: Span = Span::from_secs(3);
/// Datagrams that a router takes at one waking up; the others wait until packets left and were delivered.
const ROUND: usize = 256;
/// Size of data packets.
pub const PACKET: Bytes = Bytes::new(1_000);

/// Runs a router until the process is ended. Packets to a router at the end of one of its `links` wait for that
/// link; all others, to sources and sinks attached to it, leave at once.
pub fn router(port: u16, plans: Vec<LinkPlan>, params: &NcpParams) -> Result<(), OverlayError> {
    let mut endpoint = Endpoint::open(port, None)?;
    print_ready(&endpoint);
    let links = plans.into_iter().filter_map(|plan| OverlayLink::new(plan, params, PACKET));
    let mut links: Vec<OverlayLink> = links.collect();
    let mut inbound = BTreeMap::new();
    let mut report = Time::ZERO + REPORT;
    loop {
        let due = links.iter().map(OverlayLink::due).min().unwrap_or(Time::NEVER);
        let mut next = endpoint.receive(due.min(report))?;
        // What waits is seen at one instant: that of waking up.
        let mut now = endpoint.now();
        for _ in 0..ROUND {
            let Some(arrived) = next else { break };
            let is_from_router = links.iter().any(|link| link.to == arrived.from);
            if is_from_router {
                let estimate =
                    inbound.entry(arrived.from).or_insert_with(|| CapacityEstimate::new(GUESS));
                estimate.arrived(arrived.at, arrived.bytes, arrived.datagram.is_behind);
            }
            now = now.max(arrived.at);
            forward(&mut endpoint, &mut links, arrived, now)?;
            next = endpoint.receive(Time::ZERO)?;
        }
        for link in &mut links {
            let mut delivered = Vec::new();
            link.advance(now, |datagram| delivered.push(datagram));
            for datagram in &delivered {
                endpoint.send(datagram)?;
            }
        }
        if now >= report {
            report = now + REPORT;
            print_links(&endpoint, &mut links, &mut inbound, now);
        }
    }
}

/// Says that datagrams to this port arrive from now on.
fn print_ready(endpoint: &Endpoint) {
    print(&format!("ready={}", endpoint.port()));
}

/// Moves a datagram on by one node of its route.
fn forward(
    endpoint: &mut Endpoint,
    links: &mut [OverlayLink],
    arrived: Arrived,
    now: Time,
) -> Result<(), OverlayError> {
    let mut datagram = arrived.datagram;
    // A router is at neither end of a route.
    let Some(next) = datagram.next() else { return Ok(()) };
    let to = datagram.route[usize::from(next)];
    datagram.at = next;
    match links.iter_mut().find(|link| link.to == to) {
        Some(link) => {
            link.arrive(arrived.at, now, arrived.bytes, datagram);
            Ok(())
        }
        None => endpoint.send(&OverlayDatagram { is_behind: false, ..datagram }),
    }
}

fn print_links(
    endpoint: &Endpoint,
    links: &mut [OverlayLink],
    inbound: &mut BTreeMap<u16, CapacityEstimate>,
    now: Time,
) {
    for link in links {
        let report = link.report();
        let law: String =
            report.law.iter().map(|(name, value)| format!(" {name}={value:.4}")).collect();
        let inbound = inbound.get_mut(&link.to).map_or(0, |estimate| estimate.rate().as_bps());
        print(&format!(
            "time={:.3} router={} to={} outbound_bps={} inbound_bps={inbound} queue={} most={} drops={} malformed={}{law}",
            now.as_secs_f64(),
            endpoint.port(),
            link.to,
            report.estimate.as_bps(),
            report.queue.as_u64(),
            report.most.as_u64(),
            report.drops,
            endpoint.malformed(),
        ));
    }
}

/// When a source ends.
#[derive(Clone, Copy, Debug)]
pub struct SourceLimits {
    /// After so much time; `None` for never.
    pub duration: Option<Span>,
    /// When its route is silent for longer.
    pub patience: Span,
}

/// Runs a source until its time is over, or its route is silent. `route` has the ports of the routers and of the
/// sink.
pub fn source(
    port: u16,
    flow: u32,
    route: &[u16],
    limits: SourceLimits,
    params: &NcpParams,
) -> Result<(), OverlayError> {
    let [first, _, ..] = *route else {
        let what = "--route needs the ports of at least one router and of the sink, as 7001,8001";
        return Err(OverlayError::Argument(what.to_owned()));
    };
    if route.len() >= MAX_NODES {
        let what = format!("--route has {} ports; at most {}", route.len(), MAX_NODES - 1);
        return Err(OverlayError::Argument(what));
    }
    let mut endpoint = Endpoint::open(port, Some(first))?;
    let whole: Vec<u16> = [endpoint.port()].into_iter().chain(route.iter().copied()).collect();
    let mut source = OverlaySource::new(params, flow, whole, PACKET, endpoint.now());
    let SourceLimits { duration, patience } = limits;
    let end = duration.map_or(Time::NEVER, |duration| endpoint.now() + duration);
    let mut report = Time::ZERO + REPORT;
    while endpoint.now() < end {
        let due = source.due().min(report).min(end);
        let mut exchanged = endpoint.receive(due).map(|arrived| {
            if let Some(arrived) = arrived {
                source.on_answer(&arrived.datagram, arrived.at);
            }
        });
        let now = endpoint.now();
        while let Some(mut datagram) = source.send(now) {
            datagram.at = 1;
            exchanged = exchanged.and(endpoint.send(&datagram));
        }
        // Until the first answer, the router may be about to start.
        let is_patient = !source.is_open() && source.silence(now) <= patience;
        exchanged.or_else(|error| match error {
            OverlayError::Refused(_) if is_patient => Ok(()),
            error => Err(error),
        })?;
        if source.silence(now) > patience {
            return Err(OverlayError::Silent(route.to_vec(), patience));
        }
        if now >= report {
            report = now + REPORT;
            print_source(flow, &source, endpoint.malformed(), now);
        }
    }
    Ok(())
}

fn print_source(flow: u32, source: &OverlaySource, malformed: u64, now: Time) {
    let (sent, acked) = source.counts();
    let granted = source.granted().map_or(0, |rate| rate.as_bps());
    let rtt = source.rtt().map_or(0.0, |rtt| rtt.as_secs_f64() * 1e3);
    print(&format!(
        "time={:.3} flow={flow} sent={sent} acked={acked} granted_bps={granted} rtt_ms={rtt:.2} malformed={malformed}",
        now.as_secs_f64(),
    ));
}

/// Runs a sink until the process is ended: answers every packet, with the rate granted to it.
pub fn sink(port: u16, params: &NcpParams) -> Result<(), OverlayError> {
    let mut endpoint = Endpoint::open(port, None)?;
    print_ready(&endpoint);
    let mut received: BTreeMap<u32, Received> = BTreeMap::new();
    let mut report = Time::ZERO + REPORT;
    loop {
        if let Some(Arrived { datagram, bytes, .. }) = endpoint.receive(report)? {
            if datagram.is_forward() {
                received.entry(datagram.flow).or_default().add(&datagram, bytes);
            }
            let header = params.echo().echo(&mut WireHeader::default(), datagram.header);
            let mut answer = datagram.answer(header);
            if datagram.is_forward()
                && let Some(back) = answer.next()
            {
                answer.at = back;
                endpoint.send(&answer)?;
            }
        }
        let now = endpoint.now();
        if now >= report {
            report = now + REPORT;
            for (flow, received) in &received {
                print(&format!(
                    "time={:.3} sink={} flow={flow} bytes={} lost={} malformed={}",
                    now.as_secs_f64(),
                    endpoint.port(),
                    received.bytes,
                    received.lost(),
                    endpoint.malformed(),
                ));
            }
        }
    }
}

/// What a sink received of a flow.
#[derive(Default)]
struct Received {
    /// Bytes of data packets.
    bytes: u64,
    /// Packets, SYNs included.
    packets: u64,
    /// One above the highest sequence number of them.
    end: u64,
}

impl Received {
    fn add(&mut self, datagram: &OverlayDatagram, bytes: Bytes) {
        if datagram.kind == PacketKind::Data {
            self.bytes += bytes.as_u64();
        }
        self.packets += 1;
        self.end = self.end.max(datagram.seq.saturating_add(1));
    }

    /// Packets that were lost on the way.
    fn lost(&self) -> u64 {
        self.end.saturating_sub(self.packets)
    }
}

/// Prints a line at once. If nobody reads it, nothing is lost.
pub fn print(line: &str) {
    let mut out = io::stdout().lock();
    _ = writeln!(out, "{line}");
    _ = out.flush();
}

const _: () = assert!(PACKET.as_u64() as usize <= MAX_LENGTH);
