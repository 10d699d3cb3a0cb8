//! The choice among next links or paths: by a hash of the flow and the node, as switches choose.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::config::NodeId;
use crate::rng::Streams;

/// Hashes of a group's flows in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlowHash {
    salt: u64,
}

/// Hashes of one flow.
pub(super) struct NodeHash {
    flow: u64,
}

impl FlowHash {
    /// Hashes that depend on the owner of `streams`, its seed and `direction`.
    pub(super) fn new(streams: &Streams<'_>, direction: &str) -> Self {
        Self { salt: streams.named(direction).random() }
    }

    pub(super) fn flow(&self, index: u64) -> NodeHash {
        NodeHash { flow: mix(self.salt, index) }
    }
}

impl NodeHash {
    /// Random numbers of the flow.
    pub(super) fn stream(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.flow)
    }

    /// The choice at `node` among things of these weights, whose sum is above 0 and below 2^64: its place.
    pub(super) fn pick(&self, node: NodeId, weights: impl Iterator<Item = u64> + Clone) -> usize {
        let sum: u64 = weights.clone().sum();
        let at = ((u128::from(mix(self.flow, node as u64)) * u128::from(sum)) >> 64) as u64;
        let mut ends = weights.scan(0, |end, weight| {
            *end += weight;
            Some(*end)
        });
        ends.position(|end| at < end).unwrap_or(0)
    }
}

/// SplitMix64's output function (Steele, Lea and Flood 2014) over the `number`-th state after `key`.
fn mix(key: u64, number: u64) -> u64 {
    let state = key.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
