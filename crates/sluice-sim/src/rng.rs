//! Random streams, each named by (seed, purpose, owner), so that adding a group or a link changes
//! no other draw.

use rand::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// The hash of a flow that links may use, from the seed of its group's hashes.
pub(crate) fn flow_hash(group: u64, index: u64) -> u16 {
    SplitMix64::seed_from_u64(group.wrapping_add(index)).random()
}

/// The streams of one owner (a flow group, a link).
pub(crate) struct Streams<'a> {
    seed: u64,
    owner: &'a str,
}

impl<'a> Streams<'a> {
    pub(crate) fn new(seed: u64, owner: &'a str) -> Self {
        Self { seed, owner }
    }

    /// The stream for `purpose`, from its start.
    pub(crate) fn named(&self, purpose: &str) -> Xoshiro256PlusPlus {
        // FNV-1a over the name; seed_from_u64 spreads it over the state with SplitMix64.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let name = self.seed.to_le_bytes();
        let parts = [&name[..], purpose.as_bytes(), &[0], self.owner.as_bytes()];
        for byte in parts.into_iter().flatten() {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Xoshiro256PlusPlus::seed_from_u64(hash)
    }
}
