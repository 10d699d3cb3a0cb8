//! CSFQ against the results of its paper, I. Stoica, S. Shenker, H. Zhang, "Core-Stateless Fair
//! Queueing" (SIGCOMM 1998), section 3, and corners.

use sluice_laws::hpcc::HpccParams;
use sluice_laws::tcp::TcpParams;
use sluice_laws::transport::Transport;
use sluice_sim::queue::{Csfq, Discipline};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Long, Phase, Traffic, Udp};
use sluice_sim::{DatagramCounts, GroupConfig, LinkConfig, LinkMetrics, NodeId};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::common::{RunResult, run_to_end};
use crate::shown::{alone, config, flow, group, jain, link, mean, pipe};

pub(crate) const MBPS: f64 = 1e6;
/// Links of the paper: 10 Mb/s, 1 ms, 64 kB.
pub(crate) const CAPACITY: f64 = 10.0 * MBPS;
const DELAY: Span = Span::from_millis(1);
const BUFFER: BufferSize = BufferSize::Bytes(Bytes::new(64_000));
/// After the warm-up of 5 s.
const MEASURED: f64 = 30.0;

fn csfq() -> Discipline {
    Discipline::Csfq(Csfq::default())
}

/// The link, and the same back, which has room for all acknowledgements.
pub(crate) fn with(queue: Discipline) -> Vec<LinkConfig> {
    let mut links = pipe(CAPACITY as u64, DELAY);
    (links[0].queue, links[0].buffer) = (queue, BUFFER);
    links
}

/// A stream of datagrams of 1000 bytes.
pub(crate) fn udp(name: &str, bps: f64) -> GroupConfig {
    let udp = Udp::constant(Rate::from_bps_f64(bps), Bytes::new(1000));
    GroupConfig { name: name.into(), ..group(Udp { phase: Phase::Random, ..udp }.into()) }
}

/// Flows of TCP that do not end.
fn tcp(name: &str, count: u64) -> GroupConfig {
    let spacing = Span::from_millis(10);
    let long = Long { count, spacing, ..Long::default() };
    GroupConfig { name: name.into(), ..group(Traffic::Long(long)) }
}

/// Under the transport of hosts today: with time-outs of at least 1 s, flows of a few packets a window leave more to
/// a stream than the paper's.
pub(crate) fn measured(links: Vec<LinkConfig>, groups: Vec<GroupConfig>) -> RunResult {
    let mut config = config(links, groups, Span::from_secs(35));
    config.warm_up = Time::ZERO + Span::from_secs(5);
    config.parameters.transport = Transport::DEFAULT;
    run_to_end(&config, &TcpParams::default())
}

/// Rates of the streams of datagrams, by group, in bits a second.
pub(crate) fn rates(run: &RunResult) -> Vec<f64> {
    let mut streams = run.streams.clone();
    streams.sort_by_key(|stream| stream.group);
    streams.iter().map(|stream| stream.delivered.as_f64() * 8.0 / MEASURED).collect()
}

/// What each flow of TCP received, in bits a second.
fn goodputs(run: &RunResult) -> Vec<f64> {
    run.records.iter().map(|record| record.delivered.as_f64() * 8.0 / MEASURED).collect()
}

pub(crate) fn within(found: f64, expected: f64, part: f64) {
    assert!((found / expected - 1.0).abs() < part, "{found:.0}, not {expected:.0}");
}

/// Section 3.1: flow i of 32 sends i + 1 times its share of the link. Each gets the share. Drop
/// tail divides the link by what is sent, and by phases.
#[test]
fn streams_share_a_link_whatever_they_send() {
    let share = CAPACITY / 32.0;
    let streams = || (1..=32).map(|i| udp(&i.to_string(), share * f64::from(i))).collect();
    let run = measured(with(csfq()), streams());
    rates(&run).iter().for_each(|&rate| within(rate, share, 0.1));
    assert!(run.outcome.links[0].utilization > 0.98, "{:?}", run.outcome.links[0]);
    let unfair = rates(&measured(with(Discipline::default()), streams()));
    assert!(jain(&unfair) < 0.8, "{unfair:?}");
}

/// The metric of the share follows the flows: a tenth of the link for 10 streams of the link's rate each, half of
/// it for 2 from 20 s on.
#[test]
fn metrics_show_the_share() {
    let streams = (0..10).map(|i| {
        let stop = Time::ZERO + Span::from_secs(if i < 2 { 40 } else { 20 });
        let udp = Udp::constant(Rate::from_bps_f64(CAPACITY), Bytes::new(1000));
        let udp = Udp { phase: Phase::Random, stop, ..udp };
        GroupConfig { name: i.to_string(), ..group(udp.into()) }
    });
    let mut config = config(with(csfq()), streams.collect(), Span::from_secs(40));
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(100) }];
    let run = run_to_end(&config, &TcpParams::default());
    let column = |name, from: usize| mean(&run.series[0].column(name)[from..from + 100]);
    for (from, streams) in [(90, 10.0), (290, 2.0)] {
        within(column("fair_share_bps", from), CAPACITY / streams, 0.1);
        within(column("arrival_rate_bps", from), CAPACITY * streams, 0.01);
        within(column("accepted_rate_bps", from), CAPACITY, 0.05);
        assert_eq!(column("flows", from), 10.0_f64.min(streams));
    }
}

/// Where the capacity varies, the share is that of the present one.
#[test]
fn the_share_follows_a_capacity_that_varies() {
    let mut links = with(csfq());
    let [half, full] = [CAPACITY / 2.0, CAPACITY].map(Rate::from_bps_f64);
    let steps = vec![(Time::ZERO, half), (Time::ZERO + Span::from_secs(20), full)];
    links[0].schedule = Some(CapacitySchedule::new(CapacityCourse::Steps(steps)));
    let streams = (0..5).map(|place| udp(&place.to_string(), 4.0 * MBPS)).collect();
    let mut config = config(links, streams, Span::from_secs(40));
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(100) }];
    let share = run_to_end(&config, &TcpParams::default()).series[0].column("fair_share_bps");
    within(mean(&share[100..200]), 1.0 * MBPS, 0.1);
    within(mean(&share[300..400]), 2.0 * MBPS, 0.1);
}

/// Section 3.1: a stream of the link's rate beside 31 flows of TCP gets about its share, 0.31 Mb/s; under
/// drop tail, most of the link.
#[test]
fn a_stream_leaves_flows_of_tcp_their_shares() {
    let groups = || vec![udp("udp", CAPACITY), tcp("tcp", 31)];
    let run = measured(with(csfq()), groups());
    let stream = rates(&run)[0];
    assert!((0.28 * MBPS..0.45 * MBPS).contains(&stream), "{stream}");
    let flows = goodputs(&run);
    assert!(flows.iter().sum::<f64>() > 0.93 * CAPACITY && jain(&flows) > 0.99, "{flows:?}");
    let starved = measured(with(Discipline::default()), groups());
    assert!(rates(&starved)[0] > 0.75 * CAPACITY, "{}", rates(&starved)[0]);
}

/// Five links in a row, and back.
pub(crate) fn row(queue: Discipline) -> Vec<LinkConfig> {
    let pair = |at: NodeId| {
        [link(at, at + 1, CAPACITY as u64, DELAY), link(at + 1, at, CAPACITY as u64, DELAY)]
    };
    (0..5).flat_map(pair).map(|link| LinkConfig { queue, buffer: BUFFER, ..link }).collect()
}

/// Ten streams of 2 Mb/s over each link of the row.
pub(crate) fn crossing() -> impl Iterator<Item = GroupConfig> {
    (0..50).map(|place| {
        let (from, name) = (place / 10, format!("cross-{place}"));
        GroupConfig { from, to: from + 1, ..udp(&name, 2.0 * MBPS) }
    })
}

/// Section 3.2: a stream over five links, each with ten others as fast that cross it, keeps 1/11 of
/// each, since links lower labels to their shares. Under drop tail each lets less than half of it pass.
#[test]
fn a_stream_over_several_links_keeps_its_share() {
    let groups = || {
        let across = GroupConfig { from: 0, to: 5, ..udp("across", 2.0 * MBPS) };
        [across].into_iter().chain(crossing()).collect()
    };
    let found = rates(&measured(row(csfq()), groups()));
    within(found[0], CAPACITY / 11.0, 0.15);
    found[1..].iter().for_each(|&rate| within(rate, CAPACITY / 11.0, 0.1));
    let starved = rates(&measured(row(Discipline::default()), groups()))[0];
    assert!(starved < 0.25 * CAPACITY / 11.0, "{starved}");
}

/// What is lost between edge and last link: each datagram sent is delivered, lost or under way.
#[test]
fn datagrams_lost_behind_an_edge_are_counted() {
    let mut links = row(csfq());
    links[2].error = Ratio::new(0.1);
    let across = GroupConfig { from: 0, to: 5, ..udp("across", 1.0 * MBPS) };
    let config = config(links, vec![across], Span::from_secs(10));
    let run = run_to_end(&config, &TcpParams::default());
    let DatagramCounts { sent, delivered, lost, .. } = run.streams[0].datagrams.expect("packets");
    assert_eq!(lost, run.outcome.links[2].errors);
    assert!(lost > 80 && sent - delivered - lost < 5, "{sent}, {delivered}, {lost}");
}

/// In both directions at once: acknowledgements have labels, too, beside their blocks, and are flows of their
/// own, far below the share.
#[test]
fn both_directions_of_flows_share_with_streams() {
    let back = |group: GroupConfig| GroupConfig { from: 5, to: 0, ..group };
    let out = |group: GroupConfig| GroupConfig { from: 0, to: 5, ..group };
    let groups = vec![
        out(udp("udp out", CAPACITY)),
        back(udp("udp back", CAPACITY)),
        out(tcp("tcp out", 9)),
        back(tcp("tcp back", 9)),
    ];
    let run = measured(row(csfq()), groups);
    rates(&run).iter().for_each(|&rate| within(rate, CAPACITY / 10.0, 0.4));
    let goodputs = goodputs(&run);
    for flows in [&goodputs[..9], &goodputs[9..]] {
        assert!(flows.iter().sum::<f64>() > 0.6 * CAPACITY, "{flows:?}");
    }
}

/// Streams of the link's rate with weights 1, 2 and 4, at an edge and behind one.
#[test]
fn streams_share_by_weight() {
    for to in [1, 5] {
        let weighted = [1.0, 2.0, 4.0].map(|weight| GroupConfig {
            queue_weight: Ratio::new(weight),
            to,
            ..udp(&weight.to_string(), CAPACITY)
        });
        let found = rates(&measured(row(csfq()), weighted.into()));
        for (rate, weight) in found.into_iter().zip([1.0, 2.0, 4.0]) {
            within(rate, CAPACITY * weight / 7.0, 0.1);
        }
    }
}

/// Below the capacity nothing is dropped, whatever the time constants and threshold.
#[test]
fn a_stream_alone_loses_nothing_below_the_capacity() {
    let [short, long] = [Span::from_micros(1), Span::from_secs(1000)];
    for (k, k_alpha, k_c) in
        [(short, short, short), (long, long, long), (short, long, short), (long, short, long)]
    {
        let congested_from = Some(BufferSize::Packets(1));
        let csfq = Discipline::Csfq(Csfq { k, k_alpha, k_c, congested_from });
        let run = measured(with(csfq), vec![udp("udp", 0.99 * CAPACITY)]);
        assert_eq!(run.outcome.links[0].drops, 0, "{csfq:?}");
    }
}

/// Streams that send at the same instants are equal.
#[test]
fn streams_of_one_phase_share_equally() {
    let alike = |name: i32| {
        let udp = Udp::constant(Rate::from_bps_f64(2.0 * MBPS), Bytes::new(1000));
        GroupConfig { name: name.to_string(), ..group(udp.into()) }
    };
    let found = rates(&measured(with(csfq()), (0..10).map(alike).collect()));
    found.into_iter().for_each(|rate| within(rate, CAPACITY / 10.0, 0.1));
}

/// A flow of TCP alone uses the link as over drop tail, over the shortest and longest paths, and finishes at a
/// buffer of one packet.
#[test]
fn a_flow_alone_uses_the_link() {
    for (rtt, time) in
        [(Span::from_micros(10), 20), (Span::from_millis(80), 60), (Span::from_secs(3), 600)]
    {
        let mut config =
            alone(CAPACITY as u64, rtt, BufferSize::Packets(64), Span::from_secs(time));
        let [drop_tail, csfq] = [Discipline::default(), csfq()].map(|queue| {
            config.links[0].queue = queue;
            run_to_end(&config, &TcpParams::default()).outcome.links[0].utilization
        });
        assert!(csfq > 0.9 * drop_tail, "{csfq} and {drop_tail} at {rtt}");
    }
    let mut links = with(csfq());
    links[0].buffer = BufferSize::Packets(1);
    let flows = Traffic::List(vec![flow(Time::ZERO, 1000)]);
    let run =
        run_to_end(&config(links, vec![group(flows)], Span::from_secs(1)), &TcpParams::default());
    assert!(run.records[0].completion.is_some(), "{:?}", run.records);
}

/// A packet carries telemetry and a label at once: where nothing is congested, flows of HPCC are as over drop tail.
#[test]
fn labels_leave_telemetry_alone() {
    let run = |queue| {
        let flows = GroupConfig { from: 0, to: 5, ..tcp("flows", 3) };
        let links = row(queue).into_iter();
        let links = links.map(|link| LinkConfig { buffer: BufferSize::Unlimited, ..link });
        let config = config(links.collect(), vec![flows], Span::from_secs(5));
        let run = run_to_end(&config, &HpccParams::default());
        (run.records, run.outcome.totals.dropped)
    };
    let congested_from = Some(BufferSize::Packets(1_000_000));
    let labelled = run(Discipline::Csfq(Csfq { congested_from, ..Csfq::default() }));
    assert_eq!(labelled, run(Discipline::default()));
    assert!(labelled.0.iter().all(|record| record.delivered > Bytes::new(500_000)), "{labelled:?}");
}
