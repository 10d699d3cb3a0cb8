//! Streams of datagrams against numbers computed by hand.

use crate::shown::{config, flow, group, link, pipe};
use sluice_laws::protocol::Protocol;
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_sim::ideal::{self, Ideal};
use sluice_sim::traffic::{Datagram, DatagramFile, Long, Phase, Traffic, Udp};
use sluice_sim::{
    Config, DatagramCounts, FlowRecord, GroupConfig, GroupMetrics, LinkConfig, Observer, Outcome,
    Progress, Samples, StreamRecord, run,
};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

const MBPS: u64 = 1_000_000;
/// Size of a datagram: at 10 Mb/s it takes 800 us.
const SIZE: Bytes = Bytes::new(1000);

/// What a run reports of streams, flows and groups.
#[derive(Default)]
struct Found {
    streams: Vec<StreamRecord>,
    flows: Vec<FlowRecord>,
    samples: Vec<Vec<f64>>,
}

impl Observer for Found {
    fn flow(&mut self, record: &FlowRecord) {
        self.flows.push(*record);
    }

    fn stream(&mut self, record: &StreamRecord) {
        self.streams.push(*record);
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        self.samples.extend(samples.values.chunks(samples.columns.len()).map(<[f64]>::to_vec));
    }

    fn tick(&mut self, _: Progress) -> bool {
        true
    }
}

impl Found {
    /// The datagrams of the first stream of a group.
    fn counts(&self, group: usize) -> DatagramCounts {
        let stream = self.streams.iter().find(|stream| stream.group == group).expect("a stream");
        stream.datagrams.expect("it has packets")
    }
}

fn found_under(config: &Config, protocol: &dyn Protocol) -> (Found, Outcome) {
    let mut found = Found::default();
    let outcome = run(config, protocol, &mut found).expect("the configuration is sound");
    (found, outcome)
}

fn found(config: &Config) -> (Found, Outcome) {
    found_under(config, Parameters::default().protocol(ProtocolName::Tcp))
}

fn constant(mbps: f64) -> Udp {
    Udp::constant(Rate::from_bps_f64(mbps * 1e6), SIZE)
}

fn stream(name: &str, udp: Udp) -> GroupConfig {
    GroupConfig { name: name.into(), ..group(udp.into()) }
}

fn long(name: &str) -> GroupConfig {
    let (start, spacing, stop) = (Time::ZERO, Span::ZERO, Time::NEVER);
    let long = Long { count: 1, start, spacing, stop, ..Long::default() };
    GroupConfig { name: name.into(), ..group(Traffic::Long(long)) }
}

fn room(packets: u64, links: Vec<LinkConfig>) -> Vec<LinkConfig> {
    let buffer = BufferSize::Packets(packets);
    links.into_iter().map(|link| LinkConfig { buffer, ..link }).collect()
}

fn seconds(seconds: f64) -> Time {
    Time::ZERO + Span::from_secs_f64(seconds)
}

/// 1 Mb/s are 125 datagrams a second; each takes 800 us at the link and the delay of the wire. The
/// last two of a second are under way at its end: one leaves every 8 ms, the last at 992 ms.
#[test]
fn a_stream_alone_loses_nothing_and_has_the_delay_of_its_path() {
    for (delay, under_way) in
        [(Span::from_micros(5), 0), (Span::from_millis(10), 1), (Span::from_millis(1_500), 125)]
    {
        let config =
            config(pipe(10 * MBPS, delay), vec![stream("udp", constant(1.0))], Span::from_secs(1));
        let (found, outcome) = found(&config);
        let DatagramCounts { sent, offered, delivered, lost, mean_delay, p99_delay } =
            found.counts(0);
        assert_eq!(offered, Bytes::new(125_000));
        assert_eq!((sent, delivered, lost), (125, 125 - under_way, 0), "{delay}");
        assert_eq!(found.streams[0].delivered, Bytes::new(1000 * (125 - under_way)));
        let all = delay + Span::from_micros(800);
        assert_eq!(mean_delay, (delivered > 0).then_some(all));
        let near = |p99: Span| (p99.as_secs_f64() / all.as_secs_f64() - 1.0).abs() < 0.03;
        assert!(p99_delay.is_none_or(near), "{p99_delay:?}, not {all}");
        assert_eq!(outcome.end, config.stop, "there is no flow to wait for");
        assert_eq!((outcome.measured, found.flows.len()), (0, 0), "a stream is no flow");
        // No handshake and no acknowledgement; one more leaves at the stop, after the time measured.
        assert_eq!(outcome.totals.sent, 126);
        assert_eq!(outcome.links[1].sent, Bytes::ZERO);
    }
}

/// 6 + 6 Mb/s on 10 Mb/s: of 12 datagrams 2 are lost. Which, the times of arrival decide: a random
/// phase gives both streams losses.
#[test]
fn two_streams_of_60_percent_lose_a_sixth() {
    let udp = Udp { count: 2, phase: Phase::Random, ..constant(6.0) };
    let links = room(20, pipe(10 * MBPS, Span::from_millis(1)));
    let mut config = config(links, vec![stream("udp", udp)], Span::from_secs(101));
    config.warm_up = seconds(1.0);
    let (found, outcome) = found(&config);
    let sum = |of: fn(DatagramCounts) -> u64| -> u64 {
        found.streams.iter().filter_map(|stream| stream.datagrams).map(of).sum()
    };
    let (sent, delivered, lost) =
        (sum(|counts| counts.sent), sum(|counts| counts.delivered), sum(|counts| counts.lost));
    assert_eq!(sent, 150_000);
    assert!(delivered.abs_diff(125_000) <= 1, "{delivered}");
    assert!(lost.abs_diff(25_000) <= 1, "{lost}");
    assert_eq!(lost, outcome.links[0].drops);
    assert!(outcome.links[0].utilization > 0.9999);
}

/// 100 Mb/s on 10 Mb/s: 9 of 10 are lost, even with room for a single packet; those delivered have
/// waited for the one ahead.
#[test]
fn an_overload_of_ten_times_over_a_buffer_of_one_packet_delivers_the_capacity() {
    let links = room(1, pipe(10 * MBPS, Span::from_millis(1)));
    let config = config(links, vec![stream("udp", constant(100.0))], Span::from_secs(10));
    let (found, _) = found(&config);
    let DatagramCounts { sent, delivered, lost, mean_delay, .. } = found.counts(0);
    assert_eq!(sent, 125_000);
    // 12,500 transmissions of 800 us, less those within the delay of the wire.
    assert!(delivered.abs_diff(12_500) <= 3, "{delivered}");
    assert!((sent - delivered - lost) <= 4, "{lost}");
    let mean = mean_delay.unwrap().as_secs_f64() * 1e3;
    // A datagram that is admitted finds the one ahead just begun: it waits 720 to 800 us.
    assert!((2.5..=2.6).contains(&mean), "{mean} ms");
}

/// The access link of 5 Mb/s loses half of 10 Mb/s, before the link behind it.
#[test]
fn a_rate_above_the_access_link_is_lost_there() {
    let delay = Span::from_millis(1);
    let links = vec![
        link(0, 1, 5 * MBPS, delay),
        link(1, 2, 10 * MBPS, delay),
        link(2, 1, 10 * MBPS, delay),
        link(1, 0, 10 * MBPS, delay),
    ];
    let group = GroupConfig { to: 2, ..stream("udp", constant(10.0)) };
    let (found, outcome) = found(&config(room(5, links), vec![group], Span::from_secs(4)));
    let counts = found.counts(0);
    assert_eq!(counts.sent, 5_000);
    assert!(counts.delivered.abs_diff(2_500) <= 4, "{counts:?}");
    assert!(counts.lost > 2_480 && outcome.links[1].drops == 0);
}

/// Datagrams leave from the start until just before the stop.
#[test]
fn a_stream_sends_from_start_to_stop() {
    let udp = Udp { start: seconds(1.0), stop: seconds(3.0), ..constant(1.0) };
    let mut config = config(
        pipe(10 * MBPS, Span::from_millis(1)),
        vec![stream("udp", udp.clone())],
        Span::from_secs(4),
    );
    assert_eq!(found(&config).0.counts(0).sent, 250);
    config.warm_up = seconds(2.0);
    assert_eq!(found(&config).0.counts(0).sent, 125, "in the time measured");
    config.warm_up = seconds(0.0);
    config.stop = seconds(0.5);
    config.limit = config.stop;
    assert!(found(&config).0.streams.is_empty(), "it has not begun");
    config.groups = vec![stream("udp", Udp { stop: udp.start, ..udp })];
    let error =
        run(&config, Parameters::default().protocol(ProtocolName::Tcp), &mut Found::default());
    assert!(error.unwrap_err().to_string().contains("stop before they start"));
}

/// The two directions of a pair of links have nothing to do with each other.
#[test]
fn streams_both_ways_do_not_meet() {
    let back = GroupConfig { from: 1, to: 0, ..stream("back", constant(9.9)) };
    let groups = vec![stream("udp", constant(9.9)), back];
    let links = room(1, pipe(10 * MBPS, Span::from_millis(1)));
    let (found, _) = found(&config(links, groups, Span::from_secs(10)));
    assert_eq!(found.counts(0), found.counts(1));
    assert_eq!(found.counts(0).lost, 0);
}

/// A flow beside a stream gets what the stream leaves, and the stream loses little. TCP, which fills
/// the buffer, takes what the stream loses too.
#[test]
fn flows_take_what_a_stream_leaves() {
    for (name, mbps, share) in [
        (ProtocolName::Tcp, 9.5, 0.7..1.5),
        (ProtocolName::Rcp, 5.0, 0.9..1.001),
        (ProtocolName::Xcp, 5.0, 0.9..1.001),
    ] {
        let links = room(50, pipe(10 * MBPS, Span::from_millis(10)));
        let groups = vec![stream("udp", constant(mbps)), long("long")];
        let mut config = config(links, groups, Span::from_secs(60));
        config.warm_up = seconds(20.0);
        let (found, outcome) = found_under(&config, Parameters::default().protocol(name));
        let counts = found.counts(0);
        let lost = counts.lost as f64 / counts.sent as f64;
        assert!(lost < 0.02, "{name}: {counts:?}");
        let rest = (10.0 - mbps) * 1e6 * 40.0 / 8.0;
        let part = found.flows[0].delivered.as_f64() / rest;
        assert!(share.contains(&part), "{name}: {part} of what is left");
        assert!(outcome.links[0].utilization <= 1.0);
    }
}

/// On for 1 ms and off for 3 ms on average, at 8 Mb/s: a mean of 2 Mb/s, in exponential and in Pareto
/// periods. Its variance does not let 100 s be nearer than some percent.
#[test]
fn an_on_off_stream_has_its_mean_rate_and_its_peak() {
    for shape in [None, Some(Ratio::new(2.5))] {
        let udp = Udp {
            on: Some(Span::from_millis(1)),
            off: Some(Span::from_millis(3)),
            shape,
            ..Udp::constant(Rate::from_bps(8 * MBPS), Bytes::new(100))
        };
        let links = pipe(10 * MBPS, Span::from_millis(1));
        let groups = vec![stream("udp", udp)];
        let (found, _) = found(&config(links, groups, Span::from_secs(100)));
        let sent = found.counts(0).sent as f64;
        assert!((sent / 250_000.0 - 1.0).abs() < 0.05, "{sent} datagrams, {shape:?}");
        // At the peak rate, no datagram waits for another: 80 us and the wire.
        assert_eq!(found.counts(0).mean_delay, Some(Span::from_micros(1080)));
    }
}

/// Each datagram would take 8 million million times on, all of which are drawn.
#[test]
fn a_datagram_of_too_many_times_on_is_refused() {
    let udp = Udp {
        on: Some(Span::NANO),
        off: Some(Span::NANO),
        ..Udp::constant(Rate::from_bps(1_000), Bytes::new(1_000_000))
    };
    let config = config(pipe(10 * MBPS, Span::ZERO), vec![stream("udp", udp)], Span::from_secs(1));
    let fault = config.check().unwrap_err().to_string();
    assert!(fault.contains("traffic.size: no more than what ten thousand times on"), "{fault}");
}

/// Three streams with a load of 0.3 of 10 Mb/s together, whatever their periods.
#[test]
fn streams_together_have_the_load_asked_for() {
    let load = Some(Ratio::new(0.3));
    let all = Udp { rate: None, load, count: 3, ..constant(1.0) };
    let (on, off) = (Some(Span::from_millis(5)), Some(Span::from_millis(5)));
    for udp in [all.clone(), Udp { on, off, ..all }] {
        let links = pipe(10 * MBPS, Span::from_millis(1));
        let (found, _) = found(&config(links, vec![stream("udp", udp)], Span::from_secs(100)));
        let offered = found.streams.iter().filter_map(|stream| stream.datagrams);
        let bits: f64 = offered.map(|counts| counts.offered.as_f64() * 8.0).sum();
        assert!((bits / 300e6 - 1.0).abs() < 0.03, "{bits}");
    }
}

/// The datagrams of a list leave at its times after the start, and arrive in its order.
#[test]
fn a_replayed_stream_sends_what_its_file_has() {
    let datagram = |ms: f64, size| Datagram { time: seconds(ms / 1e3), size: Bytes::new(size) };
    let list =
        vec![datagram(0.0, 1000), datagram(5.0, 10), datagram(5.0, 1500), datagram(900.0, 1)];
    let file = DatagramFile { path: "trace.csv".into(), list: Some(list.into()) };
    let udp =
        Udp { rate: None, size: None, replay: Some(file), start: seconds(0.2), ..constant(1.0) };
    let links = pipe(8 * MBPS, Span::from_millis(1));
    let (found, _) = found(&config(links, vec![stream("udp", udp)], Span::from_secs(1)));
    let counts = found.counts(0);
    assert_eq!((counts.sent, counts.delivered), (3, 3), "the last would leave at 1.1 s");
    assert_eq!(found.streams[0].delivered, Bytes::new(2510));
    // Transmissions of 1000, 10, and 10 + 1500 us, and the wire three times.
    assert_eq!(counts.mean_delay, Some(Span::from_nanos((1000 + 10 + 1510 + 3000) * 1000 / 3)));
}

/// The metric of a group counts what its streams deliver, but no flow.
#[test]
fn metrics_of_groups_have_the_throughput_of_streams() {
    let links = pipe(10 * MBPS, Span::from_millis(1));
    let mut config = config(links, vec![stream("udp", constant(4.0))], Span::from_secs(3));
    config.group_metrics = vec![GroupMetrics { groups: vec![0], every: Span::from_millis(500) }];
    let (found, _) = found(&config);
    assert!(found.samples.len() >= 5);
    for row in &found.samples[1..] {
        let [throughput, flows, jain] = row[..] else { panic!("three columns") };
        assert!((throughput / 4e6 - 1.0).abs() < 0.01, "{throughput}");
        assert_eq!((flows, jain), (0.0, 0.0));
    }
}

/// Ideals give streams their rate first: 6 of 10 Mb/s from 10 s to 30 s. A flow gets 10, 4 and 10 Mb/s:
/// 200 Mb take 10 s, 20 s and 2 s.
#[test]
fn ideals_share_what_streams_leave() {
    let udp = Udp { start: seconds(10.0), stop: seconds(30.0), ..constant(6.0) };
    let list = Traffic::List(vec![flow(Time::ZERO, 25_000)]);
    let sized = GroupConfig { name: "sized".into(), ..group(list) };
    let links = pipe(10 * MBPS, Span::ZERO);
    let config = config(links, vec![stream("udp", udp), sized], Span::from_secs(60));
    for &sharing in Ideal::ALL {
        let mut found = Found::default();
        let outcome = ideal::run(&config, sharing, &mut found).unwrap();
        let took = found.flows[0].completion.unwrap().as_secs_f64();
        assert!((took - 32.0).abs() < 0.01, "{sharing:?}: {took}");
        let delivered = found.streams[0].delivered.as_f64() * 8.0;
        assert!((delivered - 120e6).abs() < 1.0, "{delivered}");
        assert_eq!(found.streams[0].datagrams, None);
        let used = outcome.links[0].utilization;
        assert!((used - 320.0 / 600.0).abs() < 1e-4, "{used}");
    }
}

/// Streams of 12 Mb/s get the 10 Mb/s of the link, in proportion, and leave a flow nothing until they
/// stop.
#[test]
fn streams_beyond_a_link_leave_ideals_nothing() {
    let until = |mbps| Udp { stop: seconds(20.0), ..constant(mbps) };
    let sized = Traffic::List(vec![flow(Time::ZERO, 1_250)]);
    let groups = vec![
        stream("slow", until(4.0)),
        stream("fast", until(8.0)),
        GroupConfig { name: "sized".into(), ..group(sized) },
    ];
    let config = config(pipe(10 * MBPS, Span::ZERO), groups, Span::from_secs(40));
    for &sharing in Ideal::ALL {
        let mut found = Found::default();
        ideal::run(&config, sharing, &mut found).unwrap();
        let took = found.flows[0].completion.unwrap().as_secs_f64();
        assert!((took - 21.0).abs() < 0.01, "{sharing:?}: {took}");
        let mbit = |group: usize| found.streams[group].delivered.as_f64() * 8e-6;
        assert!((mbit(0) - 200.0 / 3.0).abs() < 0.01 && (mbit(1) - 400.0 / 3.0).abs() < 0.01);
    }
}

/// A stream of 20 Mb/s over links of 40, 10 and 20 Mb/s, and 12.5 MB over the last: 10 Mb/s of the stream get
/// there and leave the flow as much, which takes 10 s. The first link carries the stream in full.
#[test]
fn ideals_cut_a_stream_where_it_exceeds_a_link() {
    let hop = |from, to, mbps| link(from, to, mbps * MBPS, Span::ZERO);
    let there = [hop(0, 1, 40), hop(1, 2, 10), hop(2, 3, 20)];
    let links = [there, [hop(3, 2, 20), hop(2, 1, 20), hop(1, 0, 20)]].concat();
    let sized = Traffic::List(vec![flow(Time::ZERO, 12_500)]);
    let groups = vec![
        GroupConfig { to: 3, ..stream("udp", constant(20.0)) },
        GroupConfig { name: "sized".into(), from: 2, to: 3, ..group(sized) },
    ];
    let mut config = config(links, groups, Span::from_secs(10));
    config.limit = seconds(11.0);
    for &sharing in Ideal::ALL {
        let mut found = Found::default();
        let outcome = ideal::run(&config, sharing, &mut found).unwrap();
        let took = found.flows[0].completion.unwrap().as_secs_f64();
        assert!((took - 10.0).abs() < 0.001, "{sharing:?}: {took} s");
        let delivered = found.streams[0].delivered.as_f64() * 8e-6;
        assert!((delivered - 100.0).abs() < 0.01, "{sharing:?}: {delivered} Mb");
        for (link, wanted) in [0.5, 1.0, 1.0].into_iter().enumerate() {
            let used = outcome.links[link].utilization;
            assert!((used - wanted).abs() < 1e-3, "{sharing:?}, link {link}: {used}");
        }
    }
}

/// Four datagrams of 1000 bytes that leave at once take 3.2 ms of a link of 10 Mb/s, under ideals too; a
/// fifth would leave after the stop. A flow of 5000 bytes waits for them.
#[test]
fn ideals_carry_all_datagrams_that_a_file_has_at_once() {
    let datagram = |ms: f64| Datagram { time: seconds(ms / 1e3), size: SIZE };
    let list = [0.0, 0.0, 0.0, 0.0, 2.0].map(datagram).to_vec();
    let file = DatagramFile { path: "trace.csv".into(), list: Some(list.into()) };
    let (start, stop) = (seconds(1.0), seconds(1.001));
    let udp = Udp { rate: None, size: None, replay: Some(file), start, stop, ..constant(1.0) };
    let sized = Traffic::List(vec![flow(start, 5)]);
    let groups = vec![stream("udp", udp), GroupConfig { name: "sized".into(), ..group(sized) }];
    let config = config(pipe(10 * MBPS, Span::ZERO), groups, Span::from_secs(2));
    for &sharing in Ideal::ALL {
        let mut found = Found::default();
        let outcome = ideal::run(&config, sharing, &mut found).unwrap();
        assert_eq!(found.streams[0].delivered, Bytes::new(4000), "{sharing:?}");
        assert_eq!(outcome.links[0].sent, Bytes::new(9000), "{sharing:?}");
        let took = found.flows[0].completion.unwrap().as_secs_f64() * 1e3;
        assert!((took - 7.2).abs() < 0.001, "{sharing:?}: {took} ms");
    }
}

/// Datagrams of 1000 bytes at these rates in Mb/s, over access links of 10 Gb/s that meet at 10 Mb/s, from
/// 0.1 ms after each other: delivered and lost of each stream within 100 s.
fn beside_each_other(mbps: &[f64], waiting: u64) -> Vec<(u64, u64)> {
    let back = mbps.len() + 1;
    let access = (0..mbps.len()).map(|from| link(from + 1, 0, 10_000 * MBPS, Span::from_micros(1)));
    let mut links: Vec<LinkConfig> = access.collect();
    links.extend(room(waiting, vec![link(0, back, 10 * MBPS, Span::from_millis(10))]));
    links.extend((1..back).map(|to| link(back, to, 10 * MBPS, Span::from_millis(10))));
    let group = |(number, &mbps): (usize, &f64)| GroupConfig {
        from: number + 1,
        to: back,
        ..stream(
            &number.to_string(),
            Udp { start: seconds(number as f64 * 1e-4), ..constant(mbps) },
        )
    };
    let groups = mbps.iter().enumerate().map(group).collect();
    let (found, _) = found(&config(links, groups, Span::from_secs(100)));
    let counts = (0..mbps.len()).map(|group| found.counts(group));
    counts.map(|counts| (counts.delivered, counts.lost)).collect()
}

/// What ns-2.35 delivers of the same streams: Agent/UDP, CBR without random intervals, DropTail, whose
/// limit of n holds n - 1 waiting packets. Streams that come in step differ: ns-2 keeps times as floating
/// point, Sluice as nanoseconds, which decides who finds the buffer full.
#[test]
fn ns_2_delivers_the_same() {
    let of_ns_2: [(&[f64], u64, &[u64], u64); 7] = [
        (&[6.13, 5.91], 1, &[62_870, 57_368], 0),
        (&[6.13, 5.91], 20, &[62_997, 61_990], 0),
        (&[7.3, 5.1, 3.7], 1, &[64_368, 31_872, 26_872], 0),
        (&[7.3, 5.1, 3.7], 20, &[58_739, 41_245, 25_003], 0),
        (&[100.0], 1, &[124_987], 0),
        (&[0.97, 1.13, 12.1], 1, &[5_087, 5_664, 114_236], 38),
        (&[0.97, 1.13, 12.1], 20, &[5_088, 5_666, 114_233], 38),
    ];
    for (mbps, waiting, delivered, most) in of_ns_2 {
        let found = beside_each_other(mbps, waiting);
        let mut streams = found.iter().zip(delivered);
        let near = streams.all(|((found, _), delivered)| found.abs_diff(*delivered) <= most);
        assert!(near, "{mbps:?} Mb/s, {waiting} waiting: {found:?}, ns-2 {delivered:?}");
        let sum: u64 = found.iter().map(|(delivered, _)| delivered).sum();
        assert_eq!(sum, delivered.iter().sum::<u64>(), "{mbps:?} Mb/s, {waiting} waiting");
    }
}
