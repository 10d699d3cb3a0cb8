//! Traffic matrices: pairs chosen among all hosts of a network.

use std::ops::Range;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_units::{Faults, Ratio};

use super::nodes::nodes;
use super::pair::MAX_PAIRS;
use crate::scenario::topology::Network;
use crate::scenario::{HotHosts, HotSpots, PairSelection, Problems};

/// Sources and destinations, in the order of sources.
type Pairs = Vec<(usize, usize)>;

/// The pairs that `selection` chooses, from each source one after another.
pub(super) fn pairs(
    selection: &PairSelection,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Pairs {
    let before = problems.0.len();
    let mut hosts = Hosts::of(network);
    problems.check(field, |faults| hosts.check(selection, faults));
    // One generator: choices made one after another must not repeat each other's draws.
    let rng = &mut generator(selection);
    let hot = match selection {
        PairSelection::HotSpots(HotSpots { hosts: hot, .. }) => {
            hosts.put_first(hot, rng, field, network, problems)
        }
        _ => 0,
    };
    if problems.0.len() > before {
        return Pairs::new();
    }
    let all = 0..hosts.nodes.len();
    let everywhere = Ratio::new(1.0);
    let pairs = match selection {
        PairSelection::Each => Pairs::new(),
        PairSelection::AllToAll => hosts.all_to_all(),
        PairSelection::Permutation(matrix) => hosts.permutation(matrix.across_racks, rng),
        PairSelection::Random(matrix) => {
            hosts.drawn(matrix.destinations, everywhere, rng, |_| all.clone())
        }
        PairSelection::HotSpots(matrix) => {
            hosts.drawn(matrix.destinations, matrix.share, rng, |_| 0..hot)
        }
        PairSelection::ByRack(matrix) => {
            let rack = |source: usize| hosts.racks[source].clone();
            hosts.drawn(matrix.destinations, matrix.within, rng, rack)
        }
    };
    if pairs.is_empty() {
        problems.field(field, "no host has such a destination");
    }
    pairs
}

/// The source of a selection's random choices.
fn generator(selection: &PairSelection) -> Xoshiro256PlusPlus {
    let seed = match selection {
        PairSelection::Each | PairSelection::AllToAll => 0,
        PairSelection::Permutation(matrix) => matrix.seed,
        PairSelection::Random(matrix) => matrix.seed,
        PairSelection::HotSpots(matrix) => matrix.seed,
        PairSelection::ByRack(matrix) => matrix.seed,
    };
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The hosts of a network, by their places in one list.
struct Hosts {
    /// Their nodes.
    nodes: Vec<usize>,
    /// The places of the hosts in the rack of each.
    racks: Vec<Range<usize>>,
}

impl Hosts {
    fn of(network: &Network) -> Self {
        let nodes = network.racks.concat();
        let mut racks = Vec::new();
        for rack in &network.racks {
            let places = racks.len()..racks.len() + rack.len();
            racks.extend(std::iter::repeat_n(places, rack.len()));
        }
        Self { nodes, racks }
    }

    /// Checks that the parameters of a matrix suit the hosts.
    fn check(&self, selection: &PairSelection, faults: &mut Faults) {
        let hosts = self.nodes.len();
        let what = format!("the network has {hosts} hosts: 2 to {MAX_PAIRS} are needed");
        faults.need((2..=MAX_PAIRS).contains(&hosts), "", &what);
        let share = Ratio::new(0.0)..=Ratio::new(1.0);
        let destinations = 1..=(MAX_PAIRS / hosts.max(1)).max(1);
        match selection {
            PairSelection::Each => {}
            PairSelection::AllToAll => {
                let pairs = hosts * hosts.saturating_sub(1);
                let what = format!(
                    "{hosts} hosts make {pairs} pairs: at most {MAX_PAIRS} are allowed; \
                     `{{ random = {{ destinations = {} }} }}` is a sample of them",
                    destinations.end()
                );
                faults.need(pairs <= MAX_PAIRS, "", &what);
            }
            PairSelection::Permutation(matrix) => {
                let largest = self.racks.iter().map(Range::len).max().unwrap_or(0);
                let what = format!("a rack has {largest} of {hosts} hosts, more than half of them");
                let fits = !matrix.across_racks || 2 * largest <= hosts;
                faults.need(fits, "permutation.across_racks", &what);
            }
            PairSelection::Random(matrix) => {
                faults.within("random.destinations", &matrix.destinations, &destinations);
            }
            PairSelection::HotSpots(matrix) => {
                faults.within("hot_spots.destinations", &matrix.destinations, &destinations);
                faults.within("hot_spots.share", &matrix.share, &share);
                if let HotHosts::Count(count) = &matrix.hosts {
                    faults.within("hot_spots.hosts", count, &(1..=hosts));
                }
            }
            PairSelection::ByRack(matrix) => {
                faults.within("by_rack.destinations", &matrix.destinations, &destinations);
                faults.within("by_rack.within", &matrix.within, &share);
            }
        }
    }

    /// Moves the hot hosts to the first places; returns their number.
    fn put_first(
        &mut self,
        hot: &HotHosts,
        rng: &mut Xoshiro256PlusPlus,
        field: &str,
        network: &Network,
        problems: &mut Problems,
    ) -> usize {
        match hot {
            HotHosts::Count(count) => {
                self.nodes.shuffle(rng);
                *count
            }
            HotHosts::Named(names) => {
                let field = format!("{field}.hot_spots.hosts");
                let hot = nodes(names, &field, network, problems);
                let mut is_hot = vec![false; network.nodes.len()];
                hot.iter().for_each(|&node| is_hot[node] = true);
                self.nodes.sort_by_key(|&node| !is_hot[node]);
                let count = self.nodes.iter().filter(|&&node| is_hot[node]).count();
                if count < hot.len() {
                    problems.field(field, "a hot host must be one of the network's hosts");
                }
                count
            }
        }
    }

    fn all_to_all(&self) -> Pairs {
        let from = |&from| self.nodes.iter().map(move |&to| (from, to));
        self.nodes.iter().flat_map(from).filter(|(from, to)| from != to).collect()
    }

    /// A random permutation without hosts (or hosts of racks) that send to themselves.
    ///
    /// A pair inside a class, a host or a rack, is resolved by exchanging destinations with another
    /// pair that neither starts nor ends in that class. There is one: with `inside` pairs within a
    /// class of at most half of all hosts, at least as many lie wholly outside.
    fn permutation(&self, across_racks: bool, rng: &mut Xoshiro256PlusPlus) -> Pairs {
        let count = self.nodes.len();
        let mut to: Vec<usize> = (0..count).collect();
        to.shuffle(rng);
        let class = |host: usize| if across_racks { self.racks[host].start } else { host };
        for from in 0..count {
            let own = class(from);
            if class(to[from]) == own {
                let first = rng.random_range(0..count);
                let mut others = (first..count).chain(0..first);
                let other = others.find(|&other| class(other) != own && class(to[other]) != own);
                to.swap(from, other.unwrap_or(from));
            }
        }
        to.into_iter().enumerate().map(|(from, to)| (self.nodes[from], self.nodes[to])).collect()
    }

    /// Pairs from each host to `destinations` others. This share of all pairs leads to places in the
    /// source's `near` ones, the rest to others. Hosts without both, as far as both are needed, have
    /// no pairs.
    fn drawn(
        &self,
        destinations: usize,
        share: Ratio,
        rng: &mut Xoshiro256PlusPlus,
        near: impl Fn(usize) -> Range<usize>,
    ) -> Pairs {
        let count = self.nodes.len();
        let has_both = |&source: &usize| {
            let near = near(source);
            let others = near.len() - usize::from(near.contains(&source));
            (others > 0 || share.get() == 0.0) && (count - 1 > others || share.get() == 1.0)
        };
        let sources = (0..count).filter(has_both);
        let sources: Vec<usize> =
            sources.flat_map(|source| std::iter::repeat_n(source, destinations)).collect();
        let chosen = libm::round(share.get() * sources.len() as f64) as usize;
        let mut is_near: Vec<bool> = (0..sources.len()).map(|pair| pair < chosen).collect();
        is_near.shuffle(rng);
        let draw = |(source, is_near): (usize, bool)| {
            let near = near(source);
            let to = loop {
                let to = match is_near {
                    true => rng.random_range(near.clone()),
                    false => (near.end + rng.random_range(0..count - near.len())) % count,
                };
                if to != source {
                    break to;
                }
            };
            (self.nodes[source], self.nodes[to])
        };
        let mut pairs: Pairs = sources.into_iter().zip(is_near).map(draw).collect();
        // Hot hosts were put first.
        pairs.sort_by_key(|&(from, _)| from);
        pairs
    }
}
