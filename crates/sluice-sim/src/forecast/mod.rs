//! An estimate of the work and memory of a run, from its configuration alone.
//!
//! `demand.rs` is the traffic that groups offer, `carried.rs` the part of it that links can carry.

mod carried;
mod demand;

use sluice_units::{Bytes, Span, Time};

use crate::check::ConfigError;
use crate::config::Config;
use crate::route::{Paths, Ways};
use carried::{GroupForecast, LinkLoads};
use demand::Demand;

/// Memory in bytes of a live flow, with its law, timers and reassembly; of a packet in flight; of a link;
/// and of the rest of a run. Measured (`docs/performance.md`).
const FLOW: f64 = 1_600.0;
const PACKET: f64 = 80.0;
const LINK: f64 = 8_000.0;
const RUN: f64 = 12e6;
/// Processor time in nanoseconds of a packet at its hosts, of a packet at a link, and of starting and
/// ending a flow. Measured (`docs/performance.md`).
const NANOS: [f64; 3] = [30.0, 10.0, 1_500.0];

/// An estimate of a run's work and memory, usually within a factor of 3. Retransmissions are not
/// counted, nor flows that losses keep below their share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// When the run ends: at the stop, or at the limit if more is offered than links can carry.
    pub end: Time,
    /// Number of flows that start by then.
    pub flows: f64,
    /// Number of packets sent, acknowledgements included.
    pub packets: f64,
    /// Number of links that they cross, together.
    pub hops: f64,
    /// Number of flows that are live at the same time.
    pub live: f64,
    /// Number of packets that are in flight at the same time.
    pub in_flight: f64,
    /// Number of links.
    pub links: usize,
    /// Memory by which the router law of each link counts flows, beside what grows with these.
    pub sketch: Bytes,
    /// The group with the most live flows, by its place in [`Config::groups`].
    pub busiest: usize,
}

impl Forecast {
    /// Estimates a run. It takes a millisecond, whatever the number of flows, or longer for thousands of
    /// groups or listed flows.
    ///
    /// # Errors
    ///
    /// As [`crate::run`], but for protocols.
    pub fn of(config: &Config) -> Result<Self, ConfigError> {
        config.check()?;
        let paths = Paths::of(config)?;
        let (demands, loads) = offered(config, &paths, config.stop);
        if !loads.is_overload() {
            return Ok(Self::until(config.stop, config, &paths, &demands, &loads));
        }
        // Flows that arrive after the stop delay those that are measured.
        let (demands, loads) = offered(config, &paths, config.limit);
        Ok(Self::until(config.limit, config, &paths, &demands, &loads))
    }

    fn until(
        end: Time,
        config: &Config,
        paths: &[Paths],
        demands: &[Demand],
        loads: &LinkLoads<'_>,
    ) -> Self {
        let (in_flight, links) = (loads.in_flight(paths, demands), config.links.len());
        let sketch = config.parameters.ncp.sketch_memory();
        let mut all = Self { end, in_flight, links, sketch, ..Self::default() };
        let mut most = 0.0;
        for (place, (demand, paths)) in demands.iter().zip(paths).enumerate() {
            let group = loads.group(paths, demand);
            if group.live > most {
                (most, all.busiest) = (group.live, place);
            }
            all.add(&group, paths, config.parameters.transport.handshake);
        }
        all
    }

    fn add(&mut self, group: &GroupForecast, paths: &Paths, handshake: bool) {
        let opening = if handshake && group.datagrams == 0.0 { group.flows } else { 0.0 };
        let (forward, back) = (opening + group.data + group.datagrams, opening + group.acks);
        self.flows += group.flows;
        self.live += group.live;
        self.packets += forward + back;
        self.hops += forward * links(&paths.out) + back * links(&paths.back);
    }

    /// Processor time, on a core like that of `docs/performance.md`.
    pub fn time(&self) -> Span {
        let [packet, link, flow] = NANOS;
        let nanos = self.packets * packet + self.hops * link + self.flows * flow;
        Span::from_secs_f64(nanos / 1e9)
    }

    /// Memory of live flows.
    pub fn flow_memory(&self) -> Bytes {
        Bytes::new((self.live * FLOW) as u64)
    }

    /// Memory of packets in flight.
    pub fn packet_memory(&self) -> Bytes {
        Bytes::new((self.in_flight * PACKET) as u64)
    }

    /// Memory of everything else.
    pub fn base_memory(&self) -> Bytes {
        Bytes::new((RUN + self.links as f64 * (LINK + self.sketch.as_f64())) as u64)
    }
}

/// Number of links that a packet crosses.
fn links(ways: &Ways) -> f64 {
    ways.shares().iter().map(|(_, share)| share).sum()
}

/// The traffic that each group offers by `end`, and the load of links that it makes.
fn offered<'a>(config: &'a Config, paths: &[Paths], end: Time) -> (Vec<Demand>, LinkLoads<'a>) {
    let demands: Vec<Demand> =
        (0..paths.len()).map(|group| Demand::of(config, &paths[group], group, end)).collect();
    let loads = LinkLoads::of(config, paths, &demands, end);
    (demands, loads)
}
