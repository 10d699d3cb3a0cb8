//! The average congestion window of a router's XCP flows, equation (8.2) of the thesis.

use super::feedback::XcpSums;
use super::header::XcpHeader;
use super::need::FlowSums;
use crate::router::{self, Plain, Train};

/// The sums of the thesis, and that of rtt_i s_i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowSums {
    plain: XcpSums,
    /// Sum of rtt_i s_i, in ticks times bytes.
    rtt_bytes: u128,
}

impl WindowSums {
    /// (8.2), sum of rtt_i s_i over sum of s_i / r_i, in bytes: cwnd_i = r_i rtt_i, averaged over flows as (4.2)
    /// averages RTTs. `None` if no packet stated a throughput. Of a flow with weight w it is the window over w,
    /// as its throughput is stated.
    pub fn average_window(&self) -> Option<f64> {
        (self.plain.x > 0).then(|| self.rtt_bytes as f64 / self.plain.x as f64)
    }
}

impl FlowSums for WindowSums {
    #[inline]
    fn add(&mut self, header: &XcpHeader, train: Train) {
        self.plain.add(header, train);
        if header.states_throughput() {
            let product = u64::from(header.rtt) * u64::from(train.bytes());
            self.rtt_bytes = self.rtt_bytes.wrapping_add(u128::from(product));
        }
    }

    fn plain(&self) -> &XcpSums {
        &self.plain
    }

    fn need(&self) -> f64 {
        0.0
    }
}

impl Plain for WindowSums {
    type Plain = [u64; 6];

    fn to_plain(self) -> [u64; 6] {
        let [bytes, x, low, high] = self.plain.to_plain();
        [bytes, x, low, high, self.rtt_bytes as u64, (self.rtt_bytes >> 64) as u64]
    }

    fn from_plain([bytes, x, low, high, rtt_bytes, carry]: [u64; 6]) -> Self {
        Self {
            plain: XcpSums::from_plain([bytes, x, low, high]),
            rtt_bytes: u128::from(carry) << 64 | u128::from(rtt_bytes),
        }
    }
}

impl router::Sums for WindowSums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            plain: self.plain.plus(&other.plain),
            rtt_bytes: self.rtt_bytes.wrapping_add(other.rtt_bytes),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            plain: self.plain.since(&earlier.plain),
            rtt_bytes: self.rtt_bytes.wrapping_sub(earlier.rtt_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::Sums as _;
    use crate::wire::ticks::ticks;

    /// What a flow with this window in packets of `bytes` and this RTT sends in `seconds`.
    fn flow(sums: &mut WindowSums, window: f64, bytes: u32, rtt: f64, seconds: f64) {
        let header = XcpHeader { x: ticks(rtt / window), rtt: ticks(rtt), ..XcpHeader::default() };
        for _ in 0..(seconds * window / rtt).round() as u64 {
            sums.add(&header, Train::packet(bytes));
        }
    }

    /// Windows of 10, 40 and 100 packets of 1000, 1000 and 500 bytes: 10, 40 and 50 kB, on average 33.3 kB,
    /// whatever each flow sends in the interval.
    #[test]
    fn equation_8_2_is_the_mean_over_flows() {
        let mut sums = WindowSums::default();
        flow(&mut sums, 10.0, 1000, 0.04, 8.0);
        flow(&mut sums, 40.0, 1000, 0.4, 8.0);
        flow(&mut sums, 100.0, 500, 0.01, 8.0);
        let average = sums.average_window().unwrap();
        assert!((average / (100e3 / 3.0) - 1.0).abs() < 1e-3, "{average}");
    }

    #[test]
    fn packets_that_state_nothing_do_not_count() {
        let mut sums = WindowSums::default();
        sums.add(&XcpHeader::default(), Train::packet(40));
        assert_eq!(sums.average_window(), None);
        flow(&mut sums, 10.0, 1000, 0.04, 1.0);
        let average = sums.average_window();
        sums.add(&XcpHeader { rtt: 7, ..XcpHeader::default() }, Train::packet(1000));
        assert_eq!(sums.average_window(), average);
    }

    #[test]
    fn sums_are_words_that_wrap_and_add() {
        let mut sums = WindowSums { rtt_bytes: u128::MAX, ..WindowSums::default() };
        let before = sums;
        flow(&mut sums, 10.0, 1000, 0.04, 1.0);
        assert_eq!(WindowSums::from_plain(sums.to_plain()), sums);
        let grown = sums.since(&before);
        assert!((grown.average_window().unwrap() / 10e3 - 1.0).abs() < 1e-6);
        assert_eq!(before.plus(&grown), sums);
    }
}
