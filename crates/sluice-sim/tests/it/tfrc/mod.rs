//! TFRC in closed loop: its equation over random losses, its shares and smoothness beside TCP, and extremes.

mod corners;
mod equation;
mod shared;

use sluice_laws::transport::Transport;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig};
use sluice_units::{BufferSize, Span, Time};

use crate::shown::{config, group, pipe};

/// `count` flows without an end, that start 100 ms apart.
fn long(count: u64) -> GroupConfig {
    let spacing = Span::from_millis(100);
    group(Traffic::Long(Long { count, spacing, ..Long::default() }))
}

/// One flow over that path, under the transport of hosts today, measured over the second half of the time.
fn alone(bps: u64, rtt: Span, buffer: BufferSize, time: Span) -> Config {
    let mut links = pipe(bps, rtt / 2);
    links[0].buffer = buffer;
    let mut config = config(links, vec![long(1)], time);
    config.parameters.transport = Transport::DEFAULT;
    config.warm_up = Time::ZERO + time / 2;
    config
}

fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}
