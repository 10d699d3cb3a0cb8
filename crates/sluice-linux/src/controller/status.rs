//! What a controller reports.

use serde::{Deserialize, Serialize, Serializer};
use sluice_units::{Bytes, Rate, Span};

use crate::traffic::TrafficCounts;

/// A link and its law at a moment.
#[derive(Clone, Debug, Serialize)]
pub struct LinkStatus {
    /// The number of the law in the option (`docs/wire.md`).
    pub law: u8,
    /// The capacity of the link.
    pub capacity: Rate,
    /// The quantities of the law by name: R in bits a second, d0 in seconds, N.
    #[serde(serialize_with = "as_map")]
    pub metrics: Vec<(&'static str, f64)>,
    /// Bytes in the virtual queue.
    pub queue: Bytes,
    /// What arrived over the last whole second, as a part of what the link could have sent: above 1 in overload. Since
    /// the start until a second is over.
    pub load: f64,
    /// What passed since the program was loaded.
    pub traffic: TrafficCounts,
    /// Control decisions since the start.
    #[serde(flatten)]
    pub ticks: TickCounts,
    /// Time since a grant was installed last.
    pub grant_age: Span,
}

impl LinkStatus {
    /// The law's quantity of that name.
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }
}

/// The control decisions of a [`LinkController`](crate::LinkController).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TickCounts {
    /// Decisions.
    pub ticks: u64,
    /// Those that came later than due by more than a millisecond.
    pub late_ticks: u64,
    /// Those that came when the grant before had expired.
    pub expired_grants: u64,
    /// Those put off, since the sums could not be read.
    pub put_off: u64,
}

fn as_map<S: Serializer>(metrics: &[(&'static str, f64)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(metrics.iter().copied())
}
