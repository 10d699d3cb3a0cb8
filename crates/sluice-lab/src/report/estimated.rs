//! What models predict of completion times, beside the measured ones.

use super::data::{ReportEstimate, SizeBin};
use super::digits::digits;
use crate::EstimatedMeans;

/// The estimate of a system on a page with these sizes. The models have a mean for each bin of the tables, which
/// stands at the size of the page that is nearest to the mean size of the bin.
pub fn estimated(found: &EstimatedMeans, sizes: &[SizeBin]) -> ReportEstimate {
    let mut by_size = vec![None; sizes.len()];
    for bin in &found.by_size {
        let is_within =
            |size: &SizeBin| size.from >= bin.from && bin.to.is_none_or(|to| size.from < to);
        let distance = |size: &SizeBin| (size.mean / bin.size).ln().abs();
        let within = sizes.iter().enumerate().filter(|(_, size)| is_within(size));
        let nearest = within.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        if let Some((number, _)) = nearest {
            by_size[number] = Some(digits(bin.completion, 5));
        }
    }
    ReportEstimate { mean: digits(found.completion, 5), by_size, doubts: found.doubts.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EstimatedBin;

    #[test]
    fn a_mean_stands_at_the_size_nearest_to_that_of_its_flows() {
        let size = |from, to, mean| SizeBin { from, to, mean, systems: Vec::new() };
        let sizes =
            [size(1_000, 2_000, 1_500.0), size(5_000, 10_000, 7_000.0), size(10_000, 20_000, 9e9)];
        let bin =
            |from, to, size| EstimatedBin { from, to: Some(to), part: 0.5, size, completion: 0.25 };
        // The second has no size on the page.
        let by_size = vec![bin(1_000, 10_000, 6_000.0), bin(100_000, 1_000_000, 2e5)];
        let found = EstimatedMeans { completion: 0.5, by_size, doubts: vec!["Why.".into()] };
        let found = estimated(&found, &sizes);
        assert_eq!(found.by_size, [None, Some(0.25), None]);
        assert_eq!((found.mean, found.doubts.len()), (0.5, 1));
    }
}
