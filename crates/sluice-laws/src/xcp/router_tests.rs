use sluice_units::Ratio;

use super::super::choices::Shuffle;
use super::*;
use crate::router::{LawHeader as _, LinkRouter, RouterPort, Sums as _};

const CAPACITY: Rate = Rate::from_bytes_per_sec(1_000_000);

/// The law at such a link.
fn router_of(params: XcpParams) -> XcpRouter {
    XcpRouter::new(params, &LinkContext { capacity: CAPACITY, packet: Bytes::new(1000) })
}

/// A link at `now_ms` that saw `arrived` bytes since `since_ms`.
fn sample(since_ms: u64, now_ms: u64, arrived: u64) -> LinkSample {
    LinkSample {
        arrived: Bytes::new(arrived),
        ..LinkSample::idle(
            Time::ZERO + Span::from_millis(since_ms),
            Time::ZERO + Span::from_millis(now_ms),
            CAPACITY,
        )
    }
}

/// The sums of `packets` packets of 1000 bytes of one flow at 500 packets/s, RTT 1/8 s.
fn sums(packets: u64) -> XcpSums {
    let mut sums = XcpSums::default();
    for _ in 0..packets {
        sums.add(
            &XcpHeader { x: (1 << 28) / 500, rtt: 1 << 25, delta: 0, reverse: 0 },
            Train::packet(1000),
        );
    }
    sums
}

fn probed(router: &XcpRouter, wanted: &str) -> f64 {
    let mut found = None;
    router.metrics(&mut |name, value| {
        if name == wanted {
            found = Some(value);
        }
    });
    found.unwrap_or_else(|| panic!("no probe {wanted}"))
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{value}, not {expected}");
}

/// A decision at 200 ms on 100 ms in which `arrived` bytes came, after the queue timer saw `queue`.
fn decided(params: XcpParams, arrived: u64, queue: u64) -> XcpRouter {
    let mut router = router_of(params);
    router.tick(
        1,
        &XcpSums::default(),
        &LinkSample { min_queue: Bytes::new(queue), ..sample(0, 50, 0) },
    );
    router.tick(CONTROL, &sums(50), &sample(100, 200, arrived));
    router
}

#[test]
fn equation_4_3_weighs_spare_bandwidth_and_the_persistent_queue() {
    // y = 500 kB/s of 1 MB/s; Q / d = 1250 / 0.125 s.
    let router = decided(XcpParams::default(), 50_000, 1250);
    near(probed(&router, "y"), 500_000.0);
    near(probed(&router, "d"), 0.125);
    near(probed(&router, "phi"), 0.4 * 500_000.0 - 0.226 * 10_000.0);
}

/// 50 packets in 100 ms of flows that send 500 a second are of one flow; 75, on average of one and a half.
#[test]
fn equation_9_1_counts_flows_by_their_packets() {
    // Headers state whole ticks.
    let close =
        |router: &XcpRouter, flows: f64| assert!((probed(router, "N") - flows).abs() < 1e-5);
    close(&decided(XcpParams::default(), 50_000, 0), 1.0);
    let mut router = router_of(XcpParams::default());
    router.tick(CONTROL, &sums(75), &sample(100, 200, 75_000));
    close(&router, 1.5);
}

#[test]
fn equation_4_3_is_negative_above_capacity() {
    near(probed(&decided(XcpParams::default(), 150_000, 0), "phi"), -200_000.0);
}

#[test]
fn equation_4_4_shuffles_what_phi_leaves_of_a_tenth() {
    // y = 900 kB/s: phi = 40 kB/s, a tenth is 90 kB/s.
    near(probed(&decided(XcpParams::default(), 90_000, 0), "h"), 50_000.0);
    near(probed(&decided(XcpParams::default(), 50_000, 0), "h"), 0.0);
    let appendix = XcpParams { shuffle: Shuffle::Appendix, ..XcpParams::default() };
    near(probed(&decided(appendix, 90_000, 0), "h"), 90_000.0);
    near(probed(&decided(appendix, 50_000, 0), "h"), 50_000.0);
}

/// All that the next interval takes from 50 packets of 1000 bytes like those that stated their
/// throughput in the last one, in which 150 kB arrived.
fn taken(xi_n_counts: XiBytes) -> f64 {
    // No shuffling, and phi is -200 kB/s.
    let params = XcpParams { gamma: Ratio::new(0.0), xi_n_counts, ..XcpParams::default() };
    let mut router = router_of(params);
    let tick = router.tick(CONTROL, &sums(50), &sample(100, 200, 150_000));
    let grant = tick.grant.expect("each decision is a grant");
    let mut residue = <XcpRouter>::fresh(&grant);
    let stamp = |_| {
        let mut header =
            XcpHeader { x: (1 << 28) / 500, rtt: 1 << 25, delta: i32::MAX, reverse: 0 };
        <XcpRouter>::stamp(&grant, &mut residue, &mut header, Train::packet(1000));
        f64::from(-header.delta)
    };
    (0..50).map(stamp).sum()
}

#[test]
fn equation_4_11_takes_all_from_those_that_can_bear_it_or_spreads_it_over_all_bytes() {
    near(taken(XiBytes::Stated), 200_000.0);
    // A third of what arrived can bear feedback; carried fractions make up for at most a byte/s.
    let third = taken(XiBytes::All);
    assert!((third - 200_000.0 / 3.0).abs() <= 1.0, "{third}");
}

#[test]
fn the_interval_is_the_average_rtt_within_its_bounds() {
    let next = |params, rtt_ticks| {
        let mut sums = XcpSums::default();
        sums.add(&XcpHeader { x: 1000, rtt: rtt_ticks, delta: 0, reverse: 0 }, Train::packet(1000));
        let at = sample(100, 200, 1000);
        router_of(params).tick(CONTROL, &sums, &at).next.since(at.now)
    };
    let bounded = XcpParams { max_interval: Span::from_millis(500), ..XcpParams::default() };
    assert_eq!(next(bounded, 1 << 25), Span::from_millis(125));
    assert_eq!(next(bounded, 1 << 18), Span::from_millis(5));
    assert_eq!(next(bounded, 1 << 28), Span::from_millis(500));
    assert_eq!(next(bounded, u32::MAX), Span::from_millis(500));
    let longest = Span::from_secs(16);
    assert!(longest - next(XcpParams::default(), u32::MAX) < Span::from_nanos(10));
}

#[test]
fn the_longest_interval_bounds_the_queue_timer_too() {
    let after = |max_interval| {
        let mut router = router_of(XcpParams { max_interval, ..XcpParams::default() });
        let mut sums = XcpSums::default();
        sums.add(&XcpHeader { x: 1000, rtt: 1 << 31, delta: 0, reverse: 0 }, Train::packet(1000));
        let at = sample(100, 200, 1000);
        router.tick(CONTROL, &sums, &at);
        router.tick(1, &XcpSums::default(), &at).next.since(at.now)
    };
    assert_eq!(after(Span::from_secs(16)), Span::from_secs(4));
    assert_eq!(after(Span::from_secs(1)), Span::from_millis(500));
}

/// Half of 125 ms without a queue of 25 kB, which takes 25 ms at 1 MB/s, and 50 ms if half of that is configured.
#[test]
fn the_queue_timer_uses_the_configured_capacity() {
    let after = |stated: Option<f64>| {
        let configured_capacity = stated.map(Ratio::new);
        let mut router = router_of(XcpParams { configured_capacity, ..XcpParams::default() });
        router.start(CAPACITY);
        let at = LinkSample { queue: Bytes::new(25_000), ..sample(100, 200, 50_000) };
        router.tick(CONTROL, &sums(50), &at);
        router.tick(1, &sums(0), &at).next.since(at.now)
    };
    assert_eq!(after(None), Span::from_millis(50));
    assert_eq!(after(Some(0.5)), Span::from_micros(37_500));
}

#[test]
fn an_interval_without_packets_keeps_the_rtt_and_grants_nothing() {
    let mut router = decided(XcpParams::default(), 50_000, 0);
    let tick = router.tick(CONTROL, &XcpSums::default(), &sample(200, 325, 0));
    near(probed(&router, "d"), 0.125);
    near(probed(&router, "y"), 0.0);
    near(probed(&router, "phi"), 400_000.0);
    let mut header = XcpHeader { x: 1000, rtt: 1000, delta: i32::MAX, reverse: 0 };
    let grant = tick.grant.expect("each decision is a grant");
    <XcpRouter>::stamp(&grant, &mut <XcpRouter>::fresh(&grant), &mut header, Train::packet(1000));
    assert_eq!(header.delta, 0, "no packet to apportion it by");
}

#[test]
fn the_queue_timer_is_half_the_rtt_without_the_queue() {
    let mut router = decided(XcpParams::default(), 50_000, 0);
    let mut after = |queue| {
        let at = LinkSample { queue: Bytes::new(queue), ..sample(100, 200, 0) };
        let tick = router.tick(1, &XcpSums::default(), &at);
        assert_eq!(tick.grant, None, "the queue timer decides nothing");
        tick.next.since(at.now)
    };
    assert_eq!(after(0), Span::from_micros(62_500));
    assert_eq!(after(25_000), Span::from_millis(50));
    assert_eq!(after(1_000_000), Span::from_millis(2), "all of the RTT is queueing");
}

#[test]
fn the_first_ticks_come_on_time_and_nothing_is_granted_before() {
    let mut port = LinkRouter::new(router_of(XcpParams::default()), CAPACITY);
    assert_eq!(port.next(), (1, Time::ZERO + Span::from_millis(25)));
    let mut header = XcpHeader { x: 1000, rtt: 1000, delta: i32::MAX, reverse: 0 }.to_wire();
    port.arrive(&header, 1000);
    port.stamp(&mut header, 1000);
    assert_eq!(XcpHeader::from_wire(header).delta, 0);
    assert_eq!(port.stamped(), Sampled::Departure);
    assert_eq!(port.queue_sampled(), Sampled::Arrival);
}

#[test]
fn no_capacity_and_no_time_are_survived() {
    let mut router = router_of(XcpParams::default());
    let stopped =
        LinkSample { capacity: Rate::ZERO, queue: Bytes::new(9), ..sample(100, 100, 1000) };
    for timer in [CONTROL, 1] {
        assert!(router.tick(timer, &sums(1), &stopped).next > stopped.now);
    }
    router.metrics(&mut |name, value| assert!(value.is_finite(), "{name} {value}"));
}

#[test]
fn several_cpus_share_a_grant() {
    let [mut busy, mut idle] = [XcpSums::default(); 2];
    let header = XcpHeader { x: 1 << 20, rtt: 1 << 25, delta: i32::MAX, reverse: 0 };
    let none = XcpGrant::default();
    <XcpRouter>::arrive(&mut busy, &none, &header, Train::new(3_000, 3));
    <XcpRouter>::arrive(&mut idle, &none, &header, Train::packet(1_000));
    let whole = busy.plus(&idle);
    let grant = XcpGrant::new(4_000.0, 400.0, &whole);
    let fresh = |part| <XcpRouter>::fresh(&<XcpRouter>::share(&grant, part, &whole));
    let [all, part, rest] = [&whole, &busy, &idle].map(fresh);
    assert_eq!((part.positive * 4, part.negative * 4), (all.positive * 3, all.negative * 3));
    assert_eq!((rest.positive * 4, rest.negative * 4), (all.positive, all.negative));
}
