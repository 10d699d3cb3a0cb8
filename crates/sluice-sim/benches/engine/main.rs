//! `make bench`: how many packets a second one core simulates.
//!
//! A line a benchmark: `bench NAME mpps=... ns_per_packet=... hops=... rss_mib=...`, where a packet
//! is a data packet delivered, with its acknowledgement, and `hops` the links they crossed;
//! `cycles_per_packet` is for comparisons on machines whose clock is not steady. Each is
//! run three times and the median counts. `bench router-NAME ...` is a router law alone: nanoseconds
//! for a packet at arrival and departure, and for a control decision.
//!
//! Names given as arguments choose among them; `--brief` runs each once, for a twentieth of the time,
//! without cycles, and data centres only by name. ns-2's speed on the first of them follows, where
//! ns-2 is installed.

mod benchmark;
mod core_clock;
mod fat_tree;
mod networks;
mod ns2;
mod routers;
mod senders;

use sluice_sim::{FlowRecord, Observer, Outcome, Progress, run};

use benchmark::Benchmark;
use core_clock::CoreClock;

/// Packets that a router law passes in a run.
const ROUTER_PACKETS: u64 = 20_000_000;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let brief = std::env::args().any(|arg| arg == "--brief");
    let (brevity, runs) = if brief { (20, 1) } else { (1, 3) };
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name == wanted);
    let mut beside = None;
    let mut networks = networks::all(brevity);
    networks.extend(senders::all(100_u64.div_ceil(brevity)));
    if !brief || !wanted.is_empty() {
        networks.extend(fat_tree::all(brevity));
    }
    for benchmark in networks.iter().filter(|benchmark| is_wanted(&benchmark.name)) {
        let rate = measure(benchmark, runs);
        if benchmark.name == ns2::NETWORK {
            beside = Some(rate);
        }
    }
    for router in routers::all().iter().filter(|router| is_wanted(&router.name)) {
        router.measure(ROUTER_PACKETS / brevity, runs);
    }
    if let Some(rate) = beside {
        ns2::measure(rate);
    }
}

/// Runs it and prints its line; returns packets a second.
fn measure(benchmark: &Benchmark, times: usize) -> f64 {
    let Benchmark { name, protocol, parameters, network } = benchmark;
    let config = network();
    let mut runs: Vec<(f64, Outcome)> = Vec::new();
    let mut cycles = Vec::new();
    for _ in 0..times {
        // A brief run is one whose instructions are counted, and those of the measurement would be among them.
        let gigahertz = || if times > 1 { core_clock::gigahertz() } else { f64::NAN };
        let before = gigahertz();
        let clock = CoreClock::start();
        let outcome = run(&config, parameters.protocol(*protocol), &mut Count).expect("it runs");
        let seconds = clock.seconds();
        cycles.push(seconds * 1e9 * (before + gigahertz()) / 2.0);
        runs.push((seconds, outcome));
    }
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    cycles.sort_by(f64::total_cmp);
    let (seconds, outcome) = &runs[times / 2];
    let packets = outcome.totals.data_delivered as f64;
    println!(
        "bench {name} mpps={:.2} ns_per_packet={:.1} hops={:.2} rss_mib={:.0} events_per_packet={:.2} \
         cycles_per_packet={:.0} packets={} seconds={seconds:.2}",
        packets / seconds / 1e6,
        seconds * 1e9 / packets,
        outcome.totals.hops as f64 / packets,
        resident_mib(),
        outcome.totals.events as f64 / packets,
        cycles[times / 2] / packets,
        outcome.totals.data_delivered,
    );
    packets / seconds
}

/// Peak resident memory of this process so far.
fn resident_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|kib| kib.trim().trim_end_matches(" kB").parse::<f64>().ok())
        .map_or(f64::NAN, |kib| kib / 1024.0)
}

struct Count;

impl Observer for Count {
    fn flow(&mut self, _: &FlowRecord) {}

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}
