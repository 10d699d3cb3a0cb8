//! Long work within one event: it ticks all the same, and can be interrupted in the middle.

use crate::common::{RunResult, interrupted};
use crate::shown::{config, flow, group, pipe};
use sluice_laws::protocol::Protocol;
use sluice_laws::rcp::RcpParams;
use sluice_laws::tcp::TcpParams;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_sim::{Config, LinkMetrics};
use sluice_units::{Span, Time};

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
