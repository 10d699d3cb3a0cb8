//! What is left of links for flows: their capacity, which may vary, less what streams take.
//!
//! Streams of datagrams do not respond, so they come first, as fluid at their
//! mean rates from their start to their stop. Datagrams of a file that leave at once are sent as fast as
//! their paths carry them. Flows share the rest.
//!
//! Where streams alone exceed a link, they get parts of it in proportion to the rates at which they arrive
//! there, and flows nothing (`thinning.rs`).

use sluice_units::{Rate, Time};

use super::thinning::{StreamWay, Thinning};
use crate::config::{Config, LinkId};
use crate::route::Paths;
use crate::schedule::ServiceCurve;

/// Nanoseconds of a second.
const SECOND: f64 = 1e9;

/// The streams of all groups that have any.
pub(super) struct Reserved {
    streams: Vec<GroupStreams>,
    /// Capacity of each link in bytes per nanosecond.
    capacities: Vec<f64>,
    /// The links whose capacity varies.
    varying: Vec<(LinkId, ServiceCurve)>,
    /// Bytes per nanosecond that each link carries of streams, and bytes that it carried until `since`.
    rates: Vec<f64>,
    carried: Vec<f64>,
    /// Since when rates have been as they are.
    since: Time,
}

/// The streams of a group, together.
struct GroupStreams {
    group: usize,
    from: Time,
    to: Time,
    ways: Vec<StreamWay>,
    /// Bytes per nanosecond offered while they last, and delivered now.
    offered: f64,
    rate: f64,
    /// Bytes delivered until `since`, and by the start and the end of the time measured.
    delivered: f64,
    seen: [f64; 2],
}

impl Reserved {
    pub(super) fn new(config: &Config, paths: &[Paths]) -> Self {
        let mut streams = Vec::new();
        for (number, (group, paths)) in config.groups.iter().zip(paths).enumerate() {
            let Some(udp) = group.traffic.udp() else { continue };
            let stream = udp.steady(&paths.traffic_context(config));
            streams.push(GroupStreams {
                group: number,
                from: udp.start,
                to: stream.stop,
                ways: StreamWay::all(&paths.out, udp.count),
                offered: stream.rate * udp.count as f64 / SECOND,
                rate: 0.0,
                delivered: 0.0,
                seen: [0.0; 2],
            });
        }
        let capacities: Vec<_> = config.links.iter().map(|link| per_nano(link.capacity)).collect();
        let varying = config.links.iter().enumerate().filter_map(|(id, link)| {
            let schedule = link.schedule.as_ref()?.fluid();
            Some((id, ServiceCurve::new(link.capacity, &schedule)))
        });
        let nothing = vec![0.0; capacities.len()];
        Self {
            streams,
            capacities,
            varying: varying.collect(),
            rates: nothing.clone(),
            carried: nothing,
            since: Time::ZERO,
        }
    }

    /// Whether each link is not left to flows as it is: streams cross it, or its capacity varies.
    pub(super) fn links(&self) -> Vec<bool> {
        let mut crossed = vec![false; self.capacities.len()];
        let ways = self.streams.iter().flat_map(|streams| &streams.ways);
        ways.flat_map(StreamWay::links).for_each(|link| crossed[link] = true);
        self.varying.iter().for_each(|&(link, _)| crossed[link] = true);
        crossed
    }

    /// The first change, if there is any.
    pub(super) fn first_change(&self) -> Time {
        if self.varying.is_empty() {
            return self.streams.iter().map(|streams| streams.from).min().unwrap_or(Time::NEVER);
        }
        Time::ZERO
    }

    /// When streams start or stop, or a capacity changes, next after `now`.
    pub(super) fn next_change(&self, now: Time) -> Time {
        let streams = self.streams.iter().flat_map(|streams| [streams.from, streams.to]);
        let capacities = self.varying.iter().map(|(_, curve)| curve.next_change(now));
        streams.filter(|&change| change > now).chain(capacities).min().unwrap_or(Time::NEVER)
    }

    /// Streams start or stop at `now`, or a capacity changes. Returns the part of each link that is left
    /// for flows, in bytes per nanosecond.
    pub(super) fn change(&mut self, now: Time) -> Vec<f64> {
        for &(link, ref curve) in &self.varying {
            self.capacities[link] = per_nano(curve.rate(now));
        }
        self.carried = self.carried_by(now).collect();
        self.streams.iter_mut().for_each(|streams| streams.delivered = streams.by(self.since, now));
        self.since = now;
        let offers = |streams: &GroupStreams| streams.offers(now);
        let offered: Vec<_> =
            self.streams.iter().map(|streams| (&streams.ways[..], offers(streams))).collect();
        let thinning = Thinning::new(&offered, &self.capacities);
        for streams in &mut self.streams {
            streams.rate = thinning.delivered(&streams.ways, offers(streams));
        }
        self.rates = thinning.carried();
        let links = self.capacities.iter().zip(&self.rates);
        links.map(|(capacity, carried)| (capacity - carried).max(0.0)).collect()
    }

    /// Bytes of streams that each link has carried by `now`.
    fn carried_by(&self, now: Time) -> impl Iterator<Item = f64> {
        let nanos = now.since(self.since).as_nanos() as f64;
        self.carried.iter().zip(&self.rates).map(move |(carried, rate)| carried + rate * nanos)
    }

    /// Adds the bytes that each link has carried of streams by `now`.
    pub(super) fn add_carried(&self, now: Time, by_link: &mut [f64]) {
        by_link.iter_mut().zip(self.carried_by(now)).for_each(|(all, carried)| *all += carried);
    }

    /// The groups that have streams.
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> {
        self.streams.iter().map(|streams| streams.group)
    }

    /// What a group sends at `now` arrives at the start of the time measured, or else at its end.
    pub(super) fn measure(&mut self, group: usize, is_first: bool, now: Time) {
        let since = self.since;
        for streams in self.streams.iter_mut().filter(|streams| streams.group == group) {
            streams.seen[usize::from(!is_first)] = streams.by(since, now);
        }
    }

    /// By group with streams: bytes that arrived in the time measured.
    pub(super) fn delivered(&self) -> impl Iterator<Item = (usize, f64)> {
        self.streams.iter().map(|streams| (streams.group, streams.seen[1] - streams.seen[0]))
    }
}

/// In bytes per nanosecond.
fn per_nano(capacity: Rate) -> f64 {
    capacity.as_bytes_per_sec_f64() / SECOND
}

impl GroupStreams {
    /// Bytes per nanosecond offered at `now`.
    fn offers(&self, now: Time) -> f64 {
        if self.from <= now && now < self.to { self.offered } else { 0.0 }
    }

    /// Bytes delivered by `now`, at rates that hold since then.
    fn by(&self, since: Time, now: Time) -> f64 {
        self.delivered + self.rate * now.since(since).as_nanos() as f64
    }
}
