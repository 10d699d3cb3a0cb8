//! The limit of a buffer, which holds for all disciplines.

use sluice_units::{Limit, Rate, Span};

use super::arrival::QueueArrival;

/// A buffer's limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Most waiting packets.
    packets: u64,
    /// A limit in bytes, as the time that transmission of the queue takes.
    time: Span,
}

impl Room {
    /// A limit in bytes bounds the queue with the new packet and the rest of the one in transmission;
    /// a packet that finds the link idle is always taken.
    pub(crate) fn new(limit: Limit, rate: Rate) -> Self {
        let unlimited = Self { packets: u64::MAX, time: Span::MAX };
        match limit {
            Limit::None => unlimited,
            Limit::Packets(packets) => Self { packets, ..unlimited },
            Limit::Bytes(bytes) => Self { time: rate.time_for(bytes), ..unlimited },
        }
    }

    /// Whether a packet fits.
    pub(super) fn takes(&self, arrival: &QueueArrival) -> bool {
        arrival.ahead == Span::ZERO
            || (arrival.through <= self.time && arrival.waiting < self.packets)
    }

    pub(super) fn is_unlimited(&self) -> bool {
        self.time == Span::MAX && !self.counts_packets()
    }

    /// The limit in nanoseconds of transmission, with packets of `packet` each.
    pub(super) fn nanos(&self, packet: f64) -> f64 {
        (self.packets as f64 * packet).min(self.time.as_nanos() as f64)
    }

    /// Packets whose [`QueueArrival::through`] is below this certainly fit.
    pub(super) fn full_from(&self) -> Span {
        if self.counts_packets() { Span::ZERO } else { self.time + Span::NANO }
    }

    /// Whether the limit is in packets.
    pub(super) fn counts_packets(&self) -> bool {
        self.packets != u64::MAX
    }
}
