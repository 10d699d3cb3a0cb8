use sluice_units::{BufferSize, Limit, Span};

use super::*;
use crate::packet::{Hop, Packet};
use crate::queue::arrival::TrafficClass;
use crate::queue::scheduler::{ScheduledPackets, Scheduler};
use crate::queue::test_link::{Arriving, TestLink, context, send_all};

/// RED that drops every packet which finds this many bytes or more in its queue.
fn drops_from(bytes: u64) -> Red {
    let at = Some(BufferSize::Bytes(Bytes::new(bytes)));
    Red { min_th: at, max_th: at, weight: Some(Ratio::new(1.0)), gentle: false, ..Red::default() }
}

fn queues(weight: f64, red: Red) -> TcpFriendly {
    TcpFriendly { red, weight: Ratio::new(weight) }
}

fn of_class(at: u64, class: u8, bytes: u32) -> Arriving {
    let traffic = TrafficClass { class, ..TrafficClass::default() };
    Arriving { at, bytes, traffic, ..Arriving::default() }
}

/// Places of the packets that left, in order.
fn order(link: &TestLink) -> Vec<usize> {
    link.sent.iter().map(|sent| sent.packet).collect()
}

/// Class 1 has 0.75. The first packet is in transmission with tag 300 / 0.25 = 1200 when the others arrive.
#[test]
fn the_weight_is_that_of_the_classes_from_1_on() {
    let sizes = [(0, 300), (1, 600), (7, 300), (1, 900), (0, 200), (0, 250)];
    let arrivals = sizes.map(|(class, bytes)| of_class(0, class, bytes));
    let link = send_all(&queues(0.75, Red::default()), Limit::None, &arrivals);
    // Class 1: 1200 + 800 = 2000 and first at the tie, 2400, 3600; class 0: 1200 + 800 = 2000, 3000.
    assert_eq!(order(&link), [0, 1, 4, 2, 5, 3]);
}

/// RED decides about class 0, by the bytes of that class that wait.
#[test]
fn red_is_of_the_lowest_class_alone() {
    let mut arrivals: Vec<_> = (0..20).map(|_| of_class(0, 1, 1000)).collect();
    arrivals.extend((0..8).map(|_| of_class(0, 0, 1000)));
    let link = send_all(&queues(0.5, drops_from(3000)), Limit::None, &arrivals);
    // Three wait, and the fourth finds 3000 bytes; ns-2's rule spares a packet behind less than two.
    assert_eq!(link.dropped, [23, 24, 25, 26, 27]);
}

/// The state of the queues at a link that holds this many packets.
fn state(model: &TcpFriendly, limit: Limit) -> Box<dyn Scheduler> {
    match model.at(&context(limit), &Streams::new(1, "link")) {
        QueueState::Departure(scheduler) => scheduler,
        _ => panic!("it decides as the transmitter becomes free"),
    }
}

/// Offers a packet of a class at time zero behind all that waits, marks it if that is the decision, and returns
/// this.
fn offer(
    queues: &mut dyn Scheduler,
    class: u8,
    bytes: u32,
    store: &mut ScheduledPackets,
) -> Admission {
    offer_at(Time::ZERO, queues, class, bytes, store)
}

fn offer_at(
    now: Time,
    queues: &mut dyn Scheduler,
    class: u8,
    bytes: u32,
    store: &mut ScheduledPackets,
) -> Admission {
    let ahead = Span::from_nanos(store.store.bytes());
    let arrival = QueueArrival {
        now,
        ahead,
        through: ahead + Span::from_nanos(u64::from(bytes)),
        waiting: store.store.packets(),
        ecn_capable: true,
        traffic: TrafficClass { class, ..TrafficClass::default() },
    };
    let packet = Packet { bytes, ..Packet::NONE };
    let hop = Hop { at: arrival.now, ..packet.hop() };
    let admission = queues.enqueue(&packet, hop, &arrival, store);
    if admission == Admission::Marked {
        let packet = store.store.newest();
        *packet = packet.marked();
    }
    admission
}

fn metric(queues: &dyn Scheduler, wanted: &str) -> f64 {
    let mut found = None;
    queues.metrics(&mut |name, value| found = (name == wanted).then_some(value).or(found));
    found.expect("a metric")
}

/// RED that marks most packets which find more than two waiting, and drops none behind less than 14.
fn marks_most() -> Red {
    let (min_th, max_th) = (Some(BufferSize::Bytes(Bytes::new(1))), Some(BufferSize::Packets(14)));
    Red { min_th, max_th, max_p: Ratio::new(1.0), ..drops_from(0) }
}

/// Class 0 has more for its weight, so that packets of class 1 displace its packets: one with a mark does not
/// count again.
#[test]
fn a_packet_counts_once_as_lost() {
    let mut store = ScheduledPackets::default();
    let mut queues = state(&queues(0.9, marks_most()), Limit::Packets(12));
    let mut decisions = Vec::new();
    for class in [[0; 12], [1; 12], [0; 12]].concat() {
        let decision = offer(&mut *queues, class, 1000, &mut store);
        decisions.extend((class == 0).then_some(decision));
    }
    let marked = decisions.iter().filter(|&&one| one == Admission::Marked).count() as u64;
    let refused = decisions.iter().filter(|&&one| one == Admission::NoRoom).count() as u64;
    let dropped: Vec<_> = store.afterthoughts.iter().map(|after| after.packet.ecn).collect();
    let unmarked = dropped.iter().filter(|ecn| !ecn.has(Ecn::EXPERIENCED)).count() as u64;
    assert!(
        marked > 0 && refused > 0 && dropped.len() as u64 > unmarked,
        "{decisions:?} {dropped:?}"
    );
    assert_eq!(queues.competing().lost, marked + refused + unmarked);
}

/// A packet that finds no room does not reach RED's decision, as at a link with RED alone: none is marked that is
/// refused.
#[test]
fn room_comes_before_red() {
    let mut store = ScheduledPackets::default();
    let mut queues = state(&queues(0.5, marks_most()), Limit::Packets(10));
    let decisions: Vec<_> = (0..40).map(|_| offer(&mut *queues, 0, 1000, &mut store)).collect();
    assert!(decisions[10..].iter().all(|&one| one == Admission::NoRoom), "{decisions:?}");
    let marked = decisions.iter().filter(|&&one| one == Admission::Marked).count() as u64;
    assert_eq!(queues.competing().lost, marked + 30);
}

/// Ten packets arrive at once, and the last of them leaves 100 us later, since the other class goes first. RED's
/// average decays from then on, by a factor 0.9 for each microsecond, which a full packet takes.
#[test]
fn reds_average_decays_from_when_the_queue_is_empty() {
    let mut store = ScheduledPackets::default();
    let weight = Some(Ratio::new(0.1));
    let red = Red { weight, min_th: Some(BufferSize::Packets(1000)), ..Red::default() };
    let mut queues = state(&queues(0.5, red), Limit::None);
    for _ in 0..10 {
        offer(&mut *queues, 0, 1000, &mut store);
    }
    let full = metric(&*queues, "average_queue_bytes");
    let at = |micros| Time::ZERO + Span::from_micros(micros);
    while let Some(place) = queues.dequeue(at(100), &mut store) {
        store.store.take(place);
    }
    offer_at(at(105), &mut *queues, 0, 1000, &mut store);
    let found = metric(&*queues, "average_queue_bytes");
    assert!((found / full - 0.9_f64.powi(5)).abs() < 1e-6, "{found} of {full}");
}

/// Adaptive RED's timer fires every 0.5 s: it lowers max_p while the queue of class 0 is empty, whatever waits in
/// the other.
#[test]
fn adaptive_red_adapts_to_its_own_queue() {
    let mut store = ScheduledPackets::default();
    let mut queues = state(&queues(0.5, Red { adaptive: true, ..Red::default() }), Limit::None);
    (0..50).for_each(|_| _ = offer(&mut *queues, 1, 1000, &mut store));
    let half = Time::ZERO + Span::from_millis(500);
    assert_eq!(queues.due(), half);
    queues.tick(half, Span::from_micros(50), &store);
    assert!((metric(&*queues, "max_p") - 0.09).abs() < 1e-12);
    assert_eq!(queues.due(), half + Span::from_millis(500));
}

/// By hand: three packets and an acknowledgement arrive. One packet is marked, one refused by the room; none
/// of XCP's counts.
#[test]
fn traffic_of_the_lowest_class_is_counted_with_what_is_lost() {
    let mut store = ScheduledPackets::default();
    let mut queues = state(&queues(0.99, drops_from(2000)), Limit::Packets(4));
    let mut offer = |class, bytes| offer(&mut *queues, class, bytes, &mut store);
    assert_eq!(offer(0, 1000), Admission::Taken);
    assert_eq!(offer(0, 1000), Admission::Taken);
    assert_eq!(offer(1, 500), Admission::Taken);
    assert_eq!(offer(1, 500), Admission::Taken);
    // Full: class 0 has more for its weight, so its own packets find no room, and those of class 1 displace them.
    assert_eq!(offer(0, 40), Admission::NoRoom);
    assert_eq!(offer(1, 1000), Admission::Taken);
    let seen = queues.competing();
    assert_eq!((seen.packets, seen.bytes, seen.squares), (3, 2040, 2_001_600));
    assert_eq!((seen.lost, seen.waiting), (2, Bytes::new(1000)));
}

#[test]
fn a_mark_counts_as_a_loss() {
    let mut store = ScheduledPackets::default();
    let (min_th, max_th) = (Some(BufferSize::Packets(2)), Some(BufferSize::Packets(30)));
    let red = Red { min_th, max_th, max_p: Ratio::new(0.9), ..drops_from(0) };
    let mut queues = state(&queues(0.5, red), Limit::None);
    let decisions: Vec<_> = (0..60).map(|_| offer(&mut *queues, 0, 1000, &mut store)).collect();
    let marked = decisions.iter().filter(|&&decision| decision == Admission::Marked).count();
    let dropped = decisions.iter().filter(|decision| decision.is_drop()).count();
    assert!(marked > 0 && dropped > 0, "{decisions:?}");
    assert_eq!(queues.competing().lost as usize, marked + dropped);
}

/// From equal weights to 0.8 for class 1 after two packets: the tags of the first packets stay.
#[test]
fn a_new_weight_holds_for_the_packets_behind() {
    let mut store = ScheduledPackets::default();
    let mut queues = state(&queues(0.5, Red::default()), Limit::None);
    for _ in 0..12 {
        offer(&mut *queues, 0, 1000, &mut store);
        offer(&mut *queues, 1, 1000, &mut store);
    }
    let mut sent = |queues: &mut dyn Scheduler, count: usize| {
        let before = queues.waiting_of(1);
        for _ in 0..count {
            let place = queues.dequeue(Time::ZERO, &mut store).expect("packets wait");
            store.store.take(place);
        }
        (before - queues.waiting_of(1)) / 1000
    };
    assert_eq!(sent(&mut *queues, 4), 2);
    queues.set_weight(Ratio::new(0.8));
    let of_class_1 = sent(&mut *queues, 10);
    assert!((7..=9).contains(&of_class_1), "{of_class_1} of 10");
}

#[test]
fn weights_and_reds_parameters_are_checked() {
    let fields = |model: TcpFriendly| {
        let faults = Faults::of(|faults| model.check(Rate::from_bps(8_000_000), faults));
        faults.into_iter().map(|fault| fault.field.to_string()).collect::<Vec<_>>()
    };
    assert!(fields(TcpFriendly::default()).is_empty());
    assert_eq!(fields(queues(0.009, Red::default())), ["weight"]);
    assert_eq!(fields(queues(1.0, Red::default())), ["weight"]);
    let red = Red { max_p: Ratio::new(0.0), ..Red::default() };
    assert_eq!(fields(queues(0.5, red)), ["red.max_p"]);
}
