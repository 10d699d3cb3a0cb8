//! Shared code of the tests against papers and textbooks: small networks, and an observer that
//! keeps all records.
#![allow(dead_code)] // each test uses a part of it

use sluice_laws::protocol::Protocol;
use sluice_laws::registry::Parameters;
use sluice_laws::transport::Transport;
use sluice_sim::traffic::{Listed, Long, Traffic};
use sluice_sim::{Config, FlowRecord, GroupConfig, LinkConfig, Observer, Outcome, Progress, run};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

/// Size of a data packet (PS 3.1).
pub const PACKET: u64 = 1000;
/// Size of a SYN, SYN-ACK or ACK (PS 3.1).
pub const CONTROL: u64 = 40;

/// The window of the papers' TCP (PS 3.1), and the timers of RFC 6298, to the nanosecond.
pub const TRANSPORT: Transport = Transport {
    initial_window: 2,
    min_rto: Span::from_secs(1),
    rto_margin: Some(Span::ZERO),
    jitter: Ratio::new(0.0),
    ..Transport::DEFAULT
};

/// A link that loses nothing and runs the protocol's router law.
pub fn link(from: usize, to: usize, bps: u64, delay: Span) -> LinkConfig {
    LinkConfig { delay, ..LinkConfig::new(from, to, Rate::from_bps(bps)) }
}

/// One link from node 0 to node 1, and the same back.
pub fn pipe(bps: u64, delay: Span) -> Vec<LinkConfig> {
    vec![link(0, 1, bps, delay), link(1, 0, bps, delay)]
}

/// Links 0 > 1 and 1 > 0, then 1 > 2 and 2 > 1.
pub fn two_pipes(bps: u64, delay: Span) -> Vec<LinkConfig> {
    [(0, 1), (1, 0), (1, 2), (2, 1)].map(|(from, to)| link(from, to, bps, delay)).to_vec()
}

/// Traffic from node 0 to node 1.
pub fn group(traffic: Traffic) -> GroupConfig {
    GroupConfig::new("flows", 0, 1, traffic)
}

/// A flow of `packets` packets that starts at `start`.
pub fn flow(start: Time, packets: u64) -> Listed {
    Listed { start, size: Bytes::new(packets * PACKET) }
}

/// A configuration in which all flows are measured.
pub fn config(links: Vec<LinkConfig>, groups: Vec<GroupConfig>, stop: Span) -> Config {
    let nodes = links.iter().map(|link| link.from.max(link.to) + 1).max().unwrap_or(0);
    Config {
        packet: Bytes::new(PACKET),
        control: Bytes::new(CONTROL),
        parameters: Parameters { transport: TRANSPORT, ..Parameters::default() },
        ..Config::new(nodes, links, groups, Time::ZERO + stop)
    }
}

/// One flow without an end over that path, under the transport of hosts today, measured over the second half of
/// the time.
pub fn alone(bps: u64, rtt: Span, buffer: BufferSize, time: Span) -> Config {
    let mut links = pipe(bps, rtt / 2);
    links[0].buffer = buffer;
    let long = Long { count: 1, ..Long::default() };
    let mut config = config(links, vec![group(Traffic::Long(long))], time);
    config.parameters.transport = Transport::DEFAULT;
    config.warm_up = Time::ZERO + time / 2;
    config
}

/// Jain's index.
pub fn jain(shares: &[f64]) -> f64 {
    let squares: f64 = shares.iter().map(|share| share * share).sum();
    shares.iter().sum::<f64>().powi(2) / squares / shares.len() as f64
}

/// The mean.
pub fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// Runs the configuration; flows are in order of group and index.
pub fn results(config: &Config, protocol: &dyn Protocol) -> (Vec<FlowRecord>, Outcome) {
    let mut kept = Kept(Vec::new());
    let outcome = run(config, protocol, &mut kept).expect("the configuration is sound");
    kept.0.sort_by_key(|record| (record.group, record.index));
    (kept.0, outcome)
}

/// Keeps all records.
pub struct Kept(pub Vec<FlowRecord>);

impl Observer for Kept {
    fn flow(&mut self, record: &FlowRecord) {
        self.0.push(*record);
    }

    fn tick(&mut self, _progress: Progress) -> bool {
        true
    }
}

/// The mean of `samples` and the half-width of its 95% interval (Student's t).
pub fn mean_and_half_width(samples: &[f64]) -> (f64, f64) {
    let n = samples.len() as f64;
    let mean = mean(samples);
    let squares: f64 = samples.iter().map(|x| (x - mean).powi(2)).sum();
    // The quantile of t by its expansion in 1 / (n - 1), within 1% from six samples on.
    let freedom = n - 1.0;
    let quantile = 1.960 + 2.372 / freedom + 2.823 / freedom.powi(2) + 2.556 / freedom.powi(3);
    (mean, quantile * (squares / freedom / n).sqrt())
}
