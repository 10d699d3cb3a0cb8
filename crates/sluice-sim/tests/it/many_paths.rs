//! Several paths of least delay between two hosts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sluice_laws::host::PacketKind;
use sluice_laws::registry::Parameters;
use sluice_laws::transport::LossRecovery;
use sluice_sim::ideal::Ideal;
use sluice_sim::queue::Discipline;
use sluice_sim::traffic::{Listed, Traffic};
use sluice_sim::{
    Config, FlowRecord, GroupConfig, LinkConfig, Observer, PacketAction, PacketEvent, Paths,
    Progress, Routing, TraceConfig, WeightedPath, run,
};
use sluice_units::{Bytes, Rate, Span, Time};

use crate::common::case::{Case, lossless_case};
use crate::common::{RunResult, run_to_end, runner};
use crate::ideals::by_flow;
use crate::shown::{config, flow, group, link};

/// Host 0, switch 1, as many switches as there are capacities, then the last switch and host.
fn fan(capacities: &[u64]) -> Vec<LinkConfig> {
    let (far, host) = (2 + capacities.len(), 3 + capacities.len());
    let delay = Span::from_micros(10);
    let spines = capacities
        .iter()
        .enumerate()
        .flat_map(|(i, &bps)| [(1, 2 + i), (2 + i, far)].map(|(from, to)| (from, to, bps)));
    let ends = [(0, 1, 1_000_000_000), (far, host, 1_000_000_000)];
    let there = ends.into_iter().chain(spines);
    there.flat_map(|(a, b, bps)| [link(a, b, bps, delay), link(b, a, bps, delay)]).collect()
}

/// One flow each millisecond, of 20 packets.
fn flows(count: u64) -> Traffic {
    let flow = |i| Listed { start: Time::ZERO + Span::from_millis(i), size: Bytes::new(20_000) };
    Traffic::List((0..count).map(flow).collect())
}

fn over(capacities: &[u64], routing: Routing, traffic: Traffic) -> Config {
    let to = 3 + capacities.len();
    let group = GroupConfig { to, routing, ..group(traffic) };
    let mut config = config(fan(capacities), vec![group], Span::from_secs(1));
    config.limit = config.stop + Span::from_secs(10);
    config
}

/// Every link carries the flows that took it, and their acknowledgements.
#[test]
fn links_carry_the_flows_that_take_them() {
    let config = over(&[1_000_000_000; 4], Routing::Ecmp, flows(200));
    let paths = &Paths::of(&config).unwrap()[0];
    let mut expected = vec![0; config.links.len()];
    for index in 0..200 {
        for &link in &*paths.out.of_flow(index) {
            expected[link] += 20_000 + config.control.as_u64();
        }
        for &link in &*paths.back.of_flow(index) {
            expected[link] += 21 * config.control.as_u64();
        }
    }
    let parameters = Parameters::default();
    let outcome = run_to_end(&config, &parameters.tcp).outcome;
    let sent: Vec<u64> = outcome.links.iter().map(|link| link.sent.as_u64()).collect();
    assert_eq!(outcome.links.iter().map(|link| link.drops).sum::<u64>(), 0);
    assert_eq!(sent, expected);
    let used = |id: &usize| outcome.links[*id].sent > Bytes::new(0);
    assert_eq!((0..config.links.len()).filter(used).count(), config.links.len());
}

/// Paths may share all of their links, which then are the bottlenecks of an ideal, too.
#[test]
fn an_ideal_carries_flows_over_given_paths_of_the_same_links() {
    let mut config = over(&[1_000_000_000], Routing::Ecmp, flows(20));
    let path = |weight| WeightedPath { path: vec![0, 4, 6, 2], weight };
    config.groups[0].paths = vec![path(1), path(3)];
    for &ideal in Ideal::ALL {
        let flows = by_flow(&config, ideal);
        assert_eq!(flows.len(), 20);
        for flow in flows {
            assert!(
                flow.completion.is_some() && flow.completion == flow.alone,
                "{ideal:?}: {flow:?}"
            );
        }
    }
}

/// The small last packet of a flow alone waits for the one before it, or not: that depends on the order in
/// which a path crosses its links.
#[test]
fn a_flow_alone_crosses_its_links_in_order() {
    let links = [(0, 1, 1_000_000), (1, 0, 100_000_000), (0, 1, 100_000_000)];
    let links = links.map(|(from, to, bps)| link(from, to, bps, Span::ZERO)).to_vec();
    let flow = |i| Listed { start: Time::ZERO + Span::from_secs(i), size: Bytes::new(20_100) };
    let traffic = Traffic::List((0..40).map(flow).collect());
    let mut config = config(links, vec![group(traffic)], Span::from_secs(100));
    let path = |path: [usize; 3]| WeightedPath { path: path.to_vec(), weight: 1 };
    config.groups[0].paths = vec![path([0, 1, 2]), path([2, 1, 0])];
    let flows = by_flow(&config, Ideal::MaxMin);
    let alone: BTreeSet<_> = flows.iter().filter_map(|flow| flow.alone).collect();
    let (short, long) = (*alone.first().unwrap(), *alone.last().unwrap());
    // The last packet is 900 bytes smaller, and waits for that before it at the slow link where this comes
    // behind the two fast ones.
    assert_eq!(long.saturating_sub(short), Span::from_micros(2 * 72));
    let engine = run_to_end(&config, &Parameters::default().rcp).records;
    let engine: BTreeMap<_, _> = engine.iter().map(|flow| (flow.index, flow.alone)).collect();
    assert_eq!(flows.len(), 40);
    assert!(flows.iter().all(|flow| flow.alone == engine[&flow.index]));
}

/// A slowdown compares a flow with itself alone on the path that it takes.
#[test]
fn a_flow_alone_is_alone_on_its_own_path() {
    let config = over(&[1_000_000_000, 10_000_000], Routing::Ecmp, flows(40));
    let paths = &Paths::of(&config).unwrap()[0];
    let parameters = Parameters::default();
    let records = run_to_end(&config, &parameters.tcp).records;
    let alone = |record: &FlowRecord| record.alone.unwrap().as_secs_f64() * 1e3;
    for record in &records {
        let path = paths.out.of_flow(record.index);
        let slow = path.iter().any(|&id| config.links[id].capacity < Rate::from_bps(1_000_000_000));
        // 20 packets at 10 Mb/s take 16 ms.
        assert_eq!(alone(record) > 16.0, slow, "{record:?}");
        assert!(record.completion >= record.alone, "{record:?}");
    }
    assert!(records.iter().any(|record| alone(record) > 16.0));
    assert!(records.iter().any(|record| alone(record) < 1.0));
}

/// Each path carries as many packets, also of several flows.
#[test]
fn sprayed_packets_take_all_paths_in_turn() {
    let config = over(&[1_000_000_000; 4], Routing::Spray, flows(10));
    let parameters = Parameters::default();
    let RunResult { records, outcome, .. } = run_to_end(&config, &parameters.tcp);
    for record in &records {
        assert_eq!((record.retransmissions, record.delivered), (0, Bytes::new(20_000)));
        assert!(record.completion >= record.alone, "{record:?}");
    }
    // A SYN and 20 packets a flow: five each on four paths, and the SYN on one of them.
    let spines = (0..config.links.len()).filter(|&id| config.links[id].from == 1);
    let data: Vec<u64> = spines
        .filter(|&id| (2..6).contains(&config.links[id].to))
        .map(|id| outcome.links[id].sent.as_u64())
        .collect();
    assert_eq!(data.len(), 4);
    let syns = 10 * config.control.as_u64();
    assert_eq!(data.iter().sum::<u64>(), 10 * 20_000 + syns);
    assert!(data.iter().all(|&sent| (50_000..=50_000 + syns).contains(&sent)), "{data:?}");
}

/// A flow of 20 MB at 1 Gb/s over two paths of 1 Gb/s, one of which also carries 320 Mb/s in bursts of
/// `beside` packets: its record, and its throughput over that of the max-min ideal.
fn beside_bursts(beside: u64, recovery: LossRecovery) -> (FlowRecord, f64) {
    let mut config = over(&[1_000_000_000; 2], Routing::Spray, Traffic::List(Vec::new()));
    config.groups[0].traffic = Traffic::List(vec![flow(Time::ZERO, 20_000)]);
    let every = Span::from_micros(25 * beside);
    let bursts = (0..8_000 / beside).map(|i| flow(Time::ZERO + every * i, beside));
    // Between the switches at its ends.
    let traffic = Traffic::List(bursts.collect());
    let is_on_it =
        |id: &usize| [(1, 2), (2, 4)].contains(&(config.links[*id].from, config.links[*id].to));
    let path: Vec<usize> = (0..config.links.len()).filter(is_on_it).collect();
    let bursts = GroupConfig { from: 1, to: 4, path: Some(path), ..group(traffic) };
    config.groups.push(GroupConfig { name: "bursts".into(), ..bursts });
    let mut parameters = Parameters::default();
    parameters.transport.recovery = recovery;
    config.parameters.transport = parameters.transport;
    let of = |records: Vec<FlowRecord>| records.into_iter().find(|record| record.group == 0);
    let found = of(run_to_end(&config, &parameters.tcp).records).expect("it is measured");
    let ideal = of(by_flow(&config, Ideal::MaxMin)).and_then(|record| record.completion);
    let took = found.completion.expect("it finishes").as_secs_f64();
    (found, ideal.expect("it finishes").as_secs_f64() / took)
}

/// RACK (RFC 8985) waits for packets that others have overtaken, and longer where that was too short.
#[test]
fn recovery_by_time_stands_reordering() {
    for beside in [1, 4, 20] {
        let (flow, speed) = beside_bursts(beside, LossRecovery::Rack);
        println!("{beside} beside: {} sent again, {speed:.3} of the ideal", flow.retransmissions);
        assert_eq!(flow.delivered, Bytes::new(20_000_000), "each byte once");
        assert!(flow.retransmissions < 10, "{flow:?}");
        assert!(speed > 0.9, "{speed}");
    }
}

/// Recoveries that count duplicate acknowledgements take reordering for losses; they finish all the same.
#[test]
fn recoveries_by_counting_repeat_packets_and_finish() {
    let (_, by_time) = beside_bursts(20, LossRecovery::Rack);
    for (recovery, repeated) in
        [(LossRecovery::Sack, 300), (LossRecovery::NewReno, 1400), (LossRecovery::Reno, 260)]
    {
        let (flow, speed) = beside_bursts(20, recovery);
        println!("{recovery}: {} sent again, {speed:.3} of the ideal", flow.retransmissions);
        assert_eq!(flow.delivered, Bytes::new(20_000_000), "each byte once");
        assert!(flow.retransmissions.abs_diff(repeated) < repeated / 10, "{flow:?}");
        assert!((1.5..1.8).contains(&(by_time / speed)), "{speed} against {by_time}");
    }
}

/// What arrives at the ends of links, by group and flow, in order.
#[derive(Default)]
struct Arrivals(Vec<PacketEvent>);

impl Observer for Arrivals {
    fn flow(&mut self, _: &FlowRecord) {}

    fn tick(&mut self, _: Progress) -> bool {
        true
    }

    fn packet(&mut self, event: &PacketEvent) {
        if event.what == PacketAction::Delivered && event.packet.kind == PacketKind::Data {
            self.0.push(*event);
        }
    }
}

/// Data packets that overtook others of their flow, of the flows of each group, in a network that loses
/// nothing.
fn overtaking(case: &Case) -> Vec<u64> {
    let trace =
        TraceConfig { links: (0..case.config.links.len()).collect(), ..TraceConfig::default() };
    let config = Config { trace, ..case.config.clone() };
    let mut arrivals = Arrivals::default();
    run(&config, case.law.protocol(), &mut arrivals).expect("a valid configuration");
    let mut next = BTreeMap::new();
    let mut early = vec![0; config.groups.len()];
    for PacketEvent { link, packet, .. } in arrivals.0 {
        if config.links[link].to == config.groups[packet.group].to {
            let next = next.entry((packet.group, packet.index)).or_insert(0);
            early[packet.group] += u64::from(packet.seq > *next);
            *next = (packet.seq + 1).max(*next);
        }
    }
    early
}

proptest! {
    #![proptest_config(runner(60))]

    /// A flow keeps its path, and links keep order under all disciplines but one, DualPI2, which lets a marked
    /// packet pass unmarked ones, within a class: packets beyond a profile are of another than those within.
    #[test]
    fn packets_of_a_flow_on_one_path_stay_in_order(case in lossless_case()) {
        let mut case = case;
        case.config.reconvergence = None;
        case.law.parameters.xcp_guaranteed.exceeds = false;
        case.config.parameters.xcp_guaranteed.exceeds = false;
        // Given paths may pass the destination and come back to it.
        for group in &mut case.config.groups {
            (group.path, group.back) = (None, None);
            group.paths.clear();
            group.reroute.clear();
        }
        // Other paths may cross its cloud one way only, or on several.
        if case.config.check_clouds().is_err() {
            case.config.clouds.clear();
        }
        for link in &mut case.config.links {
            if matches!(link.queue, Discipline::Dualpi2(_)) {
                link.queue = Discipline::default();
            }
        }
        for (group, early) in case.config.groups.iter().zip(overtaking(&case)) {
            prop_assert!(early == 0 || group.routing == Routing::Spray, "{early} of {}", group.name);
        }
    }
}
