//! Whose turn it is at a link with a queue of low latency and another: weighted round robin.

use sluice_units::Bytes;

/// A weight of 1. Weights are whole numbers, so that long runs do not drift.
const ONE: i64 = 1 << 16;

/// Weighted round robin by credit, as in Linux's `dualpi2`: while the classic queue has packets, it gets
/// at least its share of the bytes, within a packet or two, whatever L packets arrive.
#[derive(Debug)]
pub(super) struct DualTurns {
    /// Weight of the classic queue.
    classic: i64,
    /// What L packets begin with after both queues were empty: a full packet's worth.
    start: i64,
    /// Bytes times weight by which the classic queue is behind its share.
    credit: i64,
}

impl DualTurns {
    /// The classic queue is to get a share of the capacity, 0 to 1.
    pub(super) fn new(share: f64, packet: Bytes) -> Self {
        let classic = (share * ONE as f64) as i64;
        let start = -(ONE - classic) * packet.as_u64() as i64;
        Self { classic, start, credit: start }
    }

    /// Whether it is an L packet's turn where both queues have packets.
    pub(super) fn is_l4s(&self) -> bool {
        self.credit <= 0
    }

    /// A packet leaves while the other queue has packets. What leaves besides is spare: it counts for
    /// neither, and what the classic queue is owed stays.
    pub(super) fn sent(&mut self, is_l4s: bool, bytes: u32) {
        let weight = if is_l4s { self.classic } else { self.classic - ONE };
        self.credit += weight * i64::from(bytes);
    }

    /// Both queues are empty.
    pub(super) fn reset(&mut self) {
        self.credit = self.start;
    }
}
