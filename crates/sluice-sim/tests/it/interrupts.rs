//! Long work within one event: it ticks all the same, and can be interrupted in the middle.

use crate::common::{RunResult, interrupted};
use crate::shown::{config, flow, group, pipe};
use sluice_laws::protocol::Protocol;
use sluice_laws::rcp::RcpParams;
use sluice_laws::tcp::TcpParams;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_sim::{
    Config, FlowMetrics, FlowRecord, GroupMetrics, LinkMetrics, Observer, Progress, Samples, run,
};
use sluice_units::{Bytes, Span, Time};

/// Work between two ticks.
const WORK: u64 = 1 << 15;

/// The run, interrupted at its first tick; packets are conserved.
fn interrupted_at_once(config: &Config, protocol: &dyn Protocol) -> RunResult {
    let found = interrupted(config, protocol, 1);
    let totals = found.outcome.totals;
    assert!(found.outcome.interrupted);
    assert_eq!(totals.sent, totals.delivered + totals.dropped + totals.in_flight);
    found
}

fn list(flows: Vec<Listed>, limit: Span) -> Config {
    config(pipe(80_000_000, Span::from_millis(50)), vec![group(Traffic::List(flows))], limit)
}

#[test]
fn arrivals_of_one_instant_tick() {
    let config = list(vec![flow(Time::ZERO, 1); 1_000_000], Span::from_secs(1000));
    let found = interrupted_at_once(&config, &TcpParams::default());
    assert!(found.outcome.measured <= WORK, "{} flows started", found.outcome.measured);
}

/// Of the router's law and of samples: nothing else happens before the flow.
#[test]
fn timers_of_an_idle_link_tick() {
    let late = Time::ZERO + Span::from_secs(3600);
    let mut config = list(vec![flow(late, 1)], Span::from_secs(7200));
    let rcp = RcpParams { interval: Span::from_micros(1), ..RcpParams::default() };
    interrupted_at_once(&config, &rcp);
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::NANO }];
    interrupted_at_once(&config, &TcpParams::default());
}

/// Whether nothing but samples happens, or packets as well, they do not wait for the end of the run.
#[test]
fn samples_are_emitted_as_the_run_goes_on() {
    let late = Time::ZERO + Span::from_secs(2);
    let mut config = list(vec![flow(Time::ZERO, 1), flow(late, 20_000)], Span::from_secs(4));
    let every = Span::from_micros(20);
    config.link_metrics = (0..2).map(|link| LinkMetrics { link, every }).collect();
    config.flow_metrics = vec![FlowMetrics { group: 0, index: 1, every }];
    config.group_metrics = vec![GroupMetrics { groups: vec![0], every }];
    let mut counted = Counted::default();
    let outcome = run(&config, &TcpParams::default(), &mut counted).expect("a valid configuration");
    let of_link = outcome.end.as_nanos() / every.as_nanos();
    assert!(counted.rows > 3 * of_link && of_link > 3 * WORK, "{} rows", counted.rows);
    assert!(counted.most <= 1 << 16, "{} rows at once", counted.most);
}

/// Forty flows put a thousand packets of 64 bytes each into a queue that nothing limits.
#[test]
fn progress_has_the_memory_of_packets_that_wait() {
    let mut config = list(vec![flow(Time::ZERO, 1_000); 40], Span::from_secs(10));
    config.parameters.transport.initial_window = 1_000;
    let mut counted = Counted::default();
    run(&config, &TcpParams::default(), &mut counted).expect("a valid configuration");
    let packets = 40_000 * 64;
    let memory = counted.memory.as_u64();
    assert!(memory > packets / 2 && memory < 2 * packets, "{memory} bytes");
}

#[derive(Default)]
struct Counted {
    rows: u64,
    /// In one call.
    most: usize,
    memory: Bytes,
}

impl Observer for Counted {
    fn flow(&mut self, _: &FlowRecord) {}

    fn samples(&mut self, samples: &Samples<'_>) {
        self.rows += samples.times.len() as u64;
        self.most = self.most.max(samples.times.len());
    }

    fn tick(&mut self, progress: Progress) -> bool {
        self.memory = self.memory.max(progress.memory);
        true
    }
}
