//! 1000 bytes take 1 ms.

use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use super::Direction;
use crate::frame::Size;
use crate::{DirectionConfig, Reordering};

const PACKET: Size = Size { bytes: 1_000, packets: 1 };

fn config(delay: Span, buffer: u64) -> DirectionConfig {
    let rate = Some(Rate::from_bps(8_000_000));
    DirectionConfig { rate, delay, buffer: Bytes::new(buffer), ..DirectionConfig::default() }
}

fn us(us: u64) -> Time {
    Time::ZERO + Span::from_micros(us)
}

/// Everything that arrives up to `until`: when, and which frame.
fn arrivals(way: &mut Direction<u32>, until: Time) -> Vec<(Time, u32)> {
    std::iter::from_fn(|| way.delivery(until)).map(|it| (it.due, it.carried)).collect()
}

#[test]
fn a_frame_arrives_after_transmission_and_delay() {
    let mut way = Direction::new(config(Span::from_millis(10), 3_000));
    way.enqueue(PACKET, 1, us(5_000)).unwrap();
    assert_eq!(way.next(), Some(us(16_000)));
    assert!(way.delivery(us(15_999)).is_none());
    assert_eq!(arrivals(&mut way, us(16_000)), [(us(16_000), 1)]);
    assert_eq!(way.next(), None);
}

#[test]
fn frames_leave_one_after_another() {
    let mut way = Direction::new(config(Span::ZERO, 3_000));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    way.enqueue(PACKET, 2, us(500)).unwrap();
    way.enqueue(PACKET, 3, us(2_700)).unwrap();
    assert_eq!(arrivals(&mut way, us(9_000)), [(us(1_000), 1), (us(2_000), 2), (us(3_700), 3)]);
}

#[test]
fn the_buffer_holds_the_rest_of_the_frame_in_transmission() {
    let mut way = Direction::new(config(Span::ZERO, 2_000));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    way.enqueue(PACKET, 2, us(0)).unwrap();
    // 1001 bytes are left.
    assert_eq!(way.enqueue(PACKET, 3, us(999)), Err(3));
    way.enqueue(PACKET, 4, us(1_000)).unwrap();
    let counted = way.counters(us(1_000));
    assert_eq!((counted.frames, counted.dropped_frames), (1, 1));
    assert_eq!((counted.queue, counted.max_queue), (Bytes::new(2_000), Bytes::new(2_000)));
}

#[test]
fn a_frame_larger_than_the_buffer_passes_an_empty_queue() {
    let mut way = Direction::new(config(Span::ZERO, 500));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    assert_eq!(way.enqueue(PACKET, 2, us(999)), Err(2));
    way.enqueue(PACKET, 3, us(1_000)).unwrap();
}

#[test]
fn a_super_packet_is_dropped_whole() {
    let train = Size { bytes: 3_000, packets: 3 };
    let mut way = Direction::new(config(Span::ZERO, 3_500));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    assert_eq!(way.enqueue(train, 2, us(0)), Err(2));
    way.enqueue(train, 3, us(500)).unwrap();
    let counted = way.counters(us(4_000));
    assert_eq!((counted.frames, counted.packets, counted.sent), (2, 4, Bytes::new(4_000)));
    assert_eq!((counted.dropped_frames, counted.dropped_packets), (1, 3));
}

#[test]
fn the_mean_queue_is_that_of_its_linear_fall() {
    let mut way = Direction::new(config(Span::ZERO, 3_000));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    way.enqueue(PACKET, 2, us(0)).unwrap();
    // A triangle of 2000 bytes and 2 ms: 2 byte seconds in 5 ms.
    assert_eq!(way.counters(us(5_000)).mean_queue(), Bytes::new(400));
    // From 1 to 2 ms, it falls from 1000 bytes to none.
    let mut way = Direction::new(config(Span::ZERO, 3_000));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    way.enqueue(PACKET, 2, us(0)).unwrap();
    let earlier = way.counters(us(1_000));
    let counted = way.counters(us(2_000)).since(&earlier);
    assert_eq!((counted.mean_queue(), counted.frames), (Bytes::new(500), 1));
    assert_eq!(counted.throughput(), Rate::from_bps(8_000_000));
}

#[test]
fn what_the_frame_in_transmission_has_sent_counts() {
    let mut way = Direction::new(config(Span::ZERO, 3_000));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    let counted = way.counters(us(250));
    assert_eq!((counted.sent, counted.queue), (Bytes::new(250), Bytes::new(750)));
    assert_eq!(counted.frames, 0);
}

#[test]
fn transmission_is_exact_at_any_rate() {
    // 51.2 ns each, so that 10 take 512 ns.
    let rate = Some(Rate::from_bps(10_000_000_000));
    let mut way = Direction::new(DirectionConfig { rate, ..DirectionConfig::default() });
    for frame in 0..10 {
        way.enqueue(Size { bytes: 64, packets: 1 }, frame, Time::ZERO).unwrap();
    }
    let arrivals = arrivals(&mut way, us(1));
    assert_eq!(arrivals[0].0, Time::from_nanos(52));
    assert_eq!(arrivals[9].0, Time::from_nanos(512));
    // The same in small steps.
    let mut way = Direction::new(DirectionConfig { rate, ..DirectionConfig::default() });
    for frame in 0..10 {
        way.enqueue(Size { bytes: 64, packets: 1 }, frame, Time::ZERO).unwrap();
    }
    let stepped = (0..1_000).flat_map(|ns| way.delivery(Time::from_nanos(ns))).map(|it| it.due);
    assert!(stepped.eq(arrivals.iter().map(|&(due, _)| due)));
}

#[test]
fn without_a_rate_nothing_waits() {
    let config = DirectionConfig { delay: Span::from_millis(1), ..DirectionConfig::default() };
    let mut way = Direction::new(config);
    way.enqueue(PACKET, 1, us(7)).unwrap();
    way.enqueue(PACKET, 2, us(7)).unwrap();
    assert_eq!(arrivals(&mut way, us(1_007)), [(us(1_007), 1), (us(1_007), 2)]);
    assert_eq!(way.counters(us(2_000)).mean_queue(), Bytes::ZERO);
}

#[test]
fn frames_that_wait_take_a_new_rate() {
    let mut way = Direction::new(config(Span::ZERO, 3_000));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    way.enqueue(PACKET, 2, us(0)).unwrap();
    let slower =
        DirectionConfig { rate: Some(Rate::from_bps(4_000_000)), ..config(Span::ZERO, 3_000) };
    // 500 bytes of the first are left, which take 1 ms more.
    way.reconfigure(slower, us(500));
    assert_eq!(arrivals(&mut way, us(9_000)), [(us(1_500), 1), (us(3_500), 2)]);
}

#[test]
fn a_rate_of_zero_holds_frames_until_there_is_a_rate() {
    let mut way = Direction::new(config(Span::ZERO, 3_000));
    way.enqueue(PACKET, 1, us(0)).unwrap();
    let stalled = DirectionConfig { rate: Some(Rate::ZERO), ..config(Span::ZERO, 3_000) };
    way.reconfigure(stalled, us(500));
    assert_eq!((way.next(), way.counters(us(900)).queue), (None, Bytes::new(500)));
    way.reconfigure(config(Span::ZERO, 3_000), us(1_000));
    assert_eq!(way.next(), Some(us(1_500)));
    way.reconfigure(DirectionConfig::default(), us(1_200));
    assert_eq!(arrivals(&mut way, us(1_200)), [(us(1_200), 1)]);
}

#[test]
fn lost_frames_take_their_time_on_the_link() {
    let lossy = DirectionConfig { loss: Ratio::new(1.0), ..config(Span::ZERO, 3_000) };
    let mut way = Direction::new(lossy);
    way.enqueue(PACKET, 1, us(0)).unwrap();
    let delivery = way.delivery(us(1_000)).unwrap();
    assert!(delivery.is_lost);
    let counted = way.counters(us(1_000));
    assert_eq!((counted.sent, counted.lost_frames), (Bytes::new(1_000), 1));
}

#[test]
fn the_part_lost_is_the_probability_whatever_the_seed() {
    for seed in 0..5 {
        let loss = Ratio::new(0.01);
        let mut way = Direction::new(DirectionConfig { loss, seed, ..DirectionConfig::default() });
        for at in 0..100_000 {
            way.enqueue(PACKET, 1, us(at)).unwrap();
        }
        // Standard deviation 31.
        let lost = way.counters(us(100_000)).lost_frames;
        assert!(lost.abs_diff(1_000) < 150, "{lost}");
    }
}

#[test]
fn later_frames_overtake_reordered_ones() {
    let part = Ratio::new(1.0);
    let reordering = Reordering { part, by: Span::from_micros(2_500) };
    let mut way = Direction::new(DirectionConfig { reordering, ..config(Span::ZERO, 9_000) });
    way.enqueue(PACKET, 1, us(0)).unwrap();
    assert_eq!(way.next(), Some(us(1_000)));
    assert!(way.delivery(us(1_000)).is_none());
    way.reconfigure(config(Span::ZERO, 9_000), us(1_000));
    way.enqueue(PACKET, 2, us(1_000)).unwrap();
    assert_eq!(arrivals(&mut way, us(9_000)), [(us(2_000), 2), (us(3_500), 1)]);
    assert_eq!(way.counters(us(9_000)).reordered_frames, 1);
}
