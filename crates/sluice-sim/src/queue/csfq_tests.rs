use super::*;
use crate::queue::test_arrivals::{PACKET, link, link_with};
use crate::queue::test_labels::{AtWork, at};
use sluice_units::{Bytes, Fault, Limit};

fn near(found: f64, by_hand: f64) {
    assert!((found / by_hand - 1.0).abs() < 1e-6, "{found}, not {by_hand}");
}

/// A packet each 10 ms is 800 kb/s, over the weight of the flow. Flows are estimated apart.
#[test]
fn an_edge_labels_packets_with_the_rate_of_their_flow_over_its_weight() {
    let mut link = AtWork::new(Csfq::default(), &link());
    for flow in [(0, 1.0), (1, 4.0), (2, 0.5)] {
        let labels = (0..1000).map(|place| link.arrive(flow, at(10 * place), Span::ZERO, None).1);
        near(labels.last().expect("labels"), 800e3 / flow.1);
    }
}

/// A packet with a label keeps it, and leaves no state.
#[test]
fn a_core_reads_labels_and_keeps_no_flow() {
    let mut link = AtWork::new(Csfq::default(), &link());
    for flow in 0..10 {
        let taken = link.arrive((flow, 2.0), at(flow.into()), Span::ZERO, Some(123.0));
        assert_eq!(taken, (Admission::Taken, 123.0));
    }
    assert_eq!(link.metric("flows"), 0.0);
}

/// Two flows with a packet each millisecond, twice the capacity, and 3 and 1 Mb/s in their labels. Half of all are
/// accepted where the share is 0.75 Mb/s, of which 0.75 / 3 + 0.75 / 1 = 1.
#[test]
fn a_congested_link_drops_by_label_and_lowers_it() {
    let mut link = AtWork::new(Csfq::default(), &link());
    let (mut lost, mut largest) = ([0, 0], 0.0);
    for ms in 0..60_000 {
        for (flow, label) in [(0, 3e6), (1, 1e6)] {
            let (what, label) = link.arrive((flow, 1.0), at(ms), PACKET * 100, Some(label));
            if ms >= 10_000 {
                lost[flow as usize] += u64::from(what == Admission::Early);
                if what == Admission::Taken {
                    largest = f64::max(largest, label);
                }
            }
        }
    }
    let [fast, slow] = lost.map(|lost| 1.0 - lost as f64 / 50_000.0);
    assert!((fast - 0.25).abs() < 0.02 && (slow - 0.75).abs() < 0.02, "{fast}, {slow}");
    assert!(largest < 1e6, "no label above a share near 0.75 Mb/s: {largest}");
}

/// Rates of 10,000 flows that are over after 4 s are forgotten by 8 s.
#[test]
fn an_edge_forgets_flows_that_are_over() {
    let mut link = AtWork::new(Csfq::default(), &link());
    for flow in 0..10_000 {
        link.arrive((flow, 1.0), at(1), Span::ZERO, None);
    }
    assert_eq!(link.metric("flows"), 10_000.0);
    let first = link.arrive((3, 1.0), at(8_010), Span::ZERO, None);
    assert_eq!(link.metric("flows"), 1.0);
    assert_eq!(link.arrive((10_001, 1.0), at(8_020), Span::ZERO, None), first);
}

/// A buffer of 5000 bytes, by default congested from 2500 on, and one of a packet.
#[test]
fn what_finds_no_room_is_dropped() {
    let mut small = AtWork::new(Csfq::default(), &link_with(Limit::Bytes(Bytes::new(5000))));
    let ahead = [0, 4, 5].map(|packets| small.arrive((0, 1.0), at(0), PACKET * packets, None).0);
    assert_eq!(ahead, [Admission::Taken, Admission::Taken, Admission::NoRoom]);
    let mut one = AtWork::new(Csfq::default(), &link_with(Limit::Packets(0)));
    let ahead = [0, 1].map(|packets| one.arrive((0, 1.0), at(0), PACKET * packets, None).0);
    assert_eq!(ahead, [Admission::Taken, Admission::NoRoom]);
}

/// The threshold is half of the buffer, or half a BDP of 100 ms where there is no limit.
#[test]
fn a_queue_below_half_of_the_buffer_is_not_congested() {
    for (room, from) in
        [(Limit::Bytes(Bytes::new(40_000)), 20), (Limit::Packets(60), 30), (Limit::None, 50)]
    {
        for (ahead, early) in [(PACKET * from, true), (PACKET * from - Span::NANO, false)] {
            let mut link = AtWork::new(Csfq::default(), &link_with(room));
            let dropped = (0..5000).any(|place| {
                let now = Time::ZERO + Span::from_micros(100 * place);
                link.arrive((0, 1.0), now, ahead, Some(9e6)).0 == Admission::Early
            });
            assert_eq!(dropped, early, "{room:?}, {ahead}");
        }
    }
}

#[test]
fn parameters_have_ranges() {
    let faults = |csfq: Csfq| -> Vec<String> {
        let found = Faults::of(|faults| csfq.check(Rate::from_bps(8_000_000), faults));
        found.iter().map(Fault::to_string).collect()
    };
    let [short, long] = [Span::from_micros(1), Span::from_secs(1000)];
    for time in [short, long] {
        assert_eq!(
            faults(Csfq { k: time, k_alpha: time, k_c: time, congested_from: None }).len(),
            0
        );
    }
    for time in [short - Span::NANO, long + Span::NANO] {
        assert_eq!(
            faults(Csfq { k: time, k_alpha: time, k_c: time, congested_from: None }).len(),
            3
        );
    }
    let unlimited = Csfq { congested_from: Some(BufferSize::Unlimited), ..Csfq::default() };
    assert_eq!(faults(unlimited).len(), 1);
}
