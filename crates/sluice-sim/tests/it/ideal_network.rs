//! Ideals on networks: max-min fairness against its definition, and every ideal against a plain
//! simulation that handles each flow and link individually.

use crate::common::network::{Network, Quality, network};
use crate::common::runner;
use crate::ideals::plain::{Job, ends};
use crate::ideals::{Draw, RunResult, by_flow, later, run_to_end};
use crate::shown::{self, config, group, link};
use proptest::prelude::*;
use proptest::sample::Index;
use sluice_sim::ideal::Ideal;
use sluice_sim::traffic::{Listed, Long, Traffic};
use sluice_sim::{Config, GroupConfig, LinkConfig, Paths};
use sluice_units::{Bytes, Span, Time};

/// Ends, steps of a walk between them, and number of long flows.
type Seed = (Index, Index, Vec<Index>, u64);

proptest! {
    #![proptest_config(runner(300))]

    /// Every flow has a bottleneck: a saturated link on which no other flow is faster (Bertsekas
    /// and Gallager, 6.5.2). No link exceeds its capacity.
    #[test]
    fn every_flow_has_a_bottleneck(
        mut network in network(Quality::Any),
        seeds in prop::collection::vec(
            (any::<Index>(), any::<Index>(), prop::collection::vec(any::<Index>(), 0..4), 1_u64..6),
            1..12,
        ),
    ) {
        // The property is of rates that stay as they are.
        network.links.iter_mut().for_each(|link| link.schedule = None);
        let config = long_flows(&network, &seeds);
        let RunResult { outcome, records, .. } = run_to_end(&config, Ideal::MaxMin);
        let paths = Paths::of(&config).expect("it ran");
        let seconds = config.stop.since(config.warm_up).as_secs_f64();
        let rate = |record: &sluice_sim::FlowRecord| record.delivered.as_f64() / seconds;
        let crossings = |group: usize, link: usize| {
            paths[group].out.links().iter().filter(|&&other| other == link).count() as f64
        };
        let loads: Vec<f64> = (0..config.links.len())
            .map(|link| records.iter().map(|r| rate(r) * crossings(r.group, link)).sum())
            .collect();
        let capacity = |link: usize| config.links[link].capacity.as_bytes_per_sec_f64();
        for (link, &load) in loads.iter().enumerate() {
            prop_assert!(load <= capacity(link) * (1.0 + 1e-6), "link {link} carries {load} B/s");
            let sent = outcome.links[link].sent.as_f64() / seconds;
            prop_assert!((load - sent).abs() < capacity(link) * 1e-6, "link {link}: {sent} B/s");
        }
        for record in &records {
            let is_bottleneck = |&&link: &&usize| {
                let full = loads[link] >= capacity(link) * (1.0 - 1e-6);
                let others = records.iter().filter(|other| crossings(other.group, link) > 0.0);
                let fastest = others.map(rate).fold(0.0, f64::max);
                full && fastest <= rate(record) * (1.0 + 1e-6)
            };
            prop_assert!(paths[record.group].out.links().iter().any(|link| is_bottleneck(&link)), "{record:?}");
        }
    }
}

/// Long flows over random walks, measured long enough that rounding to bytes is negligible.
fn long_flows(network: &Network, seeds: &[Seed]) -> Config {
    let group = |(number, (from, by, turns, count)): (usize, &Seed)| {
        let from = from.index(network.nodes);
        let to = (from + 1 + by.index(network.nodes - 1)) % network.nodes;
        let traffic = Traffic::Long(Long {
            count: *count,
            start: Time::ZERO,
            spacing: Span::ZERO,
            stop: Time::NEVER,
            ..Long::default()
        });
        let path = Some(network.walk(from, to, turns));
        GroupConfig { name: number.to_string(), from, to, path, ..shown::group(traffic) }
    };
    let groups = seeds.iter().enumerate().map(group).collect();
    let mut config = config(network.links.clone(), groups, Span::from_secs(10_001_000));
    config.warm_up = Time::ZERO + Span::from_secs(1_000);
    config.nodes = network.nodes;
    config
}

/// A line of links with a few flows over random parts of it: ends and sizes often equal.
fn line(seed: u64) -> Config {
    let mut draw = Draw::new(seed);
    let hops = draw.between(1, 6) as usize;
    let mut mbps = || 1_000_000 * draw.between(1, 6);
    let there: Vec<u64> = (0..hops).map(|_| mbps()).collect();
    let mut links: Vec<LinkConfig> =
        (0..hops).map(|i| link(i, i + 1, there[i], Span::from_micros(100))).collect();
    links.extend((0..hops).map(|i| link(i + 1, i, 1_000_000_000, Span::from_micros(100))));
    let groups = (0..draw.between(1, 9)).map(|number| {
        let from = draw.between(0, hops as u64) as usize;
        let to = draw.between(from as u64 + 1, hops as u64 + 1) as usize;
        let flow = |_| Listed {
            start: Time::ZERO + Span::from_micros(draw.between(0, 400_000)),
            size: Bytes::new(draw.between(1_000, 100_000)),
        };
        let flows: Vec<Listed> = (0..4).map(flow).collect();
        GroupConfig { name: number.to_string(), from, to, ..group(Traffic::List(flows)) }
    });
    let groups = groups.collect();
    let mut config = config(links, groups, Span::from_secs(1));
    config.limit = Time::ZERO + Span::from_secs(10_000);
    config
}

/// By how much longer than alone each flow of a plain simulation takes, in seconds.
fn plainly(config: &Config, ideal: Ideal, step: f64) -> Vec<f64> {
    let paths = Paths::of(config).expect("a line has paths");
    let records = by_flow(config, ideal);
    let capacities: Vec<f64> =
        config.links.iter().map(|link| link.capacity.as_bytes_per_sec_f64()).collect();
    let job = |record: &sluice_sim::FlowRecord| {
        let paths = &paths[record.group];
        let (out, back) = (paths.out.of_flow(record.index), paths.back.of_flow(record.index));
        let way = out.iter().chain(&*back).map(|&id| &config.links[id]);
        let opening = way.fold(Span::ZERO, |sum, link| {
            sum + link.delay + link.capacity.time_for(config.control)
        });
        Job {
            enters: (record.start + opening).as_secs_f64(),
            bytes: record.size.expect("sized").as_f64(),
            path: out.to_vec(),
        }
    };
    let jobs: Vec<Job> = records.iter().map(job).collect();
    let alone = |job: &Job| {
        let slowest = job.path.iter().map(|&id| capacities[id]).fold(f64::INFINITY, f64::min);
        job.enters + job.bytes / slowest
    };
    let ends = ends(&jobs, &capacities, ideal, step);
    ends.iter().zip(&jobs).map(|(end, job)| end - alone(job)).collect()
}

#[track_caller]
fn agree(ideal: Ideal, seeds: std::ops::Range<u64>, step: f64, tolerance: f64) {
    let mut worst = 0.0_f64;
    for seed in seeds.clone() {
        let config = line(seed);
        let records = by_flow(&config, ideal);
        for (record, plain) in records.iter().zip(plainly(&config, ideal, step)) {
            let apart = (later(record) - plain).abs();
            assert!(apart < tolerance, "seed {seed}: {apart} s apart, plainly {plain}: {record:?}");
            worst = worst.max(apart);
        }
    }
    println!("{ideal:?}, seeds {seeds:?}: worst {worst:e} s apart");
}

#[test]
fn max_min_equals_the_plain_simulation() {
    agree(Ideal::MaxMin, 0..400, f64::INFINITY, 2e-9);
}

#[test]
fn first_come_first_served_equals_the_plain_simulation() {
    agree(Ideal::Fcfs, 0..400, f64::INFINITY, 2e-9);
}

/// The plain simulation detects up to a step late that a flow has overtaken another.
#[test]
fn srpt_equals_the_plain_simulation() {
    agree(Ideal::Srpt, 0..60, 1e-5, 1e-3);
}

/// Flows of equal size that start at the same instant: faster ones move ahead, and the number of
/// such events is bounded.
#[test]
fn ties_are_resolved() {
    for seed in 0..2_000 {
        let mut config = line(seed);
        for group in &mut config.groups {
            let flow = Listed { start: Time::ZERO, size: Bytes::new(50_000) };
            group.traffic = Traffic::List(vec![flow; 4]);
            // Data enter at one instant too.
            group.back = None;
        }
        for link in &mut config.links {
            link.delay = Span::ZERO;
        }
        config.control = Bytes::new(1);
        for &ideal in Ideal::ALL {
            let RunResult { outcome, records, .. } = run_to_end(&config, ideal);
            let flows = records.len() as u64;
            assert_eq!((outcome.unfinished, flows), (0, 4 * config.groups.len() as u64));
            assert!(outcome.totals.events < 20 * flows + 100, "{ideal:?} {seed}: {outcome:?}");
        }
    }
}
