//! Tables of next links, as routers have them: for one destination, the links by which the paths of
//! least cost leave each node.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sluice_units::Span;

use crate::config::{LinkConfig, LinkId, NodeId};

/// What paths are compared by: delay, then number of links.
pub(super) type Cost = (Span, usize);

/// Links by the nodes where they begin and end.
#[derive(Clone, Debug)]
pub(super) struct LinkGraph {
    leaving: Vec<Vec<LinkId>>,
    entering: Vec<Vec<LinkId>>,
}

impl LinkGraph {
    /// The graph of some of `links`.
    pub(super) fn new(
        nodes: usize,
        links: &[LinkConfig],
        some: impl Iterator<Item = LinkId>,
    ) -> Self {
        let (mut leaving, mut entering) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for id in some {
            leaving[links[id].from].push(id);
            entering[links[id].to].push(id);
        }
        Self { leaving, entering }
    }

    /// The links into and out of a node that has one each, to and from the same other node.
    pub(super) fn leaf(&self, links: &[LinkConfig], node: NodeId) -> Option<(LinkId, LinkId)> {
        match (&self.entering[node][..], &self.leaving[node][..]) {
            (&[enters], &[leaves]) if links[enters].from == links[leaves].to => {
                Some((enters, leaves))
            }
            _ => None,
        }
    }
}

/// The next links of all nodes towards one destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HopTable {
    /// The destination.
    pub(super) end: NodeId,
    nodes: Vec<TableNode>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct TableNode {
    /// Of the paths to the destination; `None` where there is none.
    cost: Option<Cost>,
    /// Number of them, at most [`u64::MAX`].
    paths: u64,
    /// In order of their numbers.
    next: Vec<NextLink>,
}

/// A link by which a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NextLink {
    pub(super) link: LinkId,
    /// Where it leads.
    pub(super) to: NodeId,
    /// In bits per second.
    pub(super) capacity: u64,
}

impl HopTable {
    /// The table for `end`, over the links of `graph`.
    pub(super) fn new(links: &[LinkConfig], graph: &LinkGraph, end: NodeId) -> Self {
        let (costs, nearest) = costs(links, &graph.entering, end);
        let node = |(node, cost): (usize, &Option<Cost>)| TableNode {
            cost: *cost,
            paths: 0,
            next: graph.leaving[node]
                .iter()
                .filter(|&&id| {
                    let after = costs[links[id].to].map(|after| beyond(after, &links[id]));
                    after.is_some() && after == *cost
                })
                .map(|&link| NextLink {
                    link,
                    to: links[link].to,
                    capacity: links[link].capacity.as_bps(),
                })
                .collect(),
        };
        let mut nodes: Vec<TableNode> = costs.iter().enumerate().map(node).collect();
        for node in nearest {
            let beyond = nodes[node].next.iter().map(|next| nodes[next.to].paths);
            nodes[node].paths = if node == end { 1 } else { beyond.fold(0, u64::saturating_add) };
        }
        Self { end, nodes }
    }

    /// The cost of the paths from `node`; `None` if there is none.
    pub(super) fn cost(&self, node: NodeId) -> Option<Cost> {
        self.nodes[node].cost
    }

    /// The number of paths of least cost from `node`, at most [`u64::MAX`].
    pub(super) fn paths(&self, node: NodeId) -> u64 {
        self.nodes[node].paths
    }

    /// The links by which the paths of least cost leave `node`; none at the destination.
    pub(super) fn next(&self, node: NodeId) -> &[NextLink] {
        &self.nodes[node].next
    }
}

/// The cost of a path that crosses `link` before one of cost `after`.
fn beyond((delay, links): Cost, link: &LinkConfig) -> Cost {
    (delay + link.delay, links + 1)
}

/// Dijkstra's algorithm against the direction of links. Returns the cost of each node, and the nodes that
/// have one, those of lower cost first.
fn costs(
    links: &[LinkConfig],
    entering: &[Vec<LinkId>],
    end: NodeId,
) -> (Vec<Option<Cost>>, Vec<NodeId>) {
    let mut costs: Vec<Option<Cost>> = vec![None; entering.len()];
    let mut heap = BinaryHeap::from([Reverse((Span::ZERO, 0, end))]);
    costs[end] = Some((Span::ZERO, 0));
    let mut nearest = Vec::new();
    while let Some(Reverse((delay, hops, node))) = heap.pop() {
        if costs[node].is_some_and(|best| (delay, hops) > best) {
            continue;
        }
        nearest.push(node);
        for &id in &entering[node] {
            let (cost, from) = (beyond((delay, hops), &links[id]), links[id].from);
            if costs[from].is_none_or(|best| cost < best) {
                costs[from] = Some(cost);
                heap.push(Reverse((cost.0, cost.1, from)));
            }
        }
    }
    (costs, nearest)
}
