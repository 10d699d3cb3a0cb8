//! A data packet as a test reads it.

use sluice_units::{Span, Time};

use crate::wire::ticks::FRACTION_BITS;

/// Ticks in a second.
pub(super) const TICKS: f64 = (1_u64 << FRACTION_BITS) as f64;

/// What a packet states, in bytes and seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatedPacket {
    pub(super) now: Time,
    pub(super) bytes: f64,
    /// Time between two packets of the flow.
    pub(super) x: f64,
    /// The stated RTT, within the bounds.
    pub(super) rtt: Span,
}

impl StatedPacket {
    /// The throughput that it states, in bytes a second.
    pub(super) fn stated(&self) -> f64 {
        self.bytes / self.x
    }

    /// The window that it states, in bytes.
    pub(super) fn window(&self) -> f64 {
        self.stated() * self.rtt.as_secs_f64()
    }
}
