//! Ten million short flows, reported one by one and not kept: memory must not grow with the number
//! of flows.
//!
//! `cargo run --release -p sluice-sim --example ten_million [FLOWS]` prints the number of flows, the
//! time that the run took and the peak memory of the process. RCP, one link of 10 Gb/s and 1 ms; flows of
//! one, two and three packets in equal parts, Poisson, at a load of 0.9.

use std::time::Instant;

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::traffic::sizes::Fixed;
use sluice_sim::traffic::{Poisson, Sizes};
use sluice_sim::{Config, FlowRecord, GroupConfig, LinkConfig, Observer, Progress, run};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

const CAPACITY: Rate = Rate::from_bps(10_000_000_000);
const LOAD: f64 = 0.9;
const PACKET: Bytes = Bytes::new(1000);

fn main() {
    let flows =
        std::env::args().nth(1).map_or(1e7, |text| text.parse().expect("a number of flows"));
    let clock = Instant::now();
    let mut counts = Counts::default();
    let parameters = Parameters::default();
    let outcome =
        run(&config(flows), parameters.protocol(ProtocolName::Rcp), &mut counts).expect("it runs");
    println!(
        "flows {} finished {} mean_completion_us {:.1} seconds {:.1} peak_rss_mib {:.0}",
        counts.flows,
        counts.flows - outcome.unfinished,
        counts.seconds * 1e6 / counts.flows as f64,
        clock.elapsed().as_secs_f64(),
        peak_rss_mib(),
    );
}

/// A run that lasts until `flows` flows have arrived, on average.
fn config(flows: f64) -> Config {
    let sizes = [1, 2, 3].map(|packets| Bytes::new(packets * PACKET.as_u64()));
    let mean = sizes.iter().map(|size| size.as_f64()).sum::<f64>() / sizes.len() as f64;
    let per_second = LOAD * CAPACITY.as_bytes_per_sec_f64() / mean;
    let stop = Time::ZERO + Span::from_secs_f64(flows / per_second);
    let each = Ratio::new(per_second / sizes.len() as f64);
    let group = |&size: &Bytes| {
        let traffic = Poisson { stop, ..Poisson::new(each, Sizes::Fixed(Fixed(size.into()))) };
        GroupConfig::new(size.to_string(), 0, 1, traffic)
    };
    let links = [(0, 1), (1, 0)].map(|(from, to)| LinkConfig {
        delay: Span::from_micros(500),
        ..LinkConfig::new(from, to, CAPACITY)
    });
    let groups = sizes.iter().map(group).collect();
    Config {
        packet: PACKET,
        limit: stop + Span::from_secs(10),
        ..Config::new(2, links.into(), groups, stop)
    }
}

/// Counts flows and their completion times.
#[derive(Default)]
struct Counts {
    flows: u64,
    seconds: f64,
}

impl Observer for Counts {
    fn flow(&mut self, record: &FlowRecord) {
        self.flows += 1;
        self.seconds += record.completion.unwrap_or_default().as_secs_f64();
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

/// Peak memory of this process so far; NaN where the kernel does not report it.
fn peak_rss_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib / 1024.0)
}
