use proptest::prelude::*;

use super::*;
use crate::queue::test_link::{Arriving, TestLink, at_once, send_all};
use sluice_units::Limit;

const MAX: u32 = 1000;

/// Queues that CoDel leaves alone, as no packet waits for a day.
fn patient(quantum: u32) -> FqCodel {
    let quantum = Some(Bytes::new(quantum.into()));
    FqCodel { target: Span::from_secs(86_400), quantum, ..FqCodel::default() }
}

fn arriving(at: u64, flow: u32, bytes: u32) -> Arriving {
    Arriving { at, ..at_once(flow, bytes) }
}

/// Flows 0 and 2 each have six packets at first, and flow 1 sends two later; each takes 1000 ns.
fn beside_two_backlogs(quantum: u32, at: [u64; 2]) -> (TestLink, Vec<Arriving>) {
    let mut arrivals: Vec<_> = (0..12).map(|place| arriving(0, place / 6 * 2, MAX)).collect();
    arrivals.extend(at.map(|at| arriving(at, 1, MAX)));
    (send_all(&patient(quantum), Limit::None, &arrivals), arrivals)
}

proptest! {
    /// A queue overdraws its credit by less than a packet, and gets a quantum a turn, so two queues with
    /// packets differ by at most a quantum and two packets.
    #[test]
    fn flows_with_packets_differ_by_a_bound(
        sizes in prop::collection::vec((0_u32..4, 1_u32..=MAX), 2..200),
        quantum in 64..3 * MAX,
    ) {
        let arrivals: Vec<_> = sizes.iter().map(|&(flow, bytes)| arriving(0, flow, bytes)).collect();
        let link = send_all(&patient(quantum), Limit::None, &arrivals);
        prop_assert_eq!(link.sent.len(), arrivals.len());
        let gap = link.widest_gap(&arrivals);
        prop_assert!(gap <= i64::from(2 * MAX + quantum), "two flows differ by {gap}");
    }
}

/// The first packet finds flow 0's turn over and flow 2 next in line, and passes both. It uses the queue's
/// credit up, so the second waits for flow 2, whose turn was before.
#[test]
fn a_new_queue_goes_before_old_ones_until_its_credit_is_used_up() {
    let (link, arrivals) = beside_two_backlogs(MAX, [4500, 5500]);
    assert_eq!(link.flows(&arrivals)[..9], [0, 2, 0, 2, 0, 1, 2, 1, 0]);
}

/// The first packet leaves credit, but the queue is empty at its next turn: the second, though it
/// arrives at an empty queue, waits for the rest of flow 0's turn and for flow 2.
#[test]
fn a_new_queue_that_is_empty_becomes_old() {
    let (link, arrivals) = beside_two_backlogs(2 * MAX, [4500, 6500]);
    assert_eq!(link.flows(&arrivals)[..10], [0, 0, 2, 2, 0, 1, 0, 2, 2, 1]);
}

/// RFC 8290, section 4.1: packets are dropped from the head of the longest queue.
#[test]
fn a_packet_takes_room_from_the_head_of_the_longest_queue() {
    // One in transmission, and room for 5 in all, then one each of two other flows.
    let mut arrivals = vec![arriving(0, 0, MAX); 6];
    arrivals.extend([1, 2, 0].map(|flow| arriving(0, flow, MAX)));
    let link = send_all(&patient(MAX), Limit::Bytes(Bytes::new(6000)), &arrivals);
    assert_eq!(link.dropped, [1, 2, 3], "the first that wait of flow 0, for its own newcomer, too");
    let order: Vec<_> = link.sent.iter().map(|sent| sent.packet).collect();
    assert_eq!(order, [0, 6, 7, 4, 5, 8]);
}

#[test]
fn the_longest_queue_has_most_bytes_rather_than_most_packets() {
    let mut arrivals = vec![arriving(0, 2, MAX)];
    arrivals.extend([arriving(0, 0, 100); 5]);
    arrivals.extend([arriving(0, 1, MAX); 2]);
    arrivals.push(arriving(0, 2, 500));
    let link = send_all(&patient(MAX), Limit::Bytes(Bytes::new(3500)), &arrivals);
    assert_eq!(link.dropped, [6]);
}

#[test]
fn no_packet_is_dropped_for_one_that_is_refused() {
    // Queue 1 has 100 bytes more than the newcomer, which needs 900.
    let arrivals = [(0, 1000), (1, 500), (1, 500), (2, 300), (3, 900)];
    let arrivals = arrivals.map(|(flow, bytes)| at_once(flow, bytes));
    let link = send_all(&FqCodel::default(), Limit::Bytes(Bytes::new(2800)), &arrivals);
    assert_eq!(link.dropped, [4]);
}

/// The link asks for a packet as it becomes idle, and finds none: a queue that is used again later is a
/// new one, with a full quantum.
#[test]
fn a_queue_is_new_again_after_the_link_was_idle() {
    let later = |flow| Arriving { at: 5_000, ..at_once(flow, 1000) };
    // Flow 0 has used its quantum up before; both are new, and flow 0 came first.
    let arrivals = [at_once(0, 1000), later(2), later(0), later(1)];
    let link = send_all(&FqCodel::default(), Limit::None, &arrivals);
    assert_eq!(link.sent.iter().map(|sent| sent.packet).collect::<Vec<_>>(), [0, 1, 2, 3]);
}
