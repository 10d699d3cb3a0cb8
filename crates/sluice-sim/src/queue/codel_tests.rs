//! CoDel against the pseudo-code of RFC 8289, section 5, with marks as in Linux's `codel_impl.h`.

use proptest::prelude::*;

use super::*;
use crate::packet::Ecn;
use crate::queue::fq_codel::FqCodel;
use crate::queue::test_link::{Arriving, Sent, bursts, send_all};
use sluice_units::{Bytes, Limit};
use std::collections::VecDeque;

/// A packet: its place, arrival in nanoseconds, bytes and codepoint.
type Pkt = (usize, u64, u32, Ecn);

/// The RFC's `codel_queue_t`, with its names.
#[derive(Default)]
struct Reference {
    queue: VecDeque<Pkt>,
    target: u64,
    interval: u64,
    ecn: bool,
    first_above_time: u64,
    drop_next: u64,
    count: u32,
    lastcount: u32,
    dropping: bool,
    dropped: Vec<usize>,
    marked: Vec<usize>,
}

impl Reference {
    fn control_law(&self, t: u64, count: u32) -> u64 {
        t + (self.interval as f64 / f64::from(count).sqrt()) as u64
    }

    fn dodequeue(&mut self, now: u64) -> (Option<Pkt>, bool) {
        let packet = self.queue.pop_front();
        let mut ok_to_drop = false;
        match packet {
            None => self.first_above_time = 0,
            Some((_, arrived, ..)) => {
                let bytes: u64 = self.queue.iter().map(|pkt| u64::from(pkt.2)).sum();
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

    /// Marks an ECN-capable packet; `false` if it has to be dropped.
    fn set_ce(&mut self, packet: Option<Pkt>) -> bool {
        let marked = packet.filter(|pkt| self.ecn && pkt.3 != Ecn::NONE);
        self.marked.extend(marked.map(|pkt| pkt.0));
        marked.is_some()
    }

    fn drop(&mut self, packet: Option<Pkt>) {
        self.dropped.extend(packet.map(|pkt| pkt.0));
    }

    fn deque(&mut self, now: u64) -> Option<Pkt> {
        let (mut packet, mut ok_to_drop) = self.dodequeue(now);
        if self.dropping {
            if !ok_to_drop {
                self.dropping = false;
            }
            while now >= self.drop_next && self.dropping {
                self.count += 1;
                if self.set_ce(packet) {
                    self.drop_next = self.control_law(self.drop_next, self.count);
                    return packet;
                }
                self.drop(packet);
                (packet, ok_to_drop) = self.dodequeue(now);
                if ok_to_drop {
                    self.drop_next = self.control_law(self.drop_next, self.count);
                } else {
                    self.dropping = false;
                }
            }
        } else if ok_to_drop {
            if !self.set_ce(packet) {
                self.drop(packet);
                (packet, _) = self.dodequeue(now);
            }
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
                self.queue.push_back((next, arrives, arrivals[next].bytes, arrivals[next].ecn));
                next += 1;
            } else if let Some((packet, _, bytes, _)) = self.deque(free) {
                let to = free + u64::from(bytes);
                sent.push(Sent { packet, from: free, to });
                free = to;
            }
        }
        sent
    }
}

proptest! {
    #[test]
    fn codel_is_the_rfcs(
        arrivals in bursts(),
        target in 1_u64..20_000,
        interval in 1_u64..50_000,
        ecn in any::<bool>(),
    ) {
        let span = Span::from_nanos;
        let codel = Codel { target: span(target), interval: span(interval), ecn };
        let link = send_all(&codel, Limit::None, &arrivals);
        let mut reference = Reference { target, interval, ecn, ..Reference::default() };
        let sent = reference.send_all(&arrivals);
        prop_assert_eq!(&link.sent, &sent);
        prop_assert_eq!(&link.dropped, &reference.dropped);
        prop_assert_eq!(&link.marked, &reference.marked);
        // FQ-CoDel with one queue is CoDel.
        let (quantum, flows) = (Some(Bytes::new(1000)), 1);
        let fq = FqCodel { target: span(target), interval: span(interval), quantum, flows, ecn };
        let fair = send_all(&fq, Limit::None, &arrivals);
        prop_assert_eq!(
            (fair.sent, fair.dropped, fair.marked),
            (link.sent, link.dropped, link.marked)
        );
    }
}

/// By hand, with a target of 5 us and an interval of 100 us over packets of 1 us that all come at once:
/// the sojourn is at the target from packet 5 on, so the first signal is at 105 us, and those after it
/// follow at intervals over the square roots of 1, 2 and 3.
#[test]
fn ecn_capable_packets_are_marked_where_others_are_dropped() {
    let micros = Span::from_micros;
    let signals = |ecn, codepoint| {
        let packet = Arriving { bytes: 1000, ecn: codepoint, ..Arriving::default() };
        let codel = Codel { target: micros(5), interval: micros(100), ecn };
        let link = send_all(&codel, Limit::None, &[packet; 400]);
        (link.marked, link.dropped)
    };
    // 105, then 205, 275.7 and 333.4 us, each at the next choice.
    assert_eq!(signals(true, Ecn::CAPABLE), (vec![105, 205, 276, 334, 384], vec![]));
    assert_eq!(signals(true, Ecn::ECT1), signals(true, Ecn::CAPABLE));
    // A dropped packet takes no time, so those behind it go a microsecond earlier.
    let dropped = (vec![], vec![105, 206, 278, 337, 388]);
    assert_eq!(signals(true, Ecn::NONE), dropped);
    assert_eq!(signals(false, Ecn::CAPABLE), dropped);
}
