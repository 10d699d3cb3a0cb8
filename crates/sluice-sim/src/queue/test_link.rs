//! A link of a byte a nanosecond, to test schedulers by themselves.

use proptest::prelude::*;
use sluice_units::{Bytes, Limit, Rate, Span, Time};

use super::arrival::{Admission, QueueArrival, TrafficClass};
use super::model::{Model, QueueContext, QueueState};
use super::room::Room;
use super::scheduler::{ScheduledPackets, Scheduler};
use crate::packet::{Ecn, FlowKey, Hop, Packet};
use crate::rng::Streams;
use crate::schedule::LinkCapacity;

/// A packet that arrives; times and sizes in nanoseconds and bytes, which are the same here.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Arriving {
    pub(super) at: u64,
    pub(super) flow: u32,
    pub(super) bytes: u32,
    pub(super) traffic: TrafficClass,
    pub(super) ecn: Ecn,
}

/// A packet that arrives at time zero.
pub(super) fn at_once(flow: u32, bytes: u32) -> Arriving {
    Arriving { flow, bytes, ..Arriving::default() }
}

const CODEPOINTS: [Ecn; 4] =
    [Ecn::NONE, Ecn::CAPABLE, Ecn::ECT1, Ecn::CAPABLE.with(Ecn::EXPERIENCED)];

/// Bursts, overloads and pauses of packets of all codepoints.
pub(super) fn bursts() -> impl Strategy<Value = Vec<Arriving>> {
    let codepoints = prop::sample::subsequence(&CODEPOINTS[..], 1..=4);
    let burst = (1_u64..60_000, 1_usize..60, 100_u32..=1000, 0_u64..1200, codepoints);
    prop::collection::vec(burst, 1..12).prop_map(|bursts| {
        let mut at = 0;
        let mut arrivals = Vec::new();
        for (pause, packets, bytes, gap, codepoints) in bursts {
            at += pause;
            for place in 0..packets {
                at += gap;
                let ecn = codepoints[place * 7 % codepoints.len()];
                arrivals.push(Arriving { at, bytes, ecn, ..Arriving::default() });
            }
        }
        arrivals
    })
}

/// A packet that left, by its place among the arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) packet: usize,
    pub(super) from: u64,
    pub(super) to: u64,
}

pub(super) struct TestLink {
    scheduler: Box<dyn Scheduler>,
    queue: ScheduledPackets,
    /// When the transmitter is free.
    free: u64,
    pub(super) sent: Vec<Sent>,
    /// Places of packets that were refused, or dropped later, in the order in which that happened.
    pub(super) dropped: Vec<usize>,
    /// Places of packets that were marked.
    pub(super) marked: Vec<usize>,
}

/// The link; full packets have 1000 bytes.
pub(super) fn context(limit: Limit) -> QueueContext {
    let capacity = Rate::from_bps(8_000_000_000);
    let room = Room::new(limit, capacity);
    let capacity = LinkCapacity::new(capacity, None);
    QueueContext { room, capacity, rtpd: Span::from_millis(1), packet: Bytes::new(1000) }
}

/// Sends all arrivals, which are in order, over a link with that discipline.
pub(super) fn send_all(model: &impl Model, limit: Limit, arrivals: &[Arriving]) -> TestLink {
    let QueueState::Departure(scheduler) = model.at(&context(limit), &Streams::new(1, "link"))
    else {
        panic!("the discipline decides as the transmitter becomes free");
    };
    let queue = ScheduledPackets::default();
    let (sent, dropped, marked) = Default::default();
    let mut link = TestLink { scheduler, queue, free: 0, sent, dropped, marked };
    for (place, arriving) in arrivals.iter().enumerate() {
        link.send_until(arriving.at);
        link.arrive(place, arriving);
    }
    link.send_until(u64::MAX);
    link
}

impl TestLink {
    /// The flows of the packets that left, in order.
    pub(super) fn flows(&self, arrivals: &[Arriving]) -> Vec<u32> {
        self.sent.iter().map(|sent| arrivals[sent.packet].flow).collect()
    }

    /// The most bytes by which one of the flows 0 to 3 sends more than another over any time in which both
    /// have packets, if all packets arrive at once.
    pub(super) fn widest_gap(&self, arrivals: &[Arriving]) -> i64 {
        let flows = self.flows(arrivals);
        let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.map(|(a, b)| self.gap(&flows, a, b)).max().unwrap_or(0)
    }

    fn gap(&self, flows: &[u32], a: u32, b: u32) -> i64 {
        // Both have packets up to the end of the one that ends first.
        let last = |flow| flows.iter().rposition(|&of| of == flow).map_or(0, |last| last + 1);
        let end = last(a).min(last(b));
        let (mut ahead, mut least, mut most) = (0, 0, 0);
        for (sent, &flow) in self.sent[..end].iter().zip(flows) {
            let bytes = (sent.to - sent.from) as i64;
            ahead += if flow == a {
                bytes
            } else if flow == b {
                -bytes
            } else {
                0
            };
            (least, most) = (ahead.min(least), ahead.max(most));
        }
        most - least
    }

    fn arrive(&mut self, place: usize, arriving: &Arriving) {
        let &Arriving { at, flow, bytes, traffic, ecn } = arriving;
        if self.queue.store.packets() == 0 {
            self.free = self.free.max(at);
        }
        // Of 1024 queues by hash, each flow has its own.
        let hash = (flow << 6) as u16;
        let flow = FlowKey { slot: flow, generation: 0 };
        let packet = Packet { seq: place as u64, flow, hash, bytes, ecn, ..Packet::NONE };
        let ahead = Span::from_nanos(self.free - at + self.queue.store.bytes());
        let arrival = QueueArrival {
            now: Time::from_nanos(at),
            ahead,
            through: ahead + Span::from_nanos(bytes.into()),
            waiting: self.queue.store.packets(),
            ecn_capable: ecn.has(Ecn::CAPABLE),
            traffic,
        };
        let hop = Hop { at: arrival.now, ..packet.hop() };
        let admission = self.scheduler.enqueue(&packet, hop, &arrival, &mut self.queue);
        self.note_afterthoughts();
        if admission.is_drop() {
            self.dropped.push(place);
        }
    }

    /// Makes the choices before arrivals at `now`, and lets the timer expire between them, after the
    /// choice of the same instant.
    fn send_until(&mut self, now: u64) {
        while self.queue.store.packets() > 0 && self.free <= now {
            self.tick_before(self.free);
            let chosen = self.scheduler.dequeue(Time::from_nanos(self.free), &mut self.queue);
            self.note_afterthoughts();
            let Some(chosen) = chosen else { continue };
            let packet = self.queue.store.take(chosen);
            let (from, to) = (self.free, self.free + u64::from(packet.bytes));
            self.sent.push(Sent { packet: packet.seq as usize, from, to });
            self.free = to;
        }
        if now < u64::MAX {
            self.tick_before(now + 1);
        }
    }

    fn tick_before(&mut self, now: u64) {
        while self.scheduler.due() < Time::from_nanos(now) {
            let backlog = Span::from_nanos(self.queue.store.bytes());
            self.scheduler.tick(self.scheduler.due(), backlog, &self.queue);
        }
    }

    fn note_afterthoughts(&mut self) {
        for afterthought in self.queue.afterthoughts.drain(..) {
            let list = match afterthought.what {
                Admission::Marked => &mut self.marked,
                _ => &mut self.dropped,
            };
            list.push(afterthought.packet.seq as usize);
        }
    }
}
