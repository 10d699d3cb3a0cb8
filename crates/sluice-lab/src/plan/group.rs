//! What is known of a group before it runs.

use sluice_sim::Paths;
use sluice_units::Rate;

/// What is known of a group before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPlan {
    /// Its place in [`Scenario::group`](crate::scenario::Scenario::group); the groups of all pairs have the same.
    pub of: usize,
    /// The links it crosses and comes back by; which flow takes which of several paths is that of the
    /// first seed.
    pub paths: Paths,
    /// The lowest capacity among the links it crosses; of several paths, what they carry together.
    pub capacity: Rate,
    /// Mean offered load, where it is known.
    pub mean_rate: Option<Rate>,
    /// Mean flow size in bytes, where that is known.
    pub mean_size: Option<f64>,
}
