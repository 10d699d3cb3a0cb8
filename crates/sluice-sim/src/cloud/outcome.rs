//! The counts of an ingress.

use serde::{Deserialize, Serialize};
use sluice_units::Span;

/// What became of packets in the queues of macro-flows at a link in [warm-up, stop).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngressOutcome {
    /// Number of macro-flows.
    pub macro_flows: u64,
    /// Packets that left the queues to the link.
    pub forwarded: u64,
    /// Packets that found a queue full.
    pub dropped: u64,
    /// Control packets that could not state all of their macro-flow's weight or bytes
    /// ([`sluice_laws::xcp_cloud::CloudHeader::is_capped`]).
    pub capped: u64,
    /// Mean time in the queues of those forwarded.
    pub mean_wait: Span,
}
