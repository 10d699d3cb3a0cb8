//! Long-lived flows: each sends from its start until its stop.

use sluice_units::{Span, Time};

use super::{Arrival, Arrivals};

/// `count` flows, the first at `start`, each `spacing` after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Long {
    /// How many flows.
    pub count: u64,
    /// When the first one starts.
    pub start: Time,
    /// Time between starts.
    pub spacing: Span,
    /// When all of them stop; [`Time::NEVER`] for the end of the run.
    pub stop: Time,
}

impl Long {
    pub(super) fn arrivals(&self) -> Arrivals {
        let Self { count, start, spacing, stop } = *self;
        Box::new((0..count).map(move |i| Arrival { start: start + spacing * i, size: None, stop }))
    }
}
