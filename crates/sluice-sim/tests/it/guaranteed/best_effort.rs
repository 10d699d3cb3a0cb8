//! Packets of flows with profiles that get best-effort service: of flows that were denied and reverted to it, and
//! of those that exceed their profiles.

use sluice_laws::xcp_guaranteed::{DeniedFlow, XcpGuaranteedParams};
use sluice_sim::traffic::sizes::{Fixed, Sizes};
use sluice_sim::traffic::{Amount, Long, Periodic, Traffic};
use sluice_sim::{Config, FlowRecord, GroupConfig};
use sluice_units::{Bytes, Rate, Span};

use super::{PROFILE, at, long, requests, shared};
use crate::shown::results;

fn reverting() -> XcpGuaranteedParams {
    XcpGuaranteedParams { denied: DeniedFlow::BestEffort, ..XcpGuaranteedParams::default() }
}

fn exceeding() -> XcpGuaranteedParams {
    XcpGuaranteedParams { exceeds: true, ..XcpGuaranteedParams::default() }
}

/// The throughput of each flow of a group from 45 s to 75 s, in bits a second.
fn rates(config: &Config, of: usize) -> Vec<f64> {
    let config = Config { warm_up: at(45), ..config.clone() };
    let (flows, _) = results(&config, &config.parameters.xcp);
    let found = flows.iter().filter(|flow| flow.group == of);
    found.map(|flow: &FlowRecord| flow.delivered.as_f64() * 8.0 / 30.0).collect()
}

/// Five are admitted, and three share what is left with ten others: 2.5 Mb/s among 13.
#[test]
fn flows_that_were_denied_are_best_effort_flows() {
    let config = shared(reverting(), requests(8), 75);
    let found = rates(&config, 1);
    let profile = PROFILE.as_bps_f64();
    assert!(found[..5].iter().all(|rate| (rate / profile - 1.0).abs() < 0.002), "{found:?}");
    let best = rates(&config, 0);
    let share = 2.5e6 / 13.0;
    let others = found[5..].iter().chain(&best);
    assert!(others.clone().all(|rate| (rate / share - 1.0).abs() < 0.1), "{found:?} {best:?}");
}

/// All of a flow that was denied arrives.
#[test]
fn a_denied_flow_with_a_size_finishes_and_its_data_are_delivered_once() {
    let sizes = Sizes::Fixed(Fixed(Amount::Bytes(Bytes::new(1_000_000))));
    let traffic = Traffic::Periodic(Periodic {
        every: Some(Span::from_secs(4)),
        load: None,
        sizes,
        start: at(20),
        stop: at(32),
    });
    let mut config = shared(reverting(), requests(5), 75);
    config.groups.push(GroupConfig { name: "sized".into(), traffic, ..requests(1) });
    let (flows, _) = results(&config, &config.parameters.xcp);
    let sized: Vec<_> = flows.iter().filter(|flow| flow.group == 2).collect();
    assert!(sized.len() >= 3, "{}", sized.len());
    for flow in sized {
        assert!(flow.completion.is_some());
        assert_eq!(flow.delivered, Bytes::new(1_000_000));
    }
}

/// A flow with a profile, which exceeds it, beside ten others: its share is a best-effort flow's and the profile.
#[test]
fn a_flow_above_its_profile_keeps_that_and_gets_a_share_of_the_rest() {
    for profiles in [1, 5] {
        let mut config = shared(exceeding(), requests(profiles), 75);
        // More than any share: it bounds a flow of which no law reads the headers.
        config.parameters.xcp.desired_rate = Some(Rate::from_bps(2_000_000));
        let (found, best) = (rates(&config, 1), rates(&config, 0));
        let (profile, count) = (PROFILE.as_bps_f64(), profiles as f64);
        let share = (10e6 - count * profile) / (10.0 + count);
        for rate in &found {
            let above = rate - profile;
            assert!((above / share - 1.0).abs() < 0.06, "{above}, not {share}: {found:?}");
        }
        assert!(best.iter().all(|rate| (rate / share - 1.0).abs() < 0.1), "{best:?}");
    }
}

/// Its best-effort flow gives way to others, its profile does not.
#[test]
fn many_best_effort_flows_leave_the_profile_of_a_flow_that_exceeds_it() {
    let mut config = shared(exceeding(), requests(1), 75);
    config.groups[0] = long("best", Long { count: 200, ..Long::default() });
    let found = rates(&config, 1);
    let least = PROFILE.as_bps_f64();
    // 200 packets a round trip of at least 80 ms are more than 10 Mb/s.
    assert!(found[0] > 0.998 * least && found[0] < 1.2 * least, "{found:?}");
}

#[test]
fn a_flow_above_its_profile_fills_a_link_alone() {
    let mut config = shared(exceeding(), requests(1), 75);
    config.groups.remove(0);
    config.warm_up = at(30);
    let (flows, outcome) = results(&config, &config.parameters.xcp);
    assert!(outcome.links[0].utilization > 0.97, "{}", outcome.links[0].utilization);
    assert_eq!(flows[0].retransmissions, 0, "reordering is no loss");
    assert_eq!(outcome.links[0].drops, 0);
}

/// The parameters of `[xcp]` are those of its best-effort packets.
#[test]
fn a_desired_rate_of_xcp_limits_what_exceeds_the_profile() {
    let mut config = shared(exceeding(), requests(1), 75);
    config.groups.remove(0);
    config.parameters.xcp.desired_rate = Some(Rate::from_bps(2_000_000));
    let found = rates(&config, 0);
    assert!((found[0] / 3.5e6 - 1.0).abs() < 0.03, "{found:?}");
}

/// A flow whose packets are never best effort is the same with XCP's parameters at hand or not.
#[test]
fn nothing_changes_for_flows_that_are_admitted_and_keep_to_their_profiles() {
    let plain = shared(XcpGuaranteedParams::default(), requests(5), 75);
    let other = shared(reverting(), requests(5), 75);
    let of = |config: &Config| results(config, &config.parameters.xcp).0;
    assert_eq!(of(&plain), of(&other));
}

/// Its packets are of the lowest class, whatever that of its group.
#[test]
fn classes_of_best_effort_packets_do_not_depend_on_the_group() {
    let of = |class| {
        let asks = GroupConfig { class, ..requests(6) };
        rates(&shared(reverting(), asks, 75), 1)
    };
    assert_eq!(of(1), of(3));
}
