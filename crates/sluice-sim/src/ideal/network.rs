//! The network of an ideal: the links that can be a bottleneck, and distinct routes over them. For a
//! dumbbell with fast access links that is one link and one route, whatever the number of groups.

use std::collections::BTreeMap;

use sluice_units::Rate;

use crate::config::{Config, LinkId};
use crate::route::Paths;

/// Links of a path in rising order, with the number of times that each is crossed.
type Crossings = Vec<(usize, u32)>;

/// Routes over links that can be a bottleneck, with numbers of their own.
#[derive(Debug)]
pub(super) struct Network {
    /// The link of each number.
    pub(super) links: Vec<LinkId>,
    /// Capacity of each link.
    pub(super) capacities: Vec<Rate>,
    /// The links of each route.
    pub(super) routes: Vec<Vec<(u32, u32)>>,
    /// The route of each group.
    pub(super) of_group: Vec<u32>,
}

impl Network {
    /// The network of these paths, with streams over the links that are `reserved` in part.
    pub(super) fn new(config: &Config, paths: &[Paths], reserved: &[bool]) -> Self {
        let full: Vec<Crossings> = paths.iter().map(|paths| crossings(&paths.out)).collect();
        let mut distinct = full.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let keeps = binding(config, &distinct, reserved);
        let mut numbers = vec![u32::MAX; config.links.len()];
        let mut network = Self {
            links: Vec::new(),
            capacities: Vec::new(),
            routes: Vec::new(),
            of_group: Vec::new(),
        };
        for (link, number) in numbers.iter_mut().enumerate().filter(|&(link, _)| keeps[link]) {
            *number = network.capacities.len() as u32;
            network.links.push(link);
            network.capacities.push(config.links[link].capacity);
        }
        let mut known = BTreeMap::new();
        for path in &full {
            let kept = path.iter().filter(|&&(link, _)| keeps[link]);
            let route: Vec<_> = kept.map(|&(link, times)| (numbers[link], times)).collect();
            let number = *known.entry(route.clone()).or_insert_with(|| {
                network.routes.push(route);
                network.routes.len() as u32 - 1
            });
            network.of_group.push(number);
        }
        network
    }
}

/// The number of times that a path crosses each of its links.
pub(super) fn crossings(path: &[usize]) -> Crossings {
    let mut times = BTreeMap::new();
    for &link in path {
        *times.entry(link).or_insert(0) += 1;
    }
    times.into_iter().collect()
}

/// Which links can be a bottleneck: those that some path crosses, except where another link always has
/// at least the same utilization, whatever is left of that link.
fn binding(config: &Config, paths: &[Crossings], reserved: &[bool]) -> Vec<bool> {
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

    /// The network of paths over links of these capacities.
    fn network(capacities: &[u64], paths: &[&[usize]]) -> Network {
        let link = |&bps: &u64| LinkConfig::new(0, 1, Rate::from_bps(bps));
        let links = capacities.iter().map(link).collect();
        let config = Config::new(2, links, Vec::new(), Time::ZERO);
        let paths = paths.iter().map(|out| Paths { out: out.to_vec(), back: Vec::new() });
        Network::new(&config, &paths.collect::<Vec<_>>(), &vec![false; config.links.len()])
    }

    #[test]
    fn a_dumbbell_with_fast_access_is_one_link() {
        let found = network(&[10, 10, 10, 10, 10], &[&[1, 0, 3], &[2, 0, 4]]);
        assert_eq!(found.capacities, [Rate::from_bps(10)]);
        assert_eq!((found.routes, found.of_group), (vec![vec![(0, 1)]], vec![0, 0]));
    }

    #[test]
    fn slower_access_stays() {
        let found = network(&[10, 9, 10, 9, 9], &[&[1, 0, 3], &[2, 0, 4]]);
        // Links 1 and 3 have the same flows and capacity: one of them will do.
        assert_eq!(found.capacities, [10, 9, 9].map(Rate::from_bps));
        assert_eq!(found.routes, [vec![(0, 1), (1, 1)], vec![(0, 1), (2, 1)]]);
    }

    #[test]
    fn a_link_crossed_twice_is_as_slow_as_half() {
        let found = network(&[30, 20], &[&[0, 1, 0]]);
        assert_eq!(
            (found.capacities, found.routes),
            (vec![Rate::from_bps(30)], vec![vec![(0, 2)]])
        );
        let found = network(&[50, 20], &[&[0, 1, 0]]);
        assert_eq!(
            (found.capacities, found.routes),
            (vec![Rate::from_bps(20)], vec![vec![(0, 1)]])
        );
    }

    #[test]
    fn a_parking_lot_keeps_its_links() {
        let found = network(&[10, 10, 10, 10], &[&[0, 1, 2], &[0], &[1], &[2]]);
        assert_eq!(found.capacities.len(), 3, "nobody uses the fourth");
        assert_eq!(found.of_group, [0, 1, 2, 3]);
    }
}
