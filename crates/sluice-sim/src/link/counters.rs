//! What a link counts of every packet.

use sluice_units::Span;

/// Counts over all packets that joined the queue.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Counters {
    /// Bytes that joined the queue since the start.
    pub(super) taken: u64,
    /// Longest queue, in transmission time, since the meter last reset it.
    pub(super) longest: Span,
    /// Least backlog that a packet found since the law's last tick.
    pub(super) least: Span,
}
