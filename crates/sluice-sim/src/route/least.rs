//! All paths of least cost between two nodes.

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

    /// Number of paths, at most [`u64::MAX`].
    pub(super) fn count(&self) -> u64 {
        self.table.paths(self.begin)
    }

    /// All paths, in order of their links' numbers.
    pub(super) fn list(&self) -> Vec<Vec<LinkId>> {
        let mut found = Vec::new();
        self.list_from(self.begin, &mut self.first.into_iter().collect(), &mut found);
        found
    }

    /// Adds the paths that go on from `node`, `path` before it.
    fn list_from(&self, node: NodeId, path: &mut Vec<LinkId>, found: &mut Vec<Vec<LinkId>>) {
        if node == self.table.end {
            found.push(path.iter().copied().chain(self.last).collect());
            return;
        }
        for next in self.table.next(node) {
            path.push(next.link);
            self.list_from(next.to, path, found);
            path.pop();
        }
    }

    /// Calls `visit` once with every two links that follow each other on a path, and with the first and
    /// last links, before and behind which there is none.
    pub(super) fn visit(&self, visit: &mut dyn FnMut(Option<LinkId>, Option<LinkId>)) {
        if self.first.is_some() {
            visit(None, self.first);
        }
        // The links at one place of the paths, by the node where they end.
        let mut place = vec![(self.begin, self.first)];
        while place.iter().all(|&(node, _)| node != self.table.end) {
            let mut behind = Vec::new();
            for of_node in place.chunk_by(|a, b| a.0 == b.0) {
                for next in self.table.next(of_node[0].0) {
                    of_node.iter().for_each(|&(_, before)| visit(before, Some(next.link)));
                    behind.push((next.to, Some(next.link)));
                }
            }
            behind.sort_unstable();
            place = behind;
        }
        place.iter().for_each(|&(_, before)| visit(before, self.last));
        if self.last.is_some() {
            visit(self.last, None);
        }
    }

    /// The links at each place of the paths, each with the part of the packets that crosses it if those at
    /// a node spread over its next links in proportion to `weight`.
    pub(super) fn levels(&self, weight: impl Fn(&NextLink) -> u64) -> Vec<Vec<(LinkId, f64)>> {
        let mut levels: Vec<_> = self.first.map(|link| vec![(link, 1.0)]).into_iter().collect();
        let mut place = vec![(self.begin, 1.0)];
        while place.iter().all(|&(node, _)| node != self.table.end) {
            let (mut level, mut behind) = (Vec::new(), Vec::new());
            for (node, share) in place {
                let next = self.table.next(node);
                let total: f64 = next.iter().map(|next| weight(next) as f64).sum();
                for next in next {
                    let part = share * weight(next) as f64 / total;
                    level.push((next.link, part));
                    behind.push((next.to, part));
                }
            }
            levels.push(level);
            place = summed(behind);
        }
        levels.extend(self.last.map(|link| vec![(link, 1.0)]));
        levels
    }
}

/// The parts of each number together, in order of the numbers.
pub(super) fn summed(mut parts: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    // Stable, so that sums are added up in the order of the parts.
    parts.sort_by_key(|&(number, _)| number);
    parts.dedup_by(|part, sum| {
        let same = part.0 == sum.0;
        if same {
            sum.1 += part.1;
        }
        same
    });
    parts
}
