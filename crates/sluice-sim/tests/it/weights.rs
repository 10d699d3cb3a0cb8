//! Groups with weights, and groups with their own protocol.

use crate::multcp::by_equal_probability;
use crate::shown::{config, group, pipe, results};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig, Observer, Progress, run};
use sluice_units::{BufferSize, Rate, Ratio, Span, Time};

const BPS: u64 = 200_000_000;

/// `count` long flows of this weight.
fn long(name: &str, count: u64, weight: f64) -> GroupConfig {
    let spacing = Span::from_micros(7_300);
    let long = Long { count, start: Time::ZERO, spacing, stop: Time::NEVER, ..Long::default() };
    GroupConfig { name: name.into(), weight: Ratio::new(weight), ..group(Traffic::Long(long)) }
}

/// Groups that share 200 Mb/s over an RTT of 40 ms, 1000 packets, after 10 s of 60.
fn shared(groups: Vec<GroupConfig>) -> Config {
    let mut links = pipe(BPS, Span::from_millis(20));
    links[0].buffer = BufferSize::Packets(1_000);
    let mut config = config(links, groups, Span::from_secs(60));
    config.warm_up = Time::ZERO + Span::from_secs(10);
    config
}

/// Goodput of each group as a fraction of the link's capacity.
fn shares(config: &Config, parameters: &Parameters, name: ProtocolName) -> Vec<f64> {
    let (flows, _) = results(config, parameters.protocol(name));
    let mut shares = vec![0.0; config.groups.len()];
    for flow in flows {
        shares[flow.group] += flow.delivered.as_f64() * 8.0 / 50.0 / BPS as f64;
    }
    shares
}

/// Under router laws, throughputs are proportional to weights, within 3%, and the link is full.
#[test]
fn throughputs_are_proportional_to_weights_where_routers_grant_rates() {
    for name in [ProtocolName::Rcp, ProtocolName::AlphaFair, ProtocolName::Xcp, ProtocolName::Ncp] {
        for (weight, expected) in [(2.0, 2.0), (0.5, 0.5), (5.0, 5.0)] {
            let config = shared(vec![long("one", 4, 1.0), long("other", 4, weight)]);
            let found = shares(&config, &Parameters::default(), name);
            let ratio = found[1] / found[0];
            assert!((ratio / expected - 1.0).abs() < 0.03, "{name}: {ratio} for {expected}");
            assert!(found[0] + found[1] > 0.89, "{name}: {found:?}");
        }
    }
}

/// N packets per RTT and a decrease of 1 / (2 N) at a loss make a window of sqrt((2 N^2 - N / 2) /
/// p) by AIMD's equation (RFC 9438 section 5): 2.16 times as much for N = 2, 11.4 times for N = 10, where every
/// packet is equally likely to be lost, as on a wire with random loss and an unlimited buffer. Within 10%.
#[test]
fn multcp_gets_the_window_of_its_aimd_equation() {
    for weight in [2.0, 5.0, 10.0] {
        let mut config = shared(vec![long("one", 10, 1.0), long("other", 10, weight)]);
        config.links[0].capacity = Rate::from_bps(25 * BPS);
        config.links[0].error = Ratio::new(0.0005);
        let found = shares(&config, &Parameters::default(), ProtocolName::Tcp);
        let ratio = found[1] / found[0];
        let expected = by_equal_probability(weight);
        assert!((ratio / expected - 1.0).abs() < 0.10, "{ratio} for {expected}");
    }
}

#[test]
fn a_law_without_weights_refuses_them() {
    let parameters = Parameters::default();
    let config = shared(vec![long("one", 1, 2.0)]);
    let refused = run(&config, parameters.protocol(ProtocolName::Cubic), &mut Nobody).unwrap_err();
    assert!(refused.to_string().contains("`cubic` has no weights"), "{refused}");
    let config = shared(vec![long("one", 1, 0.5)]);
    assert!(
        run(&config, parameters.protocol(ProtocolName::Tcp), &mut Nobody).is_err(),
        "half a TCP"
    );
}

struct Nobody;

impl Observer for Nobody {
    fn flow(&mut self, _: &sluice_sim::FlowRecord) {}

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

fn speaking(name: ProtocolName, group: GroupConfig) -> GroupConfig {
    GroupConfig { protocol: Some(name), ..group }
}

/// XCP takes what TCP leaves, which in a shared queue is next to nothing (thesis, section 8.1.2:
/// TCP fills the buffer, and phi is negative as long as a queue persists).
#[test]
fn tcp_starves_xcp_in_one_queue() {
    let config =
        shared(vec![long("xcp", 4, 1.0), speaking(ProtocolName::Tcp, long("tcp", 4, 1.0))]);
    let found = shares(&config, &Parameters::default(), ProtocolName::Xcp);
    assert!(found[1] > 4.0 * found[0] && found[0] + found[1] > 0.9, "{found:?}");
    assert!(found[0] > 0.0, "XCP's flows keep a packet in flight: {found:?}");
}

/// Setting a group's protocol to that of the run changes nothing; a group alone with another
/// protocol is the same under every protocol of the run.
#[test]
fn flows_use_their_groups_own_protocol() {
    let parameters = Parameters::default();
    let alone =
        |name, group: GroupConfig| results(&shared(vec![group]), parameters.protocol(name)).0;
    let tcp = alone(ProtocolName::Tcp, long("flows", 3, 1.0));
    let own = || speaking(ProtocolName::Tcp, long("flows", 3, 1.0));
    for name in [
        ProtocolName::Tcp,
        ProtocolName::Rcp,
        ProtocolName::Xcp,
        ProtocolName::Ncp,
        ProtocolName::Cubic,
    ] {
        assert_eq!(alone(name, own()), tcp, "{name}");
    }
    assert_ne!(alone(ProtocolName::Tcp, speaking(ProtocolName::Cubic, long("flows", 3, 1.0))), tcp);
}
