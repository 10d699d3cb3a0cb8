//! Routes that change in mid-flow, against numbers computed by hand.

use std::collections::BTreeSet;

use sluice_laws::host::PacketKind;
use sluice_laws::protocol::Protocol;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Traffic, Udp};
use sluice_sim::{
    Config, FlowRecord, GroupConfig, LinkConfig, LinkId, Observer, Outcome, PacketAction,
    PacketEvent, Progress, Reroute, RouteEpochs, Routing, StreamRecord, TraceConfig, run,
};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::common::sanity::{conserved, links_make_sense};
use crate::shown::{TRANSPORT, config, flow, group, link};

const MBPS: u64 = 1_000_000;
const SHORT: [LinkId; 2] = [0, 2];
const LONG: [LinkId; 2] = [1, 3];
const SHORT_BACK: [LinkId; 2] = [6, 4];
const LONG_BACK: [LinkId; 2] = [7, 5];

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

fn at(milliseconds: u64) -> Time {
    Time::ZERO + ms(milliseconds)
}

/// Two ways of 10 Mb/s from node 0 to node 1, and back: over node 2 in 3 ms and over node 3 in 21 ms. A
/// packet of 1000 bytes takes 0.8 ms at each link.
fn two_ways() -> Vec<LinkConfig> {
    let ends = [(0, 2, 1), (0, 3, 1), (2, 1, 2), (3, 1, 20)];
    let there = ends.map(|(from, to, delay)| link(from, to, 10 * MBPS, ms(delay)));
    let back = ends.map(|(from, to, delay)| link(to, from, 10 * MBPS, ms(delay)));
    [there, back].concat()
}

/// When the last bit of a packet that finds no queue arrives.
fn over(path: [LinkId; 2]) -> Span {
    if path == SHORT { Span::from_micros(1600 + 3_000) } else { Span::from_micros(1600 + 21_000) }
}

/// Data and acknowledgements on the given paths before any change.
fn on(path: [LinkId; 2], back: [LinkId; 2], traffic: Traffic) -> GroupConfig {
    GroupConfig { path: Some(path.to_vec()), back: Some(back.to_vec()), ..group(traffic) }
}

/// A datagram of 1000 bytes each millisecond.
fn stream() -> Traffic {
    Udp::constant(Rate::from_bps(8 * MBPS), Bytes::new(1000)).into()
}

fn to(at: Time, path: [LinkId; 2]) -> Reroute {
    Reroute { at, path: Some(path.to_vec()), back: None }
}

/// What a run reports.
#[derive(Default)]
struct Found {
    flows: Vec<FlowRecord>,
    streams: Vec<StreamRecord>,
    packets: Vec<PacketEvent>,
}

impl Observer for Found {
    fn flow(&mut self, record: &FlowRecord) {
        self.flows.push(*record);
    }

    fn stream(&mut self, record: &StreamRecord) {
        self.streams.push(*record);
    }

    fn packet(&mut self, event: &PacketEvent) {
        self.packets.push(*event);
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

impl Found {
    /// Time and number of the data packets and datagrams that reach node 1, in this order.
    fn arrivals(&self) -> Vec<(Time, u64)> {
        let data = |kind| matches!(kind, PacketKind::Data | PacketKind::Datagram);
        let arrived = self.packets.iter().filter(|event| {
            event.what == PacketAction::Delivered
                && [SHORT[1], LONG[1]].contains(&event.link)
                && data(event.packet.kind)
        });
        let mut arrived: Vec<_> = arrived.map(|event| (event.time, event.packet.seq)).collect();
        arrived.sort_unstable();
        arrived
    }
}

fn found_under(config: &Config, protocol: &dyn Protocol) -> (Found, Outcome) {
    let links = (0..config.links.len()).collect();
    let config = Config { trace: TraceConfig { links, groups: Vec::new() }, ..config.clone() };
    let mut found = Found::default();
    let outcome = run(&config, protocol, &mut found).expect("the configuration is sound");
    conserved(&outcome);
    (found, outcome)
}

fn found(config: &Config) -> (Found, Outcome) {
    found_under(config, &Parameters::default().tcp)
}

/// The stream for 40 ms, and time for all of it to arrive.
fn stream_with(first: [LinkId; 2], reroute: Vec<Reroute>) -> Config {
    let group = GroupConfig { reroute, ..on(first, SHORT_BACK, stream()) };
    let mut config = config(two_ways(), vec![group], ms(100));
    let Traffic::Udp(udp) = &mut config.groups[0].traffic else { unreachable!("a stream") };
    udp.stop = at(40);
    config
}

/// The arrivals of that stream if datagram `k`, sent at `k` ms, takes the path that `path` gives.
fn expected(path: impl Fn(u64) -> [LinkId; 2]) -> Vec<(Time, u64)> {
    let mut expected: Vec<_> = (0..40).map(|k| (at(k) + over(path(k)), k)).collect();
    expected.sort_unstable();
    expected
}

/// Datagrams on the shorter path overtake those that left before the change.
#[test]
fn packets_that_leave_after_a_change_take_the_new_path() {
    for [first, second] in [[LONG, SHORT], [SHORT, LONG]] {
        let config = stream_with(first, vec![to(at(10), second)]);
        let (found, outcome) = found(&config);
        let wanted = expected(|k| if k < 10 { first } else { second });
        assert_eq!(found.arrivals(), wanted);
        // 18 ms shorter: those of the last 18 ms before the change arrive later, but only 10 had been sent.
        let in_order = wanted.is_sorted_by_key(|&(_, number)| number);
        assert_eq!(in_order, first == SHORT);
        let counts = found.streams[0].datagrams.expect("it has packets");
        assert_eq!((counts.sent, counts.delivered, counts.lost), (40, 40, 0));
        assert_eq!(outcome.totals.sent, 40);
        assert_eq!(outcome.links[first[0]].sent, Bytes::new(10_000));
        assert_eq!(outcome.links[second[1]].sent, Bytes::new(30_000));
    }
}

/// The datagram that leaves at the instant of a change takes the new path, and one a nanosecond earlier the
/// old one.
#[test]
fn a_packet_of_the_instant_of_a_change_takes_the_new_path() {
    for (late, first_on_new) in [(Span::ZERO, 10), (Span::NANO, 11)] {
        let config = stream_with(LONG, vec![to(at(10) + late, SHORT)]);
        let wanted = expected(|k| if k < first_on_new { LONG } else { SHORT });
        assert_eq!(found(&config).0.arrivals(), wanted);
    }
}

/// Also where two changes pass between two packets.
#[test]
fn routes_may_change_several_times() {
    let changes = [(5, SHORT), (12, LONG), (20, SHORT), (30, LONG)];
    let mut reroute: Vec<Reroute> = changes.map(|(time, path)| to(at(time), path)).to_vec();
    reroute.insert(2, to(at(12) + Span::from_micros(1), SHORT));
    reroute.insert(3, to(at(12) + Span::from_micros(2), LONG));
    let config = stream_with(LONG, reroute);
    let path = |k| {
        let mut past = changes.iter().filter(|&&(time, _)| time <= k);
        past.next_back().map_or(LONG, |&(_, path)| path)
    };
    assert_eq!(found(&config).0.arrivals(), expected(path));
}

/// Acknowledgements change their path at the receiver's own time, delayed or not; data keep theirs.
#[test]
fn acknowledgements_change_their_path_as_they_leave() {
    for delayed_ack in [false, true] {
        let traffic = Traffic::List(vec![flow(Time::ZERO, 400)]);
        let back = Some(LONG_BACK.to_vec());
        let reroute = vec![Reroute { at: at(150), path: None, back }];
        let group = GroupConfig { reroute, ..on(SHORT, SHORT_BACK, traffic) };
        let mut config = config(two_ways(), vec![group], Span::from_secs(5));
        config.parameters.transport.delayed_ack = delayed_ack;
        let (found, outcome) = found(&config);
        let left = |link| {
            let left = found.packets.iter().filter(move |event| event.link == link);
            left.filter(|event| event.what == PacketAction::Enqueued).map(|event| event.time)
        };
        let (last, first) = (left(SHORT_BACK[0]).max().unwrap(), left(LONG_BACK[0]).min().unwrap());
        assert!(last < at(150) && first >= at(150), "{last} {first}");
        assert!(left(SHORT_BACK[0]).count() > 30 && left(LONG_BACK[0]).count() > 30);
        assert_eq!(outcome.links[LONG[0]].sent, Bytes::ZERO);
        let FlowRecord { delivered, retransmissions, .. } = found.flows[0];
        assert_eq!((delivered, retransmissions), (Bytes::new(400_000), 0));
    }
}

/// A flow goes on under every protocol where its round-trip time falls or rises tenfold, in about the time
/// that its link and the longer path take. BBR's window is that of the shorter path as long as it remembers
/// its round trip, 10 s.
#[test]
fn every_protocol_goes_on_over_a_shorter_and_a_longer_path() {
    let (near, far) = (ms(10), ms(100));
    let ends = [(0, 2, Span::ZERO), (2, 1, near / 2), (2, 1, far / 2)];
    let there = ends.map(|(from, to, delay)| link(from, to, 10 * MBPS, delay));
    let back = ends.map(|(from, to, delay)| link(to, from, 10 * MBPS, delay));
    let links = [there, back].concat();
    let mut parameters = Parameters::default();
    parameters.swift.base_target = far + near;
    // One T for the network, above the longest RTT: that of a flow is that of its first path.
    parameters.hpcc.base_rtt = Some(far + near);
    parameters.xcp_guaranteed.profile = Some(Rate::from_bps(8 * MBPS));
    for &name in ProtocolName::ALL {
        let run = |paths: [usize; 2]| {
            let traffic = Traffic::List(vec![flow(Time::ZERO, 4_000)]);
            let [first, second] = paths.map(|by| (Some(vec![0, by]), Some(vec![3 + by, 3])));
            let reroute = vec![Reroute { at: at(2_000), path: second.0, back: second.1 }];
            let group = GroupConfig { path: first.0, back: first.1, reroute, ..group(traffic) };
            let mut config = config(links.clone(), vec![group], Span::from_secs(60));
            config.parameters.transport = parameters.transport;
            let (found, _) = found_under(&config, parameters.protocol(name));
            found.flows[0]
        };
        for paths in [[1, 2], [2, 1]] {
            let (changed, slow) = (run(paths), run([2, 2]));
            let took = |flow: &FlowRecord| flow.completion.expect("it finishes").as_secs_f64();
            println!(
                "{name} {paths:?}: {:.3} s, on the longer path {:.3} s, {} sent again",
                took(&changed),
                took(&slow),
                changed.retransmissions
            );
            assert_eq!(changed.delivered, Bytes::new(4_000_000), "{name}");
            let remembers = matches!(name, ProtocolName::Bbr1 | ProtocolName::Bbr3);
            let memory = if remembers && paths == [1, 2] { 10.0 } else { 0.0 };
            assert!(took(&changed) < 1.1 * took(&slow) + memory, "{name} {paths:?}");
            // Completion alone is that on the first path.
            assert_eq!(changed.alone, run([paths[0]; 2]).alone);
        }
    }
}

/// The two ways without given paths, of which the shorter one fails from 1 s to 3 s.
fn failing(traffic: Traffic, reconvergence: Option<Span>) -> Config {
    let mut links = two_ways();
    let mut schedule =
        CapacitySchedule::new(CapacityCourse::Steps(vec![(Time::ZERO, links[0].capacity)]));
    schedule.down = vec![(at(1_000), at(3_000))];
    links[SHORT[0]].schedule = Some(schedule);
    let config = config(links, vec![group(traffic)], Span::from_secs(4));
    Config { reconvergence, limit: config.stop + Span::from_secs(10), ..config }
}

/// Routes notice a failure, and the return of the link, 50 ms later. What was sent meanwhile waits, and
/// arrives after the link's return.
#[test]
fn routes_avoid_a_link_that_is_down_as_soon_as_they_notice() {
    let config = failing(stream(), Some(ms(50)));
    let (found, _) = found(&config);
    let arrival = |k: u64| match k {
        // The link sends one each 0.8 ms from 3 s on. The next link is as fast.
        1_000..1_050 => at(3_000) + Span::from_micros(800) * (k - 1_000) + over(SHORT),
        1_050..3_050 => at(k) + over(LONG),
        _ => at(k) + over(SHORT),
    };
    let mut wanted: Vec<_> = (0..4_000).map(|k| (arrival(k), k)).collect();
    wanted.sort_unstable();
    let arrived = found.arrivals();
    // One more leaves at the stop.
    let differs = arrived.iter().zip(&wanted).position(|(one, other)| one != other);
    assert!(differs.is_none() && arrived.len() >= 3_990, "{differs:?} of {}", arrived.len());
}

/// A flow stands still for the reconvergence and its recovery (a time-out of a second), and not for the
/// outage. Without reconvergence it waits for the link.
#[test]
fn a_flow_recovers_while_its_link_is_down() {
    let gap = |reconvergence: Option<Span>| {
        let mut config = failing(Traffic::List(vec![flow(Time::ZERO, 4_000)]), reconvergence);
        let schedule = config.links[SHORT[0]].schedule.as_mut().expect("it fails");
        schedule.down = vec![(at(1_000), at(9_000))];
        for link in &mut config.links {
            link.buffer = BufferSize::Packets(20);
        }
        config.stop = at(14_000);
        config.parameters.transport = TRANSPORT;
        let (found, _) = found(&config);
        assert_eq!(found.flows[0].delivered, Bytes::new(4_000_000));
        let arrivals = found.arrivals();
        let from_the_failure = arrivals.windows(2).filter(|pair| pair[0].0 < at(1_050));
        let gaps = from_the_failure.map(|pair| pair[1].0.since(pair[0].0));
        (gaps.max().expect("packets arrive"), arrivals)
    };
    let (noticed, arrivals) = gap(Some(ms(50)));
    let (ignored, _) = gap(None);
    println!("stands still for {noticed}, without reconvergence for {ignored}");
    assert!((ms(50)..ms(50 + 1_000 + 100)).contains(&noticed), "{noticed}");
    assert!(ignored >= ms(8_000), "{ignored}");
    // Those that waited in the link arrive after its return, though sent again long before.
    let returned = arrivals.partition_point(|&(time, _)| time < at(9_000));
    let before: BTreeSet<u64> = arrivals[..returned].iter().map(|&(_, number)| number).collect();
    assert_eq!(before.len(), 4_000);
    assert!((1..=21).contains(&arrivals[returned..].len()), "{} late", arrivals.len() - returned);
}

/// Paths that are given stay, and so does the last path where there is no other.
#[test]
fn given_paths_and_the_last_path_stay() {
    let epochs = |config: &Config| RouteEpochs::of(config).unwrap().remove(0);
    let mut config = failing(stream(), Some(ms(50)));
    assert_eq!(epochs(&config).later().len(), 2);
    config.groups[0].path = Some(SHORT.to_vec());
    assert_eq!(epochs(&config).later(), []);
    config.groups[0].path = None;
    config.reconvergence = None;
    assert_eq!(epochs(&config).later(), []);
    // The other way fails at 2 s, when the first one is down: packets keep to it until 3.05 s.
    config.reconvergence = Some(ms(50));
    let schedule = config.links[SHORT[0]].schedule.clone().expect("it fails");
    let down = vec![(at(2_000), at(5_000))];
    config.links[LONG[0]].schedule = Some(CapacitySchedule { down, ..schedule });
    let found = epochs(&config);
    let paths: Vec<_> =
        found.later().iter().map(|(at, paths)| (*at, paths.out.of_flow(0))).collect();
    assert_eq!(paths, [(at(1_050), LONG[..].into()), (at(3_050), SHORT[..].into())]);
    // A stated path ends it.
    config.groups[0].reroute = vec![to(at(2_000), LONG)];
    let found = epochs(&config);
    let paths: Vec<_> =
        found.later().iter().map(|(at, paths)| (*at, paths.out.of_flow(0))).collect();
    assert_eq!(paths, [(at(1_050), LONG[..].into())], "the same path is no change");
}

/// Several paths lose one and get it back: flows by hash, and packets in turn, take the rest by the same
/// rules. Outages of one link that touch are one.
#[test]
fn several_paths_lose_one_and_get_it_back() {
    for routing in [Routing::Ecmp, Routing::Wcmp, Routing::Single, Routing::Spray] {
        let mut config = failing(stream(), Some(ms(50)));
        config.groups[0].routing = routing;
        config.nodes += 1;
        for (from, to) in [(0, 4), (4, 1)] {
            config.links.push(link(from, to, 10 * MBPS, ms(if to == 1 { 2 } else { 1 })));
        }
        let schedule = config.links[SHORT[0]].schedule.as_mut().unwrap();
        schedule.down = vec![(at(1_000), at(2_000)), (at(2_000), at(3_000))];
        let found = RouteEpochs::of(&config).unwrap().remove(0);
        let [(fails, less), (returns, all)] = found.later() else {
            panic!("{routing:?}: {:?}", found.later())
        };
        assert_eq!((*fails, *returns, all), (at(1_050), at(3_050), found.first()));
        assert_eq!(less.out.only(), Some(&[8, 9][..]), "{routing:?}");
        let used = (0..50).map(|index| found.first().out.of_flow(index)).any(|path| path[0] == 8);
        assert_eq!(used, routing != Routing::Single);
    }
}

/// Buffers in bandwidth-delay products have room for the longest path of any time.
#[test]
fn buffers_have_room_for_the_longest_path_of_any_time() {
    let mut links = two_ways();
    links[SHORT[0]].buffer = BufferSize::Bdp(Ratio::new(1.0));
    // Both ways begin with this link.
    links[LONG[0]] = link(2, 3, 100 * MBPS, ms(1));
    let fast = Udp::constant(Rate::from_bps(20 * MBPS), Bytes::new(1000));
    let group = on(SHORT, SHORT_BACK, fast.into());
    let path = Some(vec![SHORT[0], LONG[0], LONG[1]]);
    let reroute = vec![Reroute { at: at(900), path, back: None }];
    let max_queue = |group| {
        let config = config(links.clone(), vec![group], Span::from_secs(1));
        let (_, outcome) = found(&config);
        links_make_sense(&outcome, &config);
        outcome.links[SHORT[0]].max_queue.as_u64()
    };
    // 10 Mb/s times 6 ms, or times 3 + 22 ms, to a packet.
    assert!((6_500..=8_500).contains(&max_queue(group.clone())));
    let longer = max_queue(GroupConfig { reroute, ..group });
    assert!((30_250..=32_250).contains(&longer), "{longer}");
}
