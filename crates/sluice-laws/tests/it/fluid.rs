//! Fluid flows through a link of RCP in virtual time, of hosts that obey and of hosts that lie. Those of `rcp_loop.rs` are of one sender, as
//! the law has it; of these, each kind writes headers of its own.

use std::collections::VecDeque;

use sluice_laws::protocol::LinkContext;
use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::header::RcpHeader;
use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::rcp::rtt::RttSums;
use sluice_laws::router::{LinkSample, RouterLaw as _, Train};
use sluice_laws::wire::{Offer, WireRtt};
use sluice_units::{Bytes, Rate, Span, Time};

/// Size of a full data packet.
pub const PACKET: u32 = 1_500;

/// Flows of equal hosts.
#[derive(Clone, Copy, Debug)]
pub struct Flows {
    pub count: f64,
    /// Bytes of a packet.
    pub packet: u32,
    /// The RTT that they state; the true one if none.
    pub states: Option<WireRtt>,
    /// The rate at which each sends; the granted one if none.
    pub sends: Option<Rate>,
}

impl Flows {
    /// Flows that do what the law asks of hosts.
    pub const fn honest(count: u32) -> Self {
        Self { count: count as f64, packet: PACKET, states: None, sends: None }
    }
}

/// A link, its flows and its router.
pub struct Fluid {
    router: RcpRouter,
    capacity: Rate,
    /// Of all paths, without the queue.
    delay: Span,
    buffer: f64,
    /// A longer RTT in a header counts as this, as in the kernel with `KernelRouter::load_within`.
    pub longest_rtt: WireRtt,
    /// A tick that the law wants earlier comes this long after the one before, as on Linux. None by the law.
    pub least_interval: Span,
    /// In bytes.
    pub queue: f64,
    grants: VecDeque<(Time, Offer)>,
    now: Time,
    next: Time,
}

impl Fluid {
    pub fn new(params: &RcpParams, capacity: Rate, delay: Span, buffer: Bytes) -> Self {
        let link = LinkContext { capacity, packet: Bytes::new(PACKET.into()) };
        let mut router = RcpRouter::new(params, &link);
        let (first, [next, _]) = router.start(capacity);
        Self {
            router,
            capacity,
            delay,
            buffer: buffer.as_f64(),
            longest_rtt: WireRtt::from_units(u32::MAX),
            least_interval: Span::ZERO,
            queue: 0.0,
            grants: VecDeque::from([(Time::ZERO, first)]),
            now: Time::ZERO,
            next,
        }
    }

    /// Runs these flows for `span`, and calls `each` after each tick.
    pub fn run(&mut self, flows: &[Flows], span: Span, mut each: impl FnMut(&Self)) {
        let end = self.now + span;
        while self.now < end {
            self.interval(flows);
            each(self);
        }
    }

    /// The virtual time in seconds.
    pub fn now(&self) -> f64 {
        self.now.since(Time::ZERO).as_secs_f64()
    }

    /// R in bits a second, or d0 in seconds.
    pub fn metric(&self, name: &str) -> f64 {
        metric(&self.router, name)
    }

    fn interval(&mut self, flows: &[Flows]) {
        let seconds = self.next.since(self.now).as_secs_f64();
        let rtt =
            self.delay + Span::from_secs_f64(self.queue / self.capacity.as_bytes_per_sec_f64());
        let granted = self.granted(rtt);
        let mut sums = RttSums::default();
        let mut arrived = 0.0;
        for flow in flows {
            let rate = flow.sends.or(granted.rate()).unwrap_or(Rate::ZERO);
            let bytes = flow.count * rate.as_bytes_per_sec_f64() * seconds;
            let rtt = flow.states.unwrap_or(WireRtt::new(rtt)).min(self.longest_rtt);
            let header = RcpHeader { rate: Offer::UNLIMITED, rtt, ..RcpHeader::default() };
            arrive(&mut sums, bytes, flow.packet, &header);
            arrived += bytes;
        }
        let served = self.capacity.as_bytes_per_sec_f64() * seconds;
        self.queue = (self.queue + arrived - served).clamp(0.0, self.buffer);
        let sample = LinkSample {
            queue: Bytes::new(self.queue as u64),
            waiting: Bytes::new(self.queue as u64),
            arrived: Bytes::new(arrived as u64),
            ..LinkSample::idle(self.now, self.next, self.capacity)
        };
        let tick = self.router.tick(0, &sums, &sample);
        self.now = self.next;
        self.next = tick.next.max(self.now + self.least_interval);
        self.grants.push_back((self.now, tick.grant.expect("RCP grants at each tick")));
    }

    /// The grant that reaches senders now: an RTT old.
    fn granted(&mut self, rtt: Span) -> Offer {
        while self.grants.get(1).is_some_and(|&(at, _)| at + rtt <= self.now) {
            self.grants.pop_front();
        }
        self.grants[0].1
    }
}

/// Whole packets of a part of a flow.
fn arrive(sums: &mut RttSums, bytes: f64, packet: u32, header: &RcpHeader) {
    let mut packets = (bytes / f64::from(packet)).round() as u64;
    while packets > 0 {
        let train = packets.min(1_000) as u16;
        let train = Train::new(u32::from(train) * packet, train);
        RcpRouter::arrive(sums, &Offer::NONE, header, train);
        packets -= u64::from(train.packets());
    }
}

/// R in bits a second, or d0 in seconds.
pub fn metric(router: &RcpRouter, name: &str) -> f64 {
    let mut found = f64::NAN;
    router.metrics(&mut |metric, value| {
        if metric == name {
            found = value;
        }
    });
    found
}
