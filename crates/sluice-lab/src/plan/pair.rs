//! Pairs of nodes that a group has flows between.

use sluice_sim::traffic::Listed;

/// The largest number of pairs of nodes of a group: more are taken for a mistake.
pub(super) const MAX_PAIRS: usize = 200_000;

/// A pair of nodes that flows of a group go between.
pub(super) struct GroupPair {
    /// Source and destination.
    pub ends: (usize, usize),
    /// Its number among the pairs that share the group's load, and how many they are.
    pub share: (usize, usize),
    /// Its flows, if the rows of a file name the nodes.
    pub flows: Option<Vec<Listed>>,
}

/// Pairs that share a load.
pub(super) fn sharing(pairs: &[(usize, usize)]) -> impl Iterator<Item = GroupPair> {
    let pair = |(i, &ends)| GroupPair { ends, share: (i, pairs.len()), flows: None };
    pairs.iter().enumerate().map(pair)
}
