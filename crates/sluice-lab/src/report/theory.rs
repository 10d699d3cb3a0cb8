//! What theory says of completion times, as finely as a page bins sizes.

use super::data::{Estimates, SizePoint};
use super::digits::digits;
use super::flows::Size;
use super::sizes;
use crate::Analytic;
use crate::results::bins;

/// A point for each size that has flows. The summary has a mean for each of the tables' bins: what
/// flows take alone, and for sharing an extra in proportion to their bytes. So the extra of a bin is
/// shared out by bytes, and means over a bin of the tables are those of the summary.
pub fn points(found: &Analytic, sizes: &[Size]) -> Vec<Option<SizePoint>> {
    let of_bin = |size: usize| bins::bin(sizes::edges(size).0);
    let sums = |bin: usize| {
        let sizes = sizes.iter().enumerate().filter(|(size, _)| of_bin(*size) == bin);
        sizes.fold((0.0, 0.0, 0.0), |(flows, alone, bytes), (_, size)| {
            (flows + count(size), alone + size.alone as f64 / 1e9, bytes + size.bytes as f64)
        })
    };
    let point = |(number, size): (usize, &Size)| {
        let bin = of_bin(number);
        let theory = found.by_size.iter().find(|theory| theory.from == bins::edges(bin).0)?;
        let (flows, alone, bytes) = sums(bin);
        let extra = (theory.completion * flows - alone) / bytes;
        let own = (size.alone as f64 / 1e9 + extra * size.bytes as f64) / count(size);
        let mean = [Some(digits(own, 5)), None, None];
        let completion = Estimates { mean, ..Estimates::default() };
        let slowdown = Estimates::default();
        size.point.is_some().then_some(SizePoint { flows: 0, completion, slowdown, jain: None })
    };
    sizes.iter().enumerate().map(point).collect()
}

fn count(size: &Size) -> f64 {
    size.slowdowns.spread.total() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnalyticBin;
    use crate::report::flow::Flow;
    use crate::report::flows::FlowStatistics;

    #[test]
    fn means_over_a_bin_of_the_tables_are_those_of_the_summary() {
        let mut flows = FlowStatistics::default();
        flows.begin_run();
        for (index, size) in [1_000, 2_000, 2_100, 9_000].into_iter().enumerate() {
            let alone = 5_000_000 + size * 1_000;
            let index = index as u64;
            flows.add(Flow { group: 0, index, seed: 1, size, alone, completion: Some(1) }, 0);
        }
        // Alone they take 8.525 ms on average; sharing costs 2 us a byte of 3525 bytes on average.
        let completion = 0.008_525 + 0.007_05;
        let all = AnalyticBin { from: 1_000, to: Some(10_000), flows: 4, completion };
        let by_size = vec![all];
        let (source, from, to) = (String::new(), String::new(), String::new());
        let points =
            points(&Analytic { source, from, to, load: 0.5, all, by_size }, &flows.by_size());
        let mean = |size: u64| points[sizes::bin(size)].unwrap().completion.mean[0];
        assert_eq!(mean(1_000), Some(0.008));
        assert_eq!(mean(2_000), Some(digits(0.005 + 2_050.0 * 3e-6, 5)));
        assert_eq!(mean(9_000), Some(0.032));
        assert!(points[sizes::bin(100)].is_none());
    }
}
