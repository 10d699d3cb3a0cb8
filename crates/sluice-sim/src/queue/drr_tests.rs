use proptest::prelude::*;

use super::*;
use crate::queue::test_link::{at_once, send_all};
use sluice_units::Limit;

const MAX: u32 = 1000;

proptest! {
    /// SV, theorem 2: over any time in which both have packets, two flows differ by at most
    /// 2 Max + Q bytes, Q at least Max.
    #[test]
    fn flows_with_packets_differ_by_a_bound(
        sizes in prop::collection::vec((0_u32..4, 1_u32..=MAX), 2..200),
        quantum in MAX..3 * MAX,
    ) {
        let arrivals: Vec<_> = sizes.iter().map(|&(flow, bytes)| at_once(flow, bytes)).collect();
        let drr = Drr { quantum: Some(Bytes::new(quantum.into())) };
        let link = send_all(&drr, Limit::None, &arrivals);
        prop_assert_eq!(link.sent.len(), arrivals.len());
        let gap = link.widest_gap(&arrivals);
        prop_assert!(gap <= i64::from(2 * MAX + quantum), "two flows differ by {gap}");
    }
}

#[test]
fn a_small_quantum_takes_more_rounds_and_is_as_fair() {
    let arrivals: Vec<_> =
        (0..60).map(|place| at_once(place % 2, if place % 2 == 0 { 1000 } else { 100 })).collect();
    let link = send_all(&Drr { quantum: Some(Bytes::new(64)) }, Limit::None, &arrivals);
    // When the small flow's 3000 bytes are gone, the other has sent 2 or 3 packets of 1000.
    let small = link.sent.iter().rposition(|sent| arrivals[sent.packet].flow == 1);
    assert!(matches!(small, Some(31..=33)), "the last small packet is number {small:?}");
}

#[test]
fn a_packet_takes_room_from_the_flow_with_most_bytes() {
    // One in transmission, and room for 5 in all, then one each of two other flows.
    let mut arrivals = vec![at_once(0, 1000); 6];
    arrivals.extend([at_once(1, 1000), at_once(2, 1000), at_once(0, 1000)]);
    let link = send_all(&Drr::default(), Limit::Bytes(Bytes::new(6000)), &arrivals);
    assert_eq!(link.dropped, [1, 2, 8], "the first that wait of flow 0, and its own newcomer");
    assert_eq!(link.flows(&arrivals), [0, 0, 1, 2, 0, 0]);
}

#[test]
fn no_packet_is_dropped_for_one_that_is_refused() {
    // Flow 1 has 100 bytes more than flow 2, whose newcomer needs 1000.
    let sizes = [(0, 1000), (1, 100), (1, 100), (1, 100), (2, 200), (2, 1000), (2, 100)];
    let arrivals = sizes.map(|(flow, bytes)| at_once(flow, bytes));
    let link = send_all(&Drr::default(), Limit::Bytes(Bytes::new(1500)), &arrivals);
    assert_eq!(link.dropped, [5, 1], "and 100 bytes make room for 100");
}
