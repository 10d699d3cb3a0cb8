//! Ledger in a crowd: a thousand flows that start at one instant beside others.

use sluice_laws::ledger::LedgerParams;
use sluice_sim::GroupConfig;
use sluice_sim::traffic::sizes::{Fixed, Pareto, Sizes};
use sluice_sim::traffic::{Amount, Incast, Poisson, Traffic};
use sluice_units::{BufferSize, Bytes, Ratio, Span, Time};

use crate::shown::{PACKET, config, link, results};

const SENDERS: u64 = 1_000;
/// Packets of each of them.
const PACKETS: u64 = 100;

/// The drops of the bottleneck of 150 Mb/s and 100 ms, whose buffer holds C d0, behind a link of ten times its capacity.
fn drops(seed: u64) -> u64 {
    let access = Span::from_micros(10);
    let mut links = vec![
        link(0, 1, 1_500_000_000, access),
        link(1, 0, 1_500_000_000, access),
        link(1, 2, 150_000_000, Span::from_millis(50) - access),
        link(2, 1, 150_000_000, Span::from_millis(50) - access),
    ];
    links[2].buffer = BufferSize::Bdp(Ratio::new(1.0));
    let bytes = |packets| Amount::Bytes(Bytes::new(packets * PACKET));
    let pareto = Pareto { mean: bytes(30), shape: Ratio::new(1.2) };
    let load = Poisson {
        rate: None,
        load: Some(Ratio::new(0.3)),
        sizes: Sizes::Pareto(pareto),
        start: Time::ZERO,
        stop: Time::NEVER,
    };
    let crowd = Incast {
        every: Some(Span::from_secs(100)),
        load: None,
        senders: SENDERS,
        sizes: Sizes::Fixed(Fixed(bytes(PACKETS))),
        start: Time::ZERO + Span::from_secs(5),
        stop: Time::NEVER,
    };
    let groups = vec![
        GroupConfig::new("load", 0, 2, Traffic::from(load)),
        GroupConfig::new("crowd", 0, 2, Traffic::from(crowd)),
    ];
    let mut config = config(links, groups, Span::from_secs(12));
    config.seed = seed;
    let (records, outcome) = results(&config, &LedgerParams::default());
    let mut crowd = records.iter().filter(|record| record.group == 1);
    assert!(crowd.all(|record| record.completion.is_some()));
    outcome.links[2].drops
}

/// All first packets pass within a few milliseconds, late by the queue that they make, and the next ones when all of these are
/// answered: a router that does not count who sends in between grants each of them the rate of a few.
#[test]
fn a_crowd_of_a_thousand_loses_few_packets() {
    let drops: Vec<u64> = (1..=20).map(drops).collect();
    let without = drops.iter().filter(|&&drops| drops == 0).count();
    assert!(without >= 14, "{drops:?}");
    let mean = drops.iter().sum::<u64>() / drops.len() as u64;
    assert!(mean < SENDERS * PACKETS / 100, "{drops:?}");
}
