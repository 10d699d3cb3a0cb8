//! The traffic that a group offers.

use sluice_units::{Bytes, Span, Time};

use crate::config::Config;
use crate::rng::Streams;
use crate::route::Paths;
use crate::traffic::{Long, Traffic, TrafficContext, Udp};

/// The number of flows, over all groups, up to which arrivals are drawn, so that an estimate of a short
/// run is that of its own flows. Of more, the expectation is near enough.
const DRAWN: usize = 10_000;

/// The traffic that a group offers until some instant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Demand {
    /// Number of flows.
    pub(super) flows: f64,
    /// Packets of flows with a size, and their bytes on the wire.
    pub(super) packets: f64,
    pub(super) bytes: f64,
    /// Number of flows without a size.
    pub(super) endless: f64,
    /// How long some of them send.
    pub(super) sending: Span,
    /// Datagrams of streams, which no congestion slows down, and their bytes.
    pub(super) datagrams: f64,
    pub(super) streamed: f64,
    /// Number of flows that start at the same instant.
    pub(super) burst: f64,
}

impl Demand {
    /// The traffic of group `number` until `end`.
    pub(super) fn of(config: &Config, paths: &Paths, number: usize, end: Time) -> Self {
        let group = &config.groups[number];
        let burst = match &group.traffic {
            Traffic::Long(long) => return Self::endless(long, end),
            Traffic::Udp(udp) => {
                return Self::streams(udp, &paths.traffic_context(config), end);
            }
            Traffic::List(flows) => {
                let arrived = flows.iter().filter(|flow| flow.start < end);
                return Self::of_sizes(config, arrived.map(|flow| flow.size));
            }
            Traffic::Incast(incast) => incast.senders as f64,
            _ => 1.0,
        };
        let context = paths.traffic_context(config);
        let (flows, size) = group.traffic.expected(&context, end);
        let found = if flows > (DRAWN / config.groups.len()) as f64 {
            Self::expected(config, flows.max(burst), size)
        } else {
            let streams = Streams::new(config.seed, &group.name);
            let arrivals = group.traffic.arrivals(&context, &streams);
            let arrived = arrivals.take_while(|flow| flow.start < end);
            Self::of_sizes(config, arrived.filter_map(|flow| flow.size))
        };
        Self { burst, ..found }
    }

    fn endless(long: &Long, end: Time) -> Self {
        let stop = long.stop.min(end);
        let sending = stop.since(long.first());
        let flows = if sending > Span::ZERO { long.started(stop) } else { 0.0 };
        Self { flows, endless: flows, sending, ..Self::default() }
    }

    fn streams(udp: &Udp, context: &TrafficContext, end: Time) -> Self {
        let stream = udp.steady(context);
        let sending = stream.stop.min(end).since(udp.start);
        let streamed = stream.rate * udp.count as f64 * sending.as_secs_f64();
        let flows = if sending > Span::ZERO { udp.count as f64 } else { 0.0 };
        let datagrams = streamed / udp.datagram();
        // They live until the end of the run.
        Self { flows, endless: 0.0, datagrams, streamed, burst: flows, ..Self::default() }
    }

    fn of_sizes(config: &Config, sizes: impl Iterator<Item = Bytes>) -> Self {
        let payload = (config.packet - config.header).as_u64();
        let mut found = Self { burst: 1.0, ..Self::default() };
        for size in sizes {
            let packets = size.as_u64().div_ceil(payload).max(1) as f64;
            found.flows += 1.0;
            found.packets += packets;
            found.bytes += size.as_f64() + packets * config.header.as_f64();
        }
        found
    }

    /// This many flows of this mean size in bytes.
    fn expected(config: &Config, flows: f64, size: f64) -> Self {
        // The last packet of a flow is half full on average.
        let packets = size / (config.packet - config.header).as_f64() + 0.5;
        let bytes = size + packets * config.header.as_f64();
        Self { flows, packets: flows * packets, bytes: flows * bytes, ..Self::default() }
    }
}
