//! Estimates, as front ends have them.

use serde::Serialize;
use sluice_sim::fixed_point::Lack;

use super::groups::EstimatedGroup;
use crate::System;
use crate::results::EstimatedBin;

/// Links that tables and warnings show.
pub(super) const MAX_LINKS: usize = 5;

/// What the models predict of a scenario's protocols and of the max-min ideal. Times are in seconds, sizes in bytes, rates
/// in bits a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The scenario's name.
    pub name: String,
    /// Those that have a model: protocols in the scenario's order, then the ideal.
    pub systems: Vec<EstimatedSystem>,
    /// The others, in the same order.
    pub not_modelled: Vec<NotModelled>,
    /// Places in [`EstimatedSystem::links`] of bottlenecks under any system, the most loaded first: for each group the
    /// most loaded link of its path, and overloaded links.
    pub bottlenecks: Vec<usize>,
}

/// One protocol, or the ideal, in its steady state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimatedSystem {
    /// Which.
    pub protocol: System,
    /// Whether models of sources and links agree. If not, the numbers are those of the last iteration.
    pub converged: bool,
    /// Number of exchanges between sources and links.
    pub iterations: u32,
    /// The largest change that the last exchange would have made, in parts; `None` if it has no bound.
    pub residual: Option<f64>,
    /// The link with that change.
    pub worst_link: Option<String>,
    /// Links to which flows bring as much as they can carry or more: groups over them have no completion time.
    pub overloaded: Vec<String>,
    /// Mean completion time over all flows with a size; `None` in overload, or without such flows.
    pub completion: Option<f64>,
    /// Mean number of flows that send at a time, streams of datagrams included; `None` in overload.
    pub flows: Option<f64>,
    /// Completion times by size.
    pub by_size: Vec<EstimatedBin>,
    /// Groups as the scenario has them (pairs together).
    pub groups: Vec<EstimatedGroup>,
    /// All links of the network, in its order.
    pub links: Vec<EstimatedLink>,
}

/// One link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimatedLink {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// In bits a second.
    pub capacity: u64,
    /// What is offered over capacity, retransmissions included.
    pub load: f64,
    /// Bytes sent over capacity x time.
    pub utilization: f64,
    /// Mean queue in bytes.
    pub queue: f64,
    /// Part of the packets that its queue drops.
    pub loss: f64,
    /// The rate that its router grants to a flow, in bits a second; its capacity where it grants none.
    pub grant: u64,
}

/// A protocol without a model, or with parameters or a scenario that its model does not have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotModelled {
    /// Which.
    pub protocol: System,
    /// What is not modelled.
    pub lacks: Vec<Lack>,
}

impl Estimate {
    /// The bottlenecks that tables show.
    pub(crate) fn shown_links(&self) -> &[usize] {
        &self.bottlenecks[..self.bottlenecks.len().min(MAX_LINKS)]
    }
}
