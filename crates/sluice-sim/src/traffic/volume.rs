//! The volume of a model's traffic, stated by its own measure (flows per second, time between flows,
//! ...) or as a load.

use sluice_units::{Faults, Ratio};

use super::model::TrafficContext;
use crate::limits::MAX_FLOWS_PER_SECOND;

/// Checks that exactly one of a model's `own` measure and `load` is given, and that the load is above
/// 0. `example` is a value of the measure. Whether there is no fault.
pub(super) fn check_choice(
    (own, example): (&str, &str),
    given: bool,
    load: Option<Ratio>,
    faults: &mut Faults,
) -> bool {
    match (given, load) {
        (true, None) => return true,
        (false, Some(load)) if load.get() > 0.0 => return true,
        (false, Some(_)) => {
            let what = "the load must be above 0; 0.8 is 80 % of the rate that the group's paths \
                 carry together (of a single path, its lowest capacity)";
            faults.add("load", what);
        }
        (true, Some(_)) => faults.add("", format!("give `{own}` or `load`, not both")),
        (false, None) => {
            let what = format!("how much traffic? give `{own} = \"{example}\"` or `load = 0.8`");
            faults.add("", what);
        }
    }
    false
}

/// Arrivals per second, of `bytes` on average, that make this load, all pairs together.
pub(super) fn per_second(load: Ratio, bytes: f64, context: &TrafficContext) -> f64 {
    load.get() * context.capacity.as_bps_f64() / (8.0 * bytes)
}

/// Each pair's part of a load.
pub(super) fn share(load: Option<Ratio>, context: &TrafficContext) -> Option<Ratio> {
    load.map(|load| Ratio::new(load.get() / context.pairs as f64))
}

/// Checks a number of arrivals per second.
pub(super) fn check_frequency(per_second: f64, faults: &mut Faults) {
    faults.need(per_second > 0.0, "", "no flow would ever come");
    let what = "these would be more than 10^9 flows a second";
    faults.need(per_second <= MAX_FLOWS_PER_SECOND, "", what);
}
