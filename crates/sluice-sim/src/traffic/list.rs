//! A list of flows replayed as it stands.

use sluice_units::{Bytes, Time};

use super::model::{Arrivals, FlowArrival};

/// One flow of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// When it starts.
    pub start: Time,
    /// How much it sends.
    pub size: Bytes,
}

pub(super) fn arrivals(flows: &[Listed]) -> Arrivals {
    let mut flows = flows.to_vec();
    // Stable, so that flows of one instant keep the order of the list.
    flows.sort_by_key(|flow| flow.start);
    Box::new(flows.into_iter().map(|flow| FlowArrival::sized(flow.start, flow.size)))
}
