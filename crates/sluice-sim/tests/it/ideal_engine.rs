//! Ideals beside the engine: both get the same flows and report them by the same rules.

use crate::common::case::{Case, any_case, lossless_case};
use crate::common::network::{Quality, network};
use crate::common::series::Series;
use crate::common::{run_to_end as run_engine, runner};
use crate::fluid::{Job, completion_times};
use crate::ideals::{Draw, RunResult, by_flow, interrupted, run_to_end};
use crate::shown::{config, flow, group, pipe};
use proptest::prelude::*;
use proptest::sample::Index;
use sluice_sim::ideal::Ideal;
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OPPORTUNITY};
use sluice_sim::traffic::{Listed, Long, Traffic};
use sluice_sim::{Config, FlowRecord, GroupConfig, LinkConfig, LinkMetrics, Paths, Subject};
use sluice_units::{Bytes, Rate, Span, Time};

fn any_ideal() -> impl Strategy<Value = Ideal> {
    prop::sample::select(Ideal::ALL)
}

proptest! {
    #![proptest_config(runner(120))]

    #[test]
    fn the_engine_gets_the_same_flows(case in any_case(), ideal in any_ideal()) {
        let Case { config, law } = case;
        let engine = run_engine(&config, law.protocol());
        let RunResult { outcome, records, series, .. } = run_to_end(&config, ideal);
        let flows = |records: &[FlowRecord]| {
            let measured = records.iter().filter(|record| record.measured);
            let mut flows: Vec<_> = measured
                .map(|r| (r.group, r.index, r.start, r.size, r.alone))
                .collect();
            flows.sort_unstable();
            flows
        };
        prop_assert_eq!(flows(&records), flows(&engine.records));
        prop_assert_eq!(outcome.measured, engine.outcome.measured);
        prop_assert_eq!(outcome.offered, engine.outcome.offered);
        let times = |series: Vec<Series>| {
            let links = series.into_iter().filter(|one| matches!(one.subject, Subject::Link(_)));
            links.map(|link| link.times.into_iter().filter(|&time| time <= config.stop).collect())
                .collect::<Vec<Vec<Time>>>()
        };
        prop_assert_eq!(times(series), times(engine.series));
    }

    #[test]
    fn each_flow_is_reported_once_in_order_and_makes_sense(case in any_case(), ideal in any_ideal()) {
        let config = case.config;
        let RunResult { outcome, records, .. } = run_to_end(&config, ideal);
        let mut names: Vec<_> = records.iter().map(|record| (record.group, record.index)).collect();
        names.sort_unstable();
        prop_assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "a flow was reported twice");
        for record in &records {
            makes_sense(record, &config, outcome.end)?;
        }
        in_order(&records, &config, outcome.end)?;
        let measured = || records.iter().filter(|record| record.measured && record.size.is_some());
        let unfinished = measured().filter(|record| record.completion.is_none());
        prop_assert_eq!(outcome.measured, measured().count() as u64);
        prop_assert_eq!(outcome.unfinished, unfinished.count() as u64);
        prop_assert!((config.stop..=config.limit).contains(&outcome.end));
        for (id, (link, found)) in config.links.iter().zip(&outcome.links).enumerate() {
            let room = link.bytes_between(config.warm_up, config.stop) + Bytes::new(1);
            let slack = Bytes::new(room.as_u64() / 1_000_000_000 + ahead(link));
            prop_assert!(found.sent <= room + slack, "link {id} sent {found:?}, room for {room}");
            prop_assert!((0.0..=1.0).contains(&found.utilization), "link {id}: {found:?}");
        }
    }

    /// Bytes are conserved: at the end, every link has carried every packet that crosses
    /// it, and every receiver has all data.
    #[test]
    fn all_that_comes_is_carried_once(case in lossless_case(), ideal in any_ideal()) {
        let mut config = case.config;
        // All flows start by twice the time, and links are measured until the last is done.
        (config.warm_up, config.stop) = (Time::ZERO, config.stop + config.stop.since(Time::ZERO));
        let done = run_to_end(&config, ideal).outcome.end + Span::NANO;
        (config.stop, config.limit) = (done, done);
        let RunResult { outcome, records, .. } = run_to_end(&config, ideal);
        let paths = Paths::of(&config).expect("it ran");
        let mut carried = vec![0.0; config.links.len()];
        for record in &records {
            let size = record.size.expect("all flows have a size").as_u64();
            let packets = size.div_ceil((config.packet - config.header).as_u64()).max(1);
            for (link, share) in paths[record.group].out.levels(record.index).concat() {
                carried[link] += share * (size + packets * config.header.as_u64()) as f64;
            }
            prop_assert!(record.completion.is_some(), "{record:?}");
            prop_assert_eq!(record.delivered.as_u64(), size, "{:?}", record);
        }
        for (link, carried) in outcome.links.iter().zip(carried) {
            prop_assert!((link.sent.as_f64() - carried).abs() < 1.0, "{link:?}, not {carried}");
        }
    }

    /// To the nanosecond, under any ideal.
    #[test]
    fn a_flow_alone_takes_the_time_of_alone(
        mut network in network(Quality::Any),
        (from, by) in any::<(Index, Index)>(),
        (packet, header) in prop::sample::select(&[(1000, 0), (1500, 40), (500, 20)][..]),
        size in prop_oneof![0_u64..3_000, 0_u64..10_000_000_000],
        start in 0_u64..10_000_000_000,
    ) {
        // `alone` goes by nominal capacities.
        network.links.iter_mut().for_each(|link| link.schedule = None);
        let from = from.index(network.nodes);
        let to = (from + 1 + by.index(network.nodes - 1)) % network.nodes;
        let start = Time::from_nanos(start);
        let traffic = Traffic::List(vec![Listed { start, size: Bytes::new(size) }]);
        let mut config = config(network.links, vec![GroupConfig { from, to, ..group(traffic) }], Span::from_secs(11));
        (config.packet, config.header) = (Bytes::new(packet), Bytes::new(header));
        config.limit = Time::from_nanos(1 << 59);
        for &ideal in Ideal::ALL {
            let record = by_flow(&config, ideal)[0];
            prop_assert_eq!(record.completion, record.alone, "{:?}", ideal);
        }
    }

    /// Long flows last until the observer interrupts the run.
    #[test]
    fn it_can_be_interrupted(case in any_case(), ideal in any_ideal()) {
        let Case { mut config, .. } = case;
        config.groups.truncate(1);
        config.flow_metrics.clear();
        config.group_metrics.clear();
        let period = Span::from_micros(1);
        config.link_metrics = vec![LinkMetrics { link: 0, every: period }];
        config.stop = Time::ZERO + period * 100_000;
        (config.warm_up, config.limit) = (Time::ZERO, config.stop);
        config.groups[0].traffic =
            Traffic::Long(Long { count: 2, start: Time::ZERO, spacing: Span::ZERO, stop: Time::NEVER, ..Long::default() });
        let RunResult { outcome, records, ticks, .. } = interrupted(&config, ideal, 1);
        prop_assert_eq!(ticks, 1);
        prop_assert!(outcome.interrupted && outcome.end < config.stop);
        prop_assert_eq!(records.len(), 2);
        prop_assert_eq!(run_to_end(&config, ideal), run_to_end(&config, ideal), "twice the same");
    }
}

/// Bytes that a fluid may have had of the next opportunities: those of the largest group at one instant, and
/// as many for each outage, which the fluid and the packets meet at different points of their groups.
fn ahead(link: &LinkConfig) -> u64 {
    let Some(CapacitySchedule { course, down, .. }) = &link.schedule else { return 0 };
    let CapacityCourse::Opportunities(times) = course else { return 0 };
    let largest = times.chunk_by(|a, b| a == b).map(<[Time]>::len).max().unwrap_or(0);
    OPPORTUNITY.as_u64() * (largest * (1 + down.len())) as u64
}

fn makes_sense(record: &FlowRecord, config: &Config, end: Time) -> Result<(), TestCaseError> {
    let measured = config.warm_up <= record.start && record.start < config.stop;
    prop_assert_eq!(record.measured, measured, "{:?}", record);
    prop_assert!(record.start + record.completion.unwrap_or_default() <= end, "{record:?}");
    prop_assert_eq!(record.size.is_some(), record.alone.is_some(), "{:?}", record);
    prop_assert_eq!(record.retransmissions, 0);
    let (Some(size), Some(alone)) = (record.size, record.alone) else {
        prop_assert!(record.completion.is_none());
        return Ok(());
    };
    prop_assert!(record.delivered <= size, "{record:?}");
    if let Some(took) = record.completion {
        let nominal = config.links.iter().all(|link| link.highest_capacity() == link.capacity);
        prop_assert!(took >= alone || !nominal, "faster than alone: {record:?}");
        if measured && record.start + took <= config.stop {
            prop_assert_eq!(record.delivered, size, "all of it arrived while measuring");
        }
        if record.start + took <= config.warm_up {
            prop_assert_eq!(record.delivered, Bytes::ZERO, "{:?}", record);
        }
    }
    Ok(())
}

/// Flows with a size are ordered by arrival of the last acknowledgement, group and index; then
/// those that were unfinished.
fn in_order(records: &[FlowRecord], config: &Config, end: Time) -> Result<(), TestCaseError> {
    let paths = Paths::of(config).expect("it ran");
    let place = |record: &FlowRecord| {
        let back = paths[record.group].back.of_flow(record.index);
        let back = back.iter().map(|&id| &config.links[id]);
        let back = back.fold(Span::ZERO, |sum, link| {
            sum + link.highest_capacity().time_for(config.control) + link.delay
        });
        let ended = record.completion.map(|took| record.start + took + back);
        let ended = ended.filter(|&ended| ended <= end).unwrap_or(Time::NEVER);
        (ended, record.group, record.index)
    };
    let places: Vec<_> = records.iter().filter(|r| r.size.is_some()).map(place).collect();
    prop_assert!(places.is_sorted(), "{places:?}");
    Ok(())
}

/// PS-7's flows, beside the independent solver that its figure uses. The two differ only by the
/// transmission times of SYN and SYN-ACK, the same for every flow.
#[test]
fn processor_sharing_is_that_of_the_other_solver() {
    const CAPACITY: u64 = 2_400_000_000;
    let rtpd = Span::from_millis(100);
    let mean = 25_000.0;
    let gap = mean / (0.9 * CAPACITY as f64 / 8.0);
    for seed in 1..=4 {
        let flows = Draw::new(seed).flows(50_000, gap, |draw| {
            mean * (0.2 / 1.2) * libm::pow(1.0 - draw.unit(), -1.0 / 1.2)
        });
        let links = pipe(CAPACITY, rtpd / 2);
        let mut config = config(links, vec![group(Traffic::List(flows))], Span::from_secs(10));
        config.limit = config.stop + Span::from_secs(1_000);
        let records = by_flow(&config, Ideal::MaxMin);
        assert_eq!(records.len(), 50_000);
        let job = |record: &FlowRecord| Job {
            enters: record.start.as_secs_f64(),
            bytes: record.size.expect("sized").as_f64(),
        };
        let jobs: Vec<Job> = records.iter().map(job).collect();
        let other = completion_times(&jobs, CAPACITY as f64 / 8.0, rtpd.as_secs_f64());
        let syns = 2.0 * Rate::from_bps(CAPACITY).time_for(config.control).as_secs_f64();
        let worst = records.iter().zip(&other).map(|(record, other)| {
            let took = record.completion.expect("all finish").as_secs_f64();
            (took - syns - other).abs()
        });
        let worst = worst.fold(0.0, f64::max);
        println!("seed {seed}: {} flows, worst {worst:e} s apart", records.len());
        // `alone` rounds each packet's transmission up to a nanosecond; the other solver's clock
        // is a double of seconds.
        assert!(worst < 5e-9, "seed {seed}: {worst} s");
    }
}

/// Two long flows, one of which is stopped early, and then a short one.
#[test]
fn long_flows_share_and_are_stopped() {
    let long = |start: u64, stop: u64| {
        Traffic::Long(Long {
            count: 1,
            start: Time::ZERO + Span::from_secs(start),
            spacing: Span::ZERO,
            stop: Time::ZERO + Span::from_secs(stop),
            ..Long::default()
        })
    };
    let named = |name: &str, traffic| GroupConfig { name: name.into(), ..group(traffic) };
    let groups = vec![
        named("all the time", long(0, 1_000)),
        named("for a while", long(100, 200)),
        named("short", Traffic::List(vec![flow(Time::ZERO + Span::from_secs(300), 100_000)])),
    ];
    let mut config = config(pipe(8_000_000, Span::from_nanos(1)), groups, Span::from_secs(500));
    config.limit = Time::ZERO + Span::from_secs(600);
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_secs(50) }];
    let delivered = |ideal| {
        let records = by_flow(&config, ideal);
        records.iter().map(|record| record.delivered.as_f64() / 1e6).collect::<Vec<_>>()
    };
    // 1 MB/s: the first shares 100 s with the second, and 200 s with 100 MB of the third.
    assert_near(&delivered(Ideal::MaxMin), &[350.0, 50.0, 100.0]);
    // Of equal flows, the first has the whole link; a flow with a size goes first.
    assert_near(&delivered(Ideal::Srpt), &[400.0, 0.0, 100.0]);
    // The first flow has the whole link.
    assert_near(&delivered(Ideal::Fcfs), &[500.0, 0.0, 0.0]);
    let RunResult { outcome, series, .. } = run_to_end(&config, Ideal::MaxMin);
    assert_near(&series[0].column("load"), &[1.0; 10]);
    assert_near(&[outcome.links[0].utilization, outcome.links[1].utilization], &[1.0, 0.0]);
}

/// The measured time includes its first instant and excludes its last.
#[test]
fn flows_of_the_first_instant_are_measured_and_of_the_last_are_not() {
    let at = |seconds| Time::ZERO + Span::from_secs(seconds);
    let flows = vec![flow(at(1), 1), flow(at(2), 1), flow(at(3), 1)];
    let mut config =
        config(pipe(8_000_000, Span::ZERO), vec![group(Traffic::List(flows))], Span::from_secs(3));
    (config.warm_up, config.limit) = (at(2), at(9));
    for &ideal in Ideal::ALL {
        let RunResult { outcome, records, .. } = run_to_end(&config, ideal);
        let measured: Vec<_> = records.iter().map(|r| (r.index, r.measured)).collect();
        assert_eq!(measured, [(0, false), (1, true)], "the third had not finished at the stop");
        assert_eq!((outcome.measured, outcome.unfinished, outcome.end), (1, 0, at(3)));
        assert_eq!(outcome.links[0].sent, Bytes::new(1000));
    }
}

/// Data first arrive after the SYN exchange and one-way delay.
#[test]
fn data_in_flight_at_the_end_have_not_arrived() {
    let long = Long {
        count: 1,
        start: Time::ZERO,
        spacing: Span::ZERO,
        stop: Time::NEVER,
        ..Long::default()
    };
    let mut config = config(
        pipe(8_000_000, Span::from_secs(10)),
        vec![group(Traffic::Long(long))],
        Span::from_secs(100),
    );
    (config.packet, config.header) = (Bytes::new(1000), Bytes::new(100));
    for (warm_up, seconds) in [(0, 70.0), (25, 70.0), (30, 70.0), (50, 50.0)] {
        config.warm_up = Time::ZERO + Span::from_secs(warm_up);
        for &ideal in Ideal::ALL {
            // 1 MB/s, nine tenths of it data.
            let record = by_flow(&config, ideal)[0];
            assert_near(&[record.delivered.as_f64() / 0.9e6], &[seconds]);
        }
    }
}

#[track_caller]
fn assert_near(found: &[f64], wanted: &[f64]) {
    let near = |(found, wanted): (&f64, &f64)| (found - wanted).abs() < 1e-3 * wanted.max(1.0);
    assert!(found.len() == wanted.len() && found.iter().zip(wanted).all(near), "{found:?}");
}
