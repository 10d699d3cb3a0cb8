//! Numbers that senders draw. Laws have no random numbers: these are hashes of a flow's seed.

/// A number from 0 to 1, without 1: a hash of both, by the finaliser of SplitMix64 (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014).
pub(crate) fn draw(seed: u64, number: u64) -> f64 {
    (mix(mix(seed).wrapping_add(number)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// The finaliser; it has an inverse.
pub(crate) fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}
