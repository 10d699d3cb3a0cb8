use proptest::prelude::*;

use super::*;
use crate::router::Sums as _;

const SECOND: u32 = 1 << ticks::FRACTION_BITS;

/// A packet of a flow whose packets are `1 / x_inverse` seconds apart, RTT `1 / rtt_inverse`.
fn packet(x_inverse: u32, rtt_inverse: u32) -> XcpHeader {
    XcpHeader { x: SECOND / x_inverse, rtt: SECOND / rtt_inverse, delta: i32::MAX, reverse: 0 }
}

fn summed(packets: &[(XcpHeader, u32)]) -> XcpSums {
    let mut sums = XcpSums::default();
    for (header, bytes) in packets {
        sums.add(header, Train::packet(*bytes));
    }
    sums
}

/// What each packet is granted.
fn stamped(grant: &XcpGrant, packets: &[(XcpHeader, u32)]) -> Vec<i32> {
    let mut residue = grant.residue();
    let stamp = |&(mut header, bytes): &(XcpHeader, u32)| {
        grant.stamp(&mut residue, &mut header, Train::packet(bytes));
        header.delta
    };
    packets.iter().map(stamp).collect()
}

fn total(deltas: &[i32]) -> i64 {
    deltas.iter().map(|&delta| i64::from(delta)).sum()
}

#[test]
fn equation_4_2_counts_each_flow_once() {
    // In one interval of 1 s: 8 packets of a flow with RTT 1/4 s, 2 of one with RTT 1/2 s. Over
    // packets the mean would be 0.3 s; over flows it is 0.375 s.
    let mut packets = vec![(packet(8, 4), 1000); 8];
    packets.extend([(packet(2, 2), 1000); 2]);
    assert_eq!(summed(&packets).average_rtt(), Some(Span::from_millis(375)));
}

#[test]
fn without_samples_there_is_no_average() {
    assert_eq!(XcpSums::default().average_rtt(), None);
    let silent = XcpHeader { x: 0, ..packet(1, 1) };
    assert_eq!(summed(&[(silent, 40)]), XcpSums::default());
    let first_packet = XcpHeader { rtt: 0, ..packet(1, 1) };
    assert_eq!(summed(&[(first_packet, 1000)]), XcpSums::default());
}

#[test]
fn every_rtt_that_a_header_states_counts_as_stated() {
    for rtt in [10_000, 999_999_999, 2_800_000_000, 10_000_000_000, 15_900_000_000] {
        let rtt = Span::from_nanos(rtt);
        let header = XcpHeader { rtt: ticks::ticks(rtt.as_secs_f64()), ..packet(8, 1) };
        let average = summed(&[(header, 1000)]).average_rtt().expect("it states an RTT");
        assert!(average.as_nanos().abs_diff(rtt.as_nanos()) <= 2, "{rtt} came out as {average}");
    }
    for beyond in [LONGEST_RTT, Span::from_secs(60), Span::MAX] {
        let header = XcpHeader { rtt: ticks::ticks(beyond.as_secs_f64()), ..packet(8, 1) };
        let average = summed(&[(header, 1000)]).average_rtt().expect("it states an RTT");
        assert!((LONGEST_RTT - average).as_nanos() <= 4, "{beyond} came out as {average}");
    }
}

#[test]
fn the_largest_trains_of_the_longest_times_are_summed_without_overflow() {
    let header = XcpHeader { x: u32::MAX, rtt: u32::MAX, ..packet(1, 1) };
    let train = Train::new(u32::MAX, u16::MAX);
    let mut sums = XcpSums::default();
    (0..1 << 16).for_each(|_| sums.add(&header, train));
    let x = (1 << 16) * u64::from(u16::MAX) * u64::from(u32::MAX);
    assert_eq!((sums.x, sums.x_rtt), (x, u128::from(x) * u128::from(u32::MAX)));
    assert_eq!(sums.average_rtt(), Some(span(u32::MAX)));
}

/// 2^32 packets of X = 16 s, which no sender that states the truth sends in 16 s, wrap the sum.
#[test]
fn a_sum_that_wrapped_still_bounds_the_rtt_and_the_feedback() {
    let wrapped = XcpSums { bytes: 1000, x: 1, x_rtt: u128::MAX };
    assert_eq!(wrapped.average_rtt(), Some(span(u32::MAX)));
    let grant = XcpGrant::new(700.0, 0.0, &wrapped);
    assert_eq!(total(&stamped(&grant, &vec![(packet(1, 1), 1000); 20])), 700);
}

#[test]
fn sums_wrap_and_their_difference_is_right() {
    let full = XcpSums { bytes: u64::MAX, x: u64::MAX, x_rtt: u128::MAX };
    let mut grown = full;
    grown.add(&packet(4, 8), Train::packet(1000));
    assert_eq!(grown.since(&full), summed(&[(packet(4, 8), 1000)]));
}

#[test]
fn equations_4_6_and_4_8_give_every_flow_the_same_increase() {
    // Three packets of a flow at 4 packets/s, one at 1 packet/s; sum of s/r is 7/4 s. 7000 bytes/s
    // over it is xi_p = 4000 bytes/s^2: 1000 for the first flow's packets, 4000 for the other's.
    let mut packets = vec![(packet(4, 1), 1000); 3];
    packets.push((packet(1, 1), 1000));
    let grant = XcpGrant::new(7000.0, 0.0, &summed(&packets));
    assert_eq!(stamped(&grant, &packets), [1000, 1000, 1000, 4000]);
}

#[test]
fn equations_4_9_and_4_11_take_in_proportion_to_size() {
    let packets = [(packet(4, 1), 1000), (packet(1, 1), 500), (packet(9, 1), 1500)];
    let grant = XcpGrant::new(0.0, 6000.0, &summed(&packets));
    assert_eq!(stamped(&grant, &packets), [-2000, -1000, -3000]);
}

#[test]
fn the_sums_of_feedback_are_the_targets_even_below_one_byte_a_second_a_packet() {
    let packets = vec![(packet(1000, 10), 1000); 5000];
    let sums = summed(&packets);
    for (positive, negative) in [(700.0, 0.0), (0.0, 700.0), (900.0, 200.0), (1e9, 3e8)] {
        let deltas = stamped(&XcpGrant::new(positive, negative, &sums), &packets);
        // The fixed point's own cut is at most 1/256 byte/s a packet, either way.
        let off = total(&deltas) as f64 - (positive - negative);
        assert!(off.abs() <= 1.0 + 5000.0 / 256.0, "{positive} - {negative}: off by {off}");
    }
}

#[test]
fn when_a_target_is_reached_it_stops() {
    let packets = vec![(packet(100, 10), 1000); 10];
    let grant = XcpGrant::new(1000.0, 0.0, &summed(&packets));
    let twice_as_many = vec![(packet(100, 10), 1000); 20];
    let deltas = stamped(&grant, &twice_as_many);
    assert!((999..=1000).contains(&total(&deltas)), "{deltas:?}");
    assert!(deltas[12..].iter().all(|&delta| delta == 0), "{deltas:?}");
}

#[test]
fn less_is_not_raised_and_a_packet_that_states_nothing_gets_nothing() {
    let packets = [(packet(4, 1), 1000)];
    let grant = XcpGrant::new(500.0, 100.0, &summed(&packets));
    let asking = |delta| (XcpHeader { delta, ..packet(4, 1) }, 1000);
    assert_eq!(stamped(&grant, &[asking(70)]), [70]);
    assert_eq!(stamped(&grant, &[asking(-9)]), [-9]);
    let syn = (XcpHeader { delta: i32::MAX, ..XcpHeader::default() }, 40);
    assert_eq!(stamped(&grant, &[syn]), [0]);
}

/// What is booked (positive, negative) for a packet with p = 10, n = 4 that grants only `granted`.
fn booked(granted: i32, negative_target: f64) -> (i64, i64) {
    let one = [(packet(4, 1), 1000)];
    let mut grant = XcpGrant::new(10.0, 4.0, &summed(&one));
    grant.negative = (negative_target * ONE) as u64;
    let before = grant.residue();
    let mut after = before;
    let mut header = XcpHeader { delta: granted, ..packet(4, 1) };
    grant.stamp(&mut after, &mut header, Train::packet(1000));
    assert_eq!(header.delta, granted);
    let whole = |fixed: i64| fixed >> FRACTION_BITS;
    (whole(before.positive - after.positive), whole(before.negative - after.negative))
}

#[test]
fn what_a_header_does_not_take_is_booked_as_it_happens() {
    // Appendix A books 3 and 3 here, a change of 0; the truth is 3.
    assert_eq!(booked(3, 100.0), (10, 7));
    assert_eq!(booked(0, 100.0), (10, 10));
    assert_eq!(booked(-5, 100.0), (10, 15));
    // With only 5 left to take, less counts as given: still a change of 3.
    assert_eq!(booked(3, 5.0), (8, 5));
}

#[test]
fn targets_are_met_from_1_kbps_to_400_gbps_and_from_10_us_to_10_s() {
    for bits in [1e3, 1e6, 1e9, 1e11, 4e11] {
        for rtt in [1e-5, 1e-3, 0.1, 1.0, 10.0] {
            for flows in [1.0, 1000.0] {
                let y: f64 = bits / 8.0;
                let sums = XcpSums {
                    bytes: (y * rtt).max(1000.0) as u64,
                    x: (flows * rtt * f64::from(SECOND)) as u64,
                    x_rtt: 0,
                };
                let target = 0.1 * y;
                let grant = XcpGrant::new(target, target, &sums);
                let given = value(grant.xi_p) * sums.x as f64;
                let taken = value(grant.xi_n) * sums.bytes as f64;
                for sum in [given, taken] {
                    let off = (sum / (target * ONE) - 1.0).abs();
                    assert!(off < 1e-3, "{bits} b/s, {rtt} s, {flows} flows: off by {off}");
                }
            }
        }
    }
}

fn value(factor: Factor) -> f64 {
    f64::from(factor.mantissa) / (1_u64 << factor.shift) as f64
}

prop_compose! {
    fn any_packet()(x: u32, rtt: u32, delta: i32, reverse: i32, bytes: u32) -> (XcpHeader, u32) {
        (XcpHeader { x, rtt, delta, reverse }, bytes)
    }
}

proptest! {
    #[test]
    fn targets_bound_feedback_whatever_the_headers(
        heard in prop::collection::vec(any_packet(), 0..20),
        leaving in prop::collection::vec(any_packet(), 0..60),
        positive in 0.0..1e13_f64,
        negative in 0.0..1e13_f64,
        unbounded: bool,
    ) {
        let (positive, negative) = if unbounded { (f64::MAX, f64::MAX) } else { (positive, negative) };
        let grant = XcpGrant::new(positive, negative, &summed(&heard));
        let mut residue = grant.residue();
        let (mut given, mut taken) = (0_i64, 0_i64);
        for &(asked, bytes) in &leaving {
            let mut header = asked;
            grant.stamp(&mut residue, &mut header, Train::packet(bytes));
            prop_assert!(header.delta <= asked.delta);
            prop_assert!(residue.positive >= 0 && residue.negative >= 0);
            prop_assert!((0..1 << FRACTION_BITS).contains(&residue.carry));
            prop_assert_eq!((header.x, header.rtt), (asked.x, asked.rtt));
            given += i64::from(header.delta.max(0));
            if header.delta < asked.delta.min(0) {
                taken -= i64::from(header.delta);
            }
        }
        prop_assert!(given as f64 <= positive + 1.0);
        prop_assert!(taken as f64 <= negative + 1.0);
    }
}

#[test]
fn a_train_counts_as_its_packets() {
    let header = packet(8, 4);
    let mut train = XcpSums::default();
    train.add(&header, Train::new(9_000, 9));
    assert_eq!(train, summed(&[(header, 1000); 9]));
}

#[test]
fn each_packet_of_a_train_is_granted_its_share() {
    // 14 packets share 7000 bytes/s more and 1400 bytes/s less: 400 each.
    let packets = [(packet(8, 4), 1000); 14];
    let grant = XcpGrant::new(7000.0, 1400.0, &summed(&packets));
    assert_eq!(stamped(&grant, &packets), [400; 14]);
    let mut residue = grant.residue();
    let mut header = packet(8, 4);
    grant.stamp(&mut residue, &mut header, Train::new(10_000, 10));
    assert_eq!(header.delta, 400);
    assert_eq!(residue.positive, 2000 << 8);
    // xi_n is rounded down: each packet may be off by 1/256 byte/s.
    assert!(residue.negative.abs_diff(400 << 8) <= 10);
}

proptest! {
    /// What is granted to each of a train, taken as often as it has packets, is what is booked.
    #[test]
    fn a_train_is_booked_for_all_its_packets(
        positive in 0.0..1e12, negative in 0.0..1e12, n in 1_u16.., delta: i32, bytes: u32,
        x in 1_u32.., rtt in 1_u32.., carry in prop_oneof![0_i64..256, 0_i64..1 << 24],
    ) {
        let one = [(XcpHeader { x, rtt, delta, reverse: 0 }, bytes)];
        let grant = XcpGrant::new(positive, negative, &summed(&one));
        let before = Residue { carry, ..grant.residue() };
        let mut after = before;
        let mut header = one[0].0;
        grant.stamp(&mut after, &mut header, Train::new(bytes, n));
        prop_assert!(header.delta <= delta);
        prop_assert!(0 <= after.positive && after.positive <= before.positive);
        prop_assert!(0 <= after.negative && after.negative <= before.negative);
        let booked = (before.positive - after.positive) - (before.negative - after.negative);
        let granted = i64::from(n) * (i64::from(header.delta) << FRACTION_BITS);
        if header.delta < delta {
            prop_assert!(after.carry >= 0 && after.carry < i64::from(n) << FRACTION_BITS);
            prop_assert_eq!(booked + carry, granted + after.carry);
        } else {
            // What the header cannot take is booked as far as the residue goes.
            prop_assert!(booked + carry - after.carry >= granted);
            prop_assert!(0 <= after.carry && after.carry <= carry);
        }
    }

    #[test]
    fn shares_add_up_to_no_more_than_the_grant(
        positive in 0.0..1e12, negative in 0.0..1e12, parts in prop::collection::vec((0_u32.., 0_u32..), 1..9),
    ) {
        let sums = |x: u32, bytes: u32| {
            let mut sums = XcpSums::default();
            sums.add(&XcpHeader { x, rtt: 1, delta: 0, reverse: 0 }, Train::packet(bytes));
            sums
        };
        let parts: Vec<XcpSums> = parts.iter().map(|&(x, bytes)| sums(x, bytes)).collect();
        let whole = parts.iter().fold(XcpSums::default(), |whole, part| whole.plus(part));
        let grant = XcpGrant::new(positive, negative, &whole);
        let shares: Vec<XcpGrant> = parts.iter().map(|part| grant.share(part, &whole)).collect();
        let n = shares.len() as u64;
        for (all, each) in [
            (grant.positive, shares.iter().map(|share| share.positive).sum::<u64>()),
            (grant.negative, shares.iter().map(|share| share.negative).sum::<u64>()),
        ] {
            prop_assert!(each <= all && (whole.x == 0 || each + n >= all));
        }
        prop_assert_eq!(grant.share(&whole, &whole).xi_p, grant.xi_p);
    }
}
