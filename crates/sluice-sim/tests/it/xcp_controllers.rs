//! XCP's routers with other controllers (thesis sections 9.1.4 and 9.3), against numbers by hand.

use crate::common::run_to_end;
use crate::shown::{alone, config, group, link, pipe, results};
use sluice_laws::xcp::{Efficiency, RttGroups, Shuffle, XcpParams};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig, LinkMetrics, LinkOutcome};
use sluice_units::{BufferSize, Rate, Ratio, Span, Time};

const CAPACITY: u64 = 20_000_000;
const RTT: Span = Span::from_millis(40);
/// Of the link: 100 packets.
const BDP: f64 = 100_000.0;

fn flows(count: u64, start: Time) -> GroupConfig {
    let spacing = Span::from_micros(3_700);
    group(Traffic::Long(Long { count, start, spacing, stop: Time::NEVER, ..Long::default() }))
}

/// Five long flows over the link, measured from 10 s to 20 s; its capacity may vary.
fn five_flows(schedule: Option<CapacitySchedule>) -> Config {
    let mut config = five_flows_over(CAPACITY);
    config.links[0].schedule = schedule;
    config
}

/// The same over a link of this capacity in bits a second.
fn five_flows_over(capacity: u64) -> Config {
    let mut links = pipe(capacity, RTT / 2);
    links[0].buffer = BufferSize::Unlimited;
    let mut config = config(links, vec![flows(5, Time::ZERO)], Span::from_secs(20));
    config.warm_up = Time::ZERO + Span::from_secs(10);
    config
}

fn bottleneck(config: &Config, params: &XcpParams) -> LinkOutcome {
    results(config, params).1.links[0].clone()
}

fn configured(ratio: f64) -> XcpParams {
    XcpParams { configured_capacity: Some(Ratio::new(ratio)), ..XcpParams::default() }
}

/// Where alpha (ratio - 1) C = beta Q / d, with the round trip d = RTT + Q / C.
#[test]
fn a_router_believes_the_capacity_that_it_was_configured() {
    for ratio in [0.5, 0.9] {
        let link = bottleneck(&five_flows(None), &configured(ratio));
        assert!((link.utilization / ratio - 1.0).abs() < 0.01, "{ratio}: {link:?}");
    }
    for ratio in [1.1, 1.2] {
        let link = bottleneck(&five_flows(None), &configured(ratio));
        let part = 0.4 / 0.226 * (ratio - 1.0);
        let rest = part / (1.0 - part) * BDP;
        let queue = link.mean_queue.as_f64();
        // To two packets, which come in bursts.
        assert!((0.0..2e3).contains(&(queue - rest)), "{ratio}: {queue} bytes, not {rest}");
    }
}

/// What a router measures of a link whose capacity does not vary is that, from its first packet on.
#[test]
fn a_router_that_measures_a_constant_capacity_is_as_one_that_knows_it() {
    let measures = XcpParams { measure_capacity: true, ..XcpParams::default() };
    let (knows, _) = results(&five_flows(None), &XcpParams::default());
    for ratio in [0.5, 1.0, 4.0] {
        let params = XcpParams { measure_capacity: true, ..configured(ratio) };
        let (found, _) = results(&five_flows(None), &params);
        let sums = |all: &[sluice_sim::FlowRecord]| -> Vec<_> {
            all.iter().map(|flow| flow.delivered).collect()
        };
        assert_eq!(sums(&found), sums(&results(&five_flows(None), &measures).0), "{ratio}");
        assert_eq!(sums(&found), sums(&knows), "{ratio}");
    }
}

/// The capacity is a half in the second half of each 5 s.
#[test]
fn a_router_that_measures_follows_a_capacity_that_varies() {
    let course = CapacityCourse::Steps(vec![(
        Time::ZERO + Span::from_millis(2_500),
        Rate::from_bps(CAPACITY / 2),
    )]);
    let schedule =
        CapacitySchedule { every: Some(Span::from_secs(5)), ..CapacitySchedule::new(course) };
    let config = five_flows(Some(schedule));
    let measures = XcpParams { measure_capacity: true, ..configured(1.0) };
    let [ours, blind, knows] = [measures, configured(1.0), XcpParams::default()]
        .map(|params| bottleneck(&config, &params));
    assert!((ours.utilization / knows.utilization - 1.0).abs() < 0.002, "{ours:?}, {knows:?}");
    assert!(ours.utilization > 0.975, "{ours:?}");
    assert!(ours.mean_queue.as_f64() < 0.02 * blind.mean_queue.as_f64(), "{ours:?}, {blind:?}");
}

/// A trace of 12 Mb/s. Under load a router measures that.
#[test]
fn a_router_that_measures_a_trace_uses_it() {
    let times: Vec<Time> = (1..=1000).map(|ms| Time::ZERO + Span::from_millis(ms)).collect();
    let course = CapacityCourse::Opportunities(times.into());
    let config = five_flows(Some(CapacitySchedule::new(course)));
    let measures = XcpParams { measure_capacity: true, ..configured(1.0) };
    let [ours, knows] = [measures, XcpParams::default()].map(|params| bottleneck(&config, &params));
    assert!(knows.utilization > 0.98, "{knows:?}");
    assert!((ours.utilization / knows.utilization - 1.0).abs() < 0.01, "{ours:?}, {knows:?}");
}

/// The windows grow by `increase` of a BDP in a round trip, and do so twice more when a queue is seen.
#[test]
fn a_controller_of_the_queue_alone_fills_the_link_and_queues_twice_its_increase() {
    for increase in [0.05, 0.1] {
        let params = XcpParams {
            efficiency: Efficiency::Queue,
            increase: Ratio::new(increase),
            ..configured(1.0)
        };
        // Ten times the capacity, so that windows of whole packets matter little.
        let link = bottleneck(&five_flows_over(10 * CAPACITY), &params);
        assert!(link.utilization > 0.999, "{link:?}");
        let (peak, twice) = (link.max_queue.as_f64(), 2.0 * increase * 10.0 * BDP);
        assert!((peak / twice - 1.0).abs() < 0.03, "{increase}: {peak} bytes");
    }
}

/// The throughputs of five flows of 20 ms and five of 600 ms over the fair one.
fn two_groups(params: &XcpParams) -> Vec<f64> {
    let delay = Span::from_millis(10);
    let far = Span::from_millis(290);
    let links = [(0, 1, delay), (1, 2, Span::ZERO), (1, 3, far)];
    let links = links.iter().flat_map(|&(from, to, delay)| {
        let bps = if from == 0 { CAPACITY } else { 10 * CAPACITY };
        [link(from, to, bps, delay), link(to, from, 10 * CAPACITY, delay)]
    });
    let to = |to| GroupConfig { name: format!("to {to}"), to, ..flows(5, Time::ZERO) };
    let mut config = config(links.collect(), vec![to(2), to(3)], Span::from_secs(60));
    config.warm_up = Time::ZERO + Span::from_secs(30);
    let whole = CAPACITY as f64 / 8.0 * 30.0;
    let (flows, _) = results(&config, params);
    flows.iter().map(|flow| 10.0 * flow.delivered.as_f64() / whole).collect()
}

#[test]
fn groups_by_rtt_share_fairly_and_use_the_link() {
    let rtt_groups = RttGroups::new(&[Span::from_millis(500)]);
    let shares = two_groups(&XcpParams { rtt_groups, ..XcpParams::default() });
    let used = shares.iter().sum::<f64>() / 10.0;
    assert!(used > 0.99, "{used} of the link");
    assert!(shares.iter().all(|share| (0.98..1.01).contains(share)), "{shares:?}");
}

/// (9.1): twelve flows, of which the router sees all in each interval.
#[test]
fn a_router_counts_its_flows() {
    let rtt_groups = RttGroups::new(&[Span::from_millis(500)]);
    let mut config = config(pipe(CAPACITY, RTT / 2), vec![flows(12, Time::ZERO)], RTT * 200);
    config.link_metrics = vec![LinkMetrics { link: 0, every: RTT }];
    let outcome = run_to_end(&config, &XcpParams { rtt_groups, ..XcpParams::default() });
    let found = outcome.series[0].column("N_0");
    let late = &found[found.len() / 2..];
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    assert!((mean / 12.0 - 1.0).abs() < 0.001, "{mean}");
    assert!(outcome.series[0].column("N_1").iter().all(|&flows| flows == 0.0));
}

/// What a flow that joins four receives in its first 20 round trips, over its fair share of them.
fn joins(params: &XcpParams) -> f64 {
    let start = Time::ZERO + Span::from_secs(10);
    let newcomer = GroupConfig { name: "newcomer".into(), ..flows(1, start) };
    let groups = vec![flows(4, Time::ZERO), newcomer];
    let mut config = config(pipe(CAPACITY, RTT / 2), groups, Span::from_secs(16));
    config.link_metrics = vec![LinkMetrics { link: 0, every: RTT }];
    config.warm_up = start;
    config.stop = start + RTT * 20;
    let (flows, _) = results(&config, params);
    let last = flows.last().expect("the newcomer");
    last.delivered.as_f64() / (BDP / 5.0 * 20.0)
}

#[test]
fn a_newcomer_has_more_in_its_first_round_trips_by_need() {
    let plain = joins(&XcpParams::default());
    let need = joins(&XcpParams { shuffle: Shuffle::Need, ..XcpParams::default() });
    // Shuffling a tenth, it has 1 - exp(-n / 10) after n round trips, 0.57 of them on average.
    assert!((0.52..0.60).contains(&plain), "{plain}");
    assert!(need > 1.35 * plain, "{need}, {plain} with a tenth");
}

/// A link that only one flow uses has nothing to shuffle, and nobody to share with.
#[test]
fn a_flow_alone_fills_its_link_with_any_controller() {
    let plain = XcpParams::default();
    let rtt_groups = RttGroups::new(&[Span::from_millis(10), Span::from_millis(100)]);
    let variants = [
        XcpParams { measure_capacity: true, ..configured(0.1) },
        XcpParams { efficiency: Efficiency::Queue, ..plain },
        XcpParams { shuffle: Shuffle::Need, ..plain },
        XcpParams { rtt_groups, ..plain },
    ];
    for params in variants {
        for rtt in [RTT, RTT * 10] {
            let time = rtt * 400;
            let config = alone(CAPACITY, rtt, BufferSize::Time(rtt), time);
            let link = bottleneck(&config, &params);
            assert!(link.utilization > 0.998, "{rtt:?}, {params:?}: {link:?}");
        }
    }
}
