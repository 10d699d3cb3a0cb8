//! BBR v1 and v3 in closed loop: over one bottleneck, against what is published and what follows by hand.

mod corners;
mod shared;
mod single;

use sluice_laws::bbr1::Bbr1Params;
use sluice_laws::bbr3::Bbr3Params;
use sluice_laws::protocol::Protocol;
use sluice_laws::transport::Transport;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowMetrics, GroupConfig};
use sluice_units::{BufferSize, Bytes, Ratio, Span, Time};

use crate::shown::{PACKET, config, group, pipe};

/// 20 Mb/s and 40 ms: 100 packets of 1000 bytes.
const BPS: u64 = 20_000_000;
const RTT: Span = Span::from_millis(40);
const BDP: f64 = 100.0;

/// Both versions, with their defaults.
fn both() -> [Box<dyn Protocol>; 2] {
    [Box::new(Bbr1Params::default()), Box::new(Bbr3Params::default())]
}

/// That many bandwidth-delay products.
fn products(n: f64) -> BufferSize {
    BufferSize::Packets((n * BDP) as u64)
}

/// One path with that buffer, under the transport of hosts today.
fn path(buffer: BufferSize, groups: Vec<GroupConfig>, seconds: u64) -> Config {
    let mut links = pipe(BPS, RTT / 2);
    links[0].buffer = buffer;
    let mut config = config(links, groups, Span::from_secs(seconds));
    config.parameters.transport = Transport::DEFAULT;
    config
}

/// `count` flows without an end, that start a second apart.
fn long(count: u64) -> GroupConfig {
    let spacing = Span::from_secs(1);
    group(Traffic::Long(Long { count, spacing, ..Long::default() }))
}

/// The same, with the first flow sampled every 5 ms.
fn watched(mut config: Config) -> Config {
    let every = Span::from_millis(5);
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 0, every }];
    config
}

fn seconds(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// Random losses on the way of data.
fn lossy(error: f64, seconds: u64) -> Config {
    let mut config = path(products(1.0), vec![long(1)], seconds);
    config.links[0].error = Ratio::new(error);
    config
}

fn packets(bytes: Bytes) -> f64 {
    bytes.as_f64() / PACKET as f64
}
