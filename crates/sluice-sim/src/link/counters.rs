//! What a link counts of every packet.

/// Counts over all packets that joined the queue.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Counters {
    /// Bytes that joined the queue since the start.
    pub(super) taken: u64,
    /// Longest queue in nanoseconds of transmission, since the meter last looked.
    pub(super) longest: u64,
    /// Least queue that a packet found, since the law last ticked.
    pub(super) least: u64,
}
