//! TFRC in closed loop: its equation over random losses, its shares and smoothness beside TCP, and extremes.

mod corners;
mod equation;
mod shared;

use sluice_sim::GroupConfig;
use sluice_sim::traffic::{Long, Traffic};
use sluice_units::Span;

use crate::shown::group;

/// `count` flows without an end, that start 100 ms apart.
fn long(count: u64) -> GroupConfig {
    let spacing = Span::from_millis(100);
    group(Traffic::Long(Long { count, spacing, ..Long::default() }))
}
