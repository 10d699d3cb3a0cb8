//! The ways of a group's packets in one direction: one path, or several of which each flow takes one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sluice_units::{Rate, Span};

use super::hash::FlowHash;
use super::least::LeastPaths;
use crate::config::{LinkConfig, LinkId};

/// Where packets of a group may go in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways(WayKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum WayKind {
    /// One path.
    One(Vec<LinkId>),
    /// Each flow takes one path, by a hash at each node.
    Hashed(LeastPaths, FlowHash),
}

impl Ways {
    /// One path.
    pub(crate) fn one(path: Vec<LinkId>) -> Self {
        Self(WayKind::One(path))
    }

    /// One of the paths for each flow.
    pub(super) fn hashed(paths: LeastPaths, hash: FlowHash) -> Self {
        if paths.branch() { Self(WayKind::Hashed(paths, hash)) } else { Self::one(paths.lowest()) }
    }

    /// The path, if there is only one.
    pub fn only(&self) -> Option<&[LinkId]> {
        match &self.0 {
            WayKind::One(path) => Some(path),
            WayKind::Hashed(..) => None,
        }
    }

    /// The path of the group's flow `index`: its links in order.
    pub fn of_flow(&self, index: u64) -> Cow<'_, [LinkId]> {
        match &self.0 {
            WayKind::One(path) => path.into(),
            WayKind::Hashed(paths, hash) => {
                let flow = hash.flow(index);
                paths.walk(|node, next| flow.pick(node, next)).into()
            }
        }
    }

    /// Every link that packets may cross; those of a single path in their order.
    pub fn links(&self) -> Cow<'_, [LinkId]> {
        match &self.0 {
            WayKind::One(path) => path.into(),
            WayKind::Hashed(..) => {
                let mut links = BTreeSet::new();
                self.visit(&mut |_, next| links.extend(next));
                links.into_iter().collect()
            }
        }
    }

    /// The links, each with the part of the group's packets that crosses it, above 0 and at most 1, if
    /// flows spread as hashes do on average. A link that the path crosses twice is there twice.
    pub fn shares(&self) -> Vec<(LinkId, f64)> {
        match &self.0 {
            WayKind::One(path) => path.iter().map(|&link| (link, 1.0)).collect(),
            WayKind::Hashed(paths, _) => paths.shares(),
        }
    }

    /// The part of the group's packets that crosses a link, as in [`Ways::shares`].
    pub fn share_of(&self, link: LinkId) -> f64 {
        self.shares().iter().find(|(other, _)| *other == link).map_or(0.0, |(_, share)| *share)
    }

    /// The highest rate at which no link gets more than its capacity.
    pub fn capacity(&self, links: &[LinkConfig]) -> Rate {
        let capacity = |(link, share): (LinkId, f64)| {
            let capacity: Rate = links[link].capacity;
            if share < 1.0 { Rate::from_bps_f64(capacity.as_bps_f64() / share) } else { capacity }
        };
        self.shares().into_iter().map(capacity).min().unwrap_or(Rate::MAX)
    }

    /// Propagation delay of a path; hashes choose among paths of equal delay.
    pub fn delay(&self, links: &[LinkConfig]) -> Span {
        let path = self.of_flow(0);
        path.iter().fold(Span::ZERO, |sum, &link| sum + links[link].delay)
    }

    /// Calls `visit` with every two links of which packets may cross one right after the other; `None`
    /// before the first link of a path and behind its last. Pairs may repeat.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(Option<LinkId>, Option<LinkId>)) {
        match &self.0 {
            WayKind::One(path) => visit_path(path, visit),
            WayKind::Hashed(paths, _) => paths.visit(visit),
        }
    }
}

fn visit_path(path: &[LinkId], visit: &mut dyn FnMut(Option<LinkId>, Option<LinkId>)) {
    let mut before = None;
    for next in path.iter().copied().map(Some).chain([None]) {
        visit(before, next);
        before = next;
    }
}
