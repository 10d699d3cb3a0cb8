//! Samples over time of links, flows and groups.

use std::borrow::Cow;

use sluice_units::Time;

/// Successive samples of one link, flow or group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Samples<'a> {
    /// The link, flow or group.
    pub subject: Subject,
    /// Name and unit of each column, e.g. `queue_bytes`.
    pub columns: &'a [Cow<'static, str>],
    /// When each row was sampled, in order.
    pub times: &'a [Time],
    /// `columns.len()` values per row, row after row.
    pub values: &'a [f64],
}

/// The subject of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A link by its number.
    Link(usize),
    /// A flow by group and index.
    Flow {
        /// Group number.
        group: usize,
        /// Flow of the group, from 0.
        index: u64,
    },
    /// Groups, by the number of their metrics in [`crate::Config::group_metrics`].
    Group(usize),
}
