//! When flows arrive and how much they send: one file an arrival model, one a size model.

mod list;
mod long;
mod poisson;
mod sizes;

pub use list::Listed;
pub use long::Long;
pub use poisson::Poisson;
pub use sizes::{Empirical, Point, Sizes};

use sluice_units::{Bytes, Time};

use crate::rng::Streams;

/// A flow about to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When its SYN leaves.
    pub start: Time,
    /// How much data it has; `None` if it sends until `stop`.
    pub size: Option<Bytes>,
    /// When a flow without a size stops sending.
    pub stop: Time,
}

/// An arrival model with its parameters. A new one is a file beside this one and a line here.
#[derive(Clone, Debug)]
pub enum Traffic {
    /// Flows that send from a start to a stop.
    Long(Long),
    /// Poisson arrivals of flows of random size.
    Poisson(Poisson),
    /// A list of flows.
    List(Vec<Listed>),
}

/// A model at work: yields arrivals in order of time.
pub(crate) type Arrivals = Box<dyn Iterator<Item = Arrival> + Send>;

impl Traffic {
    /// Puts the model to work with a group's own random streams.
    pub(crate) fn arrivals(&self, streams: &Streams<'_>) -> Arrivals {
        match self {
            Self::Long(model) => model.arrivals(),
            Self::Poisson(model) => model.arrivals(streams),
            Self::List(flows) => list::arrivals(flows),
        }
    }
}
