//! How slowdowns are distributed, over points that all systems share.

use super::data::{SlowdownClass, Slowdowns};
use super::digits::digits;
use super::flows::Size;
use super::sizes;
use crate::results::Values;
use crate::results::bins::{self, BINS};

/// Most points of a distribution.
const POINTS: i32 = 240;

/// Distributions over all sizes, then by bin of the tables; a system without flows has none.
pub fn slowdowns(systems: &[Vec<Size>]) -> Slowdowns {
    let all: Vec<Values> = systems.iter().map(|sizes| of_sizes(sizes, |_| true)).collect();
    let greatest = all.iter().filter_map(|values| values.spread.range()).map(|(_, max)| max).max();
    let Some(greatest) = greatest else {
        return Slowdowns { at: Vec::new(), classes: Vec::new() };
    };
    let at = points(greatest as f64 / 1e3);
    let mut classes = vec![class("all sizes", &all, &at)];
    for bin in 0..BINS {
        let of_bin =
            |sizes: &Vec<Size>| of_sizes(sizes, |size| bins::bin(sizes::edges(size).0) == bin);
        let values: Vec<Values> = systems.iter().map(of_bin).collect();
        if values.iter().any(|values| values.spread.total() > 0) {
            classes.push(class(bins::label(bin), &values, &at));
        }
    }
    Slowdowns { at, classes }
}

fn of_sizes(sizes: &[Size], wanted: impl Fn(usize) -> bool) -> Values {
    let mut all = Values::default();
    for (number, size) in sizes.iter().enumerate() {
        if wanted(number) {
            all.merge(&size.slowdowns);
        }
    }
    all
}

/// From 1 to beyond `greatest`, evenly in the logarithm, no closer than the resolution of buckets.
fn points(greatest: f64) -> Vec<f64> {
    let step = libm::pow(greatest.max(1.0), 1.0 / f64::from(POINTS - 2)).max(1.01);
    let mut at: Vec<f64> = Vec::new();
    for number in 0..POINTS {
        at.push(digits(libm::pow(step, f64::from(number)), 5));
        if at[at.len() - 1] > greatest {
            break;
        }
    }
    at
}

fn class(label: &str, systems: &[Values], at: &[f64]) -> SlowdownClass {
    let above = |values: &Values| {
        let above = |limit: &f64| values.spread.above((limit * 1e3) as u64);
        if values.spread.total() == 0 { Vec::new() } else { at.iter().map(above).collect() }
    };
    SlowdownClass {
        label: label.into(),
        flows: systems.iter().map(|values| values.spread.total()).collect(),
        above: systems.iter().map(above).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::flow::Flow;
    use crate::report::flows::FlowStatistics;

    #[test]
    fn shares_by_hand() {
        let mut flows = FlowStatistics::default();
        flows.begin_run();
        for index in 0..1_000 {
            // Slowdowns 1, 2, ..., 1000, the greater half among the large.
            let size = if index < 500 { 5_000 } else { 5_000_000 };
            let completion = Some(1_000 * (index + 1));
            flows.add(Flow { group: 0, index, seed: 1, size, alone: 1_000, completion }, 0);
        }
        let found = slowdowns(&[flows.by_size(), FlowStatistics::default().by_size()]);
        let labels: Vec<&str> = found.classes.iter().map(|class| class.label.as_str()).collect();
        assert_eq!(labels, ["all sizes", "1-10 kB", "1-10 MB"]);
        let all = &found.classes[0];
        assert_eq!((&all.flows[..], &all.above[1]), (&[1_000, 0][..], &vec![]));
        assert!(found.at.len() <= POINTS as usize && *found.at.last().unwrap() >= 1_000.0);
        assert_eq!((all.above[0][0], all.above[0].last()), (999, Some(&0)));
        for (limit, &above) in found.at.iter().zip(&all.above[0]) {
            assert!(
                (above as f64 - (1_000.0 - limit).max(0.0)).abs() <= 1.0 + limit * 0.008,
                "{limit} {above}"
            );
        }
        assert_eq!(found.classes[2].above[0][0], 500);
    }

    #[test]
    fn without_flows_there_is_no_distribution() {
        assert!(slowdowns(&[FlowStatistics::default().by_size()]).classes.is_empty());
    }
}
