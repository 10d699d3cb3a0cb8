use proptest::prelude::*;

use super::*;
use crate::by_class::ByClass;
use crate::packet::Packet;
use crate::queue::arrival::{Admission, QueueArrival, TrafficClass};
use crate::queue::scheduler::ScheduledPackets;
use crate::queue::test_arrivals::finds_ahead;
use crate::queue::test_link::{Arriving, TestLink, send_all};
use sluice_units::{Bytes, Limit, Ratio, Span, Time};

fn cbwfq(shares: &[f64]) -> Cbwfq {
    let shares: Vec<Ratio> = shares.iter().map(|&share| Ratio::new(share)).collect();
    Cbwfq { shares: ByClass::new(&shares).unwrap() }
}

fn of_class(at: u64, class: u8, bytes: u32) -> Arriving {
    let traffic = TrafficClass { class, ..TrafficClass::default() };
    Arriving { at, bytes, traffic, ..Arriving::default() }
}

/// Places of the packets that left, in order.
fn order(link: &TestLink) -> Vec<usize> {
    link.sent.iter().map(|sent| sent.packet).collect()
}

/// Bytes of a class that left in a time.
fn sent_bytes(link: &TestLink, arrivals: &[Arriving], class: u8, from: u64, to: u64) -> u64 {
    let of = |packet: usize| arrivals[packet].traffic.class == class;
    let sent = link.sent.iter().filter(|sent| of(sent.packet) && (from..to).contains(&sent.from));
    sent.map(|sent| sent.to - sent.from).sum()
}

/// Packets of 1000 bytes of a class, one each `gap` from `from` to `to`.
fn stream(class: u8, gap: usize, from: u64, to: u64) -> impl Iterator<Item = Arriving> {
    (from..to).step_by(gap).map(move |at| of_class(at, class, 1000))
}

fn in_order(streams: impl IntoIterator<Item = Arriving>) -> Vec<Arriving> {
    let mut arrivals: Vec<_> = streams.into_iter().collect();
    arrivals.sort_by_key(|arriving| arriving.at);
    arrivals
}

/// Shares 3 : 1. The first packet is in transmission with tag 300 / 3 = 100 when the others arrive.
#[test]
fn the_least_finishing_tag_leaves_first() {
    let sizes = [(0, 300), (0, 600), (0, 300), (0, 900), (1, 200), (1, 150), (1, 240)];
    let arrivals = sizes.map(|(class, bytes)| of_class(0, class, bytes));
    let link = send_all(&cbwfq(&[3.0, 1.0]), Limit::None, &arrivals);
    // Class 0: 100 + 200 = 300, 400, 700; class 1: 100 + 200 = 300 and first at the tie, 450, 690.
    assert_eq!(order(&link), [0, 4, 1, 2, 5, 6, 3]);
}

/// Classes 1 and 2 share what class 0 leaves, 1 : 2, and that has no credit for it.
#[test]
fn the_share_of_an_idle_class_goes_to_the_others() {
    let busy = [1, 2].into_iter().flat_map(|class| stream(class, 1000, 0, 100_000));
    let arrivals = in_order(busy.chain((0..60).map(|_| of_class(60_000, 0, 1000))));
    let link = send_all(&cbwfq(&[3.0, 1.0, 2.0]), Limit::None, &arrivals);
    let sent = |class, from, to| sent_bytes(&link, &arrivals, class, from, to);
    assert_eq!([sent(1, 0, 60_000), sent(2, 0, 60_000)], [20_000, 40_000]);
    // Of the next 60 packets, each class has its share, to a packet.
    for (class, share) in [(0, 30_000), (1, 10_000), (2, 20_000)] {
        let sent = sent(class, 60_000, 120_000);
        assert!(sent.abs_diff(share) <= 1000, "class {class} sends {sent} bytes");
    }
}

#[test]
fn classes_beyond_the_list_belong_to_the_last() {
    let arrivals = [0, 1, 7, 0, 0, 3].map(|class| of_class(0, class, 1000));
    let link = send_all(&cbwfq(&[1.0, 1.0]), Limit::None, &arrivals);
    assert_eq!(order(&link), [0, 1, 3, 2, 4, 5]);
}

/// Packets of classes 0 to 3, often at one instant, often while others wait, and sometimes when the link
/// has been idle; and the shares of these classes.
fn packets_and_shares() -> impl Strategy<Value = (Vec<Arriving>, Vec<f64>)> {
    let packet = (0_u64..3000, 0_u8..4, 1_u32..=1000);
    (prop::collection::vec(packet, 1..120), prop::collection::vec(0.1_f64..10.0, 4)).prop_map(
        |(packets, shares)| {
            let mut at = 0;
            let arriving = |(gap, class, bytes): (u64, u8, u32)| {
                at += gap.saturating_sub(2200);
                of_class(at, class, bytes)
            };
            (packets.into_iter().map(arriving).collect(), shares)
        },
    )
}

/// For each choice, the classes that had packets.
fn backlogged(link: &TestLink, arrivals: &[Arriving]) -> Vec<[bool; 4]> {
    let at_choice = |place: usize| {
        let mut classes = [false; 4];
        // An arrival at the very instant of a choice comes after it, but for the packet chosen.
        let from = link.sent[place].from;
        let waits = |packet: usize| arrivals[packet].at < from || packet == link.sent[place].packet;
        let waiting = link.sent[place..].iter().filter(|sent| waits(sent.packet));
        waiting.for_each(|sent| classes[usize::from(arrivals[sent.packet].traffic.class)] = true);
        classes
    };
    (0..link.sent.len()).map(at_choice).collect()
}

proptest! {
    /// Golestani's bound: over any time in which both have packets, two classes differ in bytes over share by
    /// at most the sum of the largest packet of each over its share.
    #[test]
    fn classes_with_packets_differ_by_golestanis_bound((arrivals, shares) in packets_and_shares()) {
        let link = send_all(&cbwfq(&shares), Limit::None, &arrivals);
        let backlogged = backlogged(&link, &arrivals);
        let class = |packet: usize| usize::from(arrivals[packet].traffic.class);
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let largest = |of| {
                let packets = (0..arrivals.len()).filter(|&packet| class(packet) == of);
                f64::from(packets.map(|packet| arrivals[packet].bytes).max().unwrap_or(0)) / shares[of]
            };
            let bound = largest(a) + largest(b) + 1e-6;
            let (mut ahead, mut least, mut most) = (0.0_f64, 0.0_f64, 0.0_f64);
            for (sent, backlogged) in link.sent.iter().zip(&backlogged) {
                if !(backlogged[a] && backlogged[b]) {
                    (ahead, least, most) = (0.0, 0.0, 0.0);
                    continue;
                }
                let of = class(sent.packet);
                let served = (sent.to - sent.from) as f64 / shares[of];
                ahead += if of == a { served } else if of == b { -served } else { 0.0 };
                (least, most) = (ahead.min(least), ahead.max(most));
                prop_assert!(most - least <= bound, "{a} and {b}: {} of {bound}", most - least);
            }
        }
    }

    /// Each class is first in, first out, and the link is idle only while nothing waits.
    #[test]
    fn classes_are_fifo_and_the_link_works(
        (arrivals, shares) in packets_and_shares(),
        room in prop_oneof![Just(Limit::None), (1_u64..6000).prop_map(|room| Limit::Bytes(Bytes::new(room)))],
    ) {
        let link = send_all(&cbwfq(&shares), room, &arrivals);
        prop_assert_eq!(link.sent.len() + link.dropped.len(), arrivals.len());
        let class = |packet: usize| arrivals[packet].traffic.class;
        for (place, sent) in link.sent.iter().enumerate() {
            let before = &link.sent[..place];
            prop_assert!(before.iter().all(|b| class(b.packet) != class(sent.packet) || b.packet < sent.packet));
            let free = before.last().map_or(0, |before| before.to);
            // At the instant at which it becomes free or a packet arrives.
            let earliest = link.sent[place..].iter().map(|sent| arrivals[sent.packet].at).min();
            prop_assert_eq!(Some(sent.from), earliest.map(|at| at.max(free)));
        }
    }

    /// A class with no more than its share of the room that a packet in transmission leaves loses nothing,
    /// however many packets the others send.
    #[test]
    fn a_class_within_its_share_of_the_room_loses_nothing(
        shares in prop::collection::vec(0.5_f64..5.0, 4),
        bytes in 1_u32..=1000,
        more_room in 0_u64..5000,
    ) {
        let fraction = shares[0] / shares.iter().sum::<f64>();
        let in_proportion = (f64::from(bytes) / fraction).ceil() as u64;
        // So far apart that each has left before the next arrives.
        let apart = 2 * (in_proportion + 4000);
        let class_0 = (1..=5).map(|number| of_class(number * apart, 0, bytes));
        let flood = (1..4).flat_map(|class| stream(class, 500, 0, 5 * apart));
        let arrivals = in_order(class_0.chain(flood));
        // A nanosecond of rounding.
        let room = 1000 + in_proportion + 1 + more_room;
        let link = send_all(&cbwfq(&shares), Limit::Bytes(Bytes::new(room)), &arrivals);
        prop_assert!(!link.dropped.is_empty());
        prop_assert!(link.dropped.iter().all(|&packet| arrivals[packet].traffic.class > 0));
    }
}

/// One packet in transmission and room for 3 more, of shares 3 : 1.
#[test]
fn a_packet_takes_room_from_the_class_with_most_bytes_for_its_share() {
    let classes = [1, 1, 1, 1, 0, 0, 0, 0, 1];
    let arrivals = classes.map(|class| of_class(0, class, 1000));
    let link = send_all(&cbwfq(&[3.0, 1.0]), Limit::Packets(3), &arrivals);
    // Packets 4 and 5 of class 0 displace 1 and 2. Packet 6 would give its class 3 for a share of 3, no
    // less than the one that class 1 has left, and 7 is refused likewise; so is 8.
    assert_eq!(link.dropped, [1, 2, 6, 7, 8]);
    assert_eq!(order(&link), [0, 4, 5, 3]);
    // Three packets for a share of 3 are no more than the one that arrives for a share of 1.
    let arrivals = [0, 0, 0, 0, 1].map(|class| of_class(0, class, 1000));
    assert_eq!(send_all(&cbwfq(&[3.0, 1.0]), Limit::Packets(3), &arrivals).dropped, [4]);
}

#[test]
fn a_buffer_of_one_packet_keeps_the_packet_of_the_largest_share() {
    let sent = |shares: [f64; 2], classes: [u8; 3]| {
        let arrivals = classes.map(|class| of_class(0, class, 1000));
        let link = send_all(&cbwfq(&shares), Limit::Packets(1), &arrivals);
        (order(&link), link.dropped)
    };
    assert_eq!(sent([1.0, 1.0], [0, 0, 1]), (vec![0, 1], vec![2]), "a tie displaces nothing");
    assert_eq!(sent([1.0, 3.0], [0, 0, 1]), (vec![0, 2], vec![1]));
    assert_eq!(sent([1.0, 3.0], [0, 1, 0]), (vec![0, 1], vec![2]));
    assert_eq!(sent([1.0, 3.0], [0, 1, 1]), (vec![0, 1], vec![2]), "nor does a class its own");
}

#[test]
fn no_packet_is_dropped_for_one_that_is_refused() {
    // Class 0 has 100 bytes more for its share than class 1, whose newcomer needs 1000.
    let sizes = [(1, 1000), (0, 150), (0, 150), (1, 200), (1, 1000), (1, 50)];
    let arrivals = sizes.map(|(class, bytes)| of_class(0, class, bytes));
    let link = send_all(&cbwfq(&[1.0, 1.0]), Limit::Bytes(Bytes::new(1500)), &arrivals);
    assert_eq!(link.dropped, [4, 1], "and 50 bytes make room for 50");
}

/// Classes that do not respond have their shares however much more of them arrives: no class pays for
/// packets that others displace.
#[test]
fn classes_have_their_shares_at_a_full_buffer() {
    for (gaps, shares, expected) in [
        ([100, 100], [1.0, 1.0], 0.5),
        ([100, 1100], [1.0, 1.0], 0.5),
        ([100, 1100], [1.0, 4.0], 0.8),
        ([100, 100], [1.0, 4.0], 0.8),
        ([100, 1100], [4.0, 1.0], 0.2),
        ([1100, 100], [1.0, 4.0], 0.8),
        ([100, 10_000], [1.0, 1.0], 0.1),
    ] {
        let streams = [0, 1].map(|class| stream(class, gaps[usize::from(class)], 0, 1_000_000));
        let arrivals = in_order(streams.into_iter().flatten());
        let link = send_all(&cbwfq(&shares), Limit::Bytes(Bytes::new(50_000)), &arrivals);
        let sent = |class| sent_bytes(&link, &arrivals, class, 200_000, 1_000_000) as f64;
        let found = sent(1) / (sent(0) + sent(1));
        assert!((found - expected).abs() < 0.01, "{gaps:?} by {shares:?}: {found}, not {expected}");
    }
}

#[test]
fn metrics_are_the_bytes_that_wait_in_each_class() {
    let QueueState::Departure(mut scheduler) = cbwfq(&[1.0, 2.0])
        .at(&crate::queue::test_link::context(Limit::None), &Streams::new(1, "link"))
    else {
        panic!("it decides as the transmitter becomes free");
    };
    let mut queue = ScheduledPackets::default();
    let mut arrive = |class, bytes| {
        let packet = Packet { bytes, ..Packet::NONE };
        let traffic = TrafficClass { class, ..TrafficClass::default() };
        let arrival = QueueArrival { traffic, ..finds_ahead(Time::ZERO, Span::NANO) };
        scheduler.enqueue(&packet, packet.hop(), &arrival, &mut queue)
    };
    for (class, bytes) in [(0, 100), (1, 20), (5, 3)] {
        assert_eq!(arrive(class, bytes), Admission::Taken);
    }
    let mut found = Vec::new();
    scheduler.metrics(&mut |name, value| found.push((name, value)));
    assert_eq!(found, [("class_0_bytes", 100.0), ("class_1_bytes", 23.0)]);
}
