//! A router's moving average of the RTTs that headers carry: `d_0`.
//!
//! Headers come from strangers, so nothing here trusts one: a zero RTT is no sample, a sample
//! counts as at most ten seconds, and d0 stays within what is possible at the link.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Rate, Span};

use crate::router::{self, Plain, Train};
use crate::wire::WireRtt;

/// The longest RTT a sample counts as: 10 s, in the header's units.
const MAX_SAMPLE: u32 = 10 * WireRtt::PER_SECOND;
/// The longest d0 but for a link on which a packet takes longer: 10 s.
const MAX_D0: f64 = 10.0;
/// The shortest d0: a microsecond, below any network's round trip. It bounds how often R is updated.
const MIN_D0: f64 = 1e-6;

/// How d0 follows the RTTs in headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RttFilter {
    /// The paper's (section 2.3): each packet moves d0 by a fixed part, `rtt_gain`, of the way to
    /// its RTT. The first sample replaces the initial RTT, which nobody measured.
    #[default]
    PerPacket,
    /// That of the authors' ns-2 code: once an interval towards the mean weighted by bytes, with
    /// gain T/d0 upward and (R/C)(m/d0)(T/d0) downward, from the initial RTT on.
    PerInterval,
}

/// The mean over packets whose header carries an RTT, as the sums of a fast path.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeanRtt {
    /// How many.
    packets: u64,
    /// Their RTTs, in the header's units.
    rtt: u64,
}

impl MeanRtt {
    /// Adds a train of packets. Fast path.
    #[inline]
    pub fn add(&mut self, rtt: WireRtt, train: Train) {
        if rtt != WireRtt::NONE {
            let packets = u64::from(train.packets());
            self.packets = self.packets.wrapping_add(packets);
            self.rtt = self.rtt.wrapping_add(sample(rtt) * packets);
        }
    }

    /// In seconds, or `None` without a packet.
    fn get(&self) -> Option<f64> {
        seconds(self.rtt, self.packets)
    }
}

/// What the fast path adds up: packets whose header carries an RTT.
///
/// `rtt_bytes` wraps within an interval only past 6.8 GB of packets that all state ten seconds; in an
/// interval of 10 ms 400 Gb/s carry 0.5 GB.
#[derive(Clone, Copy, Debug, Default)]
pub struct RttSums {
    by_packets: MeanRtt,
    /// Bytes on the wire of these packets.
    bytes: u64,
    /// Their RTTs times their bytes.
    rtt_bytes: u64,
}

impl RttSums {
    /// Adds a train of packets. Fast path.
    pub fn add(&mut self, rtt: WireRtt, train: Train) {
        if rtt == WireRtt::NONE {
            return;
        }
        self.by_packets.add(rtt, train);
        let bytes = u64::from(train.bytes());
        self.bytes = self.bytes.wrapping_add(bytes);
        self.rtt_bytes = self.rtt_bytes.wrapping_add(sample(rtt) * bytes);
    }

    /// How many packets stated an RTT.
    pub fn packets(&self) -> u64 {
        self.by_packets.packets
    }

    /// The mean of the RTTs that packets stated; `None` if none did.
    pub fn mean_rtt(&self) -> Option<Span> {
        self.by_packets.get().map(Span::from_secs_f64)
    }

    /// The mean RTT weighted by bytes in seconds, or `None` without a byte.
    fn mean_by_bytes(&self) -> Option<f64> {
        seconds(self.rtt_bytes, self.bytes)
    }
}

fn sample(rtt: WireRtt) -> u64 {
    u64::from(rtt.units().min(MAX_SAMPLE))
}

fn seconds(sum: u64, weight: u64) -> Option<f64> {
    (weight > 0).then(|| sum as f64 / weight as f64 / f64::from(WireRtt::PER_SECOND))
}

impl Plain for MeanRtt {
    type Plain = [u64; 2];

    fn to_plain(self) -> [u64; 2] {
        [self.packets, self.rtt]
    }

    fn from_plain([packets, rtt]: [u64; 2]) -> Self {
        Self { packets, rtt }
    }
}

impl router::Sums for MeanRtt {
    fn plus(&self, other: &Self) -> Self {
        Self {
            packets: self.packets.wrapping_add(other.packets),
            rtt: self.rtt.wrapping_add(other.rtt),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            packets: self.packets.wrapping_sub(earlier.packets),
            rtt: self.rtt.wrapping_sub(earlier.rtt),
        }
    }
}

impl Plain for RttSums {
    type Plain = [u64; 4];

    fn to_plain(self) -> [u64; 4] {
        let [packets, rtt] = self.by_packets.to_plain();
        [packets, rtt, self.bytes, self.rtt_bytes]
    }

    fn from_plain([packets, rtt, bytes, rtt_bytes]: [u64; 4]) -> Self {
        Self { by_packets: MeanRtt { packets, rtt }, bytes, rtt_bytes }
    }
}

impl router::Sums for RttSums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            by_packets: self.by_packets.plus(&other.by_packets),
            bytes: self.bytes.wrapping_add(other.bytes),
            rtt_bytes: self.rtt_bytes.wrapping_add(other.rtt_bytes),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            by_packets: self.by_packets.since(&earlier.by_packets),
            bytes: self.bytes.wrapping_sub(earlier.bytes),
            rtt_bytes: self.rtt_bytes.wrapping_sub(earlier.rtt_bytes),
        }
    }
}

/// d0, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct RttAverage {
    filter: RttFilter,
    /// The paper's `gain`.
    gain: f64,
    d0: f64,
    /// Whether a sample ever came.
    measured: bool,
}

impl RttAverage {
    /// Starts at `initial` seconds.
    pub fn new(filter: RttFilter, gain: f64, initial: f64) -> Self {
        Self { filter, gain, d0: initial.clamp(MIN_D0, MAX_D0), measured: false }
    }

    /// d0 in seconds.
    pub fn get(&self) -> f64 {
        self.d0
    }

    /// Updates the average by an interval of `elapsed` seconds with these `sums`; `share` is R / C.
    pub fn update(&mut self, sums: &RttSums, elapsed: f64, share: f64) {
        match self.filter {
            RttFilter::PerPacket => self.per_packet(&sums.by_packets),
            RttFilter::PerInterval => self.per_interval(sums, elapsed, share),
        }
    }

    /// "d_0 = gain x RTT_packet + (1 - gain) x d_0^last" (section 2.3) for every packet. That is no
    /// sum, so the interval's n packets count as n of their mean m: d0 = m + (d0 - m)(1 - gain)^n.
    /// Equal if their RTTs are; else the order within the interval is lost. For laws that have this filter only.
    pub fn per_packet(&mut self, sums: &MeanRtt) {
        let Some(mean) = sums.get() else { return };
        let kept =
            if self.measured { libm::pow(1.0 - self.gain, sums.packets as f64) } else { 0.0 };
        self.d0 = mean + (self.d0 - mean) * kept;
        self.measured = true;
    }

    fn per_interval(&mut self, sums: &RttSums, elapsed: f64, share: f64) {
        let Some(mean) = sums.mean_by_bytes() else { return };
        let up = elapsed / self.d0;
        let gain = if mean >= self.d0 { up } else { share * (mean / self.d0) * up };
        // A late tick must not carry d0 past the mean.
        self.d0 += gain.min(1.0) * (mean - self.d0);
    }

    /// Keeps d0 within what is possible at a link of `capacity` bits a second for packets of
    /// `packet`: a data packet's RTT is at least its own transmission time. So one-microsecond
    /// RTTs in headers cannot raise the minimum rate, which is set in packets a d0.
    pub fn bound(&mut self, capacity: Rate, packet: Bytes) {
        let min = capacity.time_for(packet).as_secs_f64().max(MIN_D0);
        self.d0 = self.d0.clamp(min, min.max(MAX_D0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_units::Span;

    fn sums(rtts_ms: &[(u64, u32)]) -> RttSums {
        let mut sums = RttSums::default();
        for &(ms, bytes) in rtts_ms {
            sums.add(WireRtt::new(Span::from_millis(ms)), Train::packet(bytes));
        }
        sums
    }

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// The paper's filter, packet by packet.
    fn packet_by_packet(mut d0: f64, rtts_ms: &[(u64, u32)]) -> f64 {
        for &(ms, _) in rtts_ms {
            d0 = 0.02 * (ms as f64 / 1e3) + 0.98 * d0;
        }
        d0
    }

    #[test]
    fn equal_samples_filter_as_packet_by_packet() {
        let mut average = RttAverage::new(RttFilter::PerPacket, 0.02, 0.2);
        average.update(&sums(&[(50, 40)]), 0.01, 1.0);
        close(average.get(), 0.05, 1e-8);
        let interval = [(120, 1_000); 37];
        average.update(&sums(&interval), 0.01, 1.0);
        close(average.get(), packet_by_packet(0.05, &interval), 1e-8);
    }

    #[test]
    fn mixed_samples_filter_as_packet_by_packet_on_average() {
        let mut average = RttAverage::new(RttFilter::PerPacket, 0.02, 0.2);
        average.update(&sums(&[(80, 1_000)]), 0.01, 1.0);
        let mut exact = 0.08;
        for interval in 0..200 {
            let rtts: Vec<_> =
                (0..7).map(|i| (40 + (interval * 31 + i * 17) % 80, 1_000)).collect();
            average.update(&sums(&rtts), 0.01, 1.0);
            exact = packet_by_packet(exact, &rtts);
            close(average.get(), exact, 0.003);
        }
    }

    #[test]
    fn the_authors_filter_weighs_bytes_and_falls_more_slowly_than_it_rises() {
        let mut average = RttAverage::new(RttFilter::PerInterval, 0.02, 0.1);
        // m = (100 x 300 + 900 x 200) / 1000 = 210 ms; gain T / d0 = 0.1.
        average.update(&sums(&[(300, 100), (200, 900)]), 0.01, 0.05);
        close(average.get(), 0.1 + 0.1 * 0.11, 1e-8);
        let mut average = RttAverage::new(RttFilter::PerInterval, 0.02, 0.1);
        // Gain (R/C)(m/d0)(T/d0) = 0.05 x 0.5 x 0.1.
        average.update(&sums(&[(50, 1_000)]), 0.01, 0.05);
        close(average.get(), 0.1 - 0.0025 * 0.05, 1e-8);
    }

    #[test]
    fn zero_is_no_sample_and_a_wild_one_counts_as_ten_seconds() {
        let mut average = RttAverage::new(RttFilter::PerPacket, 0.02, 0.2);
        let mut wild = RttSums::default();
        wild.add(WireRtt::NONE, Train::packet(1_000));
        average.update(&wild, 0.01, 1.0);
        close(average.get(), 0.2, 0.0);
        average.update(&sums(&[(100, 1_000)]), 0.01, 1.0);
        average.update(&sums(&[(16_000, 1_000)]), 0.01, 1.0);
        close(average.get(), 0.1 + 0.02 * 9.9, 1e-8);
    }

    #[test]
    fn d0_is_at_least_a_packets_transmission_time() {
        let mut average = RttAverage::new(RttFilter::PerPacket, 0.02, 0.2);
        average.update(&sums(&[(0, 1_000)]), 0.01, 1.0);
        average.bound(Rate::from_bps(1_000_000), Bytes::new(1_000));
        close(average.get(), 0.008, 1e-12);
        average.bound(Rate::from_bps(400), Bytes::new(1_000));
        close(average.get(), 20.0, 1e-12);
    }
}
