//! How flows are tested.

use sluice_units::{Ratio, Span};

/// How flows are tested.
#[derive(Clone, Copy, Debug)]
pub struct TestRules {
    /// The part of its window that a test leaves a flow, above 0 and below 1.
    pub keep: Ratio,
    /// Failures in a row that convict a flow, at least 1.
    pub failures: u32,
    /// Bounds on the RTT that a flow is taken to have, whatever it states: senders lie about it.
    pub shortest_rtt: Span,
    /// The upper bound; not below the lower.
    pub longest_rtt: Span,
    /// The largest weight that a flow may have, at least 1: it states as much less (section 6.3).
    pub weight: Ratio,
}
