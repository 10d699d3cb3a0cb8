//! TCP-friendly XCP: flows of both at a link with a queue for each, whose weights XCP's router moves (Katabi's
//! thesis, section 8.2).

use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::router::LinkSample;
use sluice_laws::transport::Transport;
use sluice_laws::xcp::{Balance, TcpWindow};
use sluice_sim::queue::{Discipline, Red, TcpFriendly};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Long, Traffic, Udp};
use sluice_sim::{ByClass, Config, GroupConfig, LinkConfig, LinkLaw, LinkLaws, LinkMetrics};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span, Time};

use crate::common::run_to_end;
use crate::common::spy::Spy;
use crate::shown::{config, flow, group, link, pipe};

const CAPACITY: f64 = 20e6;
const STOP: u64 = 60;

/// Long flows of a protocol, in its class.
fn long(name: ProtocolName, count: u64) -> GroupConfig {
    let within = Some(Span::from_secs(2));
    let traffic = Traffic::Long(Long { count, within, ..Long::default() });
    let class = u8::from(name == ProtocolName::Xcp);
    GroupConfig { name: name.to_string(), protocol: Some(name), class, ..group(traffic) }
}

fn tcp(count: u64) -> GroupConfig {
    long(ProtocolName::Tcp, count)
}

fn xcp(count: u64) -> GroupConfig {
    long(ProtocolName::Xcp, count)
}

/// A link with two queues and a bandwidth-delay product of buffer, of which RED takes thirds.
fn shared(groups: Vec<GroupConfig>, rtt: Span) -> Config {
    let mut links = pipe(CAPACITY as u64, rtt / 2);
    let third = |thirds| Some(BufferSize::Bdp(Ratio::new(f64::from(thirds) / 3.0)));
    let red = Red { min_th: third(1), max_th: third(2), ..Red::default() };
    links[0].queue = Discipline::TcpFriendly(TcpFriendly { red, ..TcpFriendly::default() });
    links[0].buffer = BufferSize::Bdp(Ratio::new(1.0));
    let laws = [LinkLaw::None, LinkLaw::Of(ProtocolName::Xcp)];
    links[0].router = LinkLaws::Classes(ByClass::new(&laws).expect("two laws"));
    links[1].router = LinkLaw::None.into();
    let mut config = config(links, groups, Span::from_secs(STOP));
    config.parameters.transport = Transport::DEFAULT;
    config.warm_up = Time::ZERO + Span::from_secs(STOP / 3);
    config.limit = config.stop;
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(100) }];
    config
}

/// With a buffer of 100 kB, whatever the capacity, of which RED takes thirds.
fn with_kilobytes(mut config: Config) -> Config {
    let bytes = |bytes| Some(BufferSize::Bytes(Bytes::new(bytes)));
    let red = Red { min_th: bytes(33_333), max_th: bytes(66_667), ..Red::default() };
    config.links[0].queue = Discipline::TcpFriendly(TcpFriendly { red, ..TcpFriendly::default() });
    config.links[0].buffer = BufferSize::Bytes(Bytes::new(100_000));
    config
}

/// What a run shows.
#[derive(Debug)]
struct Found {
    /// Throughput of each group over the capacity.
    parts: Vec<f64>,
    /// XCP's weight over time.
    weights: Vec<f64>,
}

fn found(config: &Config) -> Found {
    let run = run_to_end(config, config.parameters.protocol(ProtocolName::Xcp));
    let seconds = config.stop.since(config.warm_up).as_secs_f64();
    let mut parts = vec![0.0; config.groups.len()];
    for flow in &run.records {
        parts[flow.group] += flow.delivered.as_f64() * 8.0 / seconds / CAPACITY;
    }
    let weights = run.series[0].column("class_1_w_X");
    Found { parts, weights }
}

const MS_40: Span = Span::from_millis(40);

/// With the weights that equalize throughputs, for which the router takes TCP's window as it is.
fn equal_throughputs(config: Config) -> Config {
    let mut config = config;
    config.parameters.xcp.balance = Balance::Throughputs;
    config.parameters.xcp.tcp_window = TcpWindow::Rfc5348;
    config
}

/// Throughput of a flow of TCP over that of one of XCP.
fn tcp_over_xcp(config: &Config, of_tcp: u64, of_xcp: u64) -> f64 {
    let Found { parts, .. } = found(config);
    parts[0] / of_tcp as f64 / (parts[1] / of_xcp as f64)
}

/// Throughputs of flows of both are near each other, whatever the mixture.
#[test]
fn flows_of_both_have_similar_throughputs() {
    for (of_tcp, of_xcp) in [(8, 4), (6, 6), (4, 8)] {
        let config = equal_throughputs(shared(vec![tcp(of_tcp), xcp(of_xcp)], MS_40));
        let Found { parts, .. } = found(&config);
        let ratio = parts[0] / of_tcp as f64 / (parts[1] / of_xcp as f64);
        assert!((0.8..1.25).contains(&ratio), "{of_tcp} and {of_xcp}: {ratio}");
        assert!(parts[0] + parts[1] > 0.9, "{of_tcp} and {of_xcp}: {parts:?}");
    }
}

/// Equal windows are not equal throughputs: TCP's packets alone wait. (8.1) as printed gives less than TCP's window,
/// so that the router gives it more of the link than by RFC 5348.
#[test]
fn equal_windows_leave_tcp_less() {
    let mut config = shared(vec![tcp(6), xcp(6)], MS_40);
    let [printed, rfc] = [TcpWindow::Printed, TcpWindow::Rfc5348].map(|equation| {
        config.parameters.xcp.tcp_window = equation;
        tcp_over_xcp(&config, 6, 6)
    });
    assert!(rfc < 0.75 && rfc < 0.8 * printed && printed < 0.97, "{rfc} {printed}");
}

/// TCP's delay follows the capacity of the moment: after a step from 20 Mb/s to 4 Mb/s, shares are those of a link
/// of 4 Mb/s with the same buffer and thresholds.
#[test]
fn shares_follow_a_capacity_that_varies() {
    let mut config = with_kilobytes(equal_throughputs(shared(vec![tcp(3), xcp(3)], MS_40)));
    let low = Rate::from_bps(4_000_000);
    let mut constant = config.clone();
    constant.links[0].capacity = low;
    let steps = vec![(Time::ZERO + Span::from_secs(1), low)];
    config.links[0].schedule = Some(CapacitySchedule::new(CapacityCourse::Steps(steps)));
    for config in [constant, config] {
        let ratio = tcp_over_xcp(&config, 3, 3);
        assert!((0.75..1.33).contains(&ratio), "{ratio}");
    }
}

/// Two such links in a row, each with flows of its own: those of TCP over both see the drops of both, and each router
/// only its own, so that they have less than their share even with equal throughputs. XCP's flows over both have
/// what the others have.
#[test]
fn over_two_links_tcp_has_less_and_xcp_its_share() {
    let mut config = equal_throughputs(shared(Vec::new(), Span::from_millis(20)));
    let [mut there, mut back] = [config.links[0].clone(), config.links[1].clone()];
    (there.from, there.to, back.from, back.to) = (1, 2, 2, 1);
    config.links.extend([there, back]);
    config.nodes = 3;
    let between = |from, to, group: GroupConfig| GroupConfig {
        name: format!("{} {from} {to}", group.name),
        from,
        to,
        ..group
    };
    for (from, to) in [(0, 2), (0, 1), (1, 2)] {
        config.groups.extend([between(from, to, tcp(4)), between(from, to, xcp(4))]);
    }
    let parts = found(&config).parts;
    let [long_tcp, long_xcp, tcp, xcp] = [parts[0], parts[1], parts[2], parts[3]];
    assert!(long_tcp < 0.7 * tcp, "{parts:?}");
    assert!((0.7..1.3).contains(&(long_xcp / xcp)), "{parts:?}");
}

/// Windows of about a packet for each flow, and a queue for TCP of many round trips: (8.2) does not fall below a
/// packet, in which XCP's hosts send, so that equal windows leave TCP a fraction of its share.
#[test]
fn windows_of_a_packet_leave_tcp_a_fraction() {
    let config = with_kilobytes(shared(vec![tcp(30), xcp(30)], Span::from_millis(1)));
    let Found { parts, weights } = found(&config);
    assert!(parts[0] < 0.5 * parts[1], "{parts:?}");
    assert!(weights.last().is_some_and(|&weight| weight > 0.6), "{weights:?}");
}

/// TCP that another link limits to a quarter of its share: what it has depends on whether its queue ever dropped a
/// packet. Without one, it has all that it sends. After drops, p decays without new ones, TCP's window by (8.1)
/// grows, and XCP's weight with it, until TCP's queue drops again.
#[test]
fn tcp_that_another_link_limits_keeps_what_it_sends_until_a_drop() {
    let mut config = shared(vec![tcp(6), xcp(6)], MS_40);
    // A link of 2 Mb/s before that of both.
    let upstream = LinkConfig {
        buffer: BufferSize::Packets(40),
        router: LinkLaw::None.into(),
        ..link(2, 0, 2_000_000, Span::ZERO)
    };
    let back = LinkConfig { router: LinkLaw::None.into(), ..link(0, 2, 2_000_000_000, Span::ZERO) };
    config.links.extend([upstream, back]);
    (config.nodes, config.groups[0].from) = (3, 2);
    let sent = |config: &Config| found(config).parts[0] * CAPACITY / 2e6;
    let never = sent(&config);
    assert!(never > 0.95, "{never}");
    // A burst of class 0 fills the queue for TCP once.
    let burst = Traffic::List(vec![flow(Time::ZERO + Span::from_secs(3), 3000)]);
    let burst = GroupConfig { protocol: Some(ProtocolName::Tcp), ..group(burst) };
    config.groups.push(GroupConfig { name: "burst".into(), ..burst });
    let after = sent(&config);
    assert!(after < 0.9 * never, "{after} {never}");
}

/// In one queue, TCP has more than twice what XCP has.
#[test]
fn in_one_queue_tcp_starves_xcp() {
    let mut config = shared(vec![tcp(6), xcp(6)], MS_40);
    config.groups[1].class = 0;
    let Discipline::TcpFriendly(TcpFriendly { red, .. }) = config.links[0].queue else {
        panic!("two queues");
    };
    config.links[0].queue = Discipline::Red(red);
    config.links[0].router = LinkLaw::Of(ProtocolName::Xcp).into();
    config.link_metrics.clear();
    let run = run_to_end(&config, &Parameters::default().xcp);
    let delivered = |group: usize| -> f64 {
        let own = run.records.iter().filter(|flow| flow.group == group);
        own.map(|flow| flow.delivered.as_f64()).sum()
    };
    assert!(delivered(0) > 2.0 * delivered(1), "{} and {}", delivered(0), delivered(1));
}

/// (8.6) by the letter would leave half of the link unused where the other class is absent; its weight stays.
#[test]
fn a_class_alone_has_all_of_the_link() {
    for group in [tcp(6), xcp(6)] {
        let name = group.name.clone();
        let found = found(&shared(vec![group], MS_40));
        assert!(found.parts[0] > 0.93, "{name}: {:?}", found.parts);
        assert!(found.weights.iter().all(|&weight| weight == 0.5), "{name}");
    }
}

/// When TCP's flows end, XCP has what they leave, and the weight stays for the next.
#[test]
fn the_weight_stays_when_a_class_goes() {
    let mut config = shared(vec![tcp(6), xcp(6)], MS_40);
    if let Traffic::Long(long) = &mut config.groups[0].traffic {
        long.stop = Time::ZERO + Span::from_secs(15);
    }
    config.warm_up = Time::ZERO + Span::from_secs(30);
    let found = found(&config);
    assert!(found.parts[1] > 0.95, "{:?}", found.parts);
    let later: Vec<_> = found.weights.iter().skip(200).collect();
    assert!(later.iter().all(|&weight| weight == later[0]), "{later:?}");
    assert_ne!(*later[0], 0.5);
}

/// Weights stay between their bounds, and all packets are accounted for, in a buffer of a packet, over round
/// trips of 10 us and 3 s, with losses, and with far more flows of one kind.
#[test]
fn corners_leave_weights_within_their_bounds() {
    let case = |of_tcp, of_xcp, rtt| shared(vec![tcp(of_tcp), xcp(of_xcp)], rtt);
    let mut packet = case(5, 5, MS_40);
    packet.links[0].buffer = BufferSize::Packets(1);
    let mut lossy = case(5, 5, MS_40);
    lossy.links[0].error = Ratio::new(0.05);
    let mut slow = case(5, 5, MS_40);
    slow.links[0].capacity = Rate::from_bps(100_000);
    let cases = [
        ("a packet", packet),
        ("10 us", case(5, 5, Span::from_micros(10))),
        ("3 s", case(5, 5, Span::from_secs(3))),
        ("losses", lossy),
        ("slow", slow),
        ("TCP", case(60, 1, MS_40)),
        ("XCP", case(1, 60, MS_40)),
    ];
    for (name, mut config) in cases {
        for kappa in [0.001, 0.5] {
            config.parameters.xcp.kappa = Ratio::new(kappa);
            let found = found(&config);
            let within = found.weights.iter().all(|weight| (0.01..=0.99).contains(weight));
            assert!(within, "{name}, {kappa}");
            let (tcp, xcp) = (found.parts[0], found.parts[1]);
            assert!(tcp > 0.0 && xcp > 0.0 && tcp + xcp < 1.001, "{name}, {kappa}: {tcp} {xcp}");
        }
    }
}

/// Datagrams of 1000 bytes of both classes, each at twice the capacity of a link of 8 Mb/s, for 2 s. The law over
/// the higher one gives it this weight.
fn overloaded(spy: &Spy, laws: [LinkLaw; 2]) -> Vec<f64> {
    let mut links = pipe(8_000_000, Span::from_millis(1));
    let never = Red { min_th: Some(BufferSize::Packets(1000)), ..Red::default() };
    let queues = TcpFriendly { red: never, ..TcpFriendly::default() };
    links[0].queue = Discipline::TcpFriendly(queues);
    links[0].buffer = BufferSize::Packets(50);
    links[0].router = LinkLaws::Classes(ByClass::new(&laws).expect("two laws"));
    links[1].router = LinkLaw::None.into();
    let stream = |class| {
        let udp = Udp::constant(Rate::from_bps(16_000_000), Bytes::new(1000));
        GroupConfig { name: format!("class {class}"), class, ..group(Traffic::Udp(udp)) }
    };
    let mut config = config(links, vec![stream(0), stream(1)], Span::from_secs(2));
    config.warm_up = Time::ZERO + Span::from_secs(1);
    config.limit = config.stop;
    let run = run_to_end(&config, spy);
    run.streams.iter().map(|stream| stream.delivered.as_f64() * 8.0).collect()
}

fn law_of_weight(weight: f64) -> Spy {
    Spy { weight: Some(Ratio::new(weight)), ..Spy::default() }
}

#[test]
fn the_scheduler_follows_the_law() {
    for (weight, higher) in [(0.8, 6.4e6), (0.25, 2e6)] {
        let parts = overloaded(&law_of_weight(weight), [LinkLaw::None, LinkLaw::OfRun]);
        assert!((parts[1] - higher).abs() < 50e3, "{parts:?} at {weight}");
        assert!((parts[0] + parts[1] - 8e6).abs() < 20e3, "{parts:?} at {weight}");
    }
}

/// (8.6): the law of class 1 sees w c from its second interval on, and in the first what it began with. The law
/// over class 0 does not move weights, and sees the rest.
#[test]
fn the_law_has_the_part_of_its_weight() {
    let spy = law_of_weight(0.8);
    overloaded(&spy, [LinkLaw::OfRun; 2]);
    let seen = spy.seen.lock().expect("nobody panicked");
    let capacities = |law| -> Vec<f64> {
        let own =
            seen.iter().filter(|(of, _)| *of == law).map(|(_, sample): &(_, LinkSample)| sample);
        own.map(|sample| sample.capacity.as_bps() as f64 / 1e6).collect()
    };
    let [lower, higher] = [capacities(0), capacities(1)];
    assert!((higher[0] - 4.0).abs() < 0.2 && (lower[0] - 4.0).abs() < 0.2, "{lower:?} {higher:?}");
    for (lower, higher) in lower.iter().zip(&higher).skip(1) {
        assert!((higher - 6.4).abs() < 0.2 && (lower - 1.6).abs() < 0.2, "{lower} {higher}");
    }
}

/// 2000 packets a second arrive, of which the link sends 200 at a weight of 0.8.
#[test]
fn the_law_sees_the_traffic_beside_its_own() {
    let spy = law_of_weight(0.8);
    overloaded(&spy, [LinkLaw::None, LinkLaw::OfRun]);
    let seen = spy.competing.lock().expect("nobody panicked");
    let (one, two) = (seen[9], seen[19]);
    let packets = two.packets - one.packets;
    assert!(packets.abs_diff(2000) <= 1, "{packets}");
    assert_eq!(two.bytes, 1000 * two.packets);
    assert_eq!(two.squares, 1_000_000 * two.packets);
    let lost = two.lost - one.lost;
    assert!(lost.abs_diff(1800) <= 10, "{lost}");
    assert_eq!(two.capacity, Rate::from_bps(8_000_000));
    assert!(two.waiting > Bytes::ZERO && two.waiting <= Bytes::new(50_000), "{two:?}");
}
