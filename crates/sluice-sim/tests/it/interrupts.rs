//! Long work within one event: it ticks all the same, and can be interrupted in the middle.

use crate::common::{RunResult, interrupted};
use crate::shown::{config, flow, group, link, pipe};
use sluice_laws::protocol::Protocol;
use sluice_laws::rcp::RcpParams;
use sluice_laws::tcp::TcpParams;
use sluice_laws::xcp::XcpParams;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_sim::{Config, GroupConfig, LinkConfig, LinkMetrics};
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

/// XCP's router at 10 Tb/s grants windows that the links before it, without one, take seconds to
/// transmit. Packets of all senders meet there, and many are handled as one event.
#[test]
fn bursts_tick() {
    const SENDERS: usize = 100;
    let hop = |from, to, bps| LinkConfig {
        router: bps > 1_000_000_000,
        ..link(from, to, bps, Span::from_millis(10))
    };
    let (slow, fast) = (100_000_000, 10_000_000_000_000);
    let [hub, receiver] = [SENDERS, SENDERS + 1];
    let mut links = vec![hop(hub, receiver, fast), hop(receiver, hub, fast)];
    links.extend((0..SENDERS).flat_map(|host| [hop(host, hub, slow), hop(hub, host, slow)]));
    let traffic = || Traffic::List(vec![flow(Time::ZERO, 10_000_000)]);
    let group = |host: usize| GroupConfig::new(host.to_string(), host, receiver, traffic());
    let config = config(links, (0..SENDERS).map(group).collect(), Span::from_secs(1000));
    let sent = interrupted_at_once(&config, &XcpParams::default()).outcome.totals.sent;
    // One burst is not interrupted.
    assert!(sent <= 2 * WORK, "{sent} packets were sent");
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
