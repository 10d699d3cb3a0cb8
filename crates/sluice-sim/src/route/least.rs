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
    pub(super) fn walk(&self, mut pick: impl FnMut(NodeId, &[NextLink]) -> NextLink) -> Vec<LinkId> {
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

    /// The links, each with the part of the packets that crosses it if those at a node spread evenly
    /// over its next links.
    pub(super) fn shares(&self) -> Vec<(LinkId, f64)> {
        let mut shares: Vec<_> = self.first.map(|link| (link, 1.0)).into_iter().collect();
        // Costs fall along every path.
        let mut reached = BTreeMap::from([((self.table.cost(self.begin), self.begin), 1.0)]);
        while let Some(((_, node), share)) = reached.pop_last() {
            let next = self.table.next(node);
            let part = share / next.len() as f64;
            for next in next {
                shares.push((next.link, part));
                *reached.entry((self.table.cost(next.to), next.to)).or_insert(0.0) += part;
            }
        }
        shares.extend(self.last.map(|link| (link, 1.0)));
        shares
    }
}
