//! The network, as a page and figures have it.

use serde::Serialize;

/// The network of the runs.
#[derive(Clone, Debug, Serialize)]
pub struct ReportNetwork {
    /// Its number of nodes.
    pub nodes: usize,
    /// Its number of links, each direction counted.
    pub links: usize,
    /// Where its nodes are and what its links did; `None` if it is too large to draw.
    pub drawing: Option<NetworkDrawing>,
}

/// A network laid out in the plane. In one that is large, the hosts of a switch are one node.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkDrawing {
    /// The height of the drawing; its width is 1.
    pub height: f64,
    /// Nodes and where they are.
    pub nodes: Vec<DrawnNode>,
    /// Each direction of each link.
    pub links: Vec<DrawnLink>,
    /// The least utilization of each class of colours and widths, from 0 up.
    pub classes: [f64; 6],
}

/// A node, or all hosts of a switch.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnNode {
    /// Its name.
    pub name: String,
    /// How many hosts it stands for; 1 for a node of the network.
    pub hosts: usize,
    /// Whether it has a single neighbour.
    pub is_host: bool,
    /// From the left, in [0, 1].
    pub x: f64,
    /// From the top, in [0, `height`].
    pub y: f64,
}

/// One direction of a link, or of all links between a switch and its hosts.
#[derive(Clone, Debug, Serialize)]
pub struct DrawnLink {
    /// The number of the node at its start.
    pub from: usize,
    /// The number of the node at its end.
    pub to: usize,
    /// How many links it stands for.
    pub of: usize,
    /// By system, of the link that is the busiest under it: capacity in bits a second, propagation delay
    /// in seconds (`None` in results that do not state it), utilization in [0, 1], mean and 99th
    /// percentile of the queue in bytes, packets dropped and packets marked, means over runs. None for a
    /// system without runs.
    pub systems: Vec<Option<[Option<f64>; 7]>>,
}
