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
        ..Red::default()
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

/// A detector with thresholds of 5 and 15, and max_p 0.02.
fn detector(average: f64) -> Detector {
    Detector {
        room: link().room,
        min: 5.0,
        max: 15.0,
        max_p: 0.02,
        gentle: true,
        wait: false,
        ecn: false,
        due: Time::NEVER,
        weight: 1.0,
        slot: 1.0,
        bytes_a_nano: 1.0,
        average,
        passed: 0.0,
        empty_at: Time::ZERO,
        stream: Streams::new(1, "link").named("red"),
    }
}

/// FJ (1) and Floyd's gentle mode, by hand.
#[test]
fn the_chance_follows_the_average() {
    let chance = |average: f64, gentle| Detector { gentle, ..detector(average) }.wanted();
    for (average, expected) in [(4.9, 0.0), (5.0, 0.0), (10.0, 0.01), (12.5, 0.015)] {
        assert!((chance(average, false) - expected).abs() < 1e-12, "{average}");
        assert!((chance(average, true) - expected).abs() < 1e-12, "{average}");
    }
    for (average, gently) in [(15.0, 0.02), (22.5, 0.51), (29.999_999, 1.0), (30.0, 1.0)] {
        assert_eq!(chance(average, false), 1.0);
        assert!((chance(average, true) - gently).abs() < 1e-6, "{average}");
    }
}

/// AR, section 3: the target range of thresholds 5 and 15 is 9 to 11; steps up are a quarter of max_p
/// at most, and 0.01.
#[test]
fn max_p_is_adapted_by_aimd() {
    for (average, max_p, expected) in [
        (11.1, 0.1, 0.11),
        (11.1, 0.02, 0.025),
        (100.0, 0.495, 0.5),
        (11.0, 0.1, 0.1),
        (9.0, 0.1, 0.1),
        (8.9, 0.1, 0.09),
        (0.0, 0.0105, 0.01),
    ] {
        let mut detector = Detector { max_p, ..detector(average) };
        detector.adapt();
        assert!((detector.max_p - expected).abs() < 1e-12, "{average}: {}", detector.max_p);
    }
}

/// From 0.1 in half a second to 0.09, and after 22 updates, 0.1 x 0.9^22 < 0.01, at the least.
#[test]
fn max_p_is_adapted_every_half_second_of_an_idle_link_too() {
    let adaptive = Red { adaptive: true, max_p: Ratio::new(0.1), ..red() };
    let mut queue = at_work(adaptive);
    queue.arrives(&finds(10_000, Time::ZERO)); // an average of 2500 packets, until 10 s
    let mut seen = Vec::new();
    for n in 1..=80 {
        let now = Time::ZERO + Span::from_millis(500) * n;
        assert_eq!(queue.due(), now);
        queue.tick(now, Span::from_secs(10).saturating_sub(now.since(Time::ZERO)));
        queue.metrics(&mut |name, value| {
            if name == "max_p" {
                seen.push(value);
            }
        });
    }
    // Up by 0.01 for 19 updates; then the queue is empty and the average forgotten.
    assert!(
        (seen[18] - 0.29).abs() < 1e-12 && (seen[20] - seen[19] * 0.9).abs() < 1e-12,
        "{seen:?}"
    );
    assert_eq!(seen[79], 0.01);
    assert_eq!(at_work(red()).due(), Time::NEVER);
}

/// The gaps between drops at p_b = 0.01, in packets.
fn gaps_at_one_percent(red: Red) -> Vec<usize> {
    let mut queue = at_work(Red { weight: Some(Ratio::new(1.0)), ..red });
    let decided = fixed(&mut *queue, 10, 400_000, false);
    let dropped = decided.iter().enumerate().filter(|&(_, what)| *what == Admission::Early);
    let places: Vec<usize> = dropped.map(|(place, _)| place).collect();
    places.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// FJ, section 7: gaps between drops are uniform on 1, 2, ..., 1 / p_b, so their mean is
/// (1 / p_b + 1) / 2 and their variance ((1 / p_b)^2 - 1) / 12.
#[test]
fn drops_at_a_fixed_average_come_at_uniform_gaps() {
    let gaps = gaps_at_one_percent(red());
    let n = gaps.len() as f64;
    let mean = gaps.iter().sum::<usize>() as f64 / n;
    let variance = gaps.iter().map(|&gap| (gap as f64 - mean).powi(2)).sum::<f64>() / n;
    assert_eq!((gaps.iter().min(), gaps.iter().max()), (Some(&1), Some(&100)));
    // Three standard errors of some 7900 gaps.
    assert!((mean - 50.5).abs() < 3.0 * (833.25 / n).sqrt(), "{mean}");
    assert!((variance / 833.25 - 1.0).abs() < 3.0 * (0.8 / n).sqrt(), "{variance}");
}

/// ns-2's `wait_`: gaps are uniform on 1 / p_b to 2 / p_b - 1, so that their mean is (3 / p_b - 1) / 2.
#[test]
fn with_wait_no_gap_is_below_the_inverse_of_the_chance() {
    let gaps = gaps_at_one_percent(Red { wait: true, ..red() });
    let mean = gaps.iter().sum::<usize>() as f64 / gaps.len() as f64;
    assert_eq!((gaps.iter().min(), gaps.iter().max()), (Some(&100), Some(&199)));
    // Three standard errors of some 2650 gaps, whose variance is that without `wait`.
    assert!((mean - 149.5).abs() < 3.0 * (833.25 / gaps.len() as f64).sqrt(), "{mean}");
}

/// FJ, figure 2: "if max_th <= avg, mark the arriving packet".
#[test]
fn above_the_upper_threshold_every_packet_is_dropped_with_wait_too() {
    for wait in [false, true] {
        let sharp = Red { weight: Some(Ratio::new(1.0)), gentle: false, wait, ..red() };
        assert_eq!(fixed(&mut *at_work(sharp), 16, 4, false), [Admission::Early; 4], "{wait}");
    }
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
