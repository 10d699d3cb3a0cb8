//! Swift in closed loop: over one bottleneck, against what follows from its target by hand.

mod corners;
mod incast;
mod shared;

use sluice_laws::swift::SwiftParams;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowMetrics, GroupConfig};
use sluice_units::{BufferSize, Ratio, Span, Time};

use crate::common::RunResult;
use crate::shown::{self, CONTROL, PACKET, config, group, jain, pipe};

/// The network of the tests: 10 Gb/s and 20 us, 25 packets.
const BPS: u64 = 10_000_000_000;
const RTT: Span = Span::from_micros(20);

fn micros(micros: u64) -> Span {
    Span::from_micros(micros)
}

/// Swift without flow scaling.
fn unscaled() -> SwiftParams {
    SwiftParams { fs_range: Span::ZERO, ..SwiftParams::default() }
}

/// `count` flows without an end, that start 37 us apart.
fn long(count: u64) -> GroupConfig {
    let spacing = micros(37);
    group(Traffic::Long(Long { count, spacing, ..Long::default() }))
}

/// One link with any buffer, measured in the second half of the time; the first flow is sampled.
fn path(bps: u64, rtt: Span, groups: Vec<GroupConfig>, time: Span) -> Config {
    let mut links = pipe(bps, rtt / 2);
    links[0].buffer = BufferSize::Unlimited;
    let mut config = config(links, groups, time);
    config.warm_up = Time::ZERO + time / 2;
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every: time / 10_000 }];
    config
}

/// The RTT of a data packet and its acknowledgement without a queue.
fn base_rtt(bps: u64, rtt: Span) -> f64 {
    rtt.as_secs_f64() + (PACKET + CONTROL) as f64 * 8.0 / bps as f64
}

/// The mean queue at the bottleneck, in seconds.
fn queue(result: &RunResult, bps: u64) -> f64 {
    result.outcome.links[0].mean_queue.as_f64() * 8.0 / bps as f64
}

/// The mean of the first flow's metric in the second half.
fn mean(result: &RunResult, name: &str) -> f64 {
    let all = result.series[0].column(name);
    shown::mean(&all[all.len() / 2..])
}

/// What each flow delivered, in bytes.
fn shares(result: &RunResult) -> Vec<f64> {
    result.records.iter().map(|flow| flow.delivered.as_f64()).collect()
}
