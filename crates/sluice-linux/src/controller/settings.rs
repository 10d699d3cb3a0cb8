use sluice_units::{Bytes, Rate, Span};

/// Packets that the virtual queue of the slowest link holds.
const LEAST_PACKETS: u64 = 10;

/// Settings of a [`LinkController`](crate::LinkController).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControllerSettings {
    /// The longest control interval of the law; of RCP, `interval`. A grant older than four intervals is not stamped: hosts
    /// then fall back to their ordinary congestion control. Where the law plans a longer interval, as NCP over long RTTs,
    /// four of those. Default 10 ms.
    pub interval: Span,
    /// The least time between two ticks. A law that asks for less ticks late, which its equations account for. Default
    /// 5 ms, as XCP has it: an interval is to see several trains of a host, which are up to a millisecond long.
    pub min_interval: Span,
    /// Size of a full packet on the wire, from the Ethernet header on. As much of the virtual queue counts as being
    /// transmitted rather than waiting. Default 1514 bytes.
    pub packet: Bytes,
    /// The virtual queue at most, in time of transmission: that of the buffer before the link. Always ten packets at
    /// least. Default 100 ms.
    pub queue_limit: Span,
}

impl Default for ControllerSettings {
    fn default() -> Self {
        Self {
            interval: Span::from_millis(10),
            min_interval: Span::from_millis(5),
            packet: Bytes::new(1_514),
            queue_limit: Span::from_millis(100),
        }
    }
}

impl ControllerSettings {
    /// The limit of the virtual queue at this capacity.
    pub(super) fn queue_limit(&self, capacity: Rate) -> Bytes {
        let packets = self.packet.as_u64().saturating_mul(LEAST_PACKETS);
        capacity.bytes_in(self.queue_limit).max(Bytes::new(packets))
    }

    pub(super) fn min_interval(&self) -> Span {
        self.min_interval.max(Span::NANO)
    }
}
