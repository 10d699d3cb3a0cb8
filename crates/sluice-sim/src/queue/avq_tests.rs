use super::*;
use crate::queue::test_arrivals::{PACKET, finds_ahead, link_with};
use sluice_units::{Bytes, Limit, Span};

fn link() -> QueueContext {
    link_with(Limit::Packets(50))
}

fn avq() -> Avq {
    Avq { virtual_buffer: Some(BufferSize::Packets(5)), ..Avq::default() }
}

fn at_work(avq: Avq, link: &QueueContext) -> Box<dyn Queue> {
    avq.at(link, &Streams::new(1, "link")).arrival()
}

/// A packet that finds the link's own queue short.
fn arrives(queue: &mut dyn Queue, now: Time, ecn_capable: bool) -> Admission {
    queue.arrives(&QueueArrival { ecn_capable, ..finds_ahead(now, PACKET) })
}

/// Virtual capacity relative to the link's, and virtual queue in packets.
fn state(queue: &dyn Queue) -> [f64; 2] {
    let mut found = Vec::new();
    queue.metrics(&mut |_, value| found.push(value));
    [found[0] / 8e6, found[1] / 1000.0]
}

fn is(queue: &dyn Queue, expected: [f64; 2]) {
    let found = state(queue);
    let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9);
    assert!(near, "{found:?}, not {expected:?}");
}

/// By hand: a packet takes 0.15 / s * 1 ms of capacity, 2 ms give 0.98 of twice that.
#[test]
fn queue_and_capacity_follow_each_arrival() {
    let mut queue = at_work(avq(), &link());
    arrives(&mut *queue, Time::ZERO, false);
    is(&*queue, [1.0 - 0.000_15, 1.0]);
    arrives(&mut *queue, Time::ZERO, false);
    is(&*queue, [1.0 - 0.000_3, 2.0]);
    arrives(&mut *queue, Time::ZERO + PACKET, false);
    is(&*queue, [1.0 - 0.000_45 + 0.000_147, 2.0 - 0.9997 + 1.0]);
    arrives(&mut *queue, Time::ZERO + Span::from_secs(1), false);
    is(&*queue, [1.0 - 0.000_15, 1.0]);
}

#[test]
fn what_the_virtual_queue_has_no_room_for_is_dropped_or_marked() {
    let mut dropping = at_work(avq(), &link());
    let decided = |queue: &mut dyn Queue, capable| {
        (0..7).map(|_| arrives(queue, Time::ZERO, capable)).collect::<Vec<_>>()
    };
    let first = [Admission::Taken; 5];
    assert_eq!(decided(&mut *dropping, false), [&first[..], &[Admission::Early; 2]].concat());
    let mut marking = at_work(avq(), &link());
    assert_eq!(decided(&mut *marking, true), [&first[..], &[Admission::Marked; 2]].concat());
    let mut not_marking = at_work(Avq { ecn: false, ..avq() }, &link());
    assert_eq!(decided(&mut *not_marking, true), [&first[..], &[Admission::Early; 2]].concat());
    // A marked packet is not in the virtual queue, but takes capacity; one that is dropped does not.
    is(&*marking, [1.0 - 7.0 * 0.000_15, 5.0]);
    is(&*dropping, [1.0 - 5.0 * 0.000_15, 5.0]);
}

/// KS, section 2: at a constant load above gamma the capacity falls to nothing, below it rises to the
/// link's; at gamma it stays.
#[test]
fn the_capacity_seeks_the_desired_utilization() {
    let after = |load: f64| {
        let mut queue = at_work(Avq { alpha: Ratio::new(0.5), ..avq() }, &link());
        for packet in 0..200_000 {
            let at = Span::from_nanos((f64::from(packet) * 1e6 / load) as u64);
            arrives(&mut *queue, Time::ZERO + at, true);
        }
        state(&*queue)[0]
    };
    assert_eq!(after(1.0), 0.0);
    assert!(after(0.97) > 0.999);
    assert!((after(0.98) - 1.0).abs() < 0.01);
}

/// By default the virtual queue is as long as the real one may be: 50 packets; without a limit, one
/// bandwidth-delay product, 100 packets.
#[test]
fn the_virtual_buffer_is_the_links() {
    let room = |link: &QueueContext| {
        let mut queue = at_work(Avq::default(), link);
        (0..1000).filter(|_| arrives(&mut *queue, Time::ZERO, false) == Admission::Taken).count()
    };
    assert_eq!(room(&link()), 50);
    let limit = link_with;
    assert_eq!(room(&limit(Limit::Bytes(Bytes::new(20_500)))), 20);
    assert_eq!(room(&limit(Limit::None)), 100);
}

/// A buffer of less than a packet does not close a link for good.
#[test]
fn a_packet_that_finds_the_virtual_queue_empty_is_taken() {
    let mut queue = at_work(Avq { virtual_buffer: Some(BufferSize::Packets(0)), ..avq() }, &link());
    assert_eq!(arrives(&mut *queue, Time::ZERO, false), Admission::Taken);
    assert_eq!(arrives(&mut *queue, Time::ZERO, false), Admission::Early);
    assert_eq!(arrives(&mut *queue, Time::ZERO + PACKET * 2, false), Admission::Taken);
}

/// KS' algorithm runs at each arrival, and ns-2's code, too.
#[test]
fn what_finds_no_room_is_dropped_but_counted() {
    let link = link_with(Limit::Bytes(Bytes::new(3_000)));
    let mut queue = at_work(avq(), &link);
    let full = QueueArrival { ecn_capable: true, ..finds_ahead(Time::ZERO, PACKET * 3) };
    assert_eq!(queue.arrives(&full), Admission::NoRoom);
    is(&*queue, [1.0 - 0.000_15, 1.0]);
}
