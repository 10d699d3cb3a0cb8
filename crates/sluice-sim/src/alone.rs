//! Completion times on an empty path, the denominator of slowdown in the engine and in ideals.

use sluice_units::{Bytes, Rate, Span};

use crate::config::{Config, LinkId};

/// An empty path.
pub(crate) struct Alone {
    /// Time of SYN and SYN-ACK, with their transmission.
    pub(crate) opening: Span,
    /// Propagation delay of the data path.
    pub(crate) delay: Span,
    /// Time of an acknowledgement on the way back, with its transmission.
    pub(crate) back: Span,
    rates: Vec<Rate>,
    packet: u64,
    header: u64,
}

impl Alone {
    /// The path of these links and the path back.
    pub(crate) fn new(config: &Config, out: &[LinkId], back: &[LinkId]) -> Self {
        let crossing = |links: &[LinkId]| {
            links.iter().fold(Span::ZERO, |sum, &id| {
                let link = &config.links[id];
                sum + link.capacity.time_for(config.control) + link.delay
            })
        };
        let way_back = crossing(back);
        Self {
            opening: crossing(out) + way_back,
            delay: out.iter().fold(Span::ZERO, |sum, &id| sum + config.links[id].delay),
            back: way_back,
            rates: out.iter().map(|&id| config.links[id].capacity).collect(),
            packet: config.packet.as_u64(),
            header: config.header.as_u64(),
        }
    }

    /// Completion time of `size` bytes: SYN exchange, then all packets back to back, each stored
    /// and forwarded at every link.
    pub(crate) fn completion(&self, size: u64) -> Span {
        let payload = self.packet - self.header;
        let packets = size.div_ceil(payload).max(1);
        // At least a byte, as the engine sends it.
        let last = (size - (packets - 1) * payload + self.header).max(1);
        // When the last packet but one, and the last, leave each link in turn.
        let (mut before, mut leaves, mut slowest) = (Span::ZERO, Span::ZERO, Rate::MAX);
        for &rate in &self.rates {
            slowest = slowest.min(rate);
            before = before + rate.time_for(Bytes::new(self.packet));
            let previous = match packets {
                1 => Span::ZERO,
                _ => before + slowest.time_for(Bytes::new(self.packet.saturating_mul(packets - 2))),
            };
            leaves = leaves.max(previous) + rate.time_for(Bytes::new(last));
        }
        self.opening + self.delay + leaves
    }

    /// Time that a byte takes at the path's least capacity, in nanoseconds.
    pub(crate) fn byte(&self) -> f64 {
        let slowest = self.rates.iter().copied().min().unwrap_or(Rate::MAX);
        1e9 / slowest.as_bytes_per_sec_f64()
    }
}
