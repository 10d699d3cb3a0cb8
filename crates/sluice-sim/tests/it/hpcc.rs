//! HPCC in closed loop, against what its paper says of it and what follows by hand.

use crate::common::{RunResult, run_to_end};
use crate::shown::{CONTROL, PACKET, config, group, jain, link, mean, pipe};
use sluice_laws::hpcc::HpccParams;

use sluice_sim::traffic::{Listed, Long, Traffic};
use sluice_sim::{Config, FlowMetrics, GroupConfig, LinkLaw};
use sluice_units::{BufferSize, Bytes, Ratio, Span, Time};

/// The network of the tests: 10 Gb/s and 20 us.
const BPS: u64 = 10_000_000_000;
const RTT: Span = Span::from_micros(20);

/// `count` flows without an end that start `spacing` apart.
fn long(count: u64, spacing: Span) -> GroupConfig {
    group(Traffic::Long(Long { count, spacing, ..Long::default() }))
}

/// One link, measured in the second half of the time; the first flow is sampled.
fn path(bps: u64, rtt: Span, group: GroupConfig, time: Span) -> Config {
    let mut links = pipe(bps, rtt / 2);
    links[0].buffer = BufferSize::Unlimited;
    let mut config = config(links, vec![group], time);
    config.warm_up = Time::ZERO + time / 2;
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every: time / 10_000 }];
    config
}

/// The last half of a metric of the first flow.
fn metric(result: &RunResult, name: &str) -> Vec<f64> {
    let mut all = result.series[0].column(name);
    all.split_off(all.len() / 2)
}

/// "HPCC keeps the queue near zero, and the link at eta" (sections 3.2 and 5.2): one flow over 1 Mb/s to 400 Gb/s,
/// and RTTs of 10 us and 3 s.
#[test]
fn a_flow_alone_uses_eta_of_the_link_without_a_queue() {
    for (bps, rtt) in [
        (BPS, RTT),
        (BPS, Span::from_micros(10)),
        (400_000_000_000, Span::from_micros(10)),
        (1_000_000, Span::from_millis(100)),
        (1_000_000, Span::from_secs(3)),
    ] {
        for eta in [0.5, 0.95, 0.999] {
            let params = HpccParams { eta: Ratio::new(eta), ..HpccParams::default() };
            let time = rtt * 200;
            let result = run_to_end(&path(bps, rtt, long(1, Span::ZERO), time), &params);
            let link = &result.outcome.links[0];
            let case = format!("{bps} b/s, {rtt}, eta {eta}: {link:?}");
            assert!((link.utilization - eta).abs() < 0.02, "{case}");
            assert!(link.max_queue.as_u64() <= 2 * PACKET && link.drops == 0, "{case}");
        }
    }
}

/// T is that of a data packet and its acknowledgement without a queue: over links of 10, 40 and 1 Gb/s, there and
/// back, 3 us each.
#[test]
fn flows_know_the_base_rtt() {
    let capacities = [BPS, 4 * BPS, BPS / 10];
    let both = |(node, bps)| {
        let delay = Span::from_micros(3);
        [link(node, node + 1, bps, delay), link(node + 1, node, bps, delay)]
    };
    let links = capacities.into_iter().enumerate().flat_map(both).collect();
    let to_the_end = GroupConfig { to: 3, ..long(1, Span::ZERO) };
    let mut config = path(BPS, RTT, to_the_end, Span::from_millis(1));
    (config.links, config.nodes) = (links, 4);
    let result = run_to_end(&config, &HpccParams::default());
    let bits = 8.0 * (PACKET + CONTROL) as f64;
    let by_hand = 18e-6 + capacities.iter().map(|&bps| bits / bps as f64).sum::<f64>();
    let found = mean(&metric(&result, "base_rtt"));
    assert!((found - by_hand).abs() < 6e-9, "{found} s, by hand {by_hand} s");
}

/// Flows that begin one after another share equally, and leave no queue behind (section 5.2, figure 9). W_AI is for
/// as many flows as there are, so that equation (4) is at rest where U = eta W / (W - W_AI) = 1.
#[test]
fn flows_share_equally() {
    let (bps, time) = (10 * BPS, Span::from_millis(20));
    for flows in [2, 5, 10] {
        let config = path(bps, RTT, long(flows, Span::from_micros(150)), time);
        let params = HpccParams { flows: flows as u32, ..HpccParams::default() };
        let result = run_to_end(&config, &params);
        let shares = delivered(&result);
        let link = &result.outcome.links[0];
        assert!(jain(&shares) > 0.999, "{flows} flows: {shares:?}");
        assert!(link.utilization > 0.94, "{flows} flows: {link:?}");
        assert!(link.mean_queue.as_u64() < 4 * PACKET, "{flows} flows: {link:?}");
    }
}

/// Where B T is 25 packets and W_AI a sixteenth of one, what a sender measures of others' packets in the queue
/// outweighs W_AI, and shares stay as they are: no closer after 13,000 round trips than after 1300.
#[test]
fn flows_of_few_packets_stay_unequal() {
    for time in [Span::from_millis(60), Span::from_millis(600)] {
        let config = path(BPS, RTT, long(2, Span::from_micros(150)), time);
        let result = run_to_end(&config, &HpccParams { flows: 20, ..HpccParams::default() });
        let shares = delivered(&result);
        let part = shares.iter().fold(f64::MAX, |least, &share| least.min(share))
            / shares.iter().sum::<f64>();
        assert!((0.08..0.18).contains(&part), "{time}: {part}");
    }
}

/// What each flow delivered, in bytes.
fn delivered(result: &RunResult) -> Vec<f64> {
    result.records.iter().map(|flow| flow.delivered.as_f64()).collect()
}

/// An incast of flows at one instant: the queue is at most their first windows, and is gone within some RTTs.
#[test]
fn an_incast_drains() {
    let flows = 16;
    let time = Span::from_millis(4);
    let mut links = Vec::new();
    for host in 0..flows {
        links.push(link(host, flows, BPS, RTT / 4));
        links.push(link(flows, host, BPS, RTT / 4));
    }
    links.push(link(flows, flows + 1, BPS, RTT / 4));
    links.push(link(flows + 1, flows, BPS, RTT / 4));
    let groups = (0..flows).map(|from| GroupConfig {
        name: format!("from {from}"),
        from,
        to: flows + 1,
        ..long(1, Span::ZERO)
    });
    let mut config = config(links, groups.collect(), time);
    config.nodes = flows + 2;
    config.warm_up = Time::ZERO + time / 2;
    let result = run_to_end(&config, &HpccParams { flows: 16, ..HpccParams::default() });
    let bottleneck = &result.outcome.links[2 * flows];
    // Measured in the second half: no queue but that of packets which arrive together.
    assert!(bottleneck.mean_queue.as_u64() < 4 * PACKET, "{bottleneck:?}");
    assert!(bottleneck.utilization > 0.9, "{bottleneck:?}");
}

/// A link without telemetry is one that senders do not know of; where all are, they keep their first window.
#[test]
fn a_path_without_telemetry_is_used_at_line_rate() {
    let time = Span::from_millis(4);
    let mut config = path(BPS, RTT, long(1, Span::ZERO), time);
    for link in &mut config.links {
        link.router = LinkLaw::None.into();
    }
    let result = run_to_end(&config, &HpccParams::default());
    assert!(result.outcome.links[0].utilization > 0.999, "{:?}", result.outcome.links[0]);
}

/// A buffer of one packet, or losses on the wire: what is lost is sent again, and each flow of a size ends.
#[test]
fn it_stands_losses() {
    let listed = |index: u64| Listed {
        start: Time::ZERO + Span::from_micros(3) * index,
        size: Bytes::new(200 * PACKET),
    };
    for lossy in [false, true] {
        let flows = group(Traffic::List((0..10).map(listed).collect()));
        let mut config = path(BPS, RTT, flows, Span::from_secs(20));
        if lossy {
            config.links[0].error = Ratio::new(0.05);
        } else {
            config.links[0].buffer = BufferSize::Packets(1);
        }
        config.warm_up = Time::ZERO;
        config.flow_metrics.clear();
        let result = run_to_end(&config, &HpccParams::default());
        assert_eq!(result.records.len(), 10);
        for flow in &result.records {
            assert!(flow.completion.is_some(), "lossy {lossy}: {flow:?}");
        }
        let link = &result.outcome.links[0];
        assert!(if lossy { link.errors } else { link.drops } > 0, "{link:?}");
    }
}
