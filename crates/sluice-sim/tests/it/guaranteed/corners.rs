//! Reservations at the corners: short and long paths, several links, both ways, losses, other routes.

use sluice_laws::xcp_guaranteed::XcpGuaranteedParams;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig, LinkConfig};
use sluice_units::{Rate, Ratio, Span};

use super::{CAPACITY, PROFILE, RTT, at, received, requests, sampled, shared};
use crate::shown::{link, results};

fn all_at(second: u64, count: u64, profile: Rate) -> GroupConfig {
    let traffic = Traffic::Long(Long { count, start: at(second), ..Long::default() });
    GroupConfig { profile: Some(profile), traffic, ..requests(1) }
}

/// Over the same link with this capacity and round trip.
fn over(config: &mut Config, bps: u64, rtt: Span) {
    for link in &mut config.links {
        (link.capacity, link.delay) = (Rate::from_bps(bps), rtt / 2);
    }
}

/// Refreshments between data are part of the profile, so what is admitted never takes more than G.
#[test]
fn flows_with_less_than_a_packet_a_round_trip_take_no_more_than_they_reserved() {
    let (ten_us, profile) = (Span::from_micros(10), Rate::from_bps(100_000_000));
    let cases = [(1_000_000_000, ten_us, profile), (1_000_000, RTT, Rate::from_bps(64_000))];
    for (capacity, rtt, profile) in cases {
        let mut config = shared(XcpGuaranteedParams::default(), all_at(0, 20, profile), 4);
        over(&mut config, capacity, rtt);
        let used = sampled(&mut config, "class_1_R_u");
        let most = used.iter().map(|&(_, bps)| bps).fold(0.0, f64::max);
        let admitted =
            (0.8 * capacity as f64 / profile.as_bps_f64()).floor() * profile.as_bps_f64();
        // A packet more or less of each flow in an interval; and refreshments follow the RTT, which varies
        // while a packet is awaited.
        let slack = 20.0 * 8_000.0 / 0.3 + 0.004 * admitted;
        assert!(most < admitted + slack, "{most} of {admitted} over {rtt}");
        assert!(most > 0.9 * admitted - slack, "{most} of {admitted} over {rtt}");
    }
}

/// T_e is several round trips, and a SYN waits for its answer.
#[test]
fn flows_far_away_keep_their_profiles() {
    let interval = Span::from_secs(10);
    let params = XcpGuaranteedParams { interval, ..XcpGuaranteedParams::default() };
    let mut config = shared(params, all_at(1, 12, PROFILE), 60);
    over(&mut config, CAPACITY, Span::from_secs(3));
    config.parameters.transport.initial_rto = Span::from_secs(9);
    // A buffer of 100 packets is little for best-effort flows.
    let (flows, _) = results(&config, &config.parameters.xcp);
    let bits =
        flows.iter().filter(|flow| flow.group == 1).map(|flow| flow.delivered.as_f64() * 8.0);
    let admitted: Vec<f64> = bits.filter(|&bits| bits > 0.0).collect();
    assert_eq!(admitted.len(), 5);
    let expected = PROFILE.as_bps_f64() * (60.0 - 1.0 - 4.5);
    assert!(admitted.iter().all(|bits| (bits / expected - 1.0).abs() < 0.002), "{admitted:?}");
}

/// Of two links, the second is narrower: it denies whom the first has admitted.
#[test]
fn the_narrowest_link_of_a_path_decides() {
    let mut config = shared(XcpGuaranteedParams::default(), requests(5), 50);
    let first = config.links[0].clone();
    let narrow = Rate::from_bps(CAPACITY / 2);
    config.links[0].to = 2;
    config.links.push(LinkConfig { from: 2, to: 1, capacity: narrow, ..first });
    config.nodes = 3;
    let found = received(&config);
    // 4 Mb/s hold two of them.
    assert_eq!(found.iter().filter(|&&bits| bits > 0.0).count(), 2, "{found:?}");
    assert!(found[0] > 0.998 * PROFILE.as_bps_f64() * (45.0 - 1.5 * RTT.as_secs_f64()));
}

/// Acknowledgements of guaranteed flows are in their class, and reserve nothing.
#[test]
fn both_ways_hold_as_many_flows_as_one() {
    let mut config = shared(XcpGuaranteedParams::default(), requests(8), 50);
    let (queue, router) = (config.links[0].queue, config.links[0].router);
    config.links[1] = LinkConfig {
        queue,
        router,
        buffer: config.links[0].buffer,
        ..link(1, 0, CAPACITY, RTT / 2)
    };
    let back = GroupConfig { name: "back".into(), from: 1, to: 0, ..requests(8) };
    config.groups.push(back);
    let (flows, outcome) = results(&config, &config.parameters.xcp);
    for group in [1, 2] {
        let bits = flows
            .iter()
            .filter(|flow| flow.group == group)
            .map(|flow| flow.delivered.as_f64() * 8.0);
        let served: Vec<f64> = bits.filter(|&bits| bits > 0.0).collect();
        assert_eq!(served.len(), 5, "of group {group}");
        let first = PROFILE.as_bps_f64() * (45.0 - 1.5 * RTT.as_secs_f64());
        assert!((served[0] / first - 1.0).abs() < 0.002, "{served:?}");
    }
    assert_eq!(outcome.links[0].drops + outcome.links[1].drops, 0);
}

/// A request or its answer that is lost is sent again. The first one may have reserved, so flows that
/// would fit together can be denied, but not where there is room for them twice.
#[test]
fn lost_requests_and_answers_are_repeated() {
    let profile = Rate::from_bps(500_000);
    let mut config = shared(XcpGuaranteedParams::default(), all_at(1, 5, profile), 60);
    for link in &mut config.links {
        link.error = Ratio::new(0.2);
    }
    let (flows, _) = results(&config, &config.parameters.xcp);
    let bits =
        flows.iter().filter(|flow| flow.group == 1).map(|flow| flow.delivered.as_f64() * 8.0);
    let served: Vec<f64> = bits.collect();
    // From 1 s on; of the packets that the profile lets it send, a fifth is lost.
    let expected = 0.8 * profile.as_bps_f64() * 59.0;
    assert!(served.iter().all(|bits| (bits / expected - 1.0).abs() < 0.03), "{served:?}");
}
