//! Ledger where queues of wider links lie before narrower ones.

use sluice_laws::ledger::LedgerParams;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{GroupConfig, LinkMetrics};
use sluice_units::Span;

use crate::common::run_to_end;
use crate::shown::{config, link};

/// That of all flows.
const RTT: Span = Span::from_millis(100);
/// One way over a link of the chain.
const HOP: Span = Span::from_millis(1);

/// The swing of R over its mean, and the longest queue in C d0, of the link where each is largest, when flows have been there for
/// a while. `flows` cross all links, of which each has a capacity in Mb/s and a number of flows of its own.
fn swing_and_queue(flows: u64, chain: &[(u64, u64)]) -> (f64, f64) {
    let mut links = Vec::new();
    let mut pair = |from, to, mbps: u64, delay| {
        let bps = 1_000_000 * mbps;
        links.extend([link(from, to, bps, delay), link(to, from, bps, delay)]);
    };
    for (at, &(mbps, _)) in chain.iter().enumerate() {
        pair(at, at + 1, mbps, HOP);
    }
    let all = (0, chain.len(), flows);
    let own = chain.iter().enumerate().map(|(at, &(_, count))| (at, at + 1, count));
    let mut groups = Vec::new();
    for (number, (from, to, count)) in [all].into_iter().chain(own).enumerate() {
        if count > 0 {
            let sender = chain.len() + 1 + number;
            pair(sender, from, 10_000, RTT / 2 - HOP * (to - from) as u64);
            let long = Long { count, ..Long::default() };
            groups.push(GroupConfig::new(number.to_string(), sender, to, Traffic::from(long)));
        }
    }
    let mut config = config(links, groups, Span::from_secs(20));
    let every = Span::from_millis(10);
    config.link_metrics = (0..chain.len()).map(|at| LinkMetrics { link: 2 * at, every }).collect();
    let run = run_to_end(&config, &LedgerParams::default());

    chain.iter().zip(&run.series).fold((0.0, 0.0), |(swing, queue), (&(mbps, _), series)| {
        let late = |name| series.column(name)[1_200..].to_vec();
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let rates = late("R");
        let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let bdp = 1e6 * mbps as f64 / 8.0 * RTT.as_secs_f64();
        let longest = most(&late("queue_bytes")) / bdp;
        (f64::max(swing, (most(&rates) - least) / mean), f64::max(queue, longest))
    })
}

/// A queue that grows holds packets of all flows back. If the narrower link took that for flows that left, R of the first link
/// would swing by 1.9 of its mean over the second chain and by 0.5 over the third, with queues of 0.7 and 0.3 C d0.
#[test]
fn a_wider_link_before_a_narrower_one_is_at_rest() {
    for chain in [
        &[(105, 2), (75, 0)][..],
        &[(120, 2), (75, 0)],
        &[(175, 10), (75, 0)],
        &[(250, 5), (150, 3), (75, 0)],
    ] {
        let (swing, queue) = swing_and_queue(10, chain);
        assert!(swing < 0.1, "R swings by {swing} of its mean over {chain:?}");
        assert!(queue < 0.1, "a queue of {queue} C d0 over {chain:?}");
    }
}

#[test]
fn a_narrower_link_before_a_wider_one_is_at_rest() {
    let (swing, queue) = swing_and_queue(10, &[(75, 0), (175, 10)]);
    assert!(swing < 0.1 && queue < 0.1, "{swing} of its mean, {queue} C d0");
}

/// A hundred flows of 9 packets a d0 send many of them at the same time. R of the wider link's few other flows follows that, but no
/// queue grows. Without a stretch it reaches 0.9 C d0 over 120 and 75 Mb/s; if x as it is stretched decided about who follows R, 0.6
/// there, and 0.5 over 80 and 75 Mb/s.
#[test]
fn many_slow_flows_over_both_make_no_queue() {
    for (flows, chain) in
        [(40, &[(120, 2), (75, 0)]), (100, &[(120, 2), (75, 0)]), (100, &[(80, 1), (75, 0)])]
    {
        let (_, queue) = swing_and_queue(flows, chain);
        assert!(queue < 0.2, "a queue of {queue} C d0 for {flows} flows over {chain:?}");
    }
}
