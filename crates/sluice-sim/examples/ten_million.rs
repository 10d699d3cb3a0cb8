//! Ten million short flows, told one by one and kept by nobody: memory must not grow with the
//! flows ever seen.
//!
//! `cargo run --release -p sluice-sim --example ten_million [FLOWS]` prints the flows told, the
//! time they took and the most memory the process held. RCP, one link of 10 Gb/s and 1 ms; flows of
//! one, two and three packets in equal parts, Poisson, at a load of 0.9.

use std::time::Instant;

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::transport::Transport;
use sluice_sim::queue::Discipline;
use sluice_sim::traffic::sizes::Fixed;
use sluice_sim::traffic::{Poisson, Sizes, Traffic};
use sluice_sim::{
    Config, FlowRecord, GroupConfig, LinkConfig, Observer, Progress, TraceConfig, run,
};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

const CAPACITY: Rate = Rate::from_bps(10_000_000_000);
const LOAD: f64 = 0.9;
const PACKET: Bytes = Bytes::new(1000);

fn main() {
    let flows =
        std::env::args().nth(1).map_or(1e7, |text| text.parse().expect("a number of flows"));
    let clock = Instant::now();
    let mut told = Told::default();
    let parameters = Parameters::default();
    let outcome =
        run(&config(flows), parameters.protocol(ProtocolName::Rcp), &mut told).expect("it runs");
    println!(
        "flows {} finished {} mean_completion_us {:.1} seconds {:.1} peak_rss_mib {:.0}",
        told.flows,
        told.flows - outcome.unfinished,
        told.seconds * 1e6 / told.flows as f64,
        clock.elapsed().as_secs_f64(),
        peak_rss_mib(),
    );
}

/// As long as it takes for so many flows to arrive.
fn config(flows: f64) -> Config {
    let sizes = [1, 2, 3].map(|packets| Bytes::new(packets * PACKET.as_u64()));
    let mean = sizes.iter().map(|size| size.as_f64()).sum::<f64>() / sizes.len() as f64;
    let per_second = LOAD * CAPACITY.as_bytes_per_sec_f64() / mean;
    let stop = Time::ZERO + Span::from_secs_f64(flows / per_second);
    let group = |size: &Bytes| GroupConfig {
        name: size.to_string(),
        from: 0,
        to: 1,
        path: None,
        back: None,
        protocol: None,
        weight: Ratio::new(1.0),
        traffic: Traffic::Poisson(Poisson {
            stop,
            ..Poisson::new(
                Ratio::new(per_second / sizes.len() as f64),
                Sizes::Fixed(Fixed((*size).into())),
            )
        }),
    };
    Config {
        nodes: 2,
        links: [(0, 1), (1, 0)].map(|(from, to)| link(from, to)).into(),
        groups: sizes.iter().map(group).collect(),
        packet: PACKET,
        header: Bytes::ZERO,
        control: Bytes::new(40),
        transport: Transport::default(),
        seed: 1,
        warm_up: Time::ZERO,
        stop,
        limit: stop + Span::from_secs(10),
        lookahead: true,
        link_metrics: Vec::new(),
        flow_metrics: Vec::new(),
        trace: TraceConfig::default(),
    }
}

fn link(from: usize, to: usize) -> LinkConfig {
    LinkConfig {
        from,
        to,
        capacity: CAPACITY,
        delay: Span::from_micros(500),
        buffer: BufferSize::Unlimited,
        queue: Discipline::default(),
        error: Ratio::new(0.0),
        losses: Vec::new(),
        router: true,
    }
}

/// Counts flows and their completion times.
#[derive(Default)]
struct Told {
    flows: u64,
    seconds: f64,
}

impl Observer for Told {
    fn flow(&mut self, record: &FlowRecord) {
        self.flows += 1;
        self.seconds += record.completion.unwrap_or_default().as_secs_f64();
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

/// The most memory this process held so far; NaN where the kernel does not tell.
fn peak_rss_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib / 1024.0)
}
