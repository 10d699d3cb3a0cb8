//! What a link reports in packets ([`HopReading`]).

use sluice_laws::telemetry::HopReading;
use sluice_units::{Rate, Span, Time};

/// A link that adds telemetry to packets as they leave it.
pub(crate) struct LinkTelemetry {
    link: u32,
    capacity: Rate,
    /// Bytes sent so far.
    sent: u64,
}

impl LinkTelemetry {
    /// Of the link of this number.
    pub(crate) fn new(link: usize, capacity: Rate) -> Self {
        Self { link: link as u32, capacity, sent: 0 }
    }

    /// Counts a packet that leaves at `at` with `backlog` behind it. Returns the link's state.
    pub(super) fn count(&mut self, at: Time, bytes: u32, backlog: Span) -> HopReading {
        self.sent += u64::from(bytes);
        let Self { link, capacity, sent } = *self;
        HopReading { link, capacity, at, sent, queue: capacity.bytes_in(backlog) }
    }
}
