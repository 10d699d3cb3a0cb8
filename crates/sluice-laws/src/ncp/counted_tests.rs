use sluice_units::{Bytes, Ratio, Span};

use super::*;
use crate::flow_counter::CounterKind;
use crate::ncp::{Elsewhere, FlowCount};
use crate::router::{LawHeader as _, LinkRouter, Plain, RouterPort};
use crate::wire::{Offer, Spacing};

const CAPACITY: Rate = Rate::from_bps(100_000_000);
const D: Span = Span::from_millis(100);
const SECOND: f64 = WireRtt::PER_SECOND as f64;

/// Fills the link: figures are those of the equations.
fn full() -> NcpParams {
    NcpParams {
        alpha: Ratio::new(1.0),
        beta: Ratio::new(0.5),
        counted: FlowCount::Eq12,
        initial_rtt: D,
        ..NcpParams::default()
    }
}

/// A flow: the rate at which it sends packets of so many bytes, and what routers before have granted.
#[derive(Clone, Copy)]
struct Flow {
    bytes: u32,
    rate: f64,
    granted: Offer,
}

fn flow(bytes: u32, rate: f64) -> Flow {
    Flow { bytes, rate, granted: Offer::UNLIMITED }
}

fn spacing(flow: Flow) -> Spacing {
    let mut apart = Spacing::default();
    apart.set(f64::from(flow.bytes) * 8.0 / flow.rate);
    apart
}

/// A link, and the flows that send over it at constant rates, each packet in its time.
struct Link {
    port: Box<dyn RouterPort>,
    capacity: Rate,
    now: Time,
    flows: Vec<(Flow, Spacing, f64)>,
    /// Number of flows behind those that send at R of the last tick, in packets of 1000 bytes.
    free: usize,
}

impl Link {
    fn new(params: &NcpParams, capacity: Rate) -> Self {
        let link = LinkContext { capacity, packet: Bytes::new(1_000) };
        let law = CountedRouter::new(params, &link);
        let port = Box::new(LinkRouter::new(law, capacity));
        Self { port, capacity, now: Time::ZERO, flows: Vec::new(), free: 0 }
    }

    /// These flows, and `free` that follow R.
    fn set(&mut self, held: &[Flow], free: usize) {
        let all = held.iter().copied().chain(std::iter::repeat_n(flow(1_000, 1.0), free));
        // Their packets do not come at once.
        let total = (held.len() + free) as f64;
        self.flows =
            all.enumerate().map(|(i, flow)| (flow, spacing(flow), i as f64 / total)).collect();
        self.free = free;
    }

    /// What flows send until the next tick, and the tick, at which so many bytes wait. R.
    fn interval(&mut self, queue: u64) -> f64 {
        let (timer, end) = self.port.next();
        let span = end.since(self.now).as_secs_f64();
        let (mut arrived, rate) = (0, self.metric("R"));
        for (flow, apart, _) in self.flows.iter_mut().rev().take(self.free) {
            flow.rate = rate;
            apart.set(f64::from(flow.bytes) * 8.0 / rate);
        }
        for (number, (flow, apart, owed)) in self.flows.iter_mut().enumerate() {
            *owed += flow.rate * span / f64::from(flow.bytes) / 8.0;
            while *owed >= 1.0 - 1e-9 {
                *owed -= 1.0;
                let x = apart.say(flow.bytes, flow.bytes);
                let rtt = WireRtt::new(D);
                let header = NcpHeader { rate: flow.granted, x, rtt, reverse: Offer::NONE };
                self.port.on_flow(FlowId::new(number as u64));
                self.port.pass(header.to_wire(), flow.bytes);
                arrived += u64::from(flow.bytes);
            }
        }
        let (queue, arrived) = (Bytes::new(queue), Bytes::new(arrived));
        let idle = LinkSample::idle(self.now, end, self.capacity);
        self.port.tick(timer, &LinkSample { queue, waiting: queue, arrived, ..idle });
        self.now = end;
        self.metric("R")
    }

    fn metric(&self, wanted: &str) -> f64 {
        let mut found = f64::NAN;
        self.port.metrics(&mut |name, value| {
            if name == wanted {
                found = value;
            }
        });
        found
    }
}

#[track_caller]
fn close(a: f64, b: f64, within: f64) {
    assert!((a / b - 1.0).abs() < within, "{a} is not {b}");
}

/// C d = 10 Mb. R(t - d) is C, 100 Mb/s. In d, flow 1 of 40 Mb/s sends 500 packets of 1000 bytes, flow 2 of 4
/// Mb/s 100 of 500 bytes. In seconds, with s / R for packets of each size:
/// d N = 0.2; n / R = (500 x 8000 + 100 x 4000) / 100e6 = 0.044; the sum of s / R_j = 0.1 + 0.1.
/// (12): 10e6 / (0.2 + 0.044 - 0.2) = 227.27 Mb/s, bounded by C. With a queue of 125 kB, beta q = 0.5 Mb.
#[test]
fn equation_12_by_hand_with_unequal_packets() {
    let mut sums = CountedSums::default();
    let grant = CountedGrant::new(100e6, D, Elsewhere::Current);
    for (count, bytes, rate) in [(500, 1_000, 40e6), (100, 500, 4e6)] {
        let mut apart = spacing(flow(bytes, rate));
        for _ in 0..count {
            let header = NcpHeader { x: apart.say(bytes, bytes), ..NcpHeader::default() };
            sums.add(&grant, &header, Train::packet(bytes));
        }
    }
    close(sums.held as f64 / SECOND, 0.2 - 0.044, 1e-4);
    close(sums.used as f64 / SECOND, 0.044, 1e-4);
    assert_eq!(sums.slow, 0);
    close(flows(2.0, &sums, 0.1), 0.44, 1e-4);

    // A third flow, as fast as the link grants: (10e6 - 0.5e6) / (0.3 + 0.044 - 0.2) = 65.97 Mb/s.
    let mut link = Link::new(&full(), CAPACITY);
    link.set(&[flow(1_000, 40e6), flow(500, 4e6)], 1);
    close(link.interval(125_000), 65.97e6, 2e-4);
    close(link.metric("N"), 3.0, 1e-12);
    close(link.metric("held"), 1.56, 1e-3);
}

/// (13), for n = 0: flows that send at R or more are counted whole.
#[test]
fn without_flows_below_r_it_is_equation_13() {
    let mut link = Link::new(&full(), CAPACITY);
    link.set(&[], 4);
    // What headers state is rounded to a tick, of which those below R count: 6e-6 of 21,475 each.
    close(link.interval(0), 25e6, 1e-4);
    // beta q/d of 10 Mb/s.
    close(link.interval(250_000), 22.5e6, 1e-4);
}

/// The fixed point is R N_free + the rates of the others = alpha C, here (100 - 8) / 10 = 9.2 Mb/s, and the error
/// shrinks by S / (alpha C) = 0.08 in each interval.
#[test]
fn flows_held_elsewhere_leave_the_rest_to_the_others_at_the_rate_derived() {
    let mut link = Link::new(&full(), CAPACITY);
    link.set(&[flow(1_000, 0.8e6); 10], 10);
    let errors: Vec<f64> = (0..8).map(|_| (link.interval(0) / 9.2e6 - 1.0).abs()).collect();
    // R was C at first, of which those held elsewhere are 0.08 flows: (12) gives 100 / 10.08.
    close(errors[0], 100.0 / 10.08 / 9.2 - 1.0, 0.01);
    // 100 / (10 + 8 / 9.92).
    close(errors[1], 9.2538 / 9.2 - 1.0, 0.1);
    assert!(errors[7] < 1e-3, "{errors:?}");
}

/// What a flow is held to before the link is in both words of its header, and behind it in one.
#[test]
fn the_readings_differ_where_the_bottleneck_is_behind_the_link() {
    let rate = |elsewhere, before: bool| {
        let held = Offer::granting(Rate::from_bps(800_000));
        let granted = if before { held } else { Offer::UNLIMITED };
        let mut link = Link::new(&NcpParams { elsewhere, ..full() }, CAPACITY);
        let held = Flow { granted, ..flow(1_000, 0.8e6) };
        link.set(&[held; 10], 10);
        (0..8).map(|_| link.interval(0)).last().unwrap()
    };
    for (elsewhere, before) in
        [(Elsewhere::Current, true), (Elsewhere::Current, false), (Elsewhere::Granted, true)]
    {
        close(rate(elsewhere, before), 9.2e6, 1e-3);
    }
    close(rate(Elsewhere::Granted, false), 5e6, 1e-3);
}

/// 10 flows of 0.4 packets in d: counted only in the intervals in which they come, they would have sqrt(0.4).
#[test]
fn flows_with_less_than_a_packet_in_an_interval_are_counted_whole() {
    // A packet of 1000 bytes in d is 80 kb/s; the link has 4 of them, and the flows 0.4 each.
    let mut link = Link::new(&full(), Rate::from_bps(320_000));
    link.set(&[], 10);
    let rates: Vec<f64> = (0..205).map(|_| link.interval(0)).skip(5).collect();
    let flows = rates.iter().map(|rate| 320e3 / rate).sum::<f64>() / 200.0;
    close(flows, 10.0, 0.01);
}

/// A flow held to 0.4 packets in d beside one that is free: it leaves all but its rate.
#[test]
fn a_flow_held_to_less_than_a_packet_in_an_interval_uses_its_rate() {
    let mut link = Link::new(&full(), Rate::from_bps(320_000));
    link.set(&[flow(1_000, 32_000.0)], 1);
    let rates: Vec<f64> = (0..205).map(|_| link.interval(0)).skip(5).collect();
    let mean = rates.len() as f64 / rates.iter().map(|rate| 1.0 / rate).sum::<f64>();
    close(mean, 288e3, 0.02);
}

/// x is in whole ticks: at 360 Gb/s, a packet takes 9 of them.
#[test]
fn free_flows_of_a_few_ticks_a_packet_are_not_held() {
    let seconds = 1e-3;
    for rate in [1e9, 95e9, 180e9, 360e9] {
        let grant = CountedGrant::new(rate, Span::from_secs_f64(seconds), Elsewhere::Current);
        let granted = grant.rate.rate().unwrap().as_bps_f64();
        let mut apart = spacing(flow(1_500, granted));
        let mut sums = CountedSums::default();
        for _ in 0..(granted * seconds / 12_000.0) as u64 {
            let header = NcpHeader { x: apart.say(1_500, 1_500), ..NcpHeader::default() };
            sums.add(&grant, &header, Train::packet(1_500));
        }
        close(flows(1.0, &sums, seconds), 1.0, 1e-3);
    }
}

/// Of a burst, the terms of (12) exceed d N.
#[test]
fn a_burst_of_a_flow_held_elsewhere_counts_as_no_less_than_it_uses() {
    let grant = CountedGrant::new(100e6, D, Elsewhere::Current);
    let mut sums = CountedSums::default();
    let header = NcpHeader { x: WireRtt::PER_SECOND / 100, ..NcpHeader::default() };
    // 10 ms each, 20 in 100 ms.
    (0..20).for_each(|_| sums.add(&grant, &header, Train::packet(1_000)));
    close(flows(1.0, &sums, 0.1), 20.0 * 8_000.0 / 100e6 / 0.1, 1e-3);
}

#[test]
fn sketches_count_the_same_flows_within_their_error() {
    for counter in [CounterKind::Bitmap, CounterKind::HyperLogLog] {
        let mut link = Link::new(&NcpParams { counter, ..full() }, CAPACITY);
        link.set(&[flow(1_000, 1e6); 100], 0);
        link.interval(0);
        close(link.metric("N"), 100.0, 0.05);
    }
}

#[test]
fn an_idle_link_gives_all_that_it_fills_and_packets_that_state_nothing_are_flows() {
    let mut link = Link::new(&NcpParams { alpha: Ratio::new(0.95), ..full() }, CAPACITY);
    close(link.interval(1_000_000), 95e6, 1e-9);
    for number in 0..5 {
        link.port.on_flow(FlowId::new(number));
        let syn = NcpHeader { rate: Offer::UNLIMITED, ..NcpHeader::default() };
        link.port.pass(syn.to_wire(), 40);
    }
    close(link.interval(0), 19e6, 1e-9);
    close(link.interval(0), 95e6, 1e-9);
}

#[test]
fn an_interval_that_does_not_count_leaves_no_flows() {
    let mut link = Link::new(&full(), CAPACITY);
    (0..7).for_each(|number| link.port.on_flow(FlowId::new(number)));
    let (timer, end) = link.port.next();
    link.port.skip(timer, end);
    link.now = end;
    link.set(&[], 2);
    close(link.interval(0), 50e6, 1e-4);
}

#[test]
fn many_starts_at_one_instant_are_all_counted() {
    let mut link = Link::new(&full(), CAPACITY);
    (0..20_000).for_each(|number| link.port.on_flow(FlowId::new(number)));
    close(link.interval(0), 100e6 / 20_000.0, 1e-9);
}

/// From no flow to an overload, from 1 kb/s to 400 Gb/s, from 10 us to 3 s.
#[test]
fn every_capacity_and_interval_keeps_the_rate_within_bounds() {
    let ends = [(0.01, 0.0), (1.0, 10.0)];
    for (alpha, beta) in ends {
        for capacity in [1_000, 1_000_000, 400_000_000_000].map(Rate::from_bps) {
            for interval in [Span::from_micros(10), D, Span::from_secs(3)] {
                for elsewhere in [Elsewhere::Current, Elsewhere::Granted] {
                    let (alpha, beta) = (Ratio::new(alpha), Ratio::new(beta));
                    let params =
                        NcpParams { alpha, beta, elsewhere, initial_rtt: interval, ..full() };
                    bounded(&params, capacity);
                }
            }
        }
    }
}

fn bounded(params: &NcpParams, capacity: Rate) {
    let link = LinkContext { capacity, packet: Bytes::new(1_500) };
    let mut port = LinkRouter::new(CountedRouter::new(params, &link), capacity);
    let mut now = Time::ZERO;
    for (x, rate) in [(0, 0), (1, 1), (u32::MAX, 1), (1, u32::MAX), (u32::MAX, u32::MAX)] {
        for number in 0..3 {
            port.on_flow(FlowId::new(number));
            let rtt = WireRtt::from_units(x.max(1));
            let header = NcpHeader { rate: Offer::from_units(rate), x, rtt, reverse: Offer::NONE };
            port.arrive(&header.to_wire(), u32::MAX);
        }
        let (timer, end) = port.next();
        let queue = Bytes::new(u64::from(x));
        let lower = Rate::from_bps(capacity.as_bps() / (1 + u64::from(x % 2)));
        port.tick(
            timer,
            &LinkSample { queue, waiting: queue, ..LinkSample::idle(now, end, lower) },
        );
        now = end;
        let mut wire = NcpHeader { rate: Offer::UNLIMITED, ..NcpHeader::default() }.to_wire();
        port.stamp(&mut wire, 1_500);
        let granted = NcpHeader::from_wire(wire).rate.rate().unwrap();
        assert!(granted > Rate::ZERO && granted <= lower.max(Offer::MIN_RATE), "{granted}");
    }
}

#[test]
fn grants_and_sums_survive_a_kernels_words() {
    for elsewhere in [Elsewhere::Current, Elsewhere::Granted] {
        let grant = CountedGrant::new(12_345_678.0, D, elsewhere);
        assert_eq!(CountedGrant::from_plain(grant.to_plain()), grant);
    }
    let words = [1, 2, 3, 4, 5, 6, 7];
    assert_eq!(CountedSums::from_plain(words).to_plain(), words);
}

#[test]
#[should_panic(expected = "as (12) does")]
fn the_router_of_sums_refuses_to_count_flows() {
    NcpRouter::new(&full(), &LinkContext { capacity: CAPACITY, packet: Bytes::new(1_000) });
}
