//! The fast path of [`super::counted`], in integers: the sums of (12) over the packets of flows that are held
//! elsewhere, and what it needs for them of the grant.

use sluice_units::{Rate, Span};

use super::header::NcpHeader;
use super::params::Elsewhere;
use crate::rcp::rtt;
use crate::router::{self, Plain, Train};
use crate::wire::{Offer, WireRtt};

/// Bits after the point of [`CountedGrant::per_byte`]: off by 1.1e-5 at 400 Gb/s.
const FRACTION: u32 = 24;
/// The ticks in which a byte takes the link at 1 b/s.
const BYTE: u64 = 8 * WireRtt::PER_SECOND as u64;

/// R, and the interval in which it is compared with packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedGrant {
    /// R, as packets are granted it.
    pub rate: Offer,
    /// 1 / R: ticks of a byte at R, in 2^-24.
    per_byte: u64,
    /// d, in ticks.
    interval: WireRtt,
    /// Which rate of a packet is R_j.
    elsewhere: Elsewhere,
}

impl CountedGrant {
    /// Of R in bits a second, at least 100, for an interval d.
    pub(super) fn new(rate: f64, interval: Span, elsewhere: Elsewhere) -> Self {
        let per_byte = (BYTE << FRACTION) as f64 / rate;
        Self {
            rate: Offer::granting(Rate::from_bps_f64(rate)),
            per_byte: libm::ceil(per_byte) as u64,
            interval: WireRtt::new(interval),
            elsewhere,
        }
    }

    /// The ticks that these bytes take at R, rounded up: senders state x in whole ticks, at times one above its
    /// mean, and would otherwise be below R by a part of a tick.
    fn time_of(&self, bytes: u32) -> u64 {
        self.per_byte.saturating_mul(u64::from(bytes)).div_ceil(1 << FRACTION)
    }
}

impl Plain for CountedGrant {
    type Plain = [u64; 4];

    fn to_plain(self) -> [u64; 4] {
        let granted = u64::from(self.elsewhere == Elsewhere::Granted);
        [self.rate.to_plain()[0], self.per_byte, self.interval.units().into(), granted]
    }

    fn from_plain([rate, per_byte, interval, granted]: [u64; 4]) -> Self {
        let elsewhere = if granted == 0 { Elsewhere::Current } else { Elsewhere::Granted };
        let interval = WireRtt::from_units(interval as u32);
        Self { rate: Offer::from_plain([rate]), per_byte, interval, elsewhere }
    }
}

/// The sums of an interval. Times are in ticks, and those of packets in proportion to their sizes, as the word x
/// of headers is. They wrap as [`super::NcpSums`] do.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountedSums {
    pub(super) rtt: rtt::RttSums,
    /// The sum of x - d over the packets of flows that send less than one in d.
    pub(super) slow: u64,
    /// The sum of s_j / R_j - s_j / R over packets with R_j < R: the terms in 1 / R_j and n / R of (12).
    pub(super) held: u64,
    /// The sum of s_j / R over the same packets.
    pub(super) used: u64,
}

impl CountedSums {
    /// Adds a train of packets. Fast path. Those that state nothing are of flows that send no data yet.
    pub(super) fn add(&mut self, grant: &CountedGrant, header: &NcpHeader, train: Train) {
        self.rtt.add(header.rtt, train);
        if header.x == 0 {
            return;
        }
        let packets = u64::from(train.packets());
        let slow = header.x.saturating_sub(grant.interval.units());
        self.slow = self.slow.wrapping_add(u64::from(slow) * packets);
        let at_rate = grant.time_of(train.bytes());
        let stated = match grant.elsewhere {
            Elsewhere::Current => u64::from(header.x) * packets,
            Elsewhere::Granted => time_at(header.rate, train.bytes()),
        };
        if stated > at_rate {
            self.held = self.held.wrapping_add(stated - at_rate);
            self.used = self.used.wrapping_add(at_rate);
        }
    }
}

/// The ticks that these bytes take at a rate that a header grants; 0 if it grants none.
fn time_at(rate: Offer, bytes: u32) -> u64 {
    let rate = rate.rate().map_or(0, Rate::as_bps);
    // 2^63 at most.
    (BYTE * u64::from(bytes)).checked_div(rate).unwrap_or(0)
}

impl Plain for CountedSums {
    type Plain = [u64; 7];

    fn to_plain(self) -> [u64; 7] {
        let [packets, rtt, bytes, rtt_bytes] = self.rtt.to_plain();
        [packets, rtt, bytes, rtt_bytes, self.slow, self.held, self.used]
    }

    fn from_plain([packets, rtt, bytes, rtt_bytes, slow, held, used]: [u64; 7]) -> Self {
        Self { rtt: rtt::RttSums::from_plain([packets, rtt, bytes, rtt_bytes]), slow, held, used }
    }
}

impl router::Sums for CountedSums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            rtt: self.rtt.plus(&other.rtt),
            slow: self.slow.wrapping_add(other.slow),
            held: self.held.wrapping_add(other.held),
            used: self.used.wrapping_add(other.used),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            rtt: self.rtt.since(&earlier.rtt),
            slow: self.slow.wrapping_sub(earlier.slow),
            held: self.held.wrapping_sub(earlier.held),
            used: self.used.wrapping_sub(earlier.used),
        }
    }
}
