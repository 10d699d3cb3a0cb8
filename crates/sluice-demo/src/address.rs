//! Names of nodes and devices on the network.

use sluice_sim::NodeId;

/// Nodes at most: each is a network namespace, and has an address of its own.
pub const NODES: usize = 64;

/// The address of a node, of those for benchmarks (RFC 2544).
pub fn address(node: NodeId) -> String {
    format!("198.18.{node}.1")
}

/// The device by which a node reaches a neighbour.
pub fn device(neighbour: NodeId) -> String {
    format!("to-{neighbour}")
}
