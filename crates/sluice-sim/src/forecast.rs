//! An estimate of the work and memory of a run, from its configuration alone.
//!
//! Flows are counted by drawing their arrivals, so that every traffic model is covered; packets
//! follow from their sizes, as far as links can carry them.

use sluice_units::{Bytes, Limit, Rate, Span, Time};

use crate::alone::Alone;
use crate::check::ConfigError;
use crate::config::{Config, LinkId};
use crate::rng::Streams;
use crate::route::Paths;
use crate::traffic::Traffic;

/// Arrivals drawn for a whole configuration, and all of its first instant; further ones are
/// extrapolated.
const DRAWN: usize = 100_000;
/// Memory of a live flow, with its law, timers and reassembly.
const FLOW: f64 = 1_600.0;
/// Memory of a packet on a wire.
const PACKET: f64 = 64.0;
/// Memory of a run apart from flows and packets.
const RUN: f64 = 8e6;
/// Processor time of a packet at its hosts, at a link, and of starting and ending a flow, in
/// nanoseconds (`docs/performance.md`).
const NANOS: [f64; 3] = [50.0, 15.0, 1_500.0];
/// Load above which queues, and thus completion times, are no longer estimated.
const MAX_LOAD: f64 = 0.95;

/// An estimate of a run's work and memory, usually within a factor of 3. Retransmissions are not
/// counted, nor flows that losses keep below their share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// When the run ends: at the stop, or at the limit if more is offered than links can carry.
    pub end: Time,
    /// Flows that start by then.
    pub flows: f64,
    /// Packets sent, acknowledgements included.
    pub packets: f64,
    /// Links that they cross.
    pub hops: f64,
    /// Flows that are live at the same time.
    pub live: f64,
    /// Packets that are in flight at the same time.
    pub in_flight: f64,
}

impl Forecast {
    /// Estimates a run.
    ///
    /// # Errors
    ///
    /// As [`crate::run`].
    pub fn of(config: &Config) -> Result<Self, ConfigError> {
        config.check()?;
        let paths = Paths::of(config)?;
        let demands: Vec<Demand> =
            (0..paths.len()).map(|i| Demand::of(config, &paths, i)).collect();
        let links = Links::of(config, &paths, &demands);
        let is_overloaded = links.load.iter().any(|&load| load >= 1.0);
        let end = if is_overloaded { config.limit } else { config.stop };
        let mut all = Self { end, in_flight: links.in_flight(config), ..Self::default() };
        for (demand, paths) in demands.iter().zip(&paths) {
            all.add(&links.group(config, paths, demand, end), paths);
        }
        Ok(all)
    }

    /// Processor time, on a core like that of `docs/performance.md`.
    pub fn time(&self) -> Span {
        let [packet, link, flow] = NANOS;
        let nanos = self.packets * packet + self.hops * link + self.flows * flow;
        Span::from_secs_f64(nanos / 1e9)
    }

    /// Memory.
    pub fn memory(&self) -> Bytes {
        Bytes::new((RUN + self.live * FLOW + self.in_flight * PACKET) as u64)
    }

    fn add(&mut self, group: &GroupForecast, paths: &Paths) {
        let (forward, back) = (group.flows + group.data, group.flows + group.acks);
        self.flows += group.flows;
        self.live += group.live;
        self.packets += forward + back;
        self.hops += forward * paths.out.len() as f64 + back * paths.back.len() as f64;
    }
}

/// The traffic of a group until the stop, if links could carry it.
#[derive(Clone, Copy, Debug, Default)]
struct Demand {
    flows: f64,
    /// Packets of flows with a size, and their bytes on the wire.
    packets: f64,
    bytes: f64,
    /// Flows without a size, and the time that they send, together.
    endless: f64,
    sending: Span,
}

impl Demand {
    /// Draws the arrivals of group `number`.
    fn of(config: &Config, paths: &[Paths], number: usize) -> Self {
        let group = &config.groups[number];
        if let Traffic::Long(long) = &group.traffic {
            return Self::of_long(long.count as f64, long.start, long.stop.min(config.stop));
        }
        let streams = Streams::new(config.seed, &group.name);
        let mut arrivals = group.traffic.arrivals(&paths[number].traffic_context(config), &streams);
        let payload = (config.packet - config.header).as_u64();
        let mut found = Self::default();
        let (mut first, mut last) = (None, Time::ZERO);
        while first.is_none_or(|first| first == last) || found.flows < (DRAWN / paths.len()) as f64
        {
            let Some(arrival) = arrivals.next().filter(|next| next.start < config.stop) else {
                return found;
            };
            (first, last) = (first.or(Some(arrival.start)), arrival.start);
            let size = arrival.size.map_or(0, Bytes::as_u64);
            let packets = size.div_ceil(payload).max(1);
            found.flows += 1.0;
            found.packets += packets as f64;
            found.bytes += size as f64 + packets as f64 * config.header.as_f64();
        }
        let first = first.unwrap_or(last);
        let times = config.stop.since(first).as_secs_f64() / last.since(first).as_secs_f64();
        found.scaled(times)
    }

    fn of_long(count: f64, start: Time, stop: Time) -> Self {
        let sending = Span::from_secs_f64(stop.since(start).as_secs_f64() * count);
        Self { flows: count, endless: count, sending, ..Self::default() }
    }

    fn scaled(self, times: f64) -> Self {
        let Self { flows, packets, bytes, .. } = self;
        Self { flows: flows * times, packets: packets * times, bytes: bytes * times, ..self }
    }
}

/// A group's part of a forecast.
struct GroupForecast {
    flows: f64,
    data: f64,
    acks: f64,
    live: f64,
}

/// The traffic of links.
struct Links {
    /// Load of flows with a size, as a fraction of capacity.
    load: Vec<f64>,
    /// Number of flows without one.
    endless: Vec<f64>,
}

impl Links {
    fn of(config: &Config, paths: &[Paths], demands: &[Demand]) -> Self {
        let mut links =
            Self { load: vec![0.0; config.links.len()], endless: vec![0.0; config.links.len()] };
        let seconds = config.stop.as_secs_f64().max(1e-9);
        for (paths, demand) in paths.iter().zip(demands) {
            for &link in &paths.out {
                let capacity = config.links[link].capacity.as_bps_f64() * seconds;
                links.load[link] += demand.bytes * 8.0 / capacity;
                links.endless[link] += demand.endless;
            }
        }
        links
    }

    fn group(&self, config: &Config, paths: &Paths, demand: &Demand, end: Time) -> GroupForecast {
        let (stop, end) = (config.stop.as_secs_f64().max(1e-9), end.as_secs_f64());
        let flows = (demand.flows - demand.endless) * end / stop;
        let load = paths.out.iter().map(|&link| self.load[link]).fold(0.0, f64::max);
        let carried = (1.0 / load).min(1.0);
        let endless =
            demand.sending.as_secs_f64() * self.share(config, &paths.out) / config.packet.as_f64();
        let data = demand.packets * end / stop * carried + endless;
        let acks = if config.transport.delayed_ack { data / 2.0 } else { data };
        let live = if carried < 1.0 {
            flows * (1.0 - carried)
        } else {
            flows / end * completion(config, paths, demand, load)
        };
        let live = live.min(flows) + demand.endless;
        GroupForecast { flows: flows + demand.endless, data, acks, live }
    }

    /// What links leave to each flow without a size, in bytes per second.
    fn share(&self, config: &Config, path: &[LinkId]) -> f64 {
        let share = |&link: &LinkId| {
            let free = (1.0 - self.load[link]).max(1.0 - MAX_LOAD);
            config.links[link].capacity.as_bytes_per_sec_f64() * free / self.endless[link]
        };
        path.iter().map(share).fold(Rate::MAX.as_bytes_per_sec_f64(), f64::min)
    }

    /// Packets on wires and in full queues.
    fn in_flight(&self, config: &Config) -> f64 {
        let packets = |(id, link): (LinkId, &crate::config::LinkConfig)| {
            let used = if self.endless[id] > 0.0 { 1.0 } else { self.load[id].min(1.0) };
            let bdp = link.capacity.bytes_in(link.delay).as_f64() * used;
            let queue = match link.buffer.limit(link.capacity, link.delay * 2) {
                Limit::Bytes(bytes) if used >= 1.0 => bytes.as_f64(),
                Limit::Packets(packets) if used >= 1.0 => packets as f64 * config.packet.as_f64(),
                _ => 0.0,
            };
            (bdp + queue) / config.packet.as_f64()
        };
        config.links.iter().enumerate().map(packets).sum()
    }
}

/// Mean completion time of a group's flows in seconds: that on the empty path, and processor sharing.
fn completion(config: &Config, paths: &Paths, demand: &Demand, load: f64) -> f64 {
    let size = if demand.flows > 0.0 { demand.bytes / demand.flows } else { 0.0 };
    let alone = Alone::new(config, paths).completion(size as u64).as_secs_f64();
    alone / (1.0 - load.min(MAX_LOAD))
}
