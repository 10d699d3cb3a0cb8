//! Hosts with jitter: no flow is locked out by the timing of its packets, and time-outs do not
//! coincide with the next burst forever.

use crate::shown::{config, flow, group, link, pipe, results};
use sluice_laws::protocol::Protocol;
use sluice_laws::tcp::LossRecovery;
use sluice_laws::transport::Transport;
use sluice_laws::{cubic, tcp};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowRecord, GroupConfig, LinkConfig};
use sluice_units::{BufferSize, Ratio, Span, Time};

const PAIRS: usize = 30;
const MBPS_30: u64 = 30_000_000;
/// One-way delay between the routers; hosts are 5 ms from their router.
const ACROSS: Span = Span::from_millis(10);
const DEFAULT: f64 = 0.5;

/// Thirty flows, each from its own host, over a link as fast as those of the hosts, with a buffer
/// of a bandwidth-delay product and drop-tail.
fn dumbbell(spread: Span, spacing: Span) -> Config {
    let (left, right) = (2 * PAIRS, 2 * PAIRS + 1);
    let mut links = vec![link(left, right, MBPS_30, ACROSS), link(right, left, MBPS_30, ACROSS)];
    links[0].buffer = BufferSize::Packets(149);
    let mut groups = Vec::new();
    for pair in 0..PAIRS {
        let (from, to) = (pair, PAIRS + pair);
        let own = Span::from_millis(5) + spread * pair as u64;
        let ends = [(from, left), (left, from), (right, to), (to, right)];
        links.extend(ends.map(|(from, to)| link(from, to, MBPS_30, own)));
        let start = Time::ZERO + spacing * pair as u64;
        let long =
            Long { count: 1, start, spacing: Span::ZERO, stop: Time::NEVER, ..Long::default() };
        groups.push(GroupConfig { name: pair.to_string(), from, to, ..group(Traffic::Long(long)) });
    }
    let mut config = config(links, groups, Span::from_secs(100));
    config.warm_up = Time::ZERO + Span::from_secs(20);
    config.parameters.transport = Transport::default();
    config
}

/// Jain's index of the flows' delivered bytes.
fn fairness(config: &Config, law: &dyn Protocol) -> f64 {
    let (flows, _) = results(config, law);
    let delivered = flows.iter().map(|flow| flow.delivered.as_f64());
    let sum: f64 = delivered.clone().sum();
    sum * sum / (flows.len() as f64 * delivered.map(|bytes| bytes * bytes).sum::<f64>())
}

/// The worst over ten seeds.
fn worst_fairness(config: &Config, law: &dyn Protocol, jitter: f64) -> f64 {
    let mut config = config.clone();
    config.parameters.transport.jitter = Ratio::new(jitter);
    let seeds = if jitter > 0.0 { 1..=10 } else { 1..=1 };
    let found = seeds.map(|seed| fairness(&Config { seed, ..config.clone() }, law));
    found.fold(1.0, f64::min)
}

fn every_tcp() -> Vec<(String, Box<dyn Protocol>)> {
    let recoveries =
        [LossRecovery::Rack, LossRecovery::Sack, LossRecovery::NewReno, LossRecovery::Reno];
    let tcp = |recovery: LossRecovery| -> (String, Box<dyn Protocol>) {
        let params = tcp::TcpParams { recovery: Some(recovery), ..tcp::TcpParams::default() };
        (recovery.to_string(), Box::new(params))
    };
    let cubic: Box<dyn Protocol> = Box::new(cubic::CubicParams::default());
    recoveries.into_iter().map(tcp).chain([("cubic".to_owned(), cubic)]).collect()
}

#[test]
#[ignore = "long: make test-long"]
fn flows_of_equal_hosts_share_evenly() {
    for spacing in [Span::from_millis(33), Span::ZERO] {
        let config = dumbbell(Span::ZERO, spacing);
        for (name, law) in every_tcp() {
            let found = worst_fairness(&config, &*law, DEFAULT);
            assert!(found > 0.95, "{name}, starts {spacing} apart: Jain's index {found}");
        }
    }
}

/// Round trips of 40 to 52 ms. Without jitter, one flow takes nearly all; with it, shares differ
/// little more than round trips do, and least where the jitter is a whole packet (decision 17).
#[test]
#[ignore = "long: make test-long"]
fn flows_of_hosts_at_different_distances_share_nearly_evenly() {
    let config = dumbbell(Span::from_micros(103), Span::from_millis(33));
    for (name, law) in every_tcp() {
        let clockwork = worst_fairness(&config, &*law, 0.0);
        let found = worst_fairness(&config, &*law, DEFAULT);
        assert!(clockwork < 0.9, "{name}: without jitter there is nothing to mend: {clockwork}");
        assert!(found > 0.9, "{name}: Jain's index {found}, {clockwork} without jitter");
    }
}

/// 32 servers answer at once, once per second; exact time-outs of one second and its doubles
/// coincide with the next answers.
fn incast(jitter: f64) -> Vec<FlowRecord> {
    let mut links = pipe(1_000_000_000, Span::from_micros(50));
    links[0].buffer = BufferSize::Packets(42);
    let flows = (0..20)
        .flat_map(|second| (0..32).map(move |_| flow(Time::ZERO + Span::from_secs(second), 32)));
    let mut config =
        config(links, vec![group(Traffic::List(flows.collect()))], Span::from_secs(20));
    config.limit = Time::ZERO + Span::from_secs(30);
    config.parameters.transport.jitter = Ratio::new(jitter);
    results(&config, &tcp::TcpParams::default()).0
}

#[test]
fn every_answer_arrives_where_the_period_divides_the_time_out() {
    let unfinished =
        |jitter| incast(jitter).iter().filter(|flow| flow.completion.is_none()).count();
    assert_eq!(unfinished(DEFAULT), 0);
    assert!(unfinished(0.0) > 50, "{} without jitter", unfinished(0.0));
}

/// Packets that arrive at a host of two flows over one link, one at a time: data out of order would
/// cause duplicate acknowledgements and retransmissions.
#[test]
fn no_packet_overtakes_another() {
    let mut config = dumbbell(Span::ZERO, Span::ZERO);
    config.links[0].buffer = BufferSize::Unlimited;
    config.parameters.transport.jitter = Ratio::new(1.0);
    let law = tcp::TcpParams { initial_ssthresh: Some(20), ..tcp::TcpParams::default() };
    let (flows, outcome) = results(&config, &law);
    assert_eq!(outcome.totals.dropped, 0);
    assert_eq!(flows.iter().map(|flow| flow.retransmissions).sum::<u64>(), 0);
}

/// A flow alone takes longer by its hosts' jitter, and never less than on an empty path.
#[test]
fn hosts_take_the_time_that_is_stated() {
    let took = |jitter, seed| {
        let links: Vec<LinkConfig> = pipe(80_000_000, Span::from_millis(50));
        let traffic = Traffic::List(vec![flow(Time::ZERO, 1)]);
        let mut config = config(links, vec![group(traffic)], Span::from_secs(1));
        config.parameters.transport.jitter = Ratio::new(jitter);
        config.seed = seed;
        results(&config, &tcp::TcpParams::default()).0[0].completion.expect("it finishes")
    };
    // SYN, SYN-ACK and the packet: at 80 Mb/s a full packet takes 100 us.
    let alone = Span::from_micros(150_000 + 4 + 4 + 100);
    assert_eq!(took(0.0, 1), alone);
    let late: Vec<u64> =
        (1..=400).map(|seed| took(0.5, seed).as_nanos() - alone.as_nanos()).collect();
    assert!(late.iter().all(|&late| late <= 150_000), "{late:?}");
    let mean = late.iter().sum::<u64>() as f64 / 400.0;
    // Three times 25 us, with a standard error of 1.25 us.
    assert!((mean - 75_000.0).abs() < 5_000.0, "{mean} ns");
}
