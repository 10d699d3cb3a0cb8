//! Packets that leave queues of macro-flows in the link's own time, before the clock gets there.

use sluice_laws::tcp::TcpParams;
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule, OnDown};
use sluice_sim::traffic::Listed;
use sluice_units::Bytes;

use super::*;

/// With and without lookahead.
fn both_ways(config: &Config) -> RunResult {
    let ahead = run_to_end(config, &TcpParams::default());
    let exact = run_to_end(&Config { lookahead: false, ..config.clone() }, &TcpParams::default());
    assert_eq!(ahead.records, exact.records);
    assert_eq!(ahead.streams, exact.streams);
    assert_eq!(ahead.outcome.links, exact.outcome.links);
    ahead
}

/// Six packets are to leave one in 50 ms, the rate without feedback, and feedback lets them leave sooner, at various
/// rates and phases of control packets. Nothing else is on the way, on which their link would be looked at: what comes from
/// beside the cloud, so that packets meet at the next link, begins later. As a check, a byte each half millisecond on
/// the first link alone has it looked at all the time.
#[test]
fn a_rate_that_grows_lets_packets_leave_sooner_than_planned() {
    let flow = |name: &str, millis, bytes| {
        let start = Time::ZERO + Span::from_millis(millis);
        let listed = Listed { start, size: Bytes::new(bytes) };
        GroupConfig { name: name.into(), ..group(Traffic::List(vec![listed])) }
    };
    for (seed, megabits) in (0..4).flat_map(|seed| [1, 2, 4, 8].map(|megabits| (seed, megabits))) {
        let capacity = megabits * 1_000_000;
        let network =
            Network { capacity, rtt: Span::from_millis(8), stop: 2, ..Network::default() };
        let mut config = apart(&network, [flow("burst", 0, 6_000), flow("later", 1_000, 1_000)]);
        config.clouds[0].edges.pop();
        (config.seed, config.warm_up, config.limit) = (seed, Time::ZERO, config.stop);
        let bytes = Udp::constant(Rate::from_bps(16_000), Bytes::new(1)).into();
        let bytes = GroupConfig { name: "bytes".into(), from: INGRESS, to: CORE, ..group(bytes) };
        let watched = Config { groups: [&config.groups[..], &[bytes]].concat(), ..config.clone() };
        let [own, watched] = [&config, &watched].map(|config| {
            both_ways(config).records[0].completion.expect("it is over long before the stop")
        });
        assert!(own < Span::from_millis(200), "at one in 50 ms, five would take 250 ms: {own}");
        let apart = own.as_secs_f64() - watched.as_secs_f64();
        assert!(apart.abs() < 1e-4, "{own}, {watched} if the link is looked at all the time");
    }
}

/// A link of 300 ms that is down for 5 ms of 137: what is on its wire then is lost, though it left a queue after the last
/// event and before the next.
#[test]
fn what_leaves_before_an_outage_is_lost_in_it() {
    let network = Network {
        capacity: 250_000,
        rtt: Span::from_millis(1_200),
        stop: 12,
        ..Network::default()
    };
    let stream = udp("streams", 20e3);
    let Traffic::Udp(udp) = stream.traffic.clone() else { panic!("a stream") };
    // All at once, and then nothing for 400 ms in which packets leave.
    let udp = Udp { count: 10, phase: Phase::default(), ..udp };
    let streams = GroupConfig { traffic: udp.into(), ..stream };
    let mut config = network.cloud(vec![streams]);
    config.warm_up = Time::ZERO;
    let at = |ms| Time::ZERO + Span::from_millis(ms);
    let down = (0..80).map(|n| (at(500 + 137 * n), at(505 + 137 * n))).collect();
    let (course, on_down) = (CapacityCourse::Constant, OnDown::Drop);
    config.links[ENTRY].schedule = Some(CapacitySchedule { course, every: None, down, on_down });
    let run = both_ways(&config);
    // Outages are 137 ms apart: what leaves between the first and the last meets at least two on the wire.
    let entry = &run.outcome.links[ENTRY];
    let forwarded = entry.ingress.expect("a macro-flow enters here").forwarded;
    assert!(entry.errors as f64 > 0.8 * forwarded as f64 && forwarded > 100, "{entry:?}");
}

/// The same between core routers, where control packets are lost too.
#[test]
fn outages_in_the_core_lose_packets_both_ways() {
    let mut config = Network::default().cloud(vec![udp("stream", 20e6), tcp("tcp", 4)]);
    config.warm_up = Time::ZERO;
    let at = |ms| Time::ZERO + Span::from_millis(ms);
    let down = (1..20).map(|n| (at(2_000 * n), at(2_000 * n + 30))).collect();
    let schedule = CapacitySchedule {
        course: CapacityCourse::Constant,
        every: None,
        down,
        on_down: OnDown::Drop,
    };
    [BOTTLENECK, BOTTLENECK + 1]
        .iter()
        .for_each(|&id| config.links[id].schedule = Some(schedule.clone()));
    let run = both_ways(&config);
    let bottleneck = &run.outcome.links[BOTTLENECK];
    assert!(bottleneck.utilization > 0.9, "{bottleneck:?}");
    // A wire of 10 ms has 12.5 packets.
    within(bottleneck.errors as f64, 19.0 * 12.5, 0.1);
}
