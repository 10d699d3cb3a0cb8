//! How long a router's intervals are: that of control decisions, d, and that of the persistent queue.

use sluice_units::{Bytes, Rate, Span};

use super::params::XcpParams;

/// The bounds of a router's intervals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intervals {
    min: Span,
    max: Span,
    min_queue: Span,
}

impl Intervals {
    pub(crate) const fn new(params: &XcpParams) -> Self {
        let XcpParams { min_interval, max_interval, min_queue_timer, .. } = *params;
        Self { min: min_interval, max: max_interval, min_queue: min_queue_timer }
    }

    /// d: control_interval = max(avg_rtt, MIN_INTERVAL) (Appendix A), not beyond a longest one
    /// (section 7.3.2). "d = min(avg. RTT, 5 ms)" of section 9.3.2 is an error of the text.
    pub(crate) fn control(&self, average_rtt: Span) -> Span {
        average_rtt.min(self.max).max(self.min)
    }

    /// T_q, over which the minimum queue is persistent: half the "average RTT without the local
    /// queuing delay" of section 4.7.1 (the half is Appendix A's), at least `min_queue_timer`.
    /// Appendix A halves that least time too. The longest control interval bounds it, too.
    pub(crate) fn queue(&self, average_rtt: Span, queue: Bytes, capacity: Rate) -> Span {
        let propagation = average_rtt.min(self.max).saturating_sub(capacity.time_for(queue));
        (propagation / 2).max(self.min_queue)
    }
}
