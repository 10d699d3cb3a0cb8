//! Flows by size.

/// Where one bin ends and the next begins, in bytes: decades, since sizes span nine of them.
const EDGES: [u64; 7] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/// Number of bins.
pub const BINS: usize = EDGES.len() + 1;

/// The bin of a flow of this size: below 1 kB, then one for each decade.
pub fn bin(bytes: u64) -> usize {
    EDGES.partition_point(|&edge| edge <= bytes)
}

/// Sizes in a bin: from the first, up to but without the second.
pub fn edges(bin: usize) -> (u64, Option<u64>) {
    (if bin == 0 { 0 } else { EDGES[bin - 1] }, EDGES.get(bin).copied())
}

/// The label of a bin in tables.
pub fn label(bin: usize) -> &'static str {
    const LABELS: [&str; BINS] =
        ["<1 kB", "1-10 kB", "10-100 kB", ".1-1 MB", "1-10 MB", "10-100 MB", ".1-1 GB", ">=1 GB"];
    LABELS[bin]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_holds_the_sizes_between_its_edges() {
        for bytes in
            [1, 999, 1_000, 9_999, 10_000, 30_000_000, 999_999_999, 1_000_000_000, u64::MAX]
        {
            let (from, to) = edges(bin(bytes));
            assert!(from <= bytes && to.is_none_or(|to| bytes < to), "{bytes}");
        }
        assert_eq!(label(bin(25_000)), "10-100 kB");
    }
}
