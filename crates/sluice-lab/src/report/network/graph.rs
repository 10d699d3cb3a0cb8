//! The graph of links, and the same with the hosts of each switch folded into one node.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::links::MeasuredLink;

/// Nodes and directions between them.
#[derive(Debug, Default)]
pub struct LinkGraph {
    /// In the order of the links that name them.
    pub nodes: Vec<GraphNode>,
    /// At most one from a node to another.
    pub links: Vec<DirectedEdge>,
}

/// A node, or all hosts of a switch.
#[derive(Clone, Debug)]
pub struct GraphNode {
    /// Its name.
    pub name: String,
    /// How many hosts it stands for; 1 for a node of the network.
    pub hosts: usize,
}

/// One direction between two nodes.
#[derive(Debug)]
pub struct DirectedEdge {
    /// The node at its start.
    pub from: usize,
    /// The node at its end.
    pub to: usize,
    /// The numbers of the links that it stands for.
    pub members: Vec<usize>,
}

/// The neighbours of each node.
pub type Neighbours = Vec<BTreeSet<usize>>;

impl LinkGraph {
    /// That of these links.
    pub fn of(links: &[MeasuredLink]) -> Self {
        let mut graph = Self::default();
        let mut numbers = BTreeMap::new();
        for (number, link) in links.iter().enumerate() {
            let mut node =
                |name| *numbers.entry(name).or_insert_with(|| graph.add(GraphNode::named(name)));
            let (from, to) = (node(&link.from), node(&link.to));
            graph.links.push(DirectedEdge { from, to, members: vec![number] });
        }
        graph
    }

    /// The number of pairs of joined nodes.
    pub fn pairs(&self) -> usize {
        self.neighbours().iter().map(BTreeSet::len).sum::<usize>() / 2
    }

    /// The neighbours of each node, in either direction.
    pub fn neighbours(&self) -> Neighbours {
        let mut neighbours = vec![BTreeSet::new(); self.nodes.len()];
        for DirectedEdge { from, to, .. } in &self.links {
            neighbours[*from].insert(*to);
            neighbours[*to].insert(*from);
        }
        neighbours
    }

    /// The same graph with one node for all hosts of a switch.
    pub fn with_hosts_folded(&self) -> Self {
        let hosts = hosts(&self.neighbours());
        let mut folded = Self::default();
        // By switch, or by node where nothing is folded.
        let (mut racks, mut numbers) = (BTreeMap::new(), Vec::new());
        for (node, switch) in self.nodes.iter().zip(&hosts) {
            let number = match switch {
                Some(switch) => *racks.entry(switch).or_insert_with(|| folded.add(node.clone())),
                None => folded.add(node.clone()),
            };
            numbers.push(number);
        }
        folded.count_hosts(&numbers);
        let mut directions = BTreeMap::<(usize, usize), Vec<usize>>::new();
        for DirectedEdge { from, to, members } in &self.links {
            directions.entry((numbers[*from], numbers[*to])).or_default().extend(members);
        }
        let direction = |((from, to), members)| DirectedEdge { from, to, members };
        folded.links = directions.into_iter().map(direction).collect();
        folded
    }

    fn count_hosts(&mut self, numbers: &[usize]) {
        self.nodes.iter_mut().for_each(|node| node.hosts = 0);
        numbers.iter().for_each(|&number| self.nodes[number].hosts += 1);
        for node in self.nodes.iter_mut().filter(|node| node.hosts > 1) {
            node.name = format!("{} hosts", node.hosts);
        }
    }

    fn add(&mut self, node: GraphNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

impl GraphNode {
    fn named(name: &str) -> Self {
        Self { name: name.into(), hosts: 1 }
    }
}

/// For each node that is a host, its switch. A host has a single neighbour, and that has others.
pub fn hosts(neighbours: &Neighbours) -> Vec<Option<usize>> {
    let switch = |around: &BTreeSet<usize>| match (around.len(), around.first()) {
        (1, Some(&only)) if neighbours[only].len() > 1 => Some(only),
        _ => None,
    };
    neighbours.iter().map(switch).collect()
}
