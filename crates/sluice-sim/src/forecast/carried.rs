//! The traffic that links can carry.

use sluice_units::{Limit, Rate, Span, Time};

use super::demand::Demand;
use crate::alone::Alone;
use crate::config::{Config, LinkConfig, LinkId};
use crate::route::Paths;

/// Load above which queues, and thus completion times, are no longer estimated.
const MAX_LOAD: f64 = 0.95;
/// Load from which queues are taken to be full; just below 1, since shares are rounded.
const FULL: f64 = 0.99;

/// A group's part of a forecast.
pub(super) struct GroupForecast {
    pub(super) flows: f64,
    /// Data packets and acknowledgements.
    pub(super) data: f64,
    pub(super) acks: f64,
    /// Datagrams of streams, which nothing answers.
    pub(super) datagrams: f64,
    /// Flows at the same time.
    pub(super) live: f64,
}

/// The load of each link.
pub(super) struct LinkLoads<'a> {
    config: &'a Config,
    seconds: f64,
    /// Load of flows with a size, as a fraction of capacity.
    load: Vec<f64>,
    /// Load of streams of datagrams, likewise.
    streams: Vec<f64>,
    /// Number of flows without one.
    endless: Vec<f64>,
}

impl<'a> LinkLoads<'a> {
    /// The loads that groups with these paths and demands make until `end`.
    pub(super) fn of(config: &'a Config, paths: &[Paths], demands: &[Demand], end: Time) -> Self {
        let none = vec![0.0; config.links.len()];
        let seconds = end.as_secs_f64().max(1e-9);
        let mut loads =
            Self { config, seconds, load: none.clone(), streams: none.clone(), endless: none };
        for (paths, demand) in paths.iter().zip(demands) {
            for (link, share) in paths.out.shares() {
                let capacity = config.links[link].capacity.as_bytes_per_sec_f64() * seconds;
                loads.load[link] += share * demand.bytes / capacity;
                loads.streams[link] += share * demand.streamed / capacity;
                loads.endless[link] += share * demand.endless;
            }
        }
        loads
    }

    /// Whether more is offered to a link than it can carry, so that flows with a size take longer.
    pub(super) fn is_overload(&self) -> bool {
        let loads = self.load.iter().zip(&self.streams);
        loads.into_iter().any(|(&load, streams)| load > 0.0 && load + streams >= 1.0)
    }

    /// Load of a link by flows with a size, as a fraction of what streams leave of it.
    fn load_of_rest(&self, link: LinkId) -> f64 {
        self.load[link] / self.rest(link)
    }

    /// The part of a link that streams leave, at least a twentieth.
    fn rest(&self, link: LinkId) -> f64 {
        (1.0 - self.streams[link]).max(1.0 - MAX_LOAD)
    }

    /// What becomes of a group's demand.
    pub(super) fn group(&self, paths: &Paths, demand: &Demand) -> GroupForecast {
        let shares = paths.out.shares();
        let load = shares.iter().map(|&(link, _)| self.load_of_rest(link)).fold(0.0, f64::max);
        let carried = (1.0 / load).min(1.0);
        let share = self.share(&shares) / self.config.packet.as_f64();
        let endless = demand.endless * demand.sending.as_secs_f64() * share;
        // In overload, packets are sent that a link drops: up to as many again as it carries.
        let data = demand.packets * (2.0 / load).min(1.0) + endless;
        let acks = if self.config.parameters.transport.delayed_ack { data / 2.0 } else { data };
        let flows = demand.flows - demand.endless;
        let unfinished = flows * (1.0 - carried);
        // Little's law.
        let under_way = flows / self.seconds * self.completion(paths, demand, load).as_secs_f64();
        let live = unfinished.max(under_way).max(demand.burst).min(flows) + demand.endless;
        GroupForecast { flows: demand.flows, data, acks, datagrams: demand.datagrams, live }
    }

    /// The capacity that links leave to each flow without a size, in bytes per second.
    fn share(&self, links: &[(LinkId, f64)]) -> f64 {
        let share = |&(link, _): &(LinkId, f64)| {
            let free = (self.rest(link) - self.load[link]).max(1.0 - MAX_LOAD);
            let capacity = self.config.links[link].capacity.as_bytes_per_sec_f64();
            capacity * free / self.endless[link].max(1.0)
        };
        links.iter().map(share).fold(Rate::MAX.as_bytes_per_sec_f64(), f64::min)
    }

    /// Mean completion time of a group's flows: that on the empty path, of which sharing prolongs the
    /// transmission.
    fn completion(&self, paths: &Paths, demand: &Demand, load: f64) -> Span {
        let size = if demand.flows > 0.0 { demand.bytes / demand.flows } else { 0.0 };
        let path = Alone::new(self.config, paths, 0);
        let way = path.opening + path.delay;
        let transmission = path.completion(size as u64).saturating_sub(way).as_secs_f64();
        way + Span::from_secs_f64(transmission / (1.0 - load.min(MAX_LOAD)))
    }

    /// Packets on wires, with as many acknowledgements on their way back, and in the queues of links
    /// that are full.
    pub(super) fn in_flight(&self, paths: &[Paths], demands: &[Demand]) -> f64 {
        let mut used: Vec<f64> =
            self.load.iter().zip(&self.streams).map(|(load, streams)| load + streams).collect();
        let mut rtpd = vec![Span::ZERO; used.len()];
        for (paths, demand) in paths.iter().zip(demands) {
            let shares = paths.out.shares();
            let rate = demand.endless * self.share(&shares);
            for (link, share) in shares {
                used[link] +=
                    share * rate / self.config.links[link].capacity.as_bytes_per_sec_f64();
                rtpd[link] = rtpd[link].max(paths.rtpd(self.config));
            }
        }
        let links = self.config.links.iter().zip(used).zip(rtpd);
        let bytes: f64 = links.map(|((link, used), rtpd)| self.bytes_at(link, used, rtpd)).sum();
        bytes / self.config.packet.as_f64()
    }

    /// Bytes on the wire of a link of which this fraction is used, and in its queue.
    fn bytes_at(&self, link: &LinkConfig, used: f64, rtpd: Span) -> f64 {
        let on_wire = link.capacity.bytes_in(link.delay).as_f64() * used.min(1.0);
        let room = match link.buffer.limit(link.capacity, rtpd) {
            _ if used < FULL => 0.0,
            Limit::Bytes(bytes) => bytes.as_f64(),
            Limit::Packets(packets) => packets as f64 * self.config.packet.as_f64(),
            // Senders decide.
            Limit::None => 0.0,
        };
        2.0 * on_wire + room
    }
}
