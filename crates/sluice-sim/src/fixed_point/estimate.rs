//! The result of a fixed point.

use serde::Serialize;
use sluice_units::{Bytes, Rate, Span};

use super::doubt::Doubt;
use crate::config::LinkId;

/// What models of sources and links agree on.
///
/// `converged` and `overloaded` are independent: with overloaded links, sources and links may still agree on what these
/// let through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SteadyState {
    /// Whether the residual is within the tolerance. If not, the numbers are those of the last iteration.
    pub converged: bool,
    /// Links to which flows with a size bring as much as they can carry or more, in rising order. The number of flows
    /// there grows for as long as flows arrive, so there is no steady state: groups over these links have no
    /// completion time, and other numbers are those of what such links let through.
    pub overloaded: Vec<LinkId>,
    /// Number of exchanges between sources and links.
    pub iterations: u32,
    /// The largest change that the last exchange would have made: of a grant, of a share or of a queue in parts of
    /// itself (of a queue, plus a packet), of losses in parts of what gets through, of a load, of a number of flows.
    /// The fixed point has 0; infinite before any exchange.
    pub residual: f64,
    /// The link with that change; `None` without links or exchanges.
    pub worst_link: Option<LinkId>,
    /// One for each group, in the order of [`crate::Config::groups`].
    pub classes: Vec<ClassEstimate>,
    /// One for each link, in the order of [`crate::Config::links`].
    pub links: Vec<LinkEstimate>,
}

impl SteadyState {
    /// The mean completion time over all flows with a size, of each class in proportion to its arrivals; `None` if
    /// any of these classes has none, or if there are no such flows.
    pub fn afct(&self) -> Option<Span> {
        let (mut seconds, mut flows) = (0.0, 0.0);
        for class in &self.classes {
            let Some(arrivals) = class.arrivals else { continue };
            seconds += arrivals * class.afct?.as_secs_f64();
            flows += arrivals;
        }
        (flows > 0.0).then(|| Span::from_secs_f64(seconds / flows))
    }
}

/// The flows of one group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassEstimate {
    /// Flows that arrive in a second; `None` for flows without a size and streams.
    pub arrivals: Option<f64>,
    /// Mean completion time, as [`crate::FlowRecord::completion`]; `None` for flows without a size and streams,
    /// and in overload.
    pub afct: Option<Span>,
    /// Mean number of flows or streams that send at a time; `None` in overload. Flows that are opened, or whose last
    /// packets are on the way, do not count: arrivals times `afct` is more.
    pub flows: Option<f64>,
    /// Data with headers that reach the receivers, all flows together.
    pub rate: Rate,
    /// Part of the data packets that is lost on the way, in [0, 1].
    pub loss: f64,
    /// Why the completion time may be far off: all reasons that apply, in the order of [`Doubt::ALL`].
    pub doubts: Vec<Doubt>,
    /// The sizes by which the models replace the distribution of the class, in rising order; empty where `afct` is
    /// `None`.
    pub by_size: Vec<SizeEstimate>,
}

/// The flows of one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SizeEstimate {
    /// Payload.
    pub bytes: Bytes,
    /// Part of the flows of the class, above 0 to 1.
    pub part: f64,
    /// Mean completion time.
    pub completion: Span,
}

/// One link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LinkEstimate {
    /// What is offered over capacity, with retransmissions: 0 and above. At an overloaded link, what flows bring that
    /// no other link holds back.
    pub load: f64,
    /// Bytes transmitted over capacity, in [0, 1].
    pub utilization: f64,
    /// Mean queue, without the packet in transmission; 1 PB where it grows for ever, at a link with streams above its
    /// capacity and an unlimited buffer.
    pub queue: Bytes,
    /// Part of the packets that it drops, in [0, 1].
    pub loss: f64,
    /// The rate that its router grants; its capacity where it grants none.
    pub grant: Rate,
}
