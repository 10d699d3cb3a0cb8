//! The ways of a group's packets in one direction: one path, or several of which each flow takes one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rand::seq::SliceRandom;
use sluice_units::{Rate, Span};

use super::hash::FlowHash;
use super::least::{LeastPaths, summed};
use super::table::NextLink;
use crate::config::{LinkConfig, LinkId, WeightedPath};
use crate::limits;

/// Where packets of a group may go in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways(WayKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum WayKind {
    /// One path.
    One(Vec<LinkId>),
    /// Each flow takes one of these, by a hash.
    Listed(Vec<WeightedPath>, FlowHash),
    /// Each flow takes one path, by a hash at each node.
    Hashed(LeastPaths, FlowHash, LinkWeights),
    /// Each packet takes the next path; their number.
    Sprayed(LeastPaths, FlowHash, u64),
}

/// What next links are chosen in proportion to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkWeights {
    Equal,
    Capacity,
}

impl LinkWeights {
    fn of(self, next: &NextLink) -> u64 {
        match self {
            Self::Equal => 1,
            Self::Capacity => next.capacity,
        }
    }
}

impl Ways {
    /// One path.
    pub(crate) fn one(path: Vec<LinkId>) -> Self {
        Self(WayKind::One(path))
    }

    /// One of the paths for each flow.
    pub(super) fn hashed(paths: LeastPaths, hash: FlowHash, weights: LinkWeights) -> Self {
        if paths.branch() {
            Self(WayKind::Hashed(paths, hash, weights))
        } else {
            Self::one(paths.lowest())
        }
    }

    /// One of these paths for each flow.
    pub(super) fn listed(paths: &[WeightedPath], hash: FlowHash) -> Self {
        match paths {
            [one] => Self::one(one.path.clone()),
            _ => Self(WayKind::Listed(paths.to_vec(), hash)),
        }
    }

    /// All of the paths for each flow, in turn. An error if they are too many.
    pub(super) fn sprayed(paths: LeastPaths, hash: FlowHash) -> Result<Self, String> {
        let (count, most) = (paths.count(), limits::SPRAYED.end());
        if count > *most {
            return Err(format!(
                "{count} paths are too many for spraying: at most {most} are allowed"
            ));
        }
        Ok(match count {
            1 => Self::one(paths.lowest()),
            _ => Self(WayKind::Sprayed(paths, hash, count)),
        })
    }

    /// Whether every packet takes the path that it would take by `other`. Tables of next links may differ where
    /// no packet passes.
    pub(super) fn leads_as(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (WayKind::Hashed(_, a, by), WayKind::Hashed(_, b, other_by)) => {
                (a, by) == (b, other_by) && self.hops() == other.hops()
            }
            (WayKind::Sprayed(_, a, _), WayKind::Sprayed(_, b, _)) => {
                a == b && self.hops() == other.hops()
            }
            (one, other) => one == other,
        }
    }

    /// Every two links that [`Ways::visit`] visits.
    fn hops(&self) -> BTreeSet<(Option<LinkId>, Option<LinkId>)> {
        let mut hops = BTreeSet::new();
        self.visit(&mut |before, next| {
            hops.insert((before, next));
        });
        hops
    }

    /// The path, if there is only one.
    pub fn only(&self) -> Option<&[LinkId]> {
        match &self.0 {
            WayKind::One(path) => Some(path),
            _ => None,
        }
    }

    /// The paths, if they are given one by one.
    pub(crate) fn given(&self) -> Option<Vec<&[LinkId]>> {
        match &self.0 {
            WayKind::One(path) => Some(vec![path]),
            WayKind::Listed(paths, _) => Some(paths.iter().map(|path| &path.path[..]).collect()),
            WayKind::Hashed(..) | WayKind::Sprayed(..) => None,
        }
    }

    /// All paths that the packets of each flow take in turn; `None` if they keep to one.
    pub fn sprayed_paths(&self) -> Option<Vec<Vec<LinkId>>> {
        match &self.0 {
            WayKind::Sprayed(paths, ..) => Some(paths.list()),
            _ => None,
        }
    }

    /// Puts what is known of each of the sprayed paths into the order in which flow `index` takes them.
    pub(crate) fn shuffle<T>(&self, index: u64, of_paths: &mut [T]) {
        if let WayKind::Sprayed(_, hash, _) = &self.0 {
            of_paths.shuffle(&mut hash.flow(index).stream());
        }
    }

    /// The path of the group's flow `index`: its links in order. If each packet takes the next path, one
    /// of them.
    pub fn of_flow(&self, index: u64) -> Cow<'_, [LinkId]> {
        match &self.0 {
            WayKind::One(path) => path.into(),
            WayKind::Listed(paths, hash) => {
                let weights = paths.iter().map(|path| path.weight);
                (&paths[hash.flow(index).pick(0, weights)].path).into()
            }
            WayKind::Hashed(paths, hash, weights) => walk(paths, hash, *weights, index).into(),
            WayKind::Sprayed(paths, hash, _) => walk(paths, hash, LinkWeights::Equal, index).into(),
        }
    }

    /// Every link that packets may cross; those of a single path in their order.
    pub fn links(&self) -> Cow<'_, [LinkId]> {
        match &self.0 {
            WayKind::One(path) => path.into(),
            _ => {
                let mut links = Vec::new();
                self.visit(&mut |_, next| links.extend(next));
                links.sort_unstable();
                links.dedup();
                links.into()
            }
        }
    }

    /// The links, each with the part of the group's packets that crosses it, if flows spread as hashes do on
    /// average. A link that paths cross twice is there twice, or has a part above 1.
    pub fn shares(&self) -> Vec<(LinkId, f64)> {
        match &self.0 {
            WayKind::One(path) => path.iter().map(|&link| (link, 1.0)).collect(),
            WayKind::Listed(paths, _) => listed_shares(paths),
            WayKind::Hashed(paths, _, weights) => paths.levels(|next| weights.of(next)).concat(),
            WayKind::Sprayed(paths, ..) => spread(paths).concat(),
        }
    }

    /// The links at each place of the path of flow `index`, or of the paths that its packets take in turn,
    /// each with the part of the flow's packets that crosses it.
    pub fn levels(&self, index: u64) -> Vec<Vec<(LinkId, f64)>> {
        match &self.0 {
            WayKind::Sprayed(paths, ..) => spread(paths),
            _ => self.of_flow(index).iter().map(|&link| vec![(link, 1.0)]).collect(),
        }
    }

    /// Number of paths that the packets of a flow take in turn; 1 if they keep to one.
    pub fn spray(&self) -> u64 {
        match &self.0 {
            &WayKind::Sprayed(_, _, count) => count,
            _ => 1,
        }
    }

    /// The highest rate at which no link gets more than its capacity.
    pub fn capacity(&self, links: &[LinkConfig]) -> Rate {
        let capacity = |(link, share): (LinkId, f64)| {
            let capacity: Rate = links[link].capacity;
            // Parts are rounded fractions, which may not add up to exactly 1.
            let is_whole = (share - 1.0).abs() < 1e-9;
            if is_whole { capacity } else { Rate::from_bps_f64(capacity.as_bps_f64() / share) }
        };
        summed(self.shares()).into_iter().map(capacity).min().unwrap_or(Rate::MAX)
    }

    /// Propagation delay of the longest path.
    pub fn delay(&self, links: &[LinkConfig]) -> Span {
        match &self.0 {
            WayKind::Listed(paths, _) => {
                paths.iter().map(|path| delay(links, &path.path)).max().unwrap_or_default()
            }
            // Those of least delay are equal.
            _ => delay(links, &self.of_flow(0)),
        }
    }

    /// Calls `visit` with every two links of which packets may cross one right after the other; `None`
    /// before the first link of a path and behind its last. Pairs may repeat.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Option<LinkId>, Option<LinkId>)) {
        match &self.0 {
            WayKind::One(path) => visit_path(path, visit),
            WayKind::Listed(paths, _) => {
                paths.iter().for_each(|path| visit_path(&path.path, visit))
            }
            WayKind::Hashed(paths, ..) | WayKind::Sprayed(paths, ..) => paths.visit(visit),
        }
    }
}

/// The path that takes the link of the hash at each node.
fn walk(paths: &LeastPaths, hash: &FlowHash, weights: LinkWeights, index: u64) -> Vec<LinkId> {
    let flow = hash.flow(index);
    paths.walk(|node, next| next[flow.pick(node, next.iter().map(|next| weights.of(next)))])
}

/// Propagation delay of a path.
pub(crate) fn delay(links: &[LinkConfig], path: &[LinkId]) -> Span {
    path.iter().fold(Span::ZERO, |sum, &link| sum + links[link].delay)
}

/// The links of paths that flows take in proportion to their weights.
fn listed_shares(paths: &[WeightedPath]) -> Vec<(LinkId, f64)> {
    let total: f64 = paths.iter().map(|path| path.weight as f64).sum();
    let of_path = |WeightedPath { path, weight }: &WeightedPath| {
        let share = *weight as f64 / total;
        path.iter().map(move |&link| (link, share)).collect::<Vec<_>>()
    };
    summed(paths.iter().flat_map(of_path).collect())
}

/// The links of paths over which packets spread evenly.
fn spread(paths: &LeastPaths) -> Vec<Vec<(LinkId, f64)>> {
    paths.levels(|next| paths.table.paths(next.to))
}

fn visit_path(path: &[LinkId], visit: &mut dyn FnMut(Option<LinkId>, Option<LinkId>)) {
    let mut before = None;
    for next in path.iter().copied().map(Some).chain([None]) {
        visit(before, next);
        before = next;
    }
}
