//! What is left of links for flows: their capacity, which may vary, less what streams take.
//!
//! Streams of datagrams do not respond, so they come first, as fluid at their
//! mean rates from their start to their stop. Flows share the rest.
//!
//! Where streams alone exceed a link, they get parts of it in proportion to their rates, and flows
//! nothing.

use std::collections::BTreeMap;

use sluice_units::{Rate, Time};

use crate::config::{Config, LinkId};
use crate::route::{Paths, Ways};
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
    /// Since when rates have been as they are.
    since: Time,
}

/// The streams of a group, together.
struct GroupStreams {
    group: usize,
    from: Time,
    to: Time,
    /// The links that they cross, each with the part of their bytes that does.
    links: Vec<(usize, f64)>,
    /// Bytes per nanosecond offered while they last, and carried now.
    offered: f64,
    rate: f64,
    /// Bytes carried until `since`, and by the start and the end of the time measured.
    carried: f64,
    seen: [f64; 2],
}

impl Reserved {
    pub(super) fn new(config: &Config, paths: &[Paths]) -> Self {
        let mut streams = Vec::new();
        for (number, (group, paths)) in config.groups.iter().zip(paths).enumerate() {
            let Some(udp) = group.traffic.udp() else { continue };
            streams.push(GroupStreams {
                group: number,
                from: udp.start,
                to: udp.last(),
                links: shares(&paths.out, udp.count),
                offered: udp.mean(&paths.traffic_context(config)) * udp.count as f64 / SECOND,
                rate: 0.0,
                carried: 0.0,
                seen: [0.0; 2],
            });
        }
        let capacities = config.links.iter().map(|link| per_nano(link.capacity)).collect();
        let varying = config.links.iter().enumerate().filter_map(|(id, link)| {
            let schedule = link.schedule.as_ref()?.fluid();
            Some((id, ServiceCurve::new(link.capacity, &schedule)))
        });
        Self { streams, capacities, varying: varying.collect(), since: Time::ZERO }
    }

    /// Whether each link is not left to flows as it is: streams cross it, or its capacity varies.
    pub(super) fn links(&self) -> Vec<bool> {
        let mut crossed = vec![false; self.capacities.len()];
        let links = self.streams.iter().flat_map(|streams| &streams.links);
        links.for_each(|&(link, _)| crossed[link] = true);
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
        let mut offered = vec![0.0; self.capacities.len()];
        for streams in &mut self.streams {
            streams.carried += streams.rate * now.since(self.since).as_nanos() as f64;
            streams.rate =
                if streams.from <= now && now < streams.to { streams.offered } else { 0.0 };
            for &(link, share) in &streams.links {
                offered[link] += streams.rate * share;
            }
        }
        self.since = now;
        for streams in &mut self.streams {
            let part =
                |&(link, _): &(usize, f64)| self.capacities[link] / offered[link].max(1e-300);
            streams.rate *= streams.links.iter().map(part).fold(1.0, f64::min);
        }
        let links = self.capacities.iter().zip(offered);
        links.map(|(capacity, offered)| (capacity - offered).max(0.0)).collect()
    }

    /// Adds the bytes that each link has carried of streams by `now`.
    pub(super) fn add_carried(&self, now: Time, by_link: &mut [f64]) {
        for streams in &self.streams {
            let carried = streams.by(self.since, now);
            streams.links.iter().for_each(|&(link, share)| by_link[link] += share * carried);
        }
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

/// The links that `count` streams cross, each with the part of their bytes that does.
fn shares(ways: &Ways, count: u64) -> Vec<(usize, f64)> {
    let mut shares = BTreeMap::new();
    for (link, share) in (0..count).flat_map(|index| ways.levels(index).concat()) {
        *shares.entry(link).or_insert(0.0) += share / count as f64;
    }
    shares.into_iter().collect()
}

/// In bytes per nanosecond.
fn per_nano(capacity: Rate) -> f64 {
    capacity.as_bytes_per_sec_f64() / SECOND
}

impl GroupStreams {
    /// Bytes carried by `now`, at rates that hold since then.
    fn by(&self, since: Time, now: Time) -> f64 {
        self.carried + self.rate * now.since(since).as_nanos() as f64
    }
}
