use super::*;
use crate::queue::test_arrivals::{PACKET, finds_ahead, link, link_with};
use sluice_units::Bytes;

fn red() -> Red {
    Red {
        min_th: Some(BufferSize::Packets(5)),
        max_th: Some(BufferSize::Packets(15)),
        max_p: Ratio::new(0.02),
        weight: Some(Ratio::new(0.25)),
        gentle: true,
        ecn: false,
    }
}

fn at_work(red: Red) -> Box<dyn Queue> {
    red.at(&link(), &Streams::new(1, "link")).arrival()
}

/// A packet that finds `packets` packets ahead.
fn finds(packets: u64, now: Time) -> QueueArrival {
    finds_ahead(now, PACKET * packets)
}

/// In packets.
fn average(queue: &dyn Queue) -> f64 {
    let mut average = f64::NAN;
    queue.metrics(&mut |_, value| average = value / 1000.0);
    average
}

/// Lets `packets` that each find `ahead` packets arrive; gives what became of each.
fn fixed(queue: &mut dyn Queue, ahead: u64, packets: usize, ecn_capable: bool) -> Vec<Admission> {
    let arrival = QueueArrival { ecn_capable, ..finds(ahead, Time::ZERO) };
    (0..packets).map(|_| queue.arrives(&arrival)).collect()
}

#[test]
fn the_average_follows_the_queue_by_its_weight() {
    let mut queue = at_work(red());
    for expected in [1.0, 1.75, 2.3125] {
        queue.arrives(&finds(4, Time::ZERO));
        assert!((average(&*queue) - expected).abs() < 1e-12);
    }
}

/// FJ, section 4: "m small packets" could have been transmitted while the queue was empty.
#[test]
fn an_idle_link_forgets_as_if_packets_had_passed() {
    let mut queue = at_work(red());
    queue.arrives(&finds(8, Time::ZERO)); // empty from 9 ms on
    assert!((average(&*queue) - 2.0).abs() < 1e-12);
    queue.arrives(&finds(0, Time::ZERO + PACKET * 12));
    assert!((average(&*queue) - 2.0 * 0.75_f64.powi(3)).abs() < 1e-12);
}

/// FJ (1) and Floyd's gentle mode, by hand.
#[test]
fn the_chance_follows_the_average() {
    let chance = |average: f64, gentle| {
        Detector {
            room: link().room,
            min: 5.0,
            max: 15.0,
            max_p: 0.02,
            gentle,
            ecn: false,
            weight: 1.0,
            slot: 1.0,
            bytes_a_nano: 1.0,
            average,
            passed: 0.0,
            empty_at: Time::ZERO,
            stream: Streams::new(1, "link").named("red"),
        }
        .wanted()
    };
    for (average, expected) in [(4.9, 0.0), (5.0, 0.0), (10.0, 0.01), (12.5, 0.015)] {
        assert!((chance(average, false) - expected).abs() < 1e-12, "{average}");
        assert!((chance(average, true) - expected).abs() < 1e-12, "{average}");
    }
    for (average, gently) in [(15.0, 0.02), (22.5, 0.51), (29.999_999, 1.0), (30.0, 1.0)] {
        assert_eq!(chance(average, false), 1.0);
        assert!((chance(average, true) - gently).abs() < 1e-6, "{average}");
    }
}

/// FJ, section 7: gaps between drops are uniform on 1, 2, ..., 1 / p_b, so their mean is
/// (1 / p_b + 1) / 2 and their variance ((1 / p_b)^2 - 1) / 12.
#[test]
fn drops_at_a_fixed_average_come_at_uniform_gaps() {
    let mut queue = at_work(Red { weight: Some(Ratio::new(1.0)), ..red() });
    let decided = fixed(&mut *queue, 10, 400_000, false); // p_b = 0.01
    let dropped = decided.iter().enumerate().filter(|&(_, what)| *what == Admission::Early);
    let places: Vec<usize> = dropped.map(|(place, _)| place).collect();
    let gaps: Vec<usize> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let n = gaps.len() as f64;
    let mean = gaps.iter().sum::<usize>() as f64 / n;
    let variance = gaps.iter().map(|&gap| (gap as f64 - mean).powi(2)).sum::<f64>() / n;
    assert_eq!((gaps.iter().min(), gaps.iter().max()), (Some(&1), Some(&100)));
    // Three standard errors of some 7900 gaps.
    assert!((mean - 50.5).abs() < 3.0 * (833.25 / n).sqrt(), "{mean}");
    assert!((variance / 833.25 - 1.0).abs() < 3.0 * (0.8 / n).sqrt(), "{variance}");
}

#[test]
fn a_packet_that_can_be_marked_is_up_to_twice_the_upper_threshold() {
    let sharp = Red { weight: Some(Ratio::new(1.0)), ecn: true, ..red() };
    let found = |red: Red, ahead, capable, what| {
        fixed(&mut *at_work(red), ahead, 1000, capable).contains(&what)
    };
    for ahead in [10, 20] {
        assert!(found(sharp, ahead, true, Admission::Marked));
        assert!(!found(sharp, ahead, true, Admission::Early), "at {ahead}");
        assert!(!found(sharp, ahead, false, Admission::Marked), "it cannot be marked");
        assert!(!found(Red { ecn: false, ..sharp }, ahead, true, Admission::Marked), "ecn is off");
    }
    assert!(!found(sharp, 30, true, Admission::Marked), "RFC 3168 section 7");
    assert!(!found(Red { gentle: false, ..sharp }, 20, true, Admission::Marked));
}

/// ns-2's rule: the packet in transmission and one behind it are no queue.
#[test]
fn a_queue_of_one_packet_drops_nothing_whatever_the_average() {
    let mut queue = at_work(Red { max_p: Ratio::new(1.0), ..red() });
    fixed(&mut *queue, 40, 100, false);
    assert!(average(&*queue) > 30.0);
    assert_eq!(queue.arrives(&finds(2, Time::ZERO)), Admission::Taken);
    assert_eq!(
        queue.arrives(&finds(3, Time::ZERO)),
        Admission::Early,
        "the average is still above 15"
    );
}

#[test]
fn what_finds_no_room_is_dropped_whatever_the_average() {
    let link = link_with(Limit::Bytes(Bytes::new(3_000)));
    let mut queue = red().at(&link, &Streams::new(1, "link")).arrival();
    assert_eq!(queue.arrives(&finds(2, Time::ZERO)), Admission::Taken);
    assert_eq!(queue.arrives(&finds(3, Time::ZERO)), Admission::NoRoom);
}

/// AR, section 4, at 8 Mb/s: 5 packets are more than 2.5 ms; C = 1000 packets a second.
#[test]
fn defaults_follow_from_the_link() {
    let mut queue = at_work(Red::default());
    queue.arrives(&finds(1_000_000, Time::ZERO));
    let weight = 1.0 - (-0.001_f64).exp();
    assert!((average(&*queue) / 1e6 - weight).abs() < 1e-12);
    let sharp = Red { weight: Some(Ratio::new(1.0)), max_p: Ratio::new(1.0), ..Red::default() };
    let mut queue = at_work(sharp);
    assert!(!fixed(&mut *queue, 5, 1000, false).contains(&Admission::Early), "min_th is 5 packets");
    assert!(fixed(&mut *queue, 6, 1000, false).contains(&Admission::Early));
    assert!(fixed(&mut *queue, 14, 1000, false).contains(&Admission::Taken));
    assert!(!fixed(&mut *queue, 15, 1000, false).contains(&Admission::Taken), "max_th is 15");
}
