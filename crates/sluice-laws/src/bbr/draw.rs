//! What takes the place of the drafts' random numbers.

use sluice_units::Time;

/// A number from 0 to 1, without 1, that differs between flows and between the times at which one draws.
///
/// The drafts randomise when flows probe, so that flows do not probe together ("for better mixing and
/// fairness convergence", v3 section 5.3.3.8.2). A hash does that as well as chance: no two flows receive
/// the same acknowledgement, so what they draw differs with the instant, in nanoseconds, or with what
/// they have delivered. Equal runs draw equal numbers. The mixing is the finaliser of SplitMix64 (Steele,
/// Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) fn draw(now: Time, delivered: u64, salt: u64) -> f64 {
    let mixed = mix(mix(now.as_nanos() ^ salt).wrapping_add(delivered));
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uniform in the chi-squared sense over instants and counts of any spacing: 16 cells, 15 degrees of
    /// freedom, of which 1 in 1000 exceeds 37.7.
    #[test]
    fn draws_are_uniform_and_differ_by_a_nanosecond_or_a_packet() {
        for (nanos, packets, salt) in [(1, 0, 0), (0, 1, 0), (12_000, 10, 1), (1_000_000_000, 0, 1)]
        {
            let mut cells = [0_u32; 16];
            for i in 0..16_000 {
                let drawn = draw(Time::from_nanos(i * nanos), i * packets, salt);
                assert!((0.0..1.0).contains(&drawn));
                cells[(drawn * 16.0) as usize] += 1;
            }
            let chi2: f64 = cells.iter().map(|&n| libm::pow(f64::from(n) - 1e3, 2.0) / 1e3).sum();
            assert!(chi2 < 37.7, "{cells:?}");
        }
    }
}
