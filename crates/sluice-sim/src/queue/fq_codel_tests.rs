use super::*;
use crate::queue::test_link::{Arriving, at_once, send_all};
use sluice_units::Limit;

#[test]
fn a_packet_takes_room_from_the_longest_queue() {
    // One in transmission, and room for 4 in all.
    let arrivals = [0, 0, 0, 1, 2, 0].map(|flow| at_once(flow, 1000));
    let link = send_all(&FqCodel::default(), Limit::Bytes(Bytes::new(4000)), &arrivals);
    assert_eq!(link.dropped, [1, 2], "flow 0's own newcomer counts");
    assert_eq!(link.sent.iter().map(|sent| sent.packet).collect::<Vec<_>>(), [0, 3, 4, 5]);
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
