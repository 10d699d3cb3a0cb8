use super::*;
use crate::queue::arrival::TrafficClass;
use sluice_units::Rate;

/// 8 Mb/s: a packet of 1000 bytes a millisecond. All constants are 100 ms.
const K: Span = Span::from_millis(100);
/// The threshold of the queue.
const FROM: Span = Span::from_millis(5);

fn share() -> FairShare {
    FairShare::new(LinkCapacity::new(Rate::from_bps(8_000_000), None), K, K, FROM)
}

/// A packet of 1000 bytes that finds `ahead`.
fn arrive(share: &mut FairShare, now_us: u64, ahead: Span, label: f64, accepted: bool) {
    let now = Time::ZERO + Span::from_micros(now_us);
    let (through, traffic) = (ahead, TrafficClass::default());
    let arrival = QueueArrival { now, ahead, through, waiting: 0, ecn_capable: false, traffic };
    share.count(&arrival, 1000, label, accepted);
}

/// 16 Mb/s with label 3e6 for two seconds, so that averages are settled, and then congestion from 2 s on.
fn congested() -> FairShare {
    let mut share = share();
    (0..4000).for_each(|place| arrive(&mut share, 500 * place, Span::ZERO, 3e6, true));
    arrive(&mut share, 2_000_000, FROM, 3e6, true);
    share
}

fn near(found: f64, by_hand: f64) {
    assert!((found / by_hand - 1.0).abs() < 1e-6, "{found}, not {by_hand}");
}

#[test]
fn packets_are_dropped_for_what_exceeds_the_share() {
    let mut share = congested();
    share.share = 1e6;
    let label = [0.5e6, 1e6, 2e6, 4e6];
    assert_eq!(label.map(|label| share.drop_probability(label)), [0.0, 0.0, 0.5, 0.75]);
    assert_eq!(label.map(|label| share.relabel(label)), [0.5e6, 1e6, 1e6, 1e6]);
}

/// Labels 2e6, 5e6, 1e6 at 30, 60 and 100 ms; the last ends the interval, and is all that the next one has but
/// 0.5e6 at 250 ms. Nothing is dropped.
#[test]
fn the_share_of_an_uncongested_link_is_the_largest_label_of_an_interval() {
    let mut share = share();
    for (ms, label, by_hand) in
        [(30, 2e6, 0.0), (60, 5e6, 0.0), (100, 1e6, 5e6), (199, 1e6, 5e6), (250, 0.5e6, 1e6)]
    {
        arrive(&mut share, 1000 * ms, Span::ZERO, label, true);
        if by_hand > 0.0 {
            near(share.share, by_hand);
        }
    }
    arrive(&mut share, 400_000, Span::ZERO, 0.25e6, true);
    near(share.share, 0.25e6);
    assert_eq!((share.drop_probability(9e9), share.relabel(9e9)), (0.0, 9e9));
}

/// Packets at once add 80 kb/s each to 2 kb/s: the 101st makes 8.002 Mb/s. A queue below the threshold is not
/// congested, whatever arrives.
#[test]
fn a_link_is_congested_once_its_capacity_arrives_and_its_queue_is_long() {
    for (ahead, congested) in [(FROM, true), (FROM.saturating_sub(Span::NANO), false)] {
        let mut share = share();
        (0..100).for_each(|_| arrive(&mut share, 0, ahead, 7e6, true));
        assert!(!share.congested);
        arrive(&mut share, 0, ahead, 6e6, true);
        assert_eq!(share.congested, congested);
        if congested {
            near(share.share, 7e6);
        }
    }
}

/// 16 Mb/s are accepted, so the share halves, after more than K_c; then three quarters of the packets are dropped,
/// so that F is near 4 Mb/s after a second, and the share doubles.
#[test]
fn the_share_is_corrected_by_what_is_accepted() {
    let mut share = congested();
    near(share.share, 3e6);
    for place in 1..=200 {
        arrive(&mut share, 2_000_000 + 500 * place, FROM, 3e6, true);
    }
    near(share.share, 3e6);
    arrive(&mut share, 2_100_500, FROM, 3e6, true);
    near(share.share, 1.5e6);
    for place in 1..=2000 {
        share.since = Time::ZERO + Span::from_micros(2_100_500 + 500 * place);
        arrive(&mut share, 2_100_500 + 500 * place, FROM, 3e6, place % 4 == 0);
    }
    share.since = Time::ZERO;
    arrive(&mut share, 3_101_000, FROM, 3e6, false);
    assert!((share.share / 3e6 - 1.0).abs() < 0.02, "{}", share.share);
}

/// While all packets are dropped, F falls, and the share grows again.
#[test]
fn the_share_recovers_where_nothing_is_accepted() {
    let mut share = congested();
    share.share = 1.0;
    for place in 1..=4000 {
        arrive(&mut share, 2_000_000 + 500 * place, FROM, 3e6, false);
    }
    assert!(share.share > 3e6, "{}", share.share);
}

/// A packet after 100 ms makes A (1 - 1/e) 80 kb/s + 16 Mb/s / e = 5.94 Mb/s, below C.
#[test]
fn a_link_is_uncongested_once_less_than_its_capacity_arrives() {
    let mut share = congested();
    arrive(&mut share, 2_050_000, FROM, 3e6, true);
    assert!(share.congested, "after 50 ms A is 9.77 Mb/s");
    arrive(&mut share, 2_150_000, FROM, 2e6, true);
    assert!(!share.congested);
    arrive(&mut share, 2_250_000, Span::ZERO, 1e6, true);
    near(share.share, 2e6);
}

/// Each overflow takes 1 %, all between two updates a quarter.
#[test]
fn overflows_lower_the_share() {
    let mut share = congested();
    share.overflow();
    share.overflow();
    near(share.share, 3e6 * 0.99 * 0.99);
    (0..100).for_each(|_| share.overflow());
    near(share.share, 3e6 * 0.75);
    for place in 1..=201 {
        arrive(&mut share, 2_000_000 + 500 * place, FROM, 3e6, true);
    }
    near(share.share, 3e6 * 0.75 / 2.0);
    (0..100).for_each(|_| share.overflow());
    near(share.share, 3e6 * 0.75 / 2.0 * 0.75);
}

/// Updates at every packet, of rates that take 1000 s to follow, reach the bounds and no further.
#[test]
fn the_share_stays_a_number() {
    let slow = Span::from_secs(1000);
    for (bps, accepted) in [(8_000_000, true), (1_000, true), (1_000, false)] {
        let capacity = LinkCapacity::new(Rate::from_bps(bps), None);
        let mut share = FairShare::new(capacity, slow, Span::from_micros(1), Span::ZERO);
        (0..200_000).for_each(|_| arrive(&mut share, 0, FROM, 1e6, true));
        (1..200_000).for_each(|ms| arrive(&mut share, 1000 * ms, FROM, 1e6, accepted));
        assert!(SHARES.contains(&share.share), "{}", share.share);
    }
}
