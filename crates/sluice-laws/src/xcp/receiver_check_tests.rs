use sluice_units::{Bytes, Span};

use super::*;
use crate::WireHeader;

const DOUBLING: f64 = 12_500.0;

fn check_of(seed: u64, part: f64, delayed_ack: bool) -> ReceiverCheck {
    let sizes = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let context = SenderContext { seed, delayed_ack, ..sizes };
    ReceiverCheck::new(Ratio::new(part), &context).unwrap()
}

fn at(micros: u64) -> Time {
    Time::ZERO + Span::from_micros(micros)
}

fn ack(sent: Time, acked: u32) -> AckEvent {
    AckEvent { sent, acked, delivered: acked, ..AckEvent::new(sent, WireHeader::default()) }
}

/// The packets that it takes to find a receiver that adds `added` where routers grant `granted`; at most a
/// million.
fn found_after(seed: u64, part: f64, granted: i32, added: i32) -> Option<u64> {
    let mut check = check_of(seed, part, false);
    (0..1_000_000).find(|&packet| {
        let sent = at(packet);
        let first = check.initial((packet, sent), i32::MAX, Some(DOUBLING));
        check.on_ack(&ack(sent, 1), first.min(granted) + added)
    })
}

#[test]
fn an_honest_receiver_is_never_accused() {
    for granted in [-5000, 0, 300, 1 << 30] {
        assert_eq!(found_after(1, 0.5, granted, 0), None);
    }
}

/// Geometric with mean 2 / q: of 2000 flows within four standard deviations.
#[test]
fn a_liar_is_found_as_often_as_stated_whatever_it_adds() {
    for part in [0.02, 0.1, 0.5] {
        for added in [1, 100, 10_000] {
            let took = |seed| found_after(seed, part, 0, added).unwrap() as f64;
            let mean = (0..2000).map(took).sum::<f64>() / 2000.0;
            let expected = 2.0 / part;
            assert!((mean / expected - 1.0).abs() < 4.0 / libm::sqrt(2000.0), "{mean} {added}");
        }
    }
}

/// Pairs of which each second one left at one instant. A fifth of the runs of four have limits f, uniform from m - d
/// to m + d. A liar that adds e returns 2 (min(f, 100) + e) where honest receivers return at most f or 2 f: for
/// e = 200, f is from -400 to 300 of -1250 to 1850; for e = 10,000, below 10,100 of -1250 to 21,450. Within four
/// standard deviations of 5000 runs, each of two sums.
#[test]
fn sums_of_two_packets_accuse_no_honest_receiver_and_find_liars() {
    for added in [0, 200, 10_000] {
        let mut check = check_of(7, 0.2, true);
        let mut found = 0;
        for pair in 0..10_000 {
            let (sent, next) = (at(2 * pair), at(2 * pair + pair % 2));
            let first = [(2 * pair, sent), (2 * pair + 1, next)]
                .map(|packet| check.initial(packet, i32::MAX, Some(DOUBLING)));
            let sum: i32 = first.iter().map(|&first| first.min(100) + added).sum();
            found += u32::from(check.on_ack(&ack(sent, 2), sum));
        }
        let part = match added {
            0 => 0.0,
            200 => 0.2 * 700.0 / 3100.0,
            _ => 0.2 * 11_350.0 / 22_700.0,
        };
        let (expected, deviation) =
            (10_000.0 * part, 2.0 * libm::sqrt(5000.0 * part * (1.0 - part)));
        let found = f64::from(found);
        assert!(
            (found - expected).abs() <= 4.0 * deviation,
            "{found}, not {expected}, with {added}"
        );
    }
}

/// A check of half of the packets after a first one that returned nothing: limits are on both sides of 0.
fn begun(delayed: bool) -> ReceiverCheck {
    let mut check = check_of(7, 0.5, delayed);
    check.initial((0, at(0)), i32::MAX, Some(DOUBLING));
    assert!(!check.on_ack(&ack(at(0), 1), 0));
    check
}

#[test]
fn acknowledgements_that_fill_gaps_or_answer_repetitions_prove_nothing() {
    let mut check = begun(false);
    for packet in 1..40 {
        check.initial((packet, at(packet)), i32::MAX, Some(DOUBLING));
    }
    let [first, second] = [5, 9].map(|place| check.limits[place].seq);
    let gap = (1..40).find(|&packet| check.limit_of(packet).is_none()).unwrap();
    assert!(
        !check.on_ack(&ack(at(gap), first as u32), i32::MAX),
        "it answers the packet of the gap"
    );
    let acked = (second + 1 - check.acked) as u32;
    assert!(check.clone().on_ack(&ack(at(second), acked), i32::MAX), "a lie");
    assert!(
        check.clone().on_ack(&ack(at(second), 0), i32::MAX),
        "a lie about a packet behind a gap"
    );
    check.initial((3, at(second)), i32::MAX, Some(DOUBLING));
    assert!(!check.on_ack(&ack(at(second), acked), i32::MAX), "packet 3 left again at that time");
}

/// Packets that leave at one instant cannot be told apart by their acknowledgements.
#[test]
fn packets_of_one_instant_have_one_limit() {
    let mut check = begun(false);
    let mut limits = std::collections::BTreeMap::new();
    for packet in 1..40 {
        let initial = check.initial((packet, at(packet / 3)), i32::MAX, Some(DOUBLING));
        assert_eq!(*limits.entry(packet / 3).or_insert(initial), initial);
    }
    assert!(limits.values().any(|&limit| limit == i32::MAX));
    assert!(limits.values().any(|&limit| limit < i32::MAX));
}

/// A packet's acknowledgement is delayed, the next one is lost, and the one after it is acknowledged at once,
/// with the feedback of both that arrived.
#[test]
fn a_sum_with_a_packet_behind_a_gap_proves_nothing() {
    let mut check = begun(true);
    for packet in 1..200 {
        check.initial((packet, at(packet)), i32::MAX, Some(DOUBLING));
    }
    for limit in check.limits.clone() {
        let acked = (limit.seq + 1 - check.acked) as u32;
        let behind = AckEvent { delivered: acked + 1, ..ack(limit.sent, acked) };
        assert!(!check.on_ack(&behind, i32::MAX));
    }
}

#[test]
fn without_selective_acknowledgements_sums_are_not_checked() {
    let sizes = SenderContext::new(Bytes::new(1000), Bytes::new(40));
    let context = SenderContext { selective: false, ..sizes };
    assert!(ReceiverCheck::new(Ratio::new(0.1), &context).is_some());
    let delayed = SenderContext { delayed_ack: true, ..context };
    assert!(ReceiverCheck::new(Ratio::new(0.1), &delayed).is_none());
}

/// Of 5000 packets in flight, 64 have a limit at once.
#[test]
fn windows_of_any_size_are_checked() {
    let (window, mut found) = (5000, 0);
    let mut check = begun(false);
    let mut sent = std::collections::VecDeque::new();
    for packet in 1..100_000 {
        sent.push_back((packet, check.initial((packet, at(packet)), i32::MAX, Some(DOUBLING))));
        if sent.len() > window {
            let (first, feedback) = sent.pop_front().unwrap();
            found += u32::from(check.on_ack(&ack(at(first), 1), feedback.min(0) + 500));
        }
        assert!(check.limits.len() <= OUTSTANDING);
    }
    // Half of the limits of 19 windows, within four standard deviations.
    assert!((608 - 70..=608 + 70).contains(&found), "{found}");
}

#[test]
fn one_large_lie_excuses_no_later_one() {
    let mut check = begun(false);
    let mut found = 0;
    for packet in 1..1000 {
        let first = check.initial((packet, at(packet)), i32::MAX, Some(DOUBLING));
        let huge = if packet == 1 { i32::MAX } else { 0 };
        // Such a mean would have all limits above.
        check.usual = Some(0.0);
        found += u32::from(
            check
                .on_ack(&ack(at(packet), 1), first.min(0).saturating_add(100).saturating_add(huge)),
        );
    }
    assert!((200..300).contains(&found), "{found}");
}
