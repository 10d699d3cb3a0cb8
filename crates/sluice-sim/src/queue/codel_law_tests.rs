use std::collections::VecDeque;

use rand::Rng;

use super::*;
use crate::rng::Streams;

const TARGET: Span = Span::from_millis(5);
const INTERVAL: Span = Span::from_millis(100);
const PACKET: u64 = 1500;

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// A second implementation, in the form of RFC 8289, section 5.5 to 5.8: a queue that decides in one
/// call which packet leaves. Times in nanoseconds.
#[derive(Default)]
struct Rfc {
    packets: VecDeque<(u64, u64)>,
    first_above_time: u64,
    drop_next: u64,
    count: u32,
    lastcount: u32,
    dropping: bool,
    drops: Vec<u64>,
}

impl Rfc {
    fn dodequeue(&mut self, now: u64) -> (Option<u64>, bool) {
        let Some((tstamp, _)) = self.packets.pop_front() else {
            self.first_above_time = 0;
            return (None, false);
        };
        let bytes: u64 = self.packets.iter().map(|packet| packet.1).sum();
        let mut ok_to_drop = false;
        if now - tstamp < TARGET.as_nanos() || bytes <= PACKET {
            self.first_above_time = 0;
        } else if self.first_above_time == 0 {
            self.first_above_time = now + INTERVAL.as_nanos();
        } else if now >= self.first_above_time {
            ok_to_drop = true;
        }
        (Some(tstamp), ok_to_drop)
    }

    fn control_law(&self, t: u64) -> u64 {
        t + (INTERVAL.as_nanos() as f64 / f64::from(self.count).sqrt()) as u64
    }

    fn dequeue(&mut self, now: u64) -> Option<u64> {
        let (mut packet, mut ok_to_drop) = self.dodequeue(now);
        if self.dropping {
            if !ok_to_drop {
                self.dropping = false;
            }
            while now >= self.drop_next && self.dropping {
                self.drops.extend(packet);
                self.count += 1;
                (packet, ok_to_drop) = self.dodequeue(now);
                if ok_to_drop {
                    self.drop_next = self.control_law(self.drop_next);
                } else {
                    self.dropping = false;
                }
            }
        } else if ok_to_drop {
            self.drops.extend(packet);
            (packet, _) = self.dodequeue(now);
            self.dropping = true;
            let delta = self.count - self.lastcount;
            self.count = 1;
            if delta > 1 && (now as i64 - self.drop_next as i64) < 16 * INTERVAL.as_nanos() as i64 {
                self.count = delta;
            }
            self.drop_next = self.control_law(now);
            self.lastcount = self.count;
        }
        packet
    }
}

/// The same decisions over queues that build up, stand, drain and come again soon or late.
#[test]
fn decisions_are_those_of_the_rfcs_pseudo_code() {
    let (mut drops, mut resumed) = (0, 0);
    for seed in 0..40 {
        let mut draw = Streams::new(seed, "codel").named("test");
        let (mut rfc, mut queue) = (Rfc::default(), VecDeque::new());
        let mut law = CodelLaw::new(TARGET, INTERVAL, PACKET);
        let (mut now, mut dropped) = (1, Vec::new());
        let mut load = 1.0;
        for departure in 0..20_000 {
            if departure % 500 == 0 {
                load = draw.random_range(0.3..1.6);
            }
            now += draw.random_range(0..2_000_000);
            while draw.random::<f64>() < load / (1.0 + load) {
                let packet = (now, draw.random_range(40..=PACKET));
                rfc.packets.push_back(packet);
                queue.push_back(packet);
            }
            let begins = law.dropping;
            let leaves = loop {
                let Some((arrived, _)) = queue.pop_front() else { break None };
                let left = queue.iter().map(|packet: &(u64, u64)| packet.1).sum();
                if !law.strikes(Time::from_nanos(now), Time::from_nanos(arrived), left) {
                    break Some(arrived);
                }
                dropped.push(arrived);
            };
            resumed += u64::from(!begins && law.dropping && law.first_count > 1);
            assert_eq!(leaves, rfc.dequeue(now), "seed {seed} at {now}");
        }
        assert_eq!(dropped, rfc.drops, "seed {seed}");
        drops += dropped.len();
    }
    assert!(drops > 1000 && resumed > 10, "{drops} drops, {resumed} times at the former rate");
}

/// Of a queue that stands: the first drop comes after an interval, the n-th gap after it is the
/// interval over the root of n.
#[test]
fn gaps_shrink_with_the_root_of_the_count() {
    let mut law = CodelLaw::new(TARGET, INTERVAL, PACKET);
    let micros = |time: u64| Time::ZERO + Span::from_micros(time);
    let struck: Vec<u64> = (0..1_000_000_u64)
        .filter(|&now| law.strikes(micros(10_000 + now), micros(now), 100_000))
        .collect();
    let mut expected = 100_000.0;
    for (n, &found) in struck.iter().enumerate() {
        assert!(
            (found as f64 - expected).abs() < 1.0 + n as f64 * 0.01,
            "{n}: {found}, {expected}"
        );
        expected += 100_000.0 / ((n + 1) as f64).sqrt();
    }
    assert!(struck.len() > 20, "{}", struck.len());
}

/// A delay just below the target, or a queue of a packet, is never struck.
#[test]
fn short_queues_pass() {
    let mut law = CodelLaw::new(TARGET, INTERVAL, PACKET);
    for now in 10..1000 {
        let below = at(now).minus(TARGET) + Span::NANO;
        assert!(!law.strikes(at(now), below, 100_000));
        assert!(!law.strikes(at(now), Time::ZERO, PACKET));
    }
}

/// One packet below the target ends the dropping, and an interval has to pass again; then the rate is
/// the former one, unless 16 intervals have passed.
#[test]
fn a_good_packet_ends_the_dropping() {
    let counts_after = |pause: u64| {
        let mut law = CodelLaw::new(TARGET, INTERVAL, PACKET);
        let stands = |law: &mut CodelLaw, from: u64, to: u64| {
            (from..to).filter(|&now| law.strikes(at(now), at(now - 10), 100_000)).count()
        };
        assert_eq!(stands(&mut law, 10, 110), 0);
        assert!(stands(&mut law, 110, 500) > 5);
        let struck = law.count - law.first_count;
        assert!(!law.strikes(at(500), at(500), 100_000));
        assert_eq!(stands(&mut law, 500 + pause, 600 + pause), 0);
        assert_eq!(stands(&mut law, 600 + pause, 601 + pause), 1);
        (struck, law.count)
    };
    let (struck, count) = counts_after(10);
    assert_eq!(count, struck);
    assert_eq!(counts_after(1_600).1, 1);
}
