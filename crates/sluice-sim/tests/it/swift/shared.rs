//! Steady states of few flows.

use super::*;
use crate::common::run_to_end;
use crate::shown::link;
use sluice_sim::traffic::Poisson;
use sluice_sim::traffic::sizes::{Fixed, Sizes};
use sluice_units::Bytes;

/// A packet that waits, and half of one in transmission.
const PACKETS: f64 = 1.5;

/// The window settles where the delay is the target: the queue is the target less the RTT without one. N flows add
/// up to N packets each RTT before they see what they make: half of that, 0.4 packets each, is above the target on
/// average.
#[test]
fn the_queue_is_the_target_less_the_rtt() {
    for (flows, bps, rtt) in [
        (1, BPS, RTT),
        (1, 100_000_000_000, RTT),
        (1, 400_000_000_000, RTT),
        (2, BPS, RTT),
        (2, 100_000_000_000, RTT),
        (10, BPS, RTT),
        (1, BPS, micros(10)),
    ] {
        for params in [SwiftParams::default(), unscaled()] {
            let config = path(bps, rtt, vec![long(flows)], Span::from_millis(80));
            let result = run_to_end(&config, &params);
            let link = &result.outcome.links[0];
            let (found, target) = (queue(&result, bps), mean(&result, "target_s"));
            let expected = target - base_rtt(bps, rtt);
            let packet = PACKET as f64 * 8.0 / bps as f64;
            let most = (PACKETS + 0.4 * flows as f64) * packet;
            let case = format!("{flows} flows at {bps} b/s, {rtt}: {found} s for {expected} s");
            assert!((-0.1 * packet..most).contains(&(found - expected)), "{case}");
            assert!(link.utilization > 0.9999 && link.drops == 0, "{case}: {link:?}");
            assert!(jain(&shares(&result)) > 0.99, "{case}: {:?}", shares(&result));
        }
    }
}

/// Of a path of three links each adds its microsecond.
#[test]
fn each_link_of_the_path_raises_the_target() {
    let mut links = Vec::new();
    for node in 0..3 {
        links.push(link(node, node + 1, BPS, micros(3)));
        links.push(link(node + 1, node, BPS, micros(3)));
    }
    for (to, micros) in [(1, 26.0), (2, 27.0), (3, 28.0)] {
        let groups = vec![GroupConfig { to, ..long(1) }];
        let mut config = path(BPS, RTT, groups, Span::from_millis(10));
        (config.links, config.nodes) = (links.clone(), 4);
        let target = mean(&run_to_end(&config, &unscaled()), "target_s");
        assert!((target * 1e6 - micros).abs() < 1e-6, "to node {to}: {target} s");
    }
}

/// A flow that comes when another has all of the link. Windows above `fs_max_cwnd` have one target, which alone
/// makes none equal: whole packets may hold any two windows at one delay (346 to 154 here). Flow scaling, or other
/// traffic, makes them equal.
#[test]
fn a_late_flow_gets_its_share() {
    let fast = 100_000_000_000;
    for (bps, fs_max_cwnd, others, least) in
        [(BPS, 100.0, 0.0, 0.9999), (fast, 1000.0, 0.0, 0.9999), (fast, 100.0, 30_000.0, 0.999)]
    {
        let mut groups = ["first", "late"].map(|name| GroupConfig { name: name.into(), ..long(1) });
        if let Traffic::Long(late) = &mut groups[1].traffic {
            late.start = Time::ZERO + Span::from_millis(10);
        }
        let mut groups = groups.to_vec();
        if others > 0.0 {
            groups.push(short_flows(others));
        }
        let config = path(bps, RTT, groups, Span::from_millis(80));
        let fs_max_cwnd = Ratio::new(fs_max_cwnd);
        let params = SwiftParams { fs_max_cwnd, ..SwiftParams::default() };
        let result = run_to_end(&config, &params);
        let of_group = |group| result.records.iter().find(|flow| flow.group == group);
        let shares = [0, 1].map(|group| of_group(group).expect("it ran").delivered.as_f64());
        assert!(jain(&shares) > least, "{bps} b/s, {fs_max_cwnd}, {others} a second: {shares:?}");
    }
}

/// That many flows of 20 packets a second.
fn short_flows(per_second: f64) -> GroupConfig {
    let size = Sizes::Fixed(Fixed(Bytes::new(20 * PACKET).into()));
    let poisson = Poisson::new(Ratio::new(per_second), size);
    GroupConfig { name: "others".to_owned(), ..group(Traffic::Poisson(poisson)) }
}

/// Section 3.5. Without flow scaling many flows, of which each adds a packet to a queue that is to be of 6, decrease
/// by turns, and some hardly send. With it, the target leaves room for them.
#[test]
fn flow_scaling_makes_many_flows_fair() {
    for flows in [50, 100, 200] {
        let config = path(BPS, RTT, vec![long(flows)], Span::from_millis(80));
        let [scaled, plain] = [SwiftParams::default(), unscaled()]
            .map(|params| jain(&shares(&run_to_end(&config, &params))));
        assert!(scaled > 0.99 && plain < 0.85, "{flows} flows: {scaled}, {plain} without");
    }
}
