//! How unequal the flows of a link are, without per-flow state: the *need* for shuffling. It is not
//! of the thesis, which shuffles a tenth of the traffic whatever the shares are.
//!
//! As in (4.2) and (9.1), a sum over packets counts each flow once if a packet counts for
//! `s_i / (d r_i)`, the inverse of what its flow sends in the interval d. With x_i = s_i / r_i:
//!
//! ```text
//! N = (1/d) sum x_i (9.1),    y = (1/d) sum s_i,    sum over flows of 1 / r = (1/d) sum x_i^2 / s_i
//!
//! need = sqrt(mean of r x mean of 1/r - 1) = sqrt(sum s_i x sum(x_i^2 / s_i) / (sum x_i)^2 - 1)
//! ```
//!
//! It is zero if and only if all rates are equal (Cauchy and Schwarz). For rates that differ little it is
//! their standard deviation over their mean; a flow with a small part e of its share among N makes it
//! about 1 / sqrt(N e), so that newcomers count for more than flows that have too much.

use super::feedback::XcpSums;
use super::header::XcpHeader;
use crate::router::{self, Plain, Train};

/// Fraction bits of [`NeedSums::inverse`].
const FRACTION_BITS: u32 = 16;
const ONE: f64 = (1_u64 << FRACTION_BITS) as f64;

/// What a router sums over the packets that state a throughput.
pub trait FlowSums: router::Sums {
    /// Adds packets.
    fn add(&mut self, header: &XcpHeader, train: Train);
    /// The sums of the thesis.
    fn plain(&self) -> &XcpSums;
    /// How unequal flows are; 0 if they are equal, or if that is not measured.
    fn need(&self) -> f64;
}

impl FlowSums for XcpSums {
    #[inline]
    fn add(&mut self, header: &XcpHeader, train: Train) {
        Self::add(self, header, train);
    }

    fn plain(&self) -> &XcpSums {
        self
    }

    fn need(&self) -> f64 {
        0.0
    }
}

/// The sums of the thesis, and that of inverse rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NeedSums {
    plain: XcpSums,
    /// Sum of x_i^2 / s_i in ticks squared a byte, with [`FRACTION_BITS`].
    inverse: u128,
}

/// x^2 / s. The squares of short spacings keep their fraction, long ones need none.
fn inverse(x: u32, bytes: u32) -> u128 {
    let (square, bytes) = (u64::from(x) * u64::from(x), u64::from(bytes.max(1)));
    if square >> (u64::BITS - FRACTION_BITS) == 0 {
        u128::from((square << FRACTION_BITS) / bytes)
    } else {
        u128::from(square / bytes) << FRACTION_BITS
    }
}

impl FlowSums for NeedSums {
    #[inline]
    fn add(&mut self, header: &XcpHeader, train: Train) {
        self.plain.add(header, train);
        if header.states_throughput() {
            let packets = u32::from(train.packets());
            let each = inverse(header.x, train.bytes() / packets);
            self.inverse = self.inverse.wrapping_add(each * u128::from(packets));
        }
    }

    fn plain(&self) -> &XcpSums {
        &self.plain
    }

    fn need(&self) -> f64 {
        let x = self.plain.x as f64;
        if x == 0.0 {
            return 0.0;
        }
        let ratio = self.plain.bytes as f64 * (self.inverse as f64 / ONE) / (x * x);
        libm::sqrt((ratio - 1.0).max(0.0))
    }
}

impl Plain for NeedSums {
    type Plain = [u64; 6];

    fn to_plain(self) -> [u64; 6] {
        let [bytes, x, low, high] = self.plain.to_plain();
        [bytes, x, low, high, self.inverse as u64, (self.inverse >> 64) as u64]
    }

    fn from_plain([bytes, x, low, high, inverse, carry]: [u64; 6]) -> Self {
        Self {
            plain: XcpSums::from_plain([bytes, x, low, high]),
            inverse: u128::from(carry) << 64 | u128::from(inverse),
        }
    }
}

impl router::Sums for NeedSums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            plain: self.plain.plus(&other.plain),
            inverse: self.inverse.wrapping_add(other.inverse),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            plain: self.plain.since(&earlier.plain),
            inverse: self.inverse.wrapping_sub(earlier.inverse),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::Sums as _;

    /// The need of flows with these rates in packets a second and sizes in bytes, over a second.
    fn need(flows: &[(u32, u32)]) -> f64 {
        let mut sums = NeedSums::default();
        for &(rate, bytes) in flows {
            let header = XcpHeader { x: (1 << 28) / rate, rtt: 1 << 25, ..XcpHeader::default() };
            for _ in 0..rate {
                sums.add(&header, Train::packet(bytes));
            }
        }
        sums.need()
    }

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-3 * expected.max(1.0), "{value}, not {expected}");
    }

    #[test]
    fn equal_rates_need_nothing_whatever_the_packets() {
        near(need(&[(500, 1000)]), 0.0);
        near(need(&[(500, 1000); 7]), 0.0);
        near(need(&[(500, 1000), (1000, 500), (400, 1250)]), 0.0);
        assert_eq!(NeedSums::default().need(), 0.0);
    }

    /// Mean rate times mean inverse rate: 2.5 x 5/8 for 1 and 4; 100.5 x (1 + 1/200) / 2 for 1 and 200.
    #[test]
    fn unequal_rates_need_the_more_the_less_the_smallest_has() {
        near(need(&[(100, 1000), (400, 1000)]), (2.5_f64 * 0.625 - 1.0).sqrt());
        near(need(&[(5, 1000), (1000, 1000)]), (100.5_f64 * 0.5025 - 1.0).sqrt());
        // A standard deviation of a tenth of the mean.
        near(need(&[(900, 1000), (1100, 1000)]), (1.0_f64 / 0.99 - 1.0).sqrt());
    }

    #[test]
    fn packets_of_any_spacing_count_to_the_last_bits() {
        // 400 Gb/s with 64 bytes is less than a tick; the longest spacing has 2^64 ticks squared.
        for (x, bytes) in [(1, 64), (1, 65_535), (1 << 24, 1), (u32::MAX, 1), (u32::MAX, 65_535)] {
            let exact = f64::from(x) * f64::from(x) / f64::from(bytes);
            let found = inverse(x, bytes) as f64 / ONE;
            assert!((found / exact - 1.0).abs() < 0.3, "{found}, not {exact}");
        }
    }

    #[test]
    fn a_train_counts_as_its_packets() {
        let header = XcpHeader { x: 1000, rtt: 1 << 25, ..XcpHeader::default() };
        let (mut train, mut packets) = (NeedSums::default(), NeedSums::default());
        train.add(&header, Train::new(3000, 3));
        (0..3).for_each(|_| packets.add(&header, Train::packet(1000)));
        assert_eq!(train, packets);
        assert_eq!(NeedSums::from_plain(train.to_plain()), train);
        assert_eq!(train.plus(&packets).since(&packets), train);
    }
}
