//! The network of an ideal: the links that can be a bottleneck, and distinct routes over them. For a
//! dumbbell with fast access links that is one link and one route, whatever the number of groups.

use std::collections::BTreeMap;

use sluice_units::Rate;

use crate::config::Config;
use crate::route::{Paths, Ways};

/// Links of a path in rising order, with the number of times that each is crossed.
type PathLinks = Vec<(usize, u32)>;

/// The links that a flow crosses: of its path, or of paths that share it evenly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Crossings {
    /// In rising order, with the number of times that each is crossed, on all paths together.
    pub(super) links: PathLinks,
    /// Number of paths.
    pub(super) paths: u32,
}

impl Crossings {
    /// The links of flow `index`.
    pub(super) fn new(ways: &Ways, index: u64) -> Self {
        let paths = ways.spray() as u32;
        if paths == 1 {
            return Self { links: crossings(&ways.of_flow(index)), paths };
        }
        // Shares are rounded fractions of the number of paths.
        let times = |(link, share): (usize, f64)| (link, (share * f64::from(paths)).round() as u32);
        let mut links: PathLinks = ways.shares().into_iter().map(times).collect();
        links.sort_unstable();
        Self { links, paths }
    }
}

/// A route: links that can be a bottleneck, by numbers of their own, as in [`Crossings`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    pub(super) links: Vec<(u32, u32)>,
    pub(super) paths: u32,
}

/// The links that can be a bottleneck, and the routes over them that are used.
#[derive(Debug, Default)]
pub(super) struct Network {
    /// Capacity of each link.
    pub(super) capacities: Vec<Rate>,
    /// The links of each route.
    pub(super) routes: Vec<Route>,
    /// The number of each of the configuration's links, if it can be a bottleneck.
    numbers: Vec<Option<u32>>,
    /// The number of each route.
    known: BTreeMap<Route, u32>,
}

impl Network {
    /// The network of these paths, as yet without routes, with streams over the links that are
    /// `reserved` in part.
    pub(super) fn new(config: &Config, paths: &[Paths], reserved: &[bool]) -> Self {
        let mut distinct: Vec<PathLinks> =
            paths.iter().flat_map(|paths| possible(&paths.out)).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut network = Self::default();
        for (link, keeps) in binding(config, &distinct, reserved).into_iter().enumerate() {
            network.numbers.push(keeps.then_some(network.capacities.len() as u32));
            network.capacities.extend(keeps.then_some(config.links[link].capacity));
        }
        network
    }

    /// The values of the links that can be a bottleneck, of those of all links.
    pub(super) fn of_links(&self, values: &[f64]) -> Vec<f64> {
        let known = self.numbers.iter().zip(values).filter(|(number, _)| number.is_some());
        known.map(|(_, &value)| value).collect()
    }

    /// The number of the route over these links, which is new if it is the last one's.
    pub(super) fn route(&mut self, crossed: &Crossings) -> u32 {
        let kept = |&(link, times): &(usize, u32)| Some((self.numbers[link]?, times));
        let links = crossed.links.iter().filter_map(kept).collect();
        let route = Route { links, paths: crossed.paths };
        *self.known.entry(route).or_insert_with_key(|route| {
            self.routes.push(route.clone());
            self.routes.len() as u32 - 1
        })
    }
}

/// The crossings of each path that is given. Paths of least delay are not listed: of these, the crossings
/// of each link together with the links that all of them cross.
fn possible(ways: &Ways) -> Vec<PathLinks> {
    if let Some(paths) = ways.given() {
        return paths.into_iter().map(crossings).collect();
    }
    let (always, some): (Vec<_>, Vec<_>) =
        ways.shares().into_iter().partition(|(_, share)| *share > 1.0 - 1e-9);
    let always: Vec<usize> = always.into_iter().map(|(link, _)| link).collect();
    some.iter().map(|&(link, _)| crossings(&[&always[..], &[link]].concat())).collect()
}

/// The number of times that a path crosses each of its links.
fn crossings(path: &[usize]) -> PathLinks {
    let mut times = BTreeMap::new();
    for &link in path {
        *times.entry(link).or_insert(0) += 1;
    }
    times.into_iter().collect()
}

/// Which links can be a bottleneck: those that some path crosses, except where another link always has
/// at least the same utilization, whatever is left of that link.
fn binding(config: &Config, paths: &[PathLinks], reserved: &[bool]) -> Vec<bool> {
    let mut crossing = vec![Vec::new(); config.links.len()];
    for path in paths {
        for &(link, _) in path {
            crossing[link].push(path);
        }
    }
    let covers = |over: usize, under: usize| {
        if config.links[over].schedule.is_some() {
            // It may have more capacity than its nominal one.
            return false;
        }
        let bps = |link: usize| u128::from(config.links[link].capacity.as_bps());
        crossing[under].iter().all(|path| {
            let times = |link| {
                let found = path.binary_search_by_key(&link, |&(link, _)| link);
                found.map_or(0, |at| u128::from(path[at].1))
            };
            // Of two links with equal utilization, the one with the lower number stays.
            times(over) * bps(under) >= times(under) * bps(over)
        })
    };
    let can_bind = |link: usize| {
        let Some(&path) = crossing[link].first() else { return false };
        let mut others = path.iter().map(|&(other, _)| other).filter(|&other| other != link);
        reserved[link]
            || !others.any(|other| covers(other, link) && (other < link || !covers(link, other)))
    };
    (0..config.links.len()).map(can_bind).collect()
}

#[cfg(test)]
mod tests {
    use sluice_units::Time;

    use super::*;
    use crate::config::LinkConfig;

    /// The network of paths over links of these capacities, and the route of each.
    fn network(capacities: &[u64], paths: &[&[usize]]) -> (Network, Vec<u32>) {
        let link = |&bps: &u64| LinkConfig::new(0, 1, Rate::from_bps(bps));
        let links = capacities.iter().map(link).collect();
        let config = Config::new(2, links, Vec::new(), Time::ZERO);
        let there =
            |out: &&[usize]| Paths { out: Ways::one(out.to_vec()), back: Ways::one(Vec::new()) };
        let reserved = vec![false; config.links.len()];
        let paths_there: Vec<_> = paths.iter().map(there).collect();
        let mut network = Network::new(&config, &paths_there, &reserved);
        let route =
            |path: &&[usize]| network.route(&Crossings { links: crossings(path), paths: 1 });
        let routes = paths.iter().map(route).collect();
        (network, routes)
    }

    fn route(links: &[(u32, u32)]) -> Route {
        Route { links: links.to_vec(), paths: 1 }
    }

    #[test]
    fn a_dumbbell_with_fast_access_is_one_link() {
        let (found, of_path) = network(&[10, 10, 10, 10, 10], &[&[1, 0, 3], &[2, 0, 4]]);
        assert_eq!(found.capacities, [Rate::from_bps(10)]);
        assert_eq!((found.routes, of_path), (vec![route(&[(0, 1)])], vec![0, 0]));
    }

    #[test]
    fn slower_access_stays() {
        let (found, _) = network(&[10, 9, 10, 9, 9], &[&[1, 0, 3], &[2, 0, 4]]);
        // Links 1 and 3 have the same flows and capacity: one of them will do.
        assert_eq!(found.capacities, [10, 9, 9].map(Rate::from_bps));
        assert_eq!(found.routes, [route(&[(0, 1), (1, 1)]), route(&[(0, 1), (2, 1)])]);
    }

    #[test]
    fn a_link_crossed_twice_is_as_slow_as_half() {
        let (found, _) = network(&[30, 20], &[&[0, 1, 0]]);
        assert_eq!(
            (found.capacities, found.routes),
            (vec![Rate::from_bps(30)], vec![route(&[(0, 2)])])
        );
        let (found, _) = network(&[50, 20], &[&[0, 1, 0]]);
        assert_eq!(
            (found.capacities, found.routes),
            (vec![Rate::from_bps(20)], vec![route(&[(0, 1)])])
        );
    }

    #[test]
    fn a_parking_lot_keeps_its_links() {
        let (found, of_path) = network(&[10, 10, 10, 10], &[&[0, 1, 2], &[0], &[1], &[2]]);
        assert_eq!(found.capacities.len(), 3, "nobody uses the fourth");
        assert_eq!(of_path, [0, 1, 2, 3]);
    }
}
