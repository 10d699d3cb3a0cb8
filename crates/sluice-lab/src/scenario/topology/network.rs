//! Nodes and links with their names.

use std::collections::BTreeMap;
use std::ops::Range;

use sluice_sim::LinkConfig;

/// Nodes and links with their names.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The name of each node.
    pub nodes: Vec<String>,
    /// Directed links; at most one from a node to another.
    pub links: Vec<LinkConfig>,
    /// Pairs of hosts, source first, if the shape has pairs: those over each bottleneck.
    pub pairs: Vec<Vec<(usize, usize)>>,
    /// The hosts of each rack or site, if the shape has hosts.
    pub racks: Vec<Vec<usize>>,
    by_name: BTreeMap<String, usize>,
    by_ends: BTreeMap<(usize, usize), usize>,
}

impl Network {
    /// The node of that name.
    pub fn node(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The link from one node to another.
    pub fn link(&self, from: usize, to: usize) -> Option<usize> {
        self.by_ends.get(&(from, to)).copied()
    }

    /// A link by its ends' names: `left->right`.
    pub fn link_name(&self, link: usize) -> String {
        let LinkConfig { from, to, .. } = &self.links[link];
        format!("{}->{}", self.nodes[*from], self.nodes[*to])
    }

    /// The node of that name, new if there is none yet.
    pub(super) fn add_node(&mut self, name: &str) -> usize {
        *self.by_name.entry(name.into()).or_insert_with(|| {
            self.nodes.push(name.into());
            self.nodes.len() - 1
        })
    }

    /// Adds nodes of this name with these numbers, such as `leaf0` and `leaf1`.
    pub(super) fn add_nodes(&mut self, name: &str, numbers: Range<usize>) -> Range<usize> {
        let first = self.nodes.len();
        for number in numbers {
            self.add_node(&format!("{name}{number}"));
        }
        first..self.nodes.len()
    }

    /// Adds the link unless there is one between the same ends; returns whether it did.
    pub(super) fn add_link(&mut self, link: LinkConfig) -> bool {
        let ends = (link.from, link.to);
        let new = !self.by_ends.contains_key(&ends);
        if new {
            self.by_ends.insert(ends, self.links.len());
            self.links.push(link);
        }
        new
    }
}
