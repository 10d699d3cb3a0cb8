use proptest::prelude::*;

use super::*;
use crate::queue::arrival::TrafficClass;
use crate::queue::test_arrivals::finds_ahead;
use crate::queue::test_link::{Arriving, send_all};
use sluice_units::{Bytes, Limit, Span};

fn of_class(at: u64, class: u8) -> Arriving {
    let traffic = TrafficClass { class, ..TrafficClass::default() };
    Arriving { at, bytes: 1000, traffic, ..Arriving::default() }
}

proptest! {
    /// Nothing leaves while a packet of a higher class waits, and classes are first in, first out.
    #[test]
    fn the_highest_class_leaves_first(packets in prop::collection::vec((0_u64..1500, 0_u8..8), 1..80)) {
        let mut at = 0;
        let arrivals: Vec<_> = packets.into_iter().map(|(gap, class)| {
            at += gap;
            of_class(at, class)
        }).collect();
        let link = send_all(&Priority {}, Limit::None, &arrivals);
        prop_assert_eq!(link.sent.len(), arrivals.len());
        let class = |packet: usize| (arrivals[packet].traffic.class, std::cmp::Reverse(packet));
        for (place, sent) in link.sent.iter().enumerate() {
            // An arrival at the very instant of a choice comes after it.
            let waited = |other: &&crate::queue::test_link::Sent| arrivals[other.packet].at < sent.from;
            let later = link.sent[place + 1..].iter().filter(waited);
            prop_assert!(later.map(|other| class(other.packet)).all(|other| other < class(sent.packet)));
        }
    }
}

#[test]
fn a_packet_takes_room_from_lower_classes_only() {
    let arrivals = [0, 1, 1, 0, 2, 1].map(|class| of_class(0, class));
    let link = send_all(&Priority {}, Limit::Bytes(Bytes::new(3000)), &arrivals);
    // One in transmission and two that wait fill the buffer. The packet of class 2 takes the place of
    // the first that waits.
    assert_eq!(link.dropped, [3, 1, 5]);
    assert_eq!(link.sent.iter().map(|sent| sent.packet).collect::<Vec<_>>(), [0, 4, 2]);
}

#[test]
fn no_packet_is_dropped_for_one_that_is_refused() {
    let mut arrivals = [1, 0, 0, 1, 1].map(|class| of_class(0, class));
    (arrivals[1].bytes, arrivals[2].bytes) = (100, 100);
    let link = send_all(&Priority {}, Limit::Bytes(Bytes::new(2200)), &arrivals);
    assert_eq!(link.dropped, [4], "200 bytes of class 0 are too little");
}

#[test]
fn metrics_are_what_waits_in_each_class_and_the_most_that_a_packet_found() {
    let QueueState::Departure(mut scheduler) =
        Priority {}.at(&crate::queue::test_link::context(Limit::None), &Streams::new(1, "link"))
    else {
        panic!("it decides as the transmitter becomes free");
    };
    let mut queue = ScheduledPackets::default();
    for (class, bytes) in [(1, 100), (1, 20), (0, 3)] {
        let packet = Packet { bytes, ..Packet::NONE };
        let traffic = TrafficClass { class, ..TrafficClass::default() };
        let arrival = QueueArrival { traffic, ..finds_ahead(Time::ZERO, Span::NANO) };
        scheduler.enqueue(&packet, packet.hop(), &arrival, &mut queue);
    }
    scheduler.dequeue(Time::ZERO, &mut queue);
    let mut found = Vec::new();
    scheduler.metrics(&mut |name, value| found.push((name, value)));
    assert_eq!(found.len(), 2 * CLASSES);
    let some: Vec<_> = found.into_iter().filter(|&(_, value)| value > 0.0).collect();
    let expected = [("class_0_bytes", 3.0), ("class_1_bytes", 20.0), ("class_1_most_bytes", 100.0)];
    assert_eq!(some, expected);
}
