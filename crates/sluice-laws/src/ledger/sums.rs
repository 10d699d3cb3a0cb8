//! What Ledger's fast path adds up as packets arrive.

use super::classes::CLASSES;
use super::grant::LedgerGrant;
use super::header::LedgerHeader;
use crate::rcp::rtt::MeanRtt;
use crate::router::{self, Plain, Train};
use crate::wire::Offer;

const WORDS: usize = 5 + CLASSES;

/// The fast path's sums.
#[derive(Clone, Copy, Debug, Default)]
pub struct LedgerSums {
    /// RTTs, for d0.
    pub(super) rtt: MeanRtt,
    /// Bytes of packets that request a rate. The rest of what arrives belongs to no flow that a grant holds back.
    pub(super) bytes: u64,
    /// Bytes of flows that another link holds below R.
    pub(super) elsewhere_bytes: u64,
    /// The sum of their x as stretched on the way, in 1/64 of ticks of 2^-28 s.
    pub(super) elsewhere_x: u64,
    /// The same of the others, by class of what they have left.
    pub(super) x: [u64; CLASSES],
}

impl LedgerSums {
    /// Adds a train of packets. Fast path.
    ///
    /// As in NCP's equation (8), the x of a flow's packets add up to the time for which it sends, whatever its rate
    /// and RTT: over an interval, their sum is the number of flows.
    #[inline]
    pub(super) fn add(&mut self, grant: &LedgerGrant, header: &LedgerHeader, train: Train) {
        if header.rate == Offer::NONE {
            return;
        }
        let bytes = u64::from(train.bytes());
        self.bytes = self.bytes.wrapping_add(bytes);
        self.rtt.add(header.flow.rtt(), train);
        // 0, which states nothing, adds nothing.
        let packets = u64::from(train.packets());
        let x = u64::from(header.x) * packets;
        let stretched = x * u64::from(header.flow.stretch());
        if grant.is_slow(x, packets, bytes) {
            self.elsewhere_bytes = self.elsewhere_bytes.wrapping_add(bytes);
            self.elsewhere_x = self.elsewhere_x.wrapping_add(stretched);
        } else {
            let sum = &mut self.x[grant.class_of(header.flow.left_code())];
            *sum = sum.wrapping_add(stretched);
        }
    }

    /// Whether it counts flows that will send for a tick and more.
    pub(super) fn has_flows(&self) -> bool {
        self.x[1..].iter().any(|&x| x > 0)
    }

    fn combined(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let (own, other) = (self.to_plain(), other.to_plain());
        Self::from_plain(core::array::from_fn(|i| combine(own[i], other[i])))
    }
}

impl Plain for LedgerSums {
    type Plain = [u64; WORDS];

    fn to_plain(self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[..2].copy_from_slice(&self.rtt.to_plain());
        words[2..5].copy_from_slice(&[self.bytes, self.elsewhere_bytes, self.elsewhere_x]);
        words[5..].copy_from_slice(&self.x);
        words
    }

    fn from_plain(words: [u64; WORDS]) -> Self {
        let [packets, rtt, bytes, elsewhere_bytes, elsewhere_x, ..] = words;
        Self {
            rtt: MeanRtt::from_plain([packets, rtt]),
            bytes,
            elsewhere_bytes,
            elsewhere_x,
            x: core::array::from_fn(|class| words[5 + class]),
        }
    }
}

impl router::Sums for LedgerSums {
    fn plus(&self, other: &Self) -> Self {
        self.combined(other, u64::wrapping_add)
    }

    fn since(&self, earlier: &Self) -> Self {
        self.combined(earlier, u64::wrapping_sub)
    }
}
