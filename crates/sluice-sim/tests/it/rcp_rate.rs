//! RCP's rate: it settles to C / N (PS figure 2), also if few packets state an RTT (PS footnote 4),
//! and a flow starts at it after one round trip (PS figure 6).

use crate::common::series::Series;
use crate::common::{RunResult, run_to_end};
use crate::shown::{PACKET, config, flow, group, link, pipe, results};
use sluice_laws::rcp::RcpParams;
use sluice_laws::router::QueueCounts;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowMetrics, GroupConfig, LinkMetrics};
use sluice_units::{BufferSize, Ratio, Span, Time};

const RTT: Span = Span::from_millis(100);

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// `count` flows that send from `start` to `stop`.
fn long(name: &str, count: u64, start: Time, stop: Time) -> GroupConfig {
    let traffic =
        Traffic::Long(Long { count, start, spacing: Span::ZERO, stop, ..Long::default() });
    GroupConfig { name: name.into(), ..group(traffic) }
}

/// The mean of a column over the ten seconds before `by`.
fn settled(series: &Series, name: &str, by: u64) -> f64 {
    let values: Vec<f64> = (series.times.iter().zip(series.column(name)))
        .filter(|&(&time, _)| at(by - 10) < time && time <= at(by))
        .map(|(_, value)| value)
        .collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// Groups of long flows on one link of this capacity, with the paper's buffer of one
/// bandwidth-delay product; the link is sampled at the law's interval.
fn one_link(params: &RcpParams, capacity: u64, groups: Vec<GroupConfig>, seconds: u64) -> Series {
    let mut links = pipe(capacity, RTT / 2);
    links[0].buffer = BufferSize::Bdp(Ratio::new(1.0));
    let mut config = config(links, groups, Span::from_secs(seconds));
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(10) }];
    run_to_end(&config, params).series.remove(0)
}

/// Figure 2: 20 flows at 0 s, 20 more at 40 s, 20 leave at 100 s; "in each case, C/R(t) converges to
/// N(t)". The paper prints neither capacity nor RTT: 1 Gb/s and 100 ms here.
#[test]
fn the_rate_is_c_over_n_as_flows_come_and_go() {
    const CAPACITY: f64 = 1e9;
    let groups = vec![long("stay", 20, at(0), Time::NEVER), long("leave", 20, at(40), at(100))];
    let series = &one_link(&RcpParams::default(), CAPACITY as u64, groups, 150);
    for (by, flows) in [(40, 20.0), (100, 40.0), (150, 20.0)] {
        let n = CAPACITY / settled(series, "R", by);
        let load = settled(series, "load", by);
        assert!((n / flows - 1.0).abs() < 0.02, "C/R is {n} by {by} s, not {flows}");
        assert!(load > 0.98, "load {load} by {by} s");
    }
}

/// Eight flows of one RTT over a BDP of 250 packets: packets of different flows meet, so that now and then some wait, and q
/// at a tick is 3 of them on average. R rests where alpha (C - y) = beta q / d0, at 0.88 C. What all of an interval waits is none.
#[test]
fn packets_that_meet_are_no_queue_if_the_least_counts() {
    let used = |queue_counts| {
        let params = RcpParams { queue_counts, ..RcpParams::default() };
        let groups = vec![long("all", 8, at(0), Time::NEVER)];
        settled(&one_link(&params, 20_000_000, groups, 60), "load", 60)
    };
    let (waiting, least) = (used(QueueCounts::Waiting), used(QueueCounts::Least));
    assert!(waiting < 0.95 && least > 0.99 && least < 1.001, "{waiting}, {least}");
}

/// Footnote 4: the router "can even just sample a few packets and update its estimate of RTT".
#[test]
fn an_rtt_in_one_packet_of_a_hundred_is_enough() {
    const CAPACITY: f64 = 1e9;
    let groups = || vec![long("flows", 20, at(0), Time::NEVER)];
    for rtt_every in [1, 100] {
        let params = RcpParams { rtt_every, ..RcpParams::default() };
        let series = &one_link(&params, CAPACITY as u64, groups(), 20);
        let (n, d0) = (CAPACITY / settled(series, "R", 20), settled(series, "d0", 20));
        assert!((n / 20.0 - 1.0).abs() < 0.02, "one in {rtt_every}: C/R is {n}, not 20");
        assert!((d0 / RTT.as_secs_f64() - 1.0).abs() < 0.02, "one in {rtt_every}: d0 is {d0}");
    }
}

/// Where packets are large compared with the bandwidth-delay product, the rate of several flows
/// stays below C / N: flows paced at one rate meet in the queue periodically, and the resulting
/// mean queue q, however short, is balanced by idle capacity: alpha (C - y) = beta q / d0 (equation
/// (2)). The packet in transmission, half sent on average, is not part of q.
#[test]
fn the_queue_of_paced_packets_costs_utilization() {
    const CAPACITY: f64 = 1e8;
    let groups = vec![long("flows", 20, at(0), Time::NEVER)];
    let series = &one_link(&RcpParams::default(), CAPACITY as u64, groups, 40);
    let load = settled(series, "load", 40);
    let queue = (settled(series, "queue_bytes", 40) - load * PACKET as f64 / 2.0) * 8.0;
    let idle = 1.0 / 0.1 * queue / settled(series, "d0", 40) / CAPACITY;
    assert!(
        idle > 0.03 && (1.0 - load - idle).abs() < 0.01,
        "load {load}, expected {}",
        1.0 - idle
    );
}

/// Three links in series, the second the slowest, and one return path.
fn three_links(packets: u64) -> Config {
    let mut links: Vec<_> = [100, 20, 50]
        .into_iter()
        .enumerate()
        .map(|(i, mbps)| link(i, i + 1, mbps * 1_000_000, Span::from_millis(10)))
        .collect();
    links.push(link(3, 0, 100_000_000, Span::from_millis(30)));
    let start = Time::from_nanos(1_234_567_890);
    let flow = GroupConfig { to: 3, ..group(Traffic::List(vec![flow(start, packets)])) };
    let mut config = config(links, vec![flow], Span::from_secs(10));
    let every = Span::from_millis(1);
    config.link_metrics = (0..3).map(|link| LinkMetrics { link, every }).collect();
    config
}

/// Figure 6 on idle links: "the source transmits at rate R_p, which corresponds to the smallest
/// offered rate along the path", from the first data packet on, one round trip after the SYN.
#[test]
fn a_flow_starts_at_the_minimum_rate_one_round_trip_after_its_syn() {
    let (one, two) = (three_links(1), three_links(2));
    let RunResult { records: flows, series, .. } = run_to_end(&one, &RcpParams::default());
    let first = flows[0].completion.expect("it finished");

    // Round trip of a SYN and its answer, and the first packet stored and forwarded three times.
    let micros = |bytes: u64, mbps: u64| Span::from_nanos(bytes * 8_000 / mbps);
    let crossing = |bytes| micros(bytes, 100) + micros(bytes, 20) + micros(bytes, 50);
    let syn_exchange = crossing(40) + RTT * 3 / 10 + micros(40, 100) + RTT * 3 / 10;
    assert_eq!(first, syn_exchange + crossing(1000) + RTT * 3 / 10);

    // The second packet leaves one packet time at R later. The SYN met link 1 within 11 ms of its
    // start.
    let second = results(&two, &RcpParams::default()).0[0].completion.expect("it finished");
    let offered = |link: usize| {
        let series = &series[link];
        let passed = flows[0].start + Span::from_millis(10 * link as u64);
        let row = series.times.partition_point(|&time| time <= passed) - 1;
        series.column("R")[row]
    };
    let rates = [offered(0), offered(1), offered(2)];
    let min = rates.into_iter().fold(f64::INFINITY, f64::min);
    assert!(min == rates[1] && min < 20e6, "the second link is the bottleneck: {rates:?}");
    let gap = second.saturating_sub(first).as_nanos() as f64;
    let wanted = 8e12 / min;
    // Headers hold whole units of 100 b/s.
    assert!((gap / wanted - 1.0).abs() < 200.0 / min, "{gap} ns, not {wanted} ns");
}

/// The same on busy links: one, three and two long flows use the links, and the newcomer starts at
/// the rate of the link with three.
#[test]
fn a_newcomer_starts_at_the_rate_of_the_most_loaded_link() {
    let mut links: Vec<_> =
        (0..3).map(|i| link(i, i + 1, 500_000_000, Span::from_millis(10))).collect();
    links.extend((0..3).map(|i| link(i + 1, i, 500_000_000, Span::from_millis(10))));
    let start = at(60) + Span::from_micros(1_234);
    let mut groups: Vec<GroupConfig> = [1, 3, 2]
        .into_iter()
        .enumerate()
        .map(|(i, flows)| GroupConfig {
            from: i,
            to: i + 1,
            ..long(&format!("link {i}"), flows, at(0), Time::NEVER)
        })
        .collect();
    groups.push(GroupConfig { to: 3, ..group(Traffic::List(vec![flow(start, 3)])) });
    let mut config = config(links, groups, Span::from_secs(62));
    config.link_metrics = vec![LinkMetrics { link: 1, every: Span::from_millis(1) }];
    let every = Span::from_micros(1);
    config.flow_metrics = vec![FlowMetrics { group: 3, index: 0, every }];
    let series = run_to_end(&config, &RcpParams::default()).series;

    let law = &series[0];
    let passed = start + Span::from_millis(10);
    let row = law.times.partition_point(|&time| time <= passed) - 1;
    let offered = law.column("R")[row];
    assert!((offered * 3.0 / 5e8 - 1.0).abs() < 0.05, "three flows share the link: {offered}");

    let sender = &series[1];
    let sent = sender.column("sequence_packets");
    let leaves = |packet: f64| {
        let row = sent.partition_point(|&sent| sent <= packet);
        sender.times[row].since(start).as_secs_f64()
    };
    let (first, gap) = (leaves(0.0), leaves(1.0) - leaves(0.0));
    // Six links of 10 ms; the queues on the path hold a few packets of 16 us.
    assert!((0.06..0.0615).contains(&first), "the first packet leaves after {first} s");
    assert!((gap - 8000.0 / offered).abs() < 2e-6, "{gap} s at {offered} b/s");
}
