//! Flows that share a bottleneck.

use sluice_laws::bbr1::Bbr1Params;
use sluice_laws::bbr3::Bbr3Params;
use sluice_laws::protocol::Protocol;
use sluice_laws::registry::ProtocolName;
use sluice_sim::GroupConfig;
use sluice_sim::traffic::Traffic;
use sluice_units::BufferSize;

use super::{BDP, RTT, both, long, packets, path, products, seconds};
use crate::shown::{jain, results};

/// Two flows, the second 1 s later, over the last 50 s of 60. v3 is slower to converge where nothing is lost:
/// ratios of 1.3 and 1.6 of the shares have an index of 0.983 and 0.949.
#[test]
fn two_flows_converge() {
    for buffer in [0.5, 3.0] {
        for (protocol, least) in both().into_iter().zip([0.983, 0.949]) {
            let name = protocol.about().name;
            let mut config = path(products(buffer), vec![long(2)], 60);
            config.warm_up = seconds(10);
            let (flows, outcome) = results(&config, &*protocol);
            let shares: Vec<_> = flows.iter().map(|flow| flow.delivered.as_f64()).collect();
            let index = jain(&shares);
            assert!(index > least, "{name} at {buffer}: {index}");
            let used = outcome.links[0].utilization;
            assert!(used > 0.96, "{name} at {buffer}: {used}");
        }
    }
}

/// In a deep buffer the windows of two v1 flows, twice the product of each, are what bounds the queue: it is
/// a product.
#[test]
fn the_window_bounds_the_queue_of_several_flows() {
    let mut config = path(BufferSize::Unlimited, vec![long(2)], 60);
    config.warm_up = seconds(10);
    let (_, outcome) = results(&config, &Bbr1Params::default());
    let queue = packets(outcome.links[0].mean_queue) / BDP;
    assert!((0.85..1.3).contains(&queue), "{queue}");
}

/// Several flows at a shallow buffer: v1 keeps it full and loses every tenth packet, v3 stays below its
/// threshold of 2 %.
#[test]
fn v3_keeps_losses_below_its_threshold_where_v1_does_not() {
    for (buffer, v1) in [(0.1, 0.07..0.2), (0.2, 0.04..0.2)] {
        let lost = both().map(|protocol| {
            let mut config = path(products(buffer), vec![long(5)], 60);
            config.warm_up = seconds(10);
            let (flows, outcome) = results(&config, &*protocol);
            let delivered: f64 = flows.iter().map(|flow| packets(flow.delivered)).sum();
            outcome.links[0].drops as f64 / (delivered + outcome.links[0].drops as f64)
        });
        assert!(v1.contains(&lost[0]), "{buffer}: {lost:?}");
        assert!(lost[1] < 0.02, "{buffer}: {lost:?}");
    }
}

/// Share of a flow against one of CUBIC's over 340 s.
fn share(protocol: &dyn Protocol, buffer: f64) -> f64 {
    let (name, protocol_of_cubic) = ("cubic".to_owned(), Some(ProtocolName::Cubic));
    let cubic = GroupConfig { name, protocol: protocol_of_cubic, ..long(1) };
    let mut config = path(products(buffer), vec![long(1), cubic], 400);
    config.warm_up = seconds(60);
    let (flows, _) = results(&config, protocol);
    packets(flows[0].delivered) / (packets(flows[0].delivered) + packets(flows[1].delivered))
}

/// Ware et al., "Modeling BBR's Interactions with Loss-Based Congestion Control" (IMC 2019), section 4: in a
/// deep buffer v1 is limited by its window, and CUBIC's share is p = 1/2 - 1/(2X) - 4N/q at a buffer of X
/// products or q packets, for N flows of BBR; of the rest BBR loses what ProbeRTT takes, 0.2 s, a round trip
/// and the time to drain of each 10 s. They measure shares near 0.4 whatever the buffer. A CUBIC flow does
/// not keep the buffer full, as the model has it: 0.15 are allowed.
#[test]
fn v1_shares_a_deep_buffer_with_cubic_as_modelled() {
    for x in [5.0, 10.0, 20.0] {
        let q = x * BDP;
        let cubic = 0.5 - 1.0 / (2.0 * x) - 4.0 / q;
        let probe = x * RTT.as_secs_f64() + 0.2 + RTT.as_secs_f64();
        let modelled = (1.0 - cubic) * (1.0 - probe / 10.0);
        let found = share(&Bbr1Params::default(), x);
        assert!((found - modelled).abs() < 0.15, "at {x}: {found} for {modelled}");
        assert!((0.33..0.6).contains(&found), "at {x}: {found}");
    }
}

/// At a shallow buffer v1 leaves hardly anything to CUBIC (Hock et al., "Experimental evaluation of BBR
/// congestion control", ICNP 2017: less than a tenth), and v3 about half.
#[test]
fn v3_leaves_a_share_to_cubic_where_v1_does_not() {
    let v1 = share(&Bbr1Params::default(), 0.5);
    assert!(v1 > 0.8, "{v1}");
    for buffer in [0.5, 2.0] {
        let v3 = share(&Bbr3Params::default(), buffer);
        assert!((0.3..0.75).contains(&v3), "at {buffer}: {v3}");
    }
}

/// Data in both directions: acknowledgements wait behind data and come in bursts.
#[test]
fn traffic_both_ways_leaves_the_links_full() {
    for protocol in both() {
        let name = protocol.about().name;
        let back = GroupConfig { name: "back".to_owned(), from: 1, to: 0, ..long(1) };
        let mut config = path(products(1.0), vec![long(1), back], 30);
        config.links[1].buffer = products(1.0);
        config.warm_up = seconds(5);
        let (_, outcome) = results(&config, &*protocol);
        for link in &outcome.links {
            assert!(link.utilization > 0.93, "{name}: {}", link.utilization);
        }
    }
}

/// A flow that comes when another has the link has its half of it within some ProbeRTTs.
#[test]
fn a_late_flow_gets_its_share() {
    for protocol in both() {
        let name = protocol.about().name;
        let mut late = long(1);
        late.name = "late".to_owned();
        if let Traffic::Long(long) = &mut late.traffic {
            long.start = seconds(20);
        }
        let mut config = path(products(2.0), vec![long(1), late], 90);
        config.warm_up = seconds(50);
        let (flows, _) = results(&config, &*protocol);
        let shares: Vec<_> = flows.iter().map(|flow| flow.delivered.as_f64()).collect();
        assert!(jain(&shares) > 0.9, "{name}: {shares:?}");
    }
}
