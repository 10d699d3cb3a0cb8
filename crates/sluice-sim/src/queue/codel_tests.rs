//! CoDel against the pseudo-code of RFC 8289, section 5.

use proptest::prelude::*;

use super::*;
use crate::queue::fq_codel::FqCodel;
use crate::queue::test_link::{Arriving, Sent, send_all};
use sluice_units::{Bytes, Limit};
use std::collections::VecDeque;

/// The RFC's `codel_queue_t`, with its names, over packets as (place, arrival, bytes).
#[derive(Default)]
struct Reference {
    queue: VecDeque<(usize, u64, u32)>,
    target: u64,
    interval: u64,
    first_above_time: u64,
    drop_next: u64,
    count: u32,
    lastcount: u32,
    dropping: bool,
    dropped: Vec<usize>,
}

impl Reference {
    fn control_law(&self, t: u64, count: u32) -> u64 {
        t + (self.interval as f64 / f64::from(count).sqrt()) as u64
    }

    fn dodequeue(&mut self, now: u64) -> (Option<(usize, u64, u32)>, bool) {
        let packet = self.queue.pop_front();
        let mut ok_to_drop = false;
        match packet {
            None => self.first_above_time = 0,
            Some((_, arrived, _)) => {
                let bytes: u64 = self.queue.iter().map(|&(_, _, bytes)| u64::from(bytes)).sum();
                if now - arrived < self.target || bytes <= 1000 {
                    self.first_above_time = 0;
                } else if self.first_above_time == 0 {
                    self.first_above_time = now + self.interval;
                } else if now >= self.first_above_time {
                    ok_to_drop = true;
                }
            }
        }
        (packet, ok_to_drop)
    }

    fn deque(&mut self, now: u64) -> Option<(usize, u64, u32)> {
        let (mut packet, mut ok_to_drop) = self.dodequeue(now);
        if self.dropping {
            if !ok_to_drop {
                self.dropping = false;
            }
            while now >= self.drop_next && self.dropping {
                self.dropped.extend(packet.map(|(place, _, _)| place));
                self.count += 1;
                (packet, ok_to_drop) = self.dodequeue(now);
                if ok_to_drop {
                    self.drop_next = self.control_law(self.drop_next, self.count);
                } else {
                    self.dropping = false;
                }
            }
        } else if ok_to_drop {
            self.dropped.extend(packet.map(|(place, _, _)| place));
            (packet, _) = self.dodequeue(now);
            self.dropping = true;
            let delta = self.count.wrapping_sub(self.lastcount);
            self.count = 1;
            if delta > 1 && (now.wrapping_sub(self.drop_next) as i64) < 16 * self.interval as i64 {
                self.count = delta;
            }
            self.drop_next = self.control_law(now, self.count);
            self.lastcount = self.count;
        }
        packet
    }

    /// Sends everything over a link of a byte a nanosecond.
    fn send_all(&mut self, arrivals: &[Arriving]) -> Vec<Sent> {
        let (mut free, mut next, mut sent) = (0, 0, Vec::new());
        while next < arrivals.len() || !self.queue.is_empty() {
            let arrives = arrivals.get(next).map_or(u64::MAX, |arriving| arriving.at);
            if self.queue.is_empty() || arrives < free {
                free = if self.queue.is_empty() { free.max(arrives) } else { free };
                self.queue.push_back((next, arrives, arrivals[next].bytes));
                next += 1;
            } else if let Some((packet, _, bytes)) = self.deque(free) {
                let to = free + u64::from(bytes);
                sent.push(Sent { packet, from: free, to });
                free = to;
            }
        }
        sent
    }
}

/// Bursts and pauses, so that dropping is entered, left and entered again.
fn arrivals() -> impl Strategy<Value = Vec<Arriving>> {
    let burst = (1_u64..60_000, 1_usize..60, 100_u32..=1000, 0_u64..1200);
    prop::collection::vec(burst, 1..12).prop_map(|bursts| {
        let mut at = 0;
        let mut arrivals = Vec::new();
        for (pause, packets, bytes, gap) in bursts {
            at += pause;
            for _ in 0..packets {
                at += gap;
                arrivals.push(Arriving { at, bytes, ..Arriving::default() });
            }
        }
        arrivals
    })
}

proptest! {
    #[test]
    fn codel_is_the_rfcs(arrivals in arrivals(), target in 1_u64..20_000, interval in 1_u64..50_000) {
        let (span, ecn) = (Span::from_nanos, false);
        let codel = Codel { target: span(target), interval: span(interval), ecn };
        let link = send_all(&codel, Limit::None, &arrivals);
        let mut reference = Reference { target, interval, ..Reference::default() };
        let sent = reference.send_all(&arrivals);
        prop_assert_eq!(&link.sent, &sent);
        prop_assert_eq!(&link.dropped, &reference.dropped);
        // FQ-CoDel with one queue is CoDel.
        let (quantum, flows) = (Some(Bytes::new(1000)), 1);
        let fq = FqCodel { target: span(target), interval: span(interval), quantum, flows, ecn };
        let fair = send_all(&fq, Limit::None, &arrivals);
        prop_assert_eq!((&fair.sent, &fair.dropped), (&link.sent, &link.dropped));
    }
}
