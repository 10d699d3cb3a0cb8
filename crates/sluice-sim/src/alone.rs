//! Completion times on an empty path, the denominator of slowdown in the engine and in ideals.

use sluice_units::{Bytes, Rate, Span};

use crate::config::{Config, LinkId};
use crate::route::{Paths, delay};

/// The empty path of a flow, or the paths that its packets take in turn.
pub(crate) struct Alone {
    /// Time of SYN and SYN-ACK, with their transmission; 0 where connections are open already.
    pub(crate) opening: Span,
    /// Propagation delay of the data path.
    pub(crate) delay: Span,
    /// Time of an acknowledgement on the way back, with its transmission.
    pub(crate) back: Span,
    /// Capacities of the links at each place of the paths.
    levels: Vec<Vec<Rate>>,
    packet: u64,
    header: u64,
}

impl Alone {
    /// The paths of flow `index`, at nominal capacities.
    pub(crate) fn new(config: &Config, paths: &Paths, index: u64) -> Self {
        Self::with(config, paths, index, |link| config.links[link].capacity)
    }

    /// The paths of flow `index`, with these capacities of links.
    pub(crate) fn with(
        config: &Config,
        paths: &Paths,
        index: u64,
        capacity: impl Fn(LinkId) -> Rate,
    ) -> Self {
        let ack = |link: LinkId| capacity(link).time_for(config.control) + config.links[link].delay;
        let back = paths.back.of_flow(index).iter().fold(Span::ZERO, |sum, &link| sum + ack(link));
        let delay = delay(&config.links, &paths.out.of_flow(index));
        let level = |level: Vec<(LinkId, f64)>| {
            level.into_iter().map(|(link, _)| capacity(link)).collect::<Vec<_>>()
        };
        let levels = paths.out.levels(index).into_iter().map(level).collect();
        let mut alone = Self {
            opening: Span::ZERO,
            delay,
            back,
            levels,
            packet: config.packet.as_u64(),
            header: config.header.as_u64(),
        };
        if config.parameters.transport.handshake {
            alone.opening = alone.fastest(config.control) + delay + back;
        }
        alone
    }

    /// Time that a packet takes to be transmitted at all links of the fastest path.
    fn fastest(&self, bytes: Bytes) -> Span {
        let rates = self.levels.iter().filter_map(|level| level.iter().copied().max());
        rates.fold(Span::ZERO, |sum, rate| sum + rate.time_for(bytes))
    }

    /// Completion time of `size` bytes: SYN exchange, then all packets back to back, each stored
    /// and forwarded at every link.
    pub(crate) fn completion(&self, size: u64) -> Span {
        let payload = self.packet - self.header;
        let packets = size.div_ceil(payload).max(1);
        // At least a byte, as the engine sends it.
        let last = (size - (packets - 1) * payload + self.header).max(1);
        let is_single = self.levels.iter().all(|level| level.len() == 1);
        let leaves =
            if is_single { self.in_line(packets, last) } else { self.in_turn(packets, last) };
        self.opening + self.delay + leaves
    }

    /// When the last packet, of `last` bytes, leaves the last link of a single path.
    fn in_line(&self, packets: u64, last: u64) -> Span {
        // When the last packet but one, and the last, leave each link in turn.
        let (mut before, mut leaves, mut slowest) = (Span::ZERO, Span::ZERO, Rate::MAX);
        for &rate in self.levels.iter().flatten() {
            slowest = slowest.min(rate);
            before = before + rate.time_for(Bytes::new(self.packet));
            let previous = match packets {
                1 => Span::ZERO,
                _ => before + slowest.time_for(Bytes::new(self.packet.saturating_mul(packets - 2))),
            };
            leaves = leaves.max(previous) + rate.time_for(Bytes::new(last));
        }
        leaves
    }

    /// The earliest that all packets, the last one of `last` bytes, have left paths that they take in turn,
    /// whatever else takes a turn between them: the links at each place transmit all of them together, and
    /// the last one crosses a link at every other place.
    fn in_turn(&self, packets: u64, last: u64) -> Span {
        let bytes = self.packet.saturating_mul(packets - 1).saturating_add(last);
        let least = self.fastest(Bytes::new(last));
        let leaves = |level: &Vec<Rate>| {
            let fastest = level.iter().copied().max().unwrap_or(Rate::MAX);
            let elsewhere = least.saturating_sub(fastest.time_for(Bytes::new(last)));
            elsewhere + together(level).time_for(Bytes::new(bytes))
        };
        self.levels.iter().map(leaves).max().unwrap_or_default().max(least)
    }

    /// Time that a byte takes at the capacity of all links at the slowest place, in nanoseconds.
    pub(crate) fn byte(&self) -> f64 {
        let byte = |level: &Vec<Rate>| 1e9 / together(level).as_bytes_per_sec_f64();
        self.levels.iter().map(byte).fold(0.0, f64::max)
    }
}

/// What links carry together.
fn together(level: &[Rate]) -> Rate {
    Rate::from_bps(level.iter().fold(0, |sum, rate| sum.saturating_add(rate.as_bps())))
}
