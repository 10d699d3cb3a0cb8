//! Outages that lose the packets of a link, by hand: at 8 Mb/s a byte takes 1 us.

use sluice_laws::registry::ProtocolName;
use sluice_laws::router::{LinkSample, Sampled};
use sluice_laws::tcp::TcpParams;
use sluice_laws::transport::EcnMode;
use sluice_sim::queue::{
    Avq, Cbwfq, Codel, Csfq, Discipline, Drr, Dualpi2, FqCodel, NcpCsfq, Pie, Priority, Red, Rem,
    Wfq,
};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_sim::traffic::{Datagram, DatagramFile, Traffic, Udp};
use sluice_sim::{
    ByClass, Config, FlowRecord, GroupConfig, LinkConfig, LinkLaw, LinkLaws, LinkMetrics, Observer,
    Outcome, PacketAction, PacketEvent, Progress, Reroute, run,
};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use PacketAction::{Delivered, Dequeued, Dropped, Lost};

use crate::common::run_to_end;
use crate::common::spy::Spy;
use crate::shown::{config, flow, group, link, pipe};

const CAPACITY: Rate = Rate::from_bps(8_000_000);
/// Propagation delay.
const DELAY: Span = Span::from_millis(2);

const SCHEDULED: Discipline = Discipline::Priority(Priority {});

fn at_us(us: u64) -> Time {
    Time::ZERO + Span::from_micros(us)
}

/// `CAPACITY`, but for outages from and to these milliseconds, in which packets are lost.
fn down(outages: &[(u64, u64)]) -> CapacitySchedule {
    let course = CapacityCourse::Steps(vec![(Time::ZERO, CAPACITY)]);
    let down = outages.iter().map(|&(from, to)| (at_us(1000 * from), at_us(1000 * to)));
    CapacitySchedule {
        down: down.collect(),
        on_down: OnDown::Drop,
        ..CapacitySchedule::new(course)
    }
}

/// Disciplines that drop nothing of a few packets.
fn disciplines() -> Vec<Discipline> {
    let shares = ByClass::new(&[Ratio::new(1.0)]).expect("a share");
    vec![
        Discipline::default(),
        Discipline::Red(Red::default()),
        Discipline::Pie(Pie::default()),
        Discipline::Rem(Rem::default()),
        Discipline::Avq(Avq::default()),
        Discipline::Codel(Codel::default()),
        Discipline::FqCodel(FqCodel::default()),
        Discipline::Dualpi2(Dualpi2::default()),
        Discipline::Drr(Drr::default()),
        Discipline::Csfq(Csfq::default()),
        Discipline::NcpCsfq(NcpCsfq::default()),
        Discipline::Wfq(Wfq {}),
        Discipline::Cbwfq(Cbwfq { shares }),
        Discipline::Priority(Priority {}),
    ]
}

/// A stream of datagrams of these bytes, which leave their host at these microseconds.
fn stream(name: &str, class: u8, sent: &[(u64, u64)]) -> GroupConfig {
    let datagram = |&(us, size)| Datagram { time: at_us(us), size: Bytes::new(size) };
    let list = Some(sent.iter().map(datagram).collect());
    let udp = Udp {
        rate: None,
        size: None,
        replay: Some(DatagramFile { path: "trace.csv".into(), list }),
        ..Udp::constant(CAPACITY, Bytes::new(1000))
    };
    GroupConfig { name: name.into(), class, ..group(Traffic::Udp(udp)) }
}

/// Streams over a link with this schedule, which is traced.
fn over(schedule: CapacitySchedule, queue: Discipline, groups: Vec<GroupConfig>) -> Config {
    let mut links = pipe(CAPACITY.as_bps(), DELAY);
    (links[0].schedule, links[0].queue) = (Some(schedule), queue);
    let mut config = config(links, groups, Span::from_secs(1));
    config.trace.links = vec![0];
    config
}

#[derive(Default)]
struct Events(Vec<PacketEvent>);

impl Observer for Events {
    fn flow(&mut self, _: &FlowRecord) {}

    fn packet(&mut self, event: &PacketEvent) {
        self.0.push(*event);
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

fn tcp() -> TcpParams {
    TcpParams::default()
}

fn traced(config: &Config) -> (Vec<PacketEvent>, Outcome) {
    let mut events = Events::default();
    let outcome = run(config, &tcp(), &mut events).expect("the configuration is sound");
    (events.0, outcome)
}

/// What became of packets after they had joined the queue, or not: the bytes of each, and when in microseconds.
fn fates(config: &Config) -> Vec<(PacketAction, u64, u64)> {
    let fate = |event: PacketEvent| {
        let (bytes, us) = (event.packet.bytes.as_u64(), event.time.as_nanos() / 1000);
        (event.what, bytes, us)
    };
    let (events, _) = traced(config);
    events.into_iter().map(fate).filter(|fate| fate.0 != PacketAction::Enqueued).collect()
}

/// Down from 10 to 20 ms: every packet by its place at the instants that decide.
#[test]
fn a_link_that_goes_down_loses_all_its_packets() {
    let sent = [
        (7_500, 500),   // arrives at 10 ms
        (8_000, 501),   // on the wire
        (9_000, 1_000), // leaves at 10 ms
        (9_100, 600),   // would begin then
        (9_900, 601),
        (10_000, 300), // finds the link down
        (15_000, 301),
        (19_999, 302),
        (20_000, 303), // finds it up
        (20_100, 304),
    ];
    for queue in disciplines() {
        let config = over(down(&[(10, 20)]), queue, vec![stream("all", 0, &sent)]);
        let wanted = [
            (Dequeued, 500, 8_000),
            (Dequeued, 501, 8_501),
            (Dequeued, 1_000, 10_000),
            (Delivered, 500, 10_000),
            (Lost, 501, 10_000),
            (Lost, 1_000, 10_000),
            (Dropped, 600, 10_000),
            (Dropped, 601, 10_000),
            (Dropped, 300, 10_000),
            (Dropped, 301, 15_000),
            (Dropped, 302, 19_999),
            (Dequeued, 303, 20_303),
            (Dequeued, 304, 20_607),
            (Delivered, 303, 22_303),
            (Delivered, 304, 22_607),
        ];
        assert_eq!(fates(&config), wanted, "{queue:?}");
        let link = &traced(&config).1.links[0];
        assert_eq!((link.drops, link.early_drops, link.errors), (5, 0, 2), "{queue:?}");
        assert_eq!(link.sent, Bytes::new(500 + 501 + 1_000 + 303 + 304), "{queue:?}");
        // What the outage loses as it begins counts from 10 ms on.
        let losses = |warm_up, stop| {
            let (warm_up, stop) = (at_us(warm_up), at_us(stop));
            let config = Config { warm_up, stop, limit: at_us(50_000), ..config.clone() };
            let link = &traced(&config).1.links[0];
            (link.drops, link.errors)
        };
        assert_eq!((losses(0, 10_000), losses(10_000, 15_000)), ((0, 0), (3, 2)), "{queue:?}");
    }
}

/// The rest of a packet waits for no outage: one that would leave a microsecond late is lost as the outage
/// begins, with the one behind it, and the link begins anew.
#[test]
fn the_packet_in_transmission_is_lost() {
    let sent = [(9_001, 1_000), (9_500, 700), (10_500, 10), (30_000, 1_000)];
    for queue in disciplines() {
        let config = over(down(&[(10, 20)]), queue, vec![stream("all", 0, &sent)]);
        let wanted = [
            (Dropped, 1_000, 10_000),
            (Dropped, 700, 10_000),
            (Dropped, 10, 10_500),
            (Dequeued, 1_000, 31_000),
            (Delivered, 1_000, 33_000),
        ];
        assert_eq!(fates(&config), wanted, "{queue:?}");
        // 999 bytes had left by then.
        assert_eq!(traced(&config).1.links[0].sent, Bytes::new(999 + 1_000));
    }
}

/// 10 to 11, 12 to 13 and 13 to 14 ms: one outage strikes packets on the wire that another spared, and a
/// packet at the end of the second meets the third.
#[test]
fn each_outage_loses_what_it_finds() {
    let sent = [
        (9_900, 400),
        (11_000, 500), // leaves at 11.5 ms, and has another 2 ms to go
        (11_600, 601), // in transmission at 12 ms
        (13_000, 602),
        (14_000, 603),
    ];
    for queue in disciplines() {
        let schedule = down(&[(10, 11), (12, 13), (13, 14)]);
        let config = over(schedule, queue, vec![stream("all", 0, &sent)]);
        let wanted = [
            (Dropped, 400, 10_000),
            (Dequeued, 500, 11_500),
            (Lost, 500, 12_000),
            (Dropped, 601, 12_000),
            (Dropped, 602, 13_000),
            (Dequeued, 603, 14_603),
            (Delivered, 603, 16_603),
        ];
        assert_eq!(fates(&config), wanted, "{queue:?}");
    }
}

/// Capacity 0 and gaps of a trace are no outages. At an opportunity at which the link goes down, packets
/// leave all the same; that of its end comes too late.
#[test]
fn only_outages_lose_packets() {
    let sent = [(1_000, 500), (4_000, 600), (9_000, 700), (9_500, 705), (14_500, 701)];
    for queue in disciplines() {
        let opportunities = [2, 10, 10, 20, 25].map(|ms| at_us(1_000 * ms));
        let course = CapacityCourse::Opportunities(opportunities.to_vec().into());
        let schedule = CapacitySchedule { course, ..down(&[(10, 14), (15, 20)]) };
        let config = over(schedule, queue, vec![stream("all", 0, &sent)]);
        let wanted = [
            (Dequeued, 500, 2_000),
            (Delivered, 500, 4_000),
            (Dequeued, 600, 10_000),
            (Dequeued, 700, 10_000),
            (Dequeued, 705, 10_000),
            (Lost, 600, 10_000),
            (Lost, 700, 10_000),
            (Lost, 705, 10_000),
            (Dropped, 701, 15_000),
        ];
        assert_eq!(fates(&config), wanted, "{queue:?}");
    }
    // Down by a step, and for good.
    let course = CapacityCourse::Steps(vec![(at_us(5_000), Rate::ZERO), (at_us(8_000), CAPACITY)]);
    let schedule =
        CapacitySchedule { course, down: vec![(at_us(20_000), Time::NEVER)], ..down(&[]) };
    let sent = [(4_500, 1_000), (6_000, 100), (19_500, 501), (30_000, 1)];
    for queue in disciplines() {
        let config = over(schedule.clone(), queue, vec![stream("all", 0, &sent)]);
        let wanted = [
            (Dequeued, 1_000, 8_500),
            (Dequeued, 100, 8_600),
            (Delivered, 1_000, 10_500),
            (Delivered, 100, 10_600),
            (Dropped, 501, 20_000),
            (Dropped, 1, 30_000),
        ];
        assert_eq!(fates(&config), wanted, "{queue:?}");
    }
}

/// Both the urgent packets and the others are lost; after the outage, the order is that of the classes.
#[test]
fn priority_begins_anew() {
    let others = [(9_500, 1_000), (9_600, 101), (20_000, 300), (20_001, 301)];
    let urgent = [(9_700, 102), (20_002, 302)];
    let groups = vec![stream("others", 0, &others), stream("urgent", 7, &urgent)];
    let config = over(down(&[(10, 20)]), Discipline::Priority(Priority {}), groups);
    let wanted = [
        (Dropped, 1_000, 10_000),
        (Dropped, 102, 10_000),
        (Dropped, 101, 10_000),
        (Dequeued, 300, 20_300),
        (Dequeued, 302, 20_602),
        (Dequeued, 301, 20_903),
    ];
    let mut found = fates(&config);
    found.retain(|fate| fate.0 != Delivered);
    assert_eq!(found, wanted);
}

/// A flow that had its turn in the outage's queue has none after it: DRR serves in the order of arrival.
#[test]
fn turns_begin_anew() {
    let one = [(9_000, 1_000), (9_100, 600), (9_200, 601), (20_001, 602), (20_002, 603)];
    let other = [(9_300, 700), (20_000, 701), (20_003, 702)];
    for queue in [Discipline::Drr(Drr::default()), Discipline::FqCodel(FqCodel::default())] {
        let groups = vec![stream("one", 0, &one), stream("other", 0, &other)];
        let mut found = fates(&over(down(&[(9, 20)]), queue, groups.clone()));
        found.retain(|fate| fate.0 == Dequeued);
        let order: Vec<u64> = found.iter().map(|fate| fate.1).collect();
        let fresh = fates(&over(down(&[(0, 20)]), queue, groups));
        let wanted: Vec<u64> =
            fresh.iter().filter(|fate| fate.0 == Dequeued).map(|fate| fate.1).collect();
        assert_eq!(order, wanted, "{queue:?}");
        assert_eq!(wanted.len(), 4);
    }
}

/// What a law over the link measures at its ticks, every 10 ms.
fn measured(schedule: CapacitySchedule, queue: Discipline, stamped: Sampled) -> Vec<LinkSample> {
    let sent = [(9_500, 1_000), (9_600, 1_000), (9_700, 1_000), (12_000, 500)];
    let mut config = over(schedule, queue, vec![stream("all", 0, &sent)]);
    config.links[1].router = LinkLaw::None.into();
    let spy = Spy { every: Span::from_millis(10), stamped, ..Spy::default() };
    run_to_end(&config, &spy);
    let seen = spy.seen.lock().expect("nobody panicked");
    seen.iter().map(|(_, sample)| *sample).collect()
}

/// A law sees no outage ahead: a tick just before it finds the queue that it will empty, and the packets
/// are dropped by the next. A tick at its instant finds them dropped.
#[test]
fn a_law_sees_an_outage_when_it_begins() {
    let counts = |sample: &LinkSample| {
        let LinkSample { queue, waiting, arrived, dropped, .. } = *sample;
        [queue, waiting, arrived, dropped].map(Bytes::as_u64)
    };
    for queue in disciplines() {
        for stamped in [Sampled::Arrival, Sampled::Departure] {
            let at_tick = measured(down(&[(10, 15)]), queue, stamped);
            assert_eq!(counts(&at_tick[0]), [0, 0, 3_000, 3_000], "{queue:?}");
            assert_eq!(counts(&at_tick[1]), [0, 0, 500, 500], "{queue:?}");
            let late = vec![(Time::from_nanos(10_000_001), at_us(15_000))];
            let schedule = CapacitySchedule { down: late, ..down(&[]) };
            let behind = measured(schedule, queue, stamped);
            assert_eq!(counts(&behind[0]), [2_500, 2_000, 3_000, 0], "{queue:?}");
            assert_eq!(counts(&behind[1]), [0, 0, 500, 3_500], "{queue:?}");
            // 5 ms of 10 at full capacity, and nothing after.
            assert_eq!(behind[1].capacity.as_bps(), CAPACITY.as_bps() / 2);
            assert_eq!(counts(&behind[2]), [0; 4], "{queue:?}");
        }
    }
}

/// Each law over a class sees its own packets dropped, the one in transmission among them, and none
/// before.
#[test]
fn laws_over_classes_see_the_drops_of_their_class() {
    let shares = ByClass::new(&[Ratio::new(1.0); 2]).expect("two shares");
    for queue in [Discipline::Priority(Priority {}), Discipline::Cbwfq(Cbwfq { shares })] {
        let groups = vec![
            stream("low", 0, &[(9_500, 1_000), (9_600, 300)]),
            stream("high", 1, &[(9_700, 400), (9_800, 401), (21_000, 402)]),
        ];
        let schedule = CapacitySchedule { down: vec![(at_us(10_100), at_us(15_000))], ..down(&[]) };
        let mut config = over(schedule, queue, groups);
        let laws = ByClass::new(&[LinkLaw::OfRun; 2]).expect("two laws");
        config.links[0].router = LinkLaws::Classes(laws);
        config.links[1].router = LinkLaw::None.into();
        let spy = Spy { every: Span::from_millis(10), ..Spy::default() };
        run_to_end(&config, &spy);
        let seen = spy.seen.lock().expect("nobody panicked");
        let of = |class| {
            let samples = seen.iter().filter(|(law, _)| *law == class).map(|(_, sample)| sample);
            let counts = samples.map(|sample| [sample.queue, sample.arrived, sample.dropped]);
            counts.map(|counts| counts.map(Bytes::as_u64)).take(3).collect::<Vec<_>>()
        };
        // As in any outage, all of the packet in transmission is still to be sent.
        assert_eq!(of(0), [[1_300, 1_300, 0], [0, 0, 1_300], [0, 0, 0]], "{queue:?}");
        assert_eq!(of(1), [[801, 801, 0], [0, 0, 801], [0, 402, 0]], "{queue:?}");
    }
}

/// Samples every 5 ms: the queue is gone at the instant of the outage, and what it lost is no load less.
#[test]
fn samples_follow_an_outage() {
    let sent = [(8_000, 5_000), (21_000, 1_000), (31_000, 500)];
    for queue in disciplines() {
        let mut config = over(down(&[(10, 20)]), queue, vec![stream("all", 0, &sent)]);
        config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_micros(4_500) }];
        let series = &run_to_end(&config, &tcp()).series[0];
        assert_eq!(series.column("queue_bytes")[..5], [0.0, 4_000.0, 0.0, 0.0, 0.0], "{queue:?}");
        let load: Vec<f64> = series.column("load")[..7].iter().map(|load| load * 4_500.0).collect();
        let wanted = [0.0, 5_000.0, 0.0, 0.0, 1_000.0, 0.0, 500.0];
        let close = load.iter().zip(wanted).all(|(load, wanted)| (load - wanted).abs() < 1e-6);
        assert!(close, "{queue:?}: {load:?}");
    }
}

/// A discipline decides nothing about packets that an outage drops: of L packets that have waited beyond
/// DualPI2's threshold, none is marked then.
#[test]
fn no_packet_is_marked_as_it_is_lost() {
    let mut config = over(down(&[(30, 40)]), Discipline::Dualpi2(Dualpi2::default()), Vec::new());
    config.groups = vec![group(Traffic::List(vec![flow(Time::ZERO, 100)]))];
    config.parameters.transport.initial_window = 100;
    config.parameters.transport.ecn = EcnMode::Ect1;
    let tcp = config.parameters.protocol(ProtocolName::Tcp);
    let mut events = Events::default();
    run(&config, tcp, &mut events).expect("the configuration is sound");
    let at_outage = |what| {
        let then = events.0.iter().filter(|event| event.time == at_us(30_000));
        then.filter(|event| event.what == what).count()
    };
    let marked = events.0.iter().filter(|event| event.what == PacketAction::Marked).count();
    assert!(marked > 10 && at_outage(Dropped) > 50, "{marked}");
    assert_eq!(at_outage(PacketAction::Marked), 0);
}

/// A flow is over when an outage loses its last packet, and is reported before those that end later: its SYN
/// is repeated after 1 s over another link, which stops before that, or sends it at 1 kb/s and takes 5 s to
/// its end; a law holds it until it departs.
#[test]
fn a_flow_whose_last_packet_an_outage_loses_is_reported_in_order() {
    let stops = CapacityCourse::Steps(vec![(at_us(900_000), Rate::ZERO)]);
    let goes_on = CapacityCourse::Steps(vec![(Time::ZERO, Rate::from_bps(1_000))]);
    for (course, losses) in [(stops, (1, 0)), (goes_on, (0, 1))] {
        for (queue, lookahead) in
            [(Discipline::default(), true), (SCHEDULED, true), (SCHEDULED, false)]
        {
            let mut aside = link(0, 1, 1_000, Span::from_secs(5));
            let schedule = CapacitySchedule { course: course.clone(), ..down(&[(3_000, 4_000)]) };
            (aside.schedule, aside.queue) = (Some(schedule), queue);
            let config = Config { lookahead, ..aside_and_plain(aside) };
            let spy = Spy { every: Span::from_millis(10), ..Spy::default() };
            let found = run_to_end(&config, &Spy { stamped: Sampled::Departure, ..spy });
            let link = &found.outcome.links[0];
            assert_eq!((link.drops, link.errors), losses, "{queue:?}");
            let order: Vec<usize> = found.records.iter().map(|record| record.group).collect();
            assert_eq!(order, [0, 1], "{queue:?}, {losses:?}, {lookahead}");
        }
    }
}

/// A flow whose SYN is repeated over link `aside`, and one that ends at 3.6 s over others.
fn aside_and_plain(aside: LinkConfig) -> Config {
    let links = vec![
        aside,
        link(0, 1, CAPACITY.as_bps(), DELAY),
        link(1, 0, CAPACITY.as_bps(), Span::from_millis(1_050)),
        link(2, 3, CAPACITY.as_bps(), Span::from_millis(25)),
        link(3, 2, CAPACITY.as_bps(), Span::from_millis(25)),
    ];
    let to = |ms: u64, link| Reroute { at: at_us(1_000 * ms), path: Some(vec![link]), back: None };
    let one = |start| Traffic::List(vec![flow(at_us(start), 1)]);
    let lost = GroupConfig {
        path: Some(vec![1]),
        reroute: vec![to(500, 0), to(1_020, 1)],
        ..group(one(0))
    };
    let plain = GroupConfig::new("plain", 2, 3, one(3_500_000));
    config(links, vec![lost, plain], Span::from_secs(20))
}

/// A flow that loses a window in an outage of a second goes on by its time-out: it ends within the back-off
/// of it, and nobody waits for what was lost.
#[test]
fn tcp_recovers() {
    for queue in [Discipline::default(), Discipline::FqCodel(FqCodel::default())] {
        let mut config = over(down(&[(500, 1_500)]), queue, Vec::new());
        config.groups = vec![group(Traffic::List(vec![flow(Time::ZERO, 1_000)]))];
        (config.stop, config.limit) = (at_us(20_000_000), at_us(20_000_000));
        let found = run_to_end(&config, &tcp());
        let flow = found.records[0];
        let seconds = flow.completion.expect("it ends").as_secs_f64();
        assert!((2.0..5.0).contains(&seconds), "{queue:?}: {seconds} s");
        let link = &found.outcome.links[0];
        assert!(link.drops > 0 && link.errors > 0, "{queue:?}: {link:?}");
        assert!(flow.retransmissions >= link.drops + link.errors, "{queue:?}: {flow:?}");
        let totals = found.outcome.totals;
        assert_eq!(totals.dropped, link.drops + link.errors);
        assert_eq!(totals.sent, totals.delivered + totals.dropped);
    }
}
