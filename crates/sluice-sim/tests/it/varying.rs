//! Links whose capacity varies.

use proptest::prelude::*;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::{self, Ideal};
use sluice_sim::queue::{Discipline, Drr, Priority, Wfq};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Datagram, DatagramFile, Long, Traffic, Udp};
use sluice_sim::{
    Config, FlowRecord, GroupConfig, LinkConfig, LinkMetrics, Observer, PacketAction, PacketEvent,
    Progress, run,
};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::common::case::{Case, any_case};
use crate::common::{run_to_end, runner};
use crate::shown::{config, flow, group, pipe, results};

const FIFO: fn() -> Discipline = Discipline::default;
const SCHEDULED: fn() -> Discipline = || Discipline::Drr(Drr::default());

fn at_ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn mbps(mbps: u64) -> Rate {
    Rate::from_bps(mbps * 1_000_000)
}

fn steps(steps: &[(u64, u64)]) -> CapacitySchedule {
    let steps = steps.iter().map(|&(ms, rate)| (at_ms(ms), mbps(rate)));
    CapacitySchedule::new(CapacityCourse::Steps(steps.collect()))
}

fn opportunities(ms: impl IntoIterator<Item = u64>) -> CapacitySchedule {
    let times: Vec<Time> = ms.into_iter().map(at_ms).collect();
    CapacitySchedule::new(CapacityCourse::Opportunities(times.into()))
}

/// Datagrams of these bytes, which arrive at these microseconds at a link without delay.
fn datagrams(
    capacity: Rate,
    schedule: CapacitySchedule,
    queue: Discipline,
    sent: &[(u64, u64)],
) -> Config {
    let mut links = pipe(capacity.as_bps(), Span::ZERO);
    (links[0].schedule, links[0].queue) = (Some(schedule), queue);
    let list = sent.iter().map(|&(us, size)| Datagram {
        time: Time::ZERO + Span::from_micros(us),
        size: Bytes::new(size),
    });
    let udp = Udp {
        rate: None,
        size: None,
        replay: Some(DatagramFile { path: "trace.csv".into(), list: Some(list.collect()) }),
        ..Udp::constant(capacity, Bytes::new(1000))
    };
    let mut config = config(links, vec![group(Traffic::Udp(udp))], Span::from_secs(10));
    config.trace.links = vec![0];
    config
}

/// When packets leave link 0, in nanoseconds.
fn departures(config: &Config) -> Vec<u64> {
    struct Departures(Vec<u64>);
    impl Observer for Departures {
        fn flow(&mut self, _: &FlowRecord) {}
        fn packet(&mut self, event: &PacketEvent) {
            if event.what == PacketAction::Dequeued {
                self.0.push(event.time.as_nanos());
            }
        }
        fn tick(&mut self, _: Progress) -> bool {
            true
        }
    }
    let mut found = Departures(Vec::new());
    let tcp = Parameters::default();
    run(config, tcp.protocol(ProtocolName::Tcp), &mut found).expect("the configuration is sound");
    found.0
}

/// At 8 Mb/s a byte takes 1 us. 1000 bytes from 0 ms and 4000 from then on, at 1 Mb/s after 2 ms: the
/// second packet sends 1000 bytes in 1 ms, the other 3000 in 24 ms.
#[test]
fn a_packet_spans_a_step() {
    for queue in [FIFO(), SCHEDULED()] {
        let config = datagrams(mbps(8), steps(&[(2, 1)]), queue, &[(0, 1000), (0, 4000), (0, 10)]);
        assert_eq!(departures(&config), [1_000_000, 26_000_000, 26_080_000]);
    }
}

/// The line from 8 Mb/s to 0 in 4 ms sends 2000 bytes; 1500 bytes are sent at 2 ms. The staircase has
/// that at the edge of a step.
#[test]
fn a_ramp_has_its_integral() {
    let course = CapacityCourse::Ramps(vec![(at_ms(4), Rate::ZERO), (at_ms(5), mbps(8))]);
    for queue in [FIFO(), SCHEDULED()] {
        let schedule = CapacitySchedule::new(course.clone());
        let config = datagrams(mbps(8), schedule, queue, &[(0, 1500), (0, 500), (0, 500), (0, 8)]);
        assert_eq!(departures(&config), [2_000_000, 4_000_000, 5_000_000, 5_008_000]);
    }
}

/// Down from 1 to 5 ms and from 6 ms on for ever: 1000 bytes before, 1000 between; a packet that has
/// 500 of its 1000 bytes sent is finished after the return.
#[test]
fn a_failed_link_holds_its_packets_until_it_returns() {
    let down = vec![(at_ms(1), at_ms(5)), (at_ms(6), Time::NEVER)];
    for queue in [FIFO(), SCHEDULED()] {
        let schedule = CapacitySchedule { down: down.clone(), ..steps(&[(1, 8)]) };
        let sent = [(0, 500), (0, 1000), (3_000, 500), (3_000, 1)];
        let config = datagrams(mbps(8), schedule, queue, &sent);
        assert_eq!(departures(&config), [500_000, 5_500_000, 6_000_000]);
    }
}

#[test]
fn a_link_down_from_the_start_sends_when_it_is_up() {
    for queue in [FIFO(), SCHEDULED()] {
        let schedule = CapacitySchedule { down: vec![(at_ms(0), at_ms(7))], ..steps(&[(1, 8)]) };
        let config = datagrams(mbps(8), schedule, queue, &[(0, 1000)]);
        assert_eq!(departures(&config), [8_000_000]);
        let schedule = steps(&[(0, 0)]);
        assert_eq!(departures(&datagrams(mbps(8), schedule, queue, &[(0, 1000)])), [0; 0]);
    }
}

/// Steps that repeat: 1 ms of 8 Mb/s and 1 ms of nothing are 1000 bytes every 2 ms.
#[test]
fn steps_begin_anew() {
    let every = Some(Span::from_millis(2));
    for queue in [FIFO(), SCHEDULED()] {
        let schedule = CapacitySchedule { every, ..steps(&[(1, 0)]) };
        let config = datagrams(mbps(8), schedule, queue, &[(0, 1000), (0, 2000), (5_500, 500)]);
        assert_eq!(departures(&config), [1_000_000, 5_000_000, 6_500_000]);
    }
}

/// Mahimahi's rules by hand: opportunities of 1504 bytes at 2, 5, 5 and 10 ms, then every 10 ms. Two
/// packets share one, a packet spans two, what is left when the queue is empty is lost, and a packet
/// that arrives at an opportunity has missed it.
#[test]
fn opportunities_are_shared_spanned_and_lost() {
    for queue in [FIFO(), SCHEDULED()] {
        let sent = [(0, 1000), (1_000, 504), (3_000, 3000), (5_000, 8), (6_000, 40), (9_999, 1505)];
        let config = datagrams(mbps(1), opportunities([2, 5, 5, 10]), queue, &sent);
        let ms = [2, 2, 5, 10, 10, 12];
        assert_eq!(departures(&config), ms.map(|ms| ms * 1_000_000));
    }
}

/// 12 Mb/s: an opportunity each millisecond, one datagram of 1504 bytes each. All are used, and the
/// link has sent what they allow.
#[test]
fn a_busy_link_uses_each_opportunity() {
    let udp = Udp::constant(mbps(20), Bytes::new(1504));
    for queue in [FIFO(), SCHEDULED()] {
        let mut links = pipe(12_032_000, Span::from_millis(1));
        (links[0].schedule, links[0].queue) = (Some(opportunities(1..=100)), queue);
        let mut config = config(links, vec![group(Traffic::Udp(udp.clone()))], Span::from_secs(3));
        config.warm_up = at_ms(1_000);
        let (_, outcome) = results(&config, Parameters::default().protocol(ProtocolName::Tcp));
        assert_eq!(outcome.links[0].sent, Bytes::new(2_000 * 1504));
        assert_eq!(outcome.links[0].utilization, 1.0);
    }
}

/// A packet is chosen when it can be sent: one of a higher class that arrives in an outage passes those
/// that came before it. At 8 Mb/s, 100 bytes take 100 us.
#[test]
fn an_urgent_packet_passes_in_an_outage() {
    let schedule = CapacitySchedule { down: vec![(at_ms(1), at_ms(5))], ..steps(&[(1, 8)]) };
    let others = [(0, 500), (2_000, 1000), (2_500, 1000)];
    let mut config = datagrams(mbps(8), schedule, Discipline::Priority(Priority {}), &others);
    let urgent = datagrams(mbps(8), steps(&[(1, 8)]), SCHEDULED(), &[(3_000, 100)]);
    let named = GroupConfig { name: "urgent".into(), class: 7, ..urgent.groups[0].clone() };
    config.groups.push(named);
    assert_eq!(departures(&config), [500_000, 5_100_000, 6_100_000, 7_100_000]);
}

/// Streams of twice the capacity share it by weight at once, at a fifth of the nominal capacity and at
/// twice that: packets leave in the order of a fluid server with the capacity of each instant.
#[test]
fn wfq_shares_by_weight_at_any_capacity() {
    for now in [2, 20] {
        let mut links = pipe(10_000_000, Span::ZERO);
        links[0].schedule = Some(steps(&[(1, now)]));
        (links[0].queue, links[0].buffer) = (Discipline::Wfq(Wfq {}), BufferSize::Packets(50));
        let stream = |name: &str, weight, start| {
            let udp = Udp { start, ..Udp::constant(mbps(2 * now), Bytes::new(1000)) };
            let group = group(Traffic::Udp(udp));
            GroupConfig { name: name.into(), queue_weight: Ratio::new(weight), ..group }
        };
        let groups = vec![stream("light", 1.0, at_ms(0)), stream("heavy", 4.0, at_ms(2_000))];
        let mut config = config(links, groups, Span::from_secs(4));
        config.warm_up = at_ms(2_200);
        let found = run_to_end(&config, Parameters::default().protocol(ProtocolName::Tcp));
        let sent = |group| {
            let mut streams = found.streams.iter().filter(|stream| stream.group == group);
            streams.next().expect("a stream").delivered.as_f64()
        };
        let ratio = sent(1) / sent(0);
        assert!((ratio - 4.0).abs() < 0.1, "{ratio} at {now} Mb/s");
    }
}

/// From 1 kb/s to 100 Gb/s in one step, and back: a byte of 8 ms, then 1.25 GB in 0.1 s.
#[test]
fn a_link_jumps_from_slowest_to_fastest() {
    let change = [(at_ms(8), Rate::from_bps(100_000_000_000)), (at_ms(108), Rate::from_bps(1_000))];
    let schedule = CapacitySchedule::new(CapacityCourse::Steps(change.to_vec()));
    for queue in [FIFO(), SCHEDULED()] {
        let sent = [(0, 1), (0, 1_000_000), (107_999, 12_501)];
        let config = datagrams(Rate::from_bps(1_000), schedule.clone(), queue, &sent);
        assert_eq!(departures(&config), [8_000_000, 8_080_000, 116_000_000]);
    }
}

/// A long flow over 10 Mb/s that fall to 2 Mb/s at 10 s and rise again at 20 s: the link is full before
/// and after, but for what recovery costs, and the sampled capacity is that of the schedule.
#[test]
fn tcp_follows_a_step() {
    let mut links = pipe(10_000_000, Span::from_millis(10));
    links[0].schedule = Some(steps(&[(10_000, 2), (20_000, 10)]));
    links[0].buffer = BufferSize::Packets(30);
    let long = Long { count: 1, ..Long::default() };
    let mut config = config(links, vec![group(Traffic::Long(long))], Span::from_secs(30));
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_secs(1) }];
    let found = run_to_end(&config, Parameters::default().protocol(ProtocolName::Tcp));
    let capacity = found.series[0].column("capacity_bps");
    assert!((0..30).all(|i| capacity[i] == if (10..20).contains(&i) { 2e6 } else { 10e6 }));
    let load = found.series[0].column("load");
    let mean = |range: std::ops::Range<usize>| load[range].iter().sum::<f64>() / 8.0;
    for (range, share) in [(2..10, 1.0), (12..20, 0.2), (22..30, 1.0)] {
        let found = mean(range.clone());
        assert!((0.9 * share..1.02 * share).contains(&found), "{range:?}: {found}");
    }
    assert!(found.outcome.links[0].utilization > 0.9);
}

/// Max-min fair flows over a step: 10 Mb/s for 1 s and 2 Mb/s then. One flow of 1.5 MB has 1.25 MB
/// after a second and the rest after another.
#[test]
fn an_ideal_follows_the_steps() {
    let mut links = pipe(10_000_000, Span::ZERO);
    links[0].schedule = Some(steps(&[(1_000, 2)]));
    let list = vec![flow(Time::ZERO, 1_500)];
    let config = config(links, vec![group(Traffic::List(list))], Span::from_secs(4));
    let mut found = Records::default();
    let outcome = ideal::run(&config, Ideal::MaxMin, &mut found).expect("a sound configuration");
    let seconds = found.0[0].as_secs_f64();
    assert!((seconds - 2.0).abs() < 1e-3, "{seconds}");
    let part = outcome.links[0].utilization;
    assert!((part - 1.5 / 2.0).abs() < 1e-3, "{part}");
}

/// Capacity that rises above the nominal 1 Mb/s to 10 Mb/s, at once and after a second: 8 Mb take 0.8 s, and
/// 1 s + 0.7 s. TCP with a large window does not take less.
#[test]
fn an_ideal_follows_a_step_above_the_nominal_capacity() {
    for (ms, wanted) in [(0, 0.8), (1_000, 1.7)] {
        let mut links = pipe(1_000_000, Span::ZERO);
        links[0].schedule = Some(steps(&[(ms, 10)]));
        let list = vec![flow(Time::ZERO, 1_000)];
        let config = config(links, vec![group(Traffic::List(list))], Span::from_secs(10));
        let (flows, _) = results(&config, Parameters::default().protocol(ProtocolName::Tcp));
        let tcp = flows[0].completion.expect("it ends").as_secs_f64();
        for &ideal in Ideal::ALL {
            let mut found = Records::default();
            ideal::run(&config, ideal, &mut found).expect("a sound configuration");
            let seconds = found.0[0].as_secs_f64();
            assert!((seconds - wanted).abs() < 2e-3, "{ideal:?}: {seconds} s");
            assert!(seconds <= tcp && tcp < wanted + 0.05, "{ideal:?}: {seconds} s, TCP {tcp} s");
        }
    }
}

#[derive(Default)]
struct Records(Vec<Span>);

impl Observer for Records {
    fn flow(&mut self, record: &FlowRecord) {
        self.0.extend(record.completion);
    }
    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

/// The ideal has as much of a trace as packets have.
#[test]
fn an_ideal_has_all_opportunities() {
    let mut links = pipe(12_032_000, Span::ZERO);
    links[0].schedule = Some(opportunities([0, 3, 3, 10]));
    let long = Long { count: 2, ..Long::default() };
    let config = config(links, vec![group(Traffic::Long(long))], Span::from_secs(4));
    let outcome = ideal::run(&config, Ideal::MaxMin, &mut Records::default()).expect("sound");
    let sent = outcome.links[0].sent.as_f64();
    assert!((sent / (400.0 * 4.0 * 1504.0) - 1.0).abs() < 1e-3, "{sent}");
}

#[test]
fn faults_name_the_schedules_fields() {
    let config = |schedule| {
        let mut links = pipe(1_000_000, Span::ZERO);
        links[0].schedule = Some(schedule);
        config(links, Vec::<GroupConfig>::new(), Span::from_secs(1))
    };
    let fault = |schedule| config(schedule).check().unwrap_err().to_string();
    assert!(fault(steps(&[])).contains("links[0].schedule.steps"));
    assert!(fault(steps(&[(5, 1), (5, 2)])).contains("times must rise"));
    assert!(fault(steps(&[(5, 1 << 40)])).contains("capacities must be 0 or"));
    assert!(fault(opportunities([])).contains("after time zero"));
    assert!(fault(opportunities([0])).contains("after time zero"));
    let every = Some(Span::from_millis(5));
    assert!(fault(CapacitySchedule { every, ..steps(&[(5, 1)]) }).contains("after the last"));
    assert!(fault(CapacitySchedule { every, ..steps(&[(0, 0)]) }).contains("zero all the time"));
    let down = vec![(at_ms(2), at_ms(4)), (at_ms(3), at_ms(5))];
    assert!(fault(CapacitySchedule { down, ..steps(&[(5, 1)]) }).contains("schedule.down"));
}

proptest! {
    #![proptest_config(runner(100))]

    /// A schedule that never changes is no schedule: steps to the capacity that the links have, all of
    /// which divide the nanoseconds of a byte, so that a constant link does not round either.
    #[test]
    fn a_constant_schedule_changes_nothing(case in any_case(), exponent in 0_u32..4) {
        let Case { mut config, law } = case;
        config.limit = config.stop;
        for link in &mut config.links {
            link.capacity = Rate::from_bps(1_000_000 * 10_u64.pow(exponent));
            link.schedule = None;
        }
        let constant = run_to_end(&config, law.protocol());
        let course = |link: &LinkConfig| {
            CapacityCourse::Steps(vec![(at_ms(1), link.capacity), (at_ms(70), link.capacity)])
        };
        for link in &mut config.links {
            link.schedule = Some(CapacitySchedule::new(course(link)));
        }
        config.link_metrics.clear();
        let varying = run_to_end(&config, law.protocol());
        prop_assert_eq!(constant.records, varying.records);
        prop_assert_eq!(constant.streams, varying.streams);
        prop_assert_eq!(constant.outcome.links, varying.outcome.links);
    }
}
