//! All paths of least cost between two nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::table::{HopTable, NextLink};
use crate::config::{LinkId, NodeId};

/// The paths of least cost between two nodes, which are not listed: there may be any number. Most hosts
/// have one link, so paths differ between the nodes behind these links only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeastPaths {
    /// The link of the source, if it has one only.
    pub(super) first: Option<LinkId>,
    /// Where the paths begin behind it.
    pub(super) begin: NodeId,
    /// The links towards the node before `last`.
    pub(super) table: Arc<HopTable>,
    /// The link of the destination, if it has one only.
    pub(super) last: Option<LinkId>,
}

impl LeastPaths {
    /// The path that takes the link that `pick` chooses among the next links of each node.
    pub(super) fn walk(
        &self,
        mut pick: impl FnMut(NodeId, &[NextLink]) -> NextLink,
    ) -> Vec<LinkId> {
        let mut path: Vec<LinkId> = self.first.into_iter().collect();
        let mut at = self.begin;
        while at != self.table.end {
            let next = pick(at, self.table.next(at));
            path.push(next.link);
            at = next.to;
        }
        path.extend(self.last);
        path
    }

    /// The path of the lowest-numbered next link at each node.
    pub(super) fn lowest(&self) -> Vec<LinkId> {
        self.walk(|_, next| next[0])
    }

    /// Whether there are several.
    pub(super) fn branch(&self) -> bool {
        let mut at = self.begin;
        loop {
            match self.table.next(at) {
                [] => return false,
                [one] => at = one.to,
                _ => return true,
            }
        }
    }

    /// Number of paths.
    pub(super) fn count(&self) -> u64 {
        *self.counts().get(&self.begin).unwrap_or(&1)
    }

    /// Number of paths from each node that packets pass, at most [`u64::MAX`].
    pub(super) fn counts(&self) -> BTreeMap<NodeId, u64> {
        let (mut reached, mut waiting) = (BTreeSet::new(), vec![self.begin]);
        while let Some(node) = waiting.pop() {
            if reached.insert((self.table.cost(node), node)) {
                waiting.extend(self.table.next(node).iter().map(|next| next.to));
            }
        }
        let mut counts = BTreeMap::new();
        // Next nodes have lower costs.
        for (_, node) in reached {
            let of_next = |next: &NextLink| counts[&next.to];
            let count = match self.table.next(node) {
                [] => 1,
                next => next.iter().map(of_next).fold(0, u64::saturating_add),
            };
            counts.insert(node, count);
        }
        counts
    }

    /// All paths, in order of their links' numbers.
    pub(super) fn list(&self) -> Vec<Vec<LinkId>> {
        let mut found = Vec::new();
        let begin: Vec<LinkId> = self.first.into_iter().collect();
        let mut waiting = vec![(self.begin, begin)];
        while let Some((node, mut path)) = waiting.pop() {
            if node == self.table.end {
                path.extend(self.last);
                found.push(path);
                continue;
            }
            let next = self.table.next(node).iter().rev();
            waiting.extend(next.map(|next| (next.to, [&path[..], &[next.link]].concat())));
        }
        found
    }

    /// Calls `visit` with every two links that follow each other on a path, and with the first and last
    /// links, before and behind which there is none.
    pub(super) fn visit(&self, visit: &mut dyn FnMut(Option<LinkId>, Option<LinkId>)) {
        if self.first.is_some() {
            visit(None, self.first);
        }
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(self.first, self.begin)];
        while let Some((before, node)) = waiting.pop() {
            if node == self.table.end {
                visit(before, self.last);
            }
            for next in self.table.next(node) {
                visit(before, Some(next.link));
                if seen.insert(next.link) {
                    waiting.push((Some(next.link), next.to));
                }
            }
        }
        if self.last.is_some() {
            visit(self.last, None);
        }
    }

    /// The links at each place of the paths, each with the part of the packets that crosses it if those at
    /// a node spread over its next links in proportion to `weight`.
    pub(super) fn levels(&self, weight: impl Fn(&NextLink) -> u64) -> Vec<Vec<(LinkId, f64)>> {
        let mut levels: Vec<_> = self.first.map(|link| vec![(link, 1.0)]).into_iter().collect();
        // Costs fall along every path, and links come in as many steps.
        let mut reached = BTreeMap::from([((self.table.cost(self.begin), self.begin), 1.0)]);
        let ends = levels.len() + self.links_from(self.begin);
        levels.resize(ends, Vec::new());
        while let Some(((_, node), share)) = reached.pop_last() {
            let next = self.table.next(node);
            let total: f64 = next.iter().map(|next| weight(next) as f64).sum();
            for next in next {
                let part = share * weight(next) as f64 / total;
                levels[ends - self.links_from(node)].push((next.link, part));
                *reached.entry((self.table.cost(next.to), next.to)).or_insert(0.0) += part;
            }
        }
        levels.extend(self.last.map(|link| vec![(link, 1.0)]));
        levels
    }

    /// The number of links of the paths from `node`, but for `last`.
    fn links_from(&self, node: NodeId) -> usize {
        self.table.cost(node).map_or(0, |(_, links)| links)
    }
}
