//! Sizes of flows as a page bins them: finer than the tables' bins, and within them.

/// Where bins of a decade begin, in thousandths of its beginning: even in the logarithm.
const STEPS: [u64; 4] = [1_000, 1_778, 3_162, 5_623];
/// The first decade begins at a byte, the last at a terabyte.
const DECADES: usize = 13;

/// How many bins there are.
pub const SIZES: usize = STEPS.len() * DECADES;

/// The bin of a flow of this size in bytes.
pub fn bin(bytes: u64) -> usize {
    let decade = (bytes.max(1).ilog10() as usize).min(DECADES - 1);
    let part = STEPS.partition_point(|step| scaled(*step, decade) <= bytes.max(1));
    decade * STEPS.len() + part.max(1) - 1
}

/// Sizes in a bin: from the first, up to but without the second.
pub fn edges(bin: usize) -> (u64, u64) {
    let edge = |bin: usize| scaled(STEPS[bin % STEPS.len()], bin / STEPS.len());
    (edge(bin), edge(bin + 1))
}

/// Rounded up, so that a bin's sizes are those at and beyond its edge.
fn scaled(step: u64, decade: usize) -> u64 {
    (step * 10_u64.pow(decade as u32)).div_ceil(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::bins;

    #[test]
    fn a_bin_holds_the_sizes_between_its_edges() {
        for bytes in (1..20_000).chain([999_999, 1_000_000, 17_780_000, 17_779_999]) {
            let (from, to) = edges(bin(bytes));
            assert!(from <= bytes && bytes < to, "{bytes}: {from} to {to}");
        }
        assert_eq!(edges(bin(1_777)), (1_000, 1_778));
        assert_eq!(bin(0), 0);
        assert_eq!(bin(u64::MAX), SIZES - 1);
    }

    #[test]
    fn bins_lie_within_those_of_the_tables() {
        for fine in 0..SIZES {
            let (from, to) = edges(fine);
            if from < to {
                assert_eq!(bins::bin(from), bins::bin(to - 1), "{from} to {to}");
            }
        }
    }
}
