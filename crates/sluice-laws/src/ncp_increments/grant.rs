//! The per-packet half of the router, in integers: the part of a flow's change of rate that a packet takes back.
//!
//! "The sum of the per packet share of each flow should not exceed the total spare bandwidth" (section 8.2):
//! (19) over d0 is the sum of Delta R x_j / d0 = S, with x_j = 1 / R_j. So a packet takes Delta R x_j / d0, and
//! the packets of a flow take Delta R once in each d0, whatever the flow's RTT and rate. A sender that added
//! Delta R once an RTT would change by Delta R d0 / RTT_i instead, and the sum would not be S.
//!
//! Changes are in 2^-8 bytes a second, as XCP's; what a header's whole numbers cut off is carried to the next packet.

use sluice_units::Rate;

use super::header::IncrementHeader;
use crate::rcp::rtt::RttSums;
use crate::router::{self, Plain, Train};
use crate::wire::WireRtt;
use crate::xcp::feedback::{FRACTION_BITS, Factor};

const ONE: f64 = (1_u64 << FRACTION_BITS) as f64;
/// The largest change that a header can hold.
const MAX_CHANGE: i64 = 1 << (31 + FRACTION_BITS);
/// Fraction bits of R / R_j.
const RATIO_BITS: u32 = 12;
/// The largest R / R_j, 1, a departure: by the factor as it is, flows that begin with a packet where R is 200 packets an
/// RTT would be given 200 times their shares of S, and (19) says that all together "should not exceed" S.
const MAX_RATIO: u64 = 1 << RATIO_BITS;

/// RTTs for d0, and (20)'s sum of 1 / R_j.
#[derive(Clone, Copy, Debug, Default)]
pub struct IncrementSums {
    pub(super) rtt: RttSums,
    /// The sum of s_j / R_j in ticks, as NCP's.
    pub(super) x: u64,
}

impl IncrementSums {
    pub(super) fn add(&mut self, header: &IncrementHeader, train: Train) {
        self.rtt.add(WireRtt::from_units(header.0.rtt), train);
        self.x = self.x.wrapping_add(u64::from(header.0.x) * u64::from(train.packets()));
    }

    /// The flows that sent in the last `seconds`.
    pub(super) fn flows(&self, seconds: f64) -> f64 {
        self.x as f64 / f64::from(WireRtt::PER_SECOND) / seconds
    }
}

impl router::Sums for IncrementSums {
    fn plus(&self, other: &Self) -> Self {
        Self { rtt: self.rtt.plus(&other.rtt), x: self.x.wrapping_add(other.x) }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self { rtt: self.rtt.since(&earlier.rtt), x: self.x.wrapping_sub(earlier.x) }
    }
}

impl Plain for IncrementSums {
    type Plain = [u64; 5];

    fn to_plain(self) -> [u64; 5] {
        let [packets, rtt, bytes, rtt_bytes] = self.rtt.to_plain();
        [packets, rtt, bytes, rtt_bytes, self.x]
    }

    fn from_plain([packets, rtt, bytes, rtt_bytes, x]: [u64; 5]) -> Self {
        Self { rtt: RttSums::from_plain([packets, rtt, bytes, rtt_bytes]), x }
    }
}

/// A change of rate for each unit of something: up or down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slope {
    size: Factor,
    down: bool,
}

impl Slope {
    /// `change`, in bytes a second, for each unit.
    pub(super) fn of(change: f64) -> Self {
        Self { size: Factor::of(change.abs() * ONE), down: change < 0.0 }
    }

    /// For each tick of x, of so much for each second.
    pub(super) fn per_second(change: f64) -> Self {
        Self::of(change / f64::from(WireRtt::PER_SECOND))
    }

    #[inline]
    fn times(self, n: u32) -> i64 {
        let size = self.size.times(n).min(MAX_CHANGE as u64) as i64;
        if self.down { -size } else { size }
    }

    const fn to_plain(self) -> u64 {
        self.size.to_plain() | (self.down as u64) << 40
    }

    const fn from_plain(word: u64) -> Self {
        Self { size: Factor::from_plain(word), down: word >> 40 & 1 == 1 }
    }
}

/// A decision: changes that add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IncrementGrant {
    /// For each tick of x.
    pub(super) by_time: Slope,
    /// For each byte.
    pub(super) by_bytes: Slope,
    /// For each tick of x, and in proportion to R / R_j.
    pub(super) by_ratio: Slope,
    /// R in 2^-12 bytes for each tick, of which that ratio is; zero where nothing is in proportion to it.
    pub(super) rate: Factor,
}

impl IncrementGrant {
    /// R in the unit of its field.
    pub(super) fn rate_of(rate: Rate) -> Factor {
        let one = f64::from(1 << RATIO_BITS);
        Factor::of(rate.as_bytes_per_sec_f64() * one / f64::from(WireRtt::PER_SECOND))
    }

    /// "Hence a flow [...] sets its new sending rate" (21): lowers what the header grants to this link's change,
    /// which makes it the least of the path's. A packet that states no rate can have none changed.
    pub(super) fn stamp(&self, carry: &mut Carry, header: &mut IncrementHeader, train: Train) {
        let header = &mut header.0;
        if !header.states_throughput() {
            header.delta = header.delta.min(0);
            return;
        }
        let n = i64::from(train.packets());
        let bytes = train.bytes() / u32::from(train.packets());
        let total = n * self.change(header.x, bytes) + carry.0;
        let whole = (total >> FRACTION_BITS).div_euclid(n);
        // Fits if it is below: not above the i32 that was there, nor below -2^31.
        if whole <= i64::from(header.delta) {
            header.delta = whole as i32;
            carry.0 = total - whole * (n << FRACTION_BITS);
        }
    }

    #[inline]
    fn change(&self, x: u32, bytes: u32) -> i64 {
        let mut change = self.by_time.times(x) + self.by_bytes.times(bytes);
        if self.rate != Factor::default() {
            let ratio = self.rate.times(x) / u64::from(bytes.max(1));
            change += (self.by_ratio.times(x) * ratio.min(MAX_RATIO) as i64) >> RATIO_BITS;
        }
        change.clamp(-MAX_CHANGE, MAX_CHANGE)
    }
}

impl Plain for IncrementGrant {
    type Plain = [u64; 4];

    fn to_plain(self) -> [u64; 4] {
        let [by_time, by_bytes, by_ratio] =
            [self.by_time, self.by_bytes, self.by_ratio].map(Slope::to_plain);
        [by_time, by_bytes, by_ratio, self.rate.to_plain()]
    }

    fn from_plain([by_time, by_bytes, by_ratio, rate]: [u64; 4]) -> Self {
        let [by_time, by_bytes, by_ratio] = [by_time, by_bytes, by_ratio].map(Slope::from_plain);
        Self { by_time, by_bytes, by_ratio, rate: Factor::from_plain(rate) }
    }
}

/// What the last stamped header could not take, in 2^-8 bytes a second: below 1 for each packet of its train.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carry(i64);

impl Plain for Carry {
    type Plain = [u64; 1];

    fn to_plain(self) -> [u64; 1] {
        [self.0 as u64]
    }

    fn from_plain([word]: [u64; 1]) -> Self {
        Self(word as i64)
    }
}
