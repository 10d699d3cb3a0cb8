//! Classes of the models as groups of the scenario.

use serde::Serialize;
use sluice_sim::fixed_point::{ClassEstimate, Doubt, SteadyState};

use crate::Plan;

/// One group of the scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimatedGroup {
    /// Its name.
    pub name: String,
    /// Flows that arrive in a second; 0 for flows without a size and streams.
    pub arrivals: f64,
    /// Mean completion time in seconds; `None` in overload, and without flows that have a size.
    pub completion: Option<f64>,
    /// Mean number of flows or streams that send at a time; `None` in overload.
    pub flows: Option<f64>,
    /// Data with headers that reach the receivers, in bits a second.
    pub rate: f64,
    /// Part of the data packets that is lost on the way.
    pub loss: f64,
    /// Why the completion time may be far off.
    pub doubts: Vec<Doubt>,
}

/// The groups of a plan: what their pairs have together.
pub(super) fn of(plan: &Plan, steady: &SteadyState) -> Vec<EstimatedGroup> {
    let group = |(of, group): (usize, &crate::scenario::Group)| {
        let classes = steady.classes.iter().zip(&plan.groups);
        let classes = classes.filter(|(_, planned)| planned.of == of).map(|(class, _)| class);
        together(&group.name, &classes.collect::<Vec<_>>())
    };
    plan.scenario.group.iter().enumerate().map(group).collect()
}

fn together(name: &str, classes: &[&ClassEstimate]) -> EstimatedGroup {
    let sum = |value: fn(&ClassEstimate) -> f64| classes.iter().map(|class| value(class)).sum();
    let (arrivals, rate): (f64, f64) =
        (sum(|class| class.arrivals.unwrap_or(0.0)), sum(|class| class.rate.as_bps_f64()));
    // Losses are parts of what is sent, `rate` is what arrives of it. Nothing arrives of a class that loses all.
    let sent: f64 = sum(|class| class.rate.as_bps_f64() / (1.0 - class.loss).max(1e-9));
    let sized = classes.iter().filter_map(|class| Some((class.arrivals?, class.afct)));
    let seconds: Option<f64> =
        sized.map(|(arrivals, afct)| Some(arrivals * afct?.as_secs_f64())).sum();
    let has = |doubt: &Doubt| classes.iter().any(|class| class.doubts.contains(doubt));
    EstimatedGroup {
        name: name.to_owned(),
        arrivals,
        completion: seconds.filter(|_| arrivals > 0.0).map(|seconds| seconds / arrivals),
        flows: classes.iter().map(|class| class.flows).sum(),
        rate,
        loss: if sent > 0.0 { 1.0 - rate / sent } else { 0.0 },
        doubts: Doubt::ALL.iter().copied().filter(has).collect(),
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::Rate;

    use super::*;

    /// Of 20 Mb/s and 10 Mb/s sent, half and nothing are lost: 10 of 30, not 5 of 20.
    #[test]
    fn losses_of_pairs_are_parts_of_what_they_send() {
        let class = |loss| ClassEstimate {
            arrivals: None,
            afct: None,
            flows: None,
            rate: Rate::from_bps(10_000_000),
            loss,
            doubts: Vec::new(),
            by_size: Vec::new(),
        };
        let found = together("both", &[&class(0.5), &class(0.0)]);
        assert!((found.loss - 1.0 / 3.0).abs() < 1e-12, "{found:?}");
        assert_eq!(found.rate, 2e7);
    }
}
