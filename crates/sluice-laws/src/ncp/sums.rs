//! What NCP's routers add up, per packet and in integers: RTTs for d0, and the two sums over
//! packets by which the paper counts flows.

use super::header::NcpHeader;
use crate::rcp::rtt;
use crate::router::{self, Plain, Train};
use crate::wire::WireRtt;

/// One in the fixed point of [`NcpSums::share`], 2^-32.
pub(super) const ONE: u64 = 1 << 32;

/// The fast path's sums. They wrap within an interval only past 2^32 packets that each state 16 s,
/// or a window of one packet.
#[derive(Clone, Copy, Debug, Default)]
pub struct NcpSums {
    /// RTTs: "a moving average of the RTTs measured across all packets" (section 2.2).
    pub(super) rtt: rtt::RttSums,
    /// The sum of 1 / R_j of equation (8), in ticks. Counted as s_j / R_j with the packet's size and
    /// a rate in bytes, so that packets need not be equal.
    pub(super) x: u64,
    /// The sum of 1 / w_j of equation (5), in 2^-32.
    pub(super) share: u64,
}

impl NcpSums {
    /// Adds a train of packets. Fast path.
    pub(super) fn add(&mut self, header: &NcpHeader, train: Train) {
        self.rtt.add(header.rtt, train);
        if header.x == 0 {
            return;
        }
        let packets = u64::from(train.packets());
        self.x = self.x.wrapping_add(u64::from(header.x) * packets);
        if header.rtt != WireRtt::NONE {
            self.share = self.share.wrapping_add(per_window(header.x, header.rtt) * packets);
        }
    }
}

/// 1 / w_j = (1 / R_j) / RTT_j in 2^-32, to the nearest. A window is a packet at least.
fn per_window(x: u32, rtt: WireRtt) -> u64 {
    let rtt = u64::from(rtt.units());
    (((u64::from(x) << 32) + rtt / 2) / rtt).min(ONE)
}

impl Plain for NcpSums {
    type Plain = [u64; 6];

    fn to_plain(self) -> [u64; 6] {
        let [packets, rtt, bytes, rtt_bytes] = self.rtt.to_plain();
        [packets, rtt, bytes, rtt_bytes, self.x, self.share]
    }

    fn from_plain([packets, rtt, bytes, rtt_bytes, x, share]: [u64; 6]) -> Self {
        Self { rtt: rtt::RttSums::from_plain([packets, rtt, bytes, rtt_bytes]), x, share }
    }
}

impl router::Sums for NcpSums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            rtt: self.rtt.plus(&other.rtt),
            x: self.x.wrapping_add(other.x),
            share: self.share.wrapping_add(other.share),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            rtt: self.rtt.since(&earlier.rtt),
            x: self.x.wrapping_sub(earlier.x),
            share: self.share.wrapping_sub(earlier.share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::Sums as _;

    /// x and rtt in ticks.
    fn header(x: u32, rtt: u32) -> NcpHeader {
        NcpHeader { x, rtt: WireRtt::from_units(rtt), ..NcpHeader::default() }
    }

    fn added(headers: &[NcpHeader], train: Train) -> [u64; 6] {
        let mut sums = NcpSums::default();
        headers.iter().for_each(|header| sums.add(header, train));
        sums.to_plain()
    }

    #[test]
    fn the_words_are_packets_rtt_bytes_rtt_bytes_x_share() {
        // A window of 4 packets, and one of 3, whose share is rounded to the nearest.
        let headers = [header(25, 100), header(100, 300)];
        let thirds = ONE / 3;
        let whole = [2, 400, 3_000, 600_000, 125, ONE / 4 + thirds];
        assert_eq!(added(&headers, Train::packet(1_500)), whole);
        assert_eq!(added(&[header(200, 300)], Train::packet(1))[5], 2 * ONE / 3 + 1);
    }

    #[test]
    fn a_train_counts_as_its_packets() {
        let of_three = added(&[header(25, 100)], Train::new(4_500, 3));
        assert_eq!(of_three, added(&[header(25, 100); 3], Train::packet(1_500)));
    }

    #[test]
    fn packets_without_a_statement_are_not_counted() {
        let packet = Train::packet(1_500);
        assert_eq!(added(&[header(0, 100)], packet)[4..], [0, 0]);
        assert_eq!(added(&[header(7, 0)], packet), [0, 0, 0, 0, 7, 0]);
    }

    #[test]
    fn no_header_states_a_window_below_a_packet_and_none_overflows() {
        assert_eq!(added(&[header(u32::MAX, 1)], Train::packet(1))[5], ONE);
        assert_eq!(added(&[header(1, u32::MAX)], Train::packet(1))[5], 1);
        assert_eq!(added(&[header(u32::MAX, u32::MAX)], Train::packet(1))[5], ONE);
    }

    #[test]
    fn sums_of_several_cpus_add_up_and_only_growth_is_read() {
        let mut earlier = NcpSums::from_plain([u64::MAX; 6]);
        let mark = earlier;
        earlier.add(&header(25, 100), Train::packet(1_500));
        let grown = earlier.since(&mark);
        assert_eq!(grown.to_plain(), added(&[header(25, 100)], Train::packet(1_500)));
        let twice = added(&[header(25, 100); 2], Train::packet(1_500));
        assert_eq!(grown.plus(&grown).to_plain(), twice);
    }
}
