//! What a law learns of the budget that packets use up.

use std::sync::mpsc::{Sender, channel};

use sluice_laws::rcp::header::RcpHeader;
use sluice_laws::router::{
    LawHeader as _, LinkRouter, LinkSample, MAX_TIMERS, RouterLaw, RouterPort as _, Sampled, Tick,
    Train,
};
use sluice_laws::wire::Offer;
use sluice_units::{Rate, Span, Time};

const CAPACITY: Rate = Rate::from_bps(1_000_000);

/// Each packet takes a ticket. The first timer hands out `given` of them anew; the second one decides nothing.
struct Tickets {
    given: u64,
    /// Timer, and the tickets left as it ticked.
    log: Sender<(usize, u64)>,
    left: Option<u64>,
}

impl RouterLaw for Tickets {
    type Header = RcpHeader;
    type Sums = ();
    type Grant = u64;
    type Budget = u64;

    fn arrive(_: &mut (), _: &u64, _: &RcpHeader, _: Train) {}

    fn stamp(_: &u64, left: &mut u64, header: &mut RcpHeader, _: Train) {
        match left.checked_sub(1) {
            Some(rest) => *left = rest,
            None => header.rate = Offer::NONE,
        }
    }

    fn fresh(grant: &u64) -> u64 {
        *grant
    }

    fn start(&mut self, _: Rate) -> (u64, [Time; MAX_TIMERS]) {
        (self.given, [10, 4].map(|ms| Time::ZERO + Span::from_millis(ms)))
    }

    fn on_budget(&mut self, left: &u64) {
        self.left = Some(*left);
    }

    fn tick(&mut self, timer: usize, _: &(), sample: &LinkSample) -> Tick<u64> {
        let left = self.left.take().expect("the budget comes before each tick");
        self.log.send((timer, left)).expect("the test listens");
        let every = Span::from_millis(if timer == 0 { 10 } else { 4 });
        Tick { grant: (timer == 0).then_some(self.given), next: sample.now + every }
    }

    fn grants(timer: usize) -> bool {
        timer == 0
    }

    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    fn metrics(&self, _: &mut dyn FnMut(&'static str, f64)) {}
}

/// A packet every millisecond from 0.5 ms on, over 20 ms: a tick that grants nothing keeps the budget, and one that
/// grants starts another.
#[test]
fn each_tick_sees_what_packets_left_of_the_grant() {
    let (log, logged) = channel();
    let mut port = LinkRouter::new(Tickets { given: 7, log, left: None }, CAPACITY);
    let mut denied = Vec::new();
    for packet in 0..20 {
        let now = Time::ZERO + Span::from_micros(500 + 1_000 * packet);
        while port.next().1 <= now {
            let (timer, at) = port.next();
            port.tick(timer, &LinkSample::idle(Time::ZERO, at, CAPACITY));
        }
        let asks = RcpHeader { rate: Offer::UNLIMITED, ..RcpHeader::default() }.to_wire();
        if RcpHeader::from_wire(port.pass(asks, 1000)).rate == Offer::NONE {
            denied.push(packet);
        }
    }
    // 4 packets by 4 ms and 8 by 8 ms, of which the eighth is denied; the timers meet at 20 ms, beyond the last packet.
    let ticks: Vec<_> = logged.try_iter().collect();
    assert_eq!(ticks, [(1, 3), (1, 0), (0, 0), (1, 5), (1, 1)]);
    assert_eq!(denied, [7, 8, 9, 17, 18, 19]);
}
