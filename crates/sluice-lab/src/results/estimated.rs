//! What models of a protocol predict of completion times, beside the measured ones.

use serde::{Deserialize, Serialize};
use sluice_sim::fixed_point::{Doubt, FixedPoint, Law, Refused, SteadyState};
use sluice_sim::ideal::Ideal;

use super::bins::{self, BINS};
use super::system::System;
use crate::Plan;

/// Mean completion times by [`sluice_sim::fixed_point`], in a steady state of the scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimatedMeans {
    /// Of all flows with a size, in seconds.
    pub completion: f64,
    /// By size; sizes that the models have no flow of are left out.
    pub by_size: Vec<EstimatedBin>,
    /// Why the estimate may be far off, a sentence each.
    pub doubts: Vec<String>,
}

/// Flows of some sizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimatedBin {
    /// The smallest size in bytes.
    pub from: u64,
    /// Sizes are less than this; `None` for no limit.
    pub to: Option<u64>,
    /// Their part of all flows with a size, above 0 to 1.
    pub part: f64,
    /// Their mean size in bytes.
    pub size: f64,
    /// Their mean completion time in seconds.
    pub completion: f64,
}

impl EstimatedMeans {
    /// The flows of a bin.
    pub(crate) fn of_bin(&self, bin: usize) -> Option<&EstimatedBin> {
        self.by_size.iter().find(|found| found.from == bins::edges(bin).0)
    }
}

/// Most crossings of groups and links for which a summary has estimates: an exchange visits each, so that 15 times as
/// many take seconds a protocol, which no run is to wait for. `sluice estimate` has no limit.
const MAX_CROSSINGS: usize = 2_000;

/// The estimate of a system, where the models have one that sources and links agree on.
pub(crate) fn of(plan: &Plan, system: System) -> Option<EstimatedMeans> {
    if crossings(plan) > MAX_CROSSINGS {
        return None;
    }
    let steady = steady(plan, system)?.ok()?;
    let is_sound = steady.converged && steady.overloaded.is_empty();
    let completion = steady.afct().filter(|_| is_sound)?.as_secs_f64();
    let doubts = doubts(&steady).iter().map(Doubt::to_string).collect();
    Some(EstimatedMeans { completion, by_size: by_size(&steady), doubts })
}

fn crossings(plan: &Plan) -> usize {
    let paths = plan.groups.iter().map(|group| &group.paths);
    paths.map(|paths| paths.out.links().len() + paths.back.links().len()).sum()
}

/// The steady state under a system; `None` if there is no model of it.
pub(crate) fn steady(plan: &Plan, system: System) -> Option<Result<SteadyState, Refused>> {
    law(system).map(|law| FixedPoint::of(&plan.config, law))
}

fn law(system: System) -> Option<Law> {
    match system {
        System::Protocol(name) => Law::of(name),
        System::Ideal(Ideal::MaxMin) => Some(Law::MaxMin),
        System::Ideal(_) | System::Custom(_) | System::Measured(_) => None,
    }
}

/// The doubts about any class, each once.
fn doubts(steady: &SteadyState) -> Vec<Doubt> {
    let has = |doubt: &Doubt| steady.classes.iter().any(|class| class.doubts.contains(doubt));
    Doubt::ALL.iter().copied().filter(has).collect()
}

/// Means over the bins of tables, of each class in proportion to its arrivals; none if a class with sizes has no
/// completion time, whose flows would be missing in parts and means.
pub(crate) fn by_size(steady: &SteadyState) -> Vec<EstimatedBin> {
    if steady.classes.iter().any(|class| class.arrivals.is_some() && class.afct.is_none()) {
        return Vec::new();
    }
    let mut sums = [[0.0; 3]; BINS];
    for class in &steady.classes {
        for size in &class.by_size {
            let flows = class.arrivals.unwrap_or(0.0) * size.part;
            let [all, bytes, seconds] = &mut sums[bins::bin(size.bytes.as_u64())];
            *all += flows;
            *bytes += flows * size.bytes.as_f64();
            *seconds += flows * size.completion.as_secs_f64();
        }
    }
    let all: f64 = sums.iter().map(|[flows, ..]| flows).sum();
    let bin = |(number, [flows, bytes, seconds]): (usize, [f64; 3])| {
        let (from, to) = bins::edges(number);
        (flows > 0.0).then(|| EstimatedBin {
            from,
            to,
            part: flows / all,
            size: bytes / flows,
            completion: seconds / flows,
        })
    };
    sums.into_iter().enumerate().filter_map(bin).collect()
}

#[cfg(test)]
mod tests {
    use sluice_sim::fixed_point::{ClassEstimate, SizeEstimate};
    use sluice_units::{Bytes, Rate, Span};

    use super::*;

    #[test]
    fn means_of_a_bin_count_classes_by_their_arrivals() {
        let class = |arrivals, sizes: &[(u64, f64, u64)]| ClassEstimate {
            arrivals: Some(arrivals),
            afct: Some(Span::from_millis(1)),
            flows: None,
            rate: Rate::from_bps(1),
            loss: 0.0,
            doubts: Vec::new(),
            by_size: sizes
                .iter()
                .map(|&(bytes, part, millis)| SizeEstimate {
                    bytes: Bytes::new(bytes),
                    part,
                    completion: Span::from_millis(millis),
                })
                .collect(),
        };
        let mut steady = SteadyState {
            converged: true,
            overloaded: Vec::new(),
            iterations: 1,
            residual: 0.0,
            worst_link: None,
            classes: vec![
                class(3.0, &[(2_000, 1.0, 10)]),
                class(1.0, &[(5_000, 0.5, 50), (20_000, 0.5, 200)]),
            ],
            links: Vec::new(),
        };
        let found = by_size(&steady);
        let [small, large] = found[..] else { panic!("{found:?}") };
        // 3 flows of 10 ms and half a flow of 50 ms; half a flow of 200 ms.
        assert!(
            (small.completion - 0.055 / 3.5).abs() < 1e-12 && (small.part - 0.875).abs() < 1e-12
        );
        assert!((small.size - 8_500.0 / 3.5).abs() < 1e-9);
        assert_eq!((small.from, small.to), (1_000, Some(10_000)));
        assert!((large.completion - 0.2).abs() < 1e-12 && (large.part - 0.125).abs() < 1e-12);
        // In overload, the first class has none: bins of the second alone would be those of another scenario.
        (steady.classes[0].afct, steady.classes[0].by_size) = (None, Vec::new());
        assert!(by_size(&steady).is_empty());
    }
}
