//! NCP as core-stateless fair queueing, in the set-ups of CSFQ's tests, whose fair shares are by hand.

use sluice_laws::tcp::TcpParams;
use sluice_sim::queue::{AboveShare, Discipline, LabelCount, LabelRate, NcpCsfq};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Traffic, Udp};
use sluice_sim::{DatagramCounts, GroupConfig, LinkConfig, LinkMetrics};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::common::run_to_end;
use crate::csfq::{CAPACITY, MBPS, crossing, measured, rates, row, udp, with, within};
use crate::shown::{alone, config, flow, group, mean};

const READINGS: [(LabelCount, LabelRate); 4] = [
    (LabelCount::Eq8, LabelRate::Average),
    (LabelCount::Eq8, LabelRate::Gap),
    (LabelCount::Eq12, LabelRate::Average),
    (LabelCount::Eq12, LabelRate::Gap),
];

fn queue(counted: LabelCount, labels: LabelRate) -> Discipline {
    Discipline::NcpCsfq(NcpCsfq { counted, labels, ..NcpCsfq::default() })
}

/// Flow i of 32 sends i + 1 times its share of the link, but the first, which sends just that. Each gets it.
#[test]
fn streams_share_a_link_whatever_they_send() {
    let share = CAPACITY / 32.0;
    for (counted, labels) in READINGS {
        let streams = (1..=32).map(|i| udp(&i.to_string(), share * f64::from(i))).collect();
        let run = measured(with(queue(counted, labels)), streams);
        rates(&run).iter().for_each(|&rate| within(rate, share, 0.12));
        assert!(run.outcome.links[0].utilization > 0.95, "{:?}", run.outcome.links[0]);
    }
}

/// Ten streams of 0.25 Mb/s leave 7.5 Mb/s to two of 10: by (12) 3.75 each, by (8) 10/12.
#[test]
fn what_slow_streams_leave_is_used_by_12_alone() {
    for (counted, share) in [(LabelCount::Eq8, 10.0 / 12.0), (LabelCount::Eq12, 3.75)] {
        let slow = (0..10).map(|place| udp(&place.to_string(), 0.25 * MBPS));
        let fast = ["a", "b"].map(|name| udp(name, CAPACITY));
        let streams = slow.chain(fast).collect();
        let found = rates(&measured(with(queue(counted, LabelRate::Average)), streams));
        found[..10].iter().for_each(|&rate| within(rate, 0.25 * MBPS, 0.01));
        found[10..].iter().for_each(|&rate| within(rate, share * MBPS, 0.05));
    }
}

/// Links behind the edge read labels that those before them have lowered.
#[test]
fn a_stream_over_several_links_keeps_its_share() {
    for (counted, labels) in READINGS {
        let across = GroupConfig { from: 0, to: 5, ..udp("across", 2.0 * MBPS) };
        let groups = [across].into_iter().chain(crossing()).collect();
        let found = rates(&measured(row(queue(counted, labels)), groups));
        within(found[0], CAPACITY / 11.0, 0.2);
        found[1..].iter().for_each(|&rate| within(rate, CAPACITY / 11.0, 0.1));
    }
}

/// Streams of the link's rate with weights 1, 2 and 4 share by them, at an edge and behind one.
#[test]
fn streams_share_by_weight() {
    for to in [1, 5] {
        let weighted = [1.0, 2.0, 4.0].map(|weight| GroupConfig {
            queue_weight: Ratio::new(weight),
            to,
            ..udp(&weight.to_string(), CAPACITY)
        });
        let queue = queue(LabelCount::Eq8, LabelRate::Average);
        let found = rates(&measured(row(queue), weighted.into()));
        for (rate, weight) in found.into_iter().zip([1.0, 2.0, 4.0]) {
            within(rate, CAPACITY * weight / 7.0, 0.1);
        }
    }
}

/// Admission of packets: of streams of 1, 2 and 4 Mb/s beside one of 10, R(t) is 2.5 Mb/s. Two pass whole, two not at
/// all after the first interval, in which R(t) is that of an idle link.
#[test]
fn refused_streams_pass_nothing() {
    let refuse = NcpCsfq { above: AboveShare::Refuse, ..NcpCsfq::default() };
    let streams = [1.0, 2.0, 4.0, 10.0].map(|mbps| udp(&mbps.to_string(), mbps * MBPS));
    let run = measured(with(Discipline::NcpCsfq(refuse)), streams.into());
    let found = rates(&run);
    within(found[0], 1.0 * MBPS, 0.01);
    within(found[1], 2.0 * MBPS, 0.01);
    assert_eq!(found[2..], [0.0, 0.0]);
}

/// Each datagram sent is delivered, lost or under way.
#[test]
fn datagrams_are_conserved() {
    for (counted, labels) in READINGS {
        let across = GroupConfig { from: 0, to: 5, ..udp("across", 20.0 * MBPS) };
        let config = config(row(queue(counted, labels)), vec![across], Span::from_secs(10));
        let run = run_to_end(&config, &TcpParams::default());
        let DatagramCounts { sent, delivered, lost, .. } =
            run.streams[0].datagrams.expect("counts");
        let drops: u64 = run.outcome.links.iter().map(|link| link.drops).sum();
        assert_eq!(lost, drops);
        assert!(sent - delivered - lost < 70, "{sent}, {delivered}, {lost}");
    }
}

/// Where the capacity varies, the share is that of the last interval.
#[test]
fn the_share_follows_a_capacity_that_varies() {
    let mut links = with(queue(LabelCount::Eq8, LabelRate::Average));
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

/// Streams whose packets arrive at the same instants get equal shares.
#[test]
fn streams_of_one_phase_share_equally() {
    let alike = |name: i32| {
        let udp = Udp::constant(Rate::from_bps_f64(2.0 * MBPS), Bytes::new(1000));
        GroupConfig { name: name.to_string(), ..group(udp.into()) }
    };
    for (counted, labels) in READINGS {
        let found = rates(&measured(with(queue(counted, labels)), (0..10).map(alike).collect()));
        found.into_iter().for_each(|rate| within(rate, CAPACITY / 10.0, 0.1));
    }
}

/// A flow of TCP alone uses most of what it uses over drop tail: 0.75 of the link and 0.98 over 80 ms. Labels of its
/// bursts exceed the capacity and are thinned, also where the buffer has room. With a buffer of one packet it finishes.
#[test]
fn a_flow_alone_uses_the_link() {
    for (rtt, time) in
        [(Span::from_micros(10), 20), (Span::from_millis(80), 60), (Span::from_secs(3), 600)]
    {
        let mut config =
            alone(CAPACITY as u64, rtt, BufferSize::Packets(64), Span::from_secs(time));
        let queues = [Discipline::default(), queue(LabelCount::Eq12, LabelRate::Average)];
        let [drop_tail, ncp] = queues.map(|queue| {
            config.links[0].queue = queue;
            run_to_end(&config, &TcpParams::default()).outcome.links[0].utilization
        });
        assert!(ncp > 0.7 * drop_tail, "{ncp} and {drop_tail} at {rtt}");
    }
    let links = with(queue(LabelCount::Eq8, LabelRate::Average));
    let links = links.into_iter().map(|link| LinkConfig { buffer: BufferSize::Packets(1), ..link });
    let flows = Traffic::List(vec![flow(Time::ZERO, 1000)]);
    let config = config(links.collect(), vec![group(flows)], Span::from_secs(5));
    let run = run_to_end(&config, &TcpParams::default());
    assert!(run.records[0].completion.is_some(), "{:?}", run.records);
}
