//! What every shape of network does, and what any link must be.

use std::ops::RangeInclusive;

use sluice_sim::queue::Discipline;
use sluice_sim::traffic::Fault;
use sluice_units::{Rate, Ratio, Span};

use super::network::Network;
use crate::scenario::problem::Problems;

/// A shape that networks come in.
pub trait Shape {
    /// Where it is from.
    const SOURCE: &'static str;

    /// Lays out nodes and links; what cannot be goes to `problems`, fields named from `field` down.
    fn lay(&self, field: &str, problems: &mut Problems) -> Network;

    /// Adds hosts of a group's own, left and right, so far from each other; `false` if the shape
    /// has no place for them.
    fn add_own(&self, _network: &mut Network, _own: &Own<'_>, _problems: &mut Problems) -> bool {
        false
    }
}

/// A group that has hosts of its own.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// Its name.
    pub name: &'a str,
    /// Round-trip propagation delay between its hosts.
    pub rtt: Span,
    /// The field that says so.
    pub field: &'a str,
}

impl Own<'_> {
    /// The names of its hosts, left and right.
    pub fn hosts(&self) -> (String, String) {
        (format!("{}-s", self.name), format!("{}-d", self.name))
    }
}

/// What a link may carry.
pub(super) const CAPACITIES: RangeInclusive<Rate> =
    Rate::from_bps(1_000)..=Rate::from_bps(100_000_000_000_000);

/// Checks what any link must be.
pub(super) fn check_link(
    capacity: Rate,
    error: Ratio,
    queue: &Discipline,
    field: &str,
    problems: &mut Problems,
) {
    if !CAPACITIES.contains(&capacity) {
        problems.field(format!("{field}.capacity"), "a capacity is 1 kbps to 100 Tbps");
    }
    if error < Ratio::default() || error >= Ratio::new(1.0) {
        problems.field(format!("{field}.error"), "a probability of loss lies in [0, 1)");
    }
    for Fault { field: inside, what } in queue.faults(capacity) {
        problems.field(format!("{field}.queue.{inside}"), what);
    }
}
