//! Routes that change: those that a configuration states, and those that avoid links that are down.
//!
//! Routes are *epochs*, a list of paths with the instants from which they hold. A packet keeps the path of
//! the epoch in which it leaves its host, as under source routing: routers turn no packet around.

use std::collections::{BTreeMap, BTreeSet};

use sluice_units::{Fault, Span, Time};

use super::{Direction, Paths, Routes, Ways};
use crate::check::ConfigError;
use crate::config::{Config, GroupConfig, LinkConfig, LinkId};

/// The paths of a group in the course of a run: a function of the configuration alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteEpochs {
    first: Paths,
    later: Vec<(Time, Paths)>,
}

impl RouteEpochs {
    /// The routes of every group of `config`, in their order.
    ///
    /// # Errors
    ///
    /// Every path that is broken or cannot be found.
    pub fn of(config: &Config) -> Result<Vec<Self>, ConfigError> {
        let mut network = ChangingNetwork::of(config);
        let mut all = Vec::with_capacity(config.groups.len());
        ConfigError::of(|faults| {
            for (place, group) in config.groups.iter().enumerate() {
                match network.epochs(group, config.seed) {
                    Ok(found) => all.push(found),
                    Err(fault) => {
                        faults.add(&format!("groups[{place}].{}", fault.field), fault.what)
                    }
                }
            }
        })?;
        Ok(all)
    }

    /// The paths before any change.
    pub fn first(&self) -> &Paths {
        &self.first
    }

    /// The paths after each change, and the instant from which they hold. Instants rise.
    pub fn later(&self) -> &[(Time, Paths)] {
        &self.later
    }

    /// The paths at `time`.
    pub fn at(&self, time: Time) -> &Paths {
        let begun = self.later.partition_point(|&(at, _)| at <= time);
        begun.checked_sub(1).map_or(&self.first, |last| &self.later[last].1)
    }

    /// The paths of all epochs, in order.
    pub fn all(&self) -> impl Iterator<Item = &Paths> {
        [&self.first].into_iter().chain(self.later.iter().map(|(_, paths)| paths))
    }
}

impl From<Paths> for RouteEpochs {
    /// Routes that never change.
    fn from(first: Paths) -> Self {
        Self { first, later: Vec::new() }
    }
}

/// What a direction of a group changes to, and when.
type Changes = Vec<(Time, Ways)>;

/// The network as routing knows it.
struct ChangingNetwork<'a> {
    /// Each set of links that routing knows of at some time; all links first.
    known: Vec<Routes<'a>>,
    /// From each instant on, the place in `known`. Instants rise.
    changes: Vec<(Time, usize)>,
}

impl<'a> ChangingNetwork<'a> {
    fn of(config: &'a Config) -> Self {
        let routes = |down: &BTreeSet<LinkId>| Routes::without(config.nodes, &config.links, down);
        let mut network = Self { known: vec![routes(&BTreeSet::new())], changes: Vec::new() };
        let Some(lag) = config.reconvergence else { return network };
        let mut places = BTreeMap::from([(BTreeSet::new(), 0)]);
        for (at, down) in known_outages(&config.links, lag) {
            let place = *places.entry(down).or_insert_with_key(|down| {
                network.known.push(routes(down));
                network.known.len() - 1
            });
            network.changes.push((at, place));
        }
        network
    }

    fn epochs(&mut self, group: &GroupConfig, seed: u64) -> Result<RouteEpochs, Fault> {
        let first = self.known[0].paths(group, seed)?;
        let out = self.changes(group, Direction::Out, &first.out, seed)?;
        let back = self.changes(group, Direction::Back, &first.back, seed)?;
        let later = merged(&first, &out, &back);
        Ok(RouteEpochs { first, later })
    }

    /// What the paths of one direction change to: those of least delay as links fail and return, until the
    /// first path that is stated.
    fn changes(
        &mut self,
        group: &GroupConfig,
        direction: Direction,
        first: &Ways,
        seed: u64,
    ) -> Result<Changes, Fault> {
        let stated: Changes = direction.stated(group);
        let until = match stated.first() {
            _ if direction.is_given(group) => Time::ZERO,
            Some(&(at, _)) => at,
            None => Time::NEVER,
        };
        let mut changes = Vec::new();
        for &(at, place) in self.changes.iter().take_while(|&&(at, _)| at < until) {
            // Without a path, packets take the one that they took before.
            if let Some(ways) = self.known[place].least_ways(group, direction, seed)? {
                changes.push((at, ways));
            }
        }
        changes.extend(stated);
        let mut last = first.clone();
        changes.retain(|(_, ways)| {
            let differs = !ways.leads_as(&last);
            last.clone_from(ways);
            differs
        });
        Ok(changes)
    }
}

/// The sets of links that routing takes for down, from the instant of each change of a set: a link that
/// fails or returns is known to have done so `lag` later.
fn known_outages(links: &[LinkConfig], lag: Span) -> Vec<(Time, BTreeSet<LinkId>)> {
    let mut turns: BTreeMap<Time, Vec<(LinkId, bool)>> = BTreeMap::new();
    for (id, link) in links.iter().enumerate() {
        // In order: an outage that begins as one ends comes after that.
        for &(from, to) in link.schedule.iter().flat_map(|schedule| &schedule.down) {
            turns.entry(from + lag).or_default().push((id, true));
            turns.entry(to + lag).or_default().push((id, false));
        }
    }
    let mut down = BTreeSet::new();
    let sets = turns.into_iter().map(|(at, turned)| {
        for (id, fails) in turned {
            if fails {
                down.insert(id)
            } else {
                down.remove(&id)
            };
        }
        (at, down.clone())
    });
    sets.collect()
}

/// The paths from each instant at which those of a direction change.
fn merged(first: &Paths, out: &Changes, back: &Changes) -> Vec<(Time, Paths)> {
    let times: BTreeSet<Time> = out.iter().chain(back).map(|&(at, _)| at).collect();
    let at = |changes: &Changes, first: &Ways, time: Time| {
        let known = changes.partition_point(|&(at, _)| at <= time);
        known.checked_sub(1).map_or(first, |last| &changes[last].1).clone()
    };
    let paths = |time| Paths { out: at(out, &first.out, time), back: at(back, &first.back, time) };
    times.into_iter().map(|time| (time, paths(time))).collect()
}
