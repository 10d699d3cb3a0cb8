//! NCP with counted flows, section 6: what routers see of flows, and what flows that are bottlenecked elsewhere
//! leave to the others.

use sluice_laws::flow_counter::CounterKind;
use sluice_laws::ncp::{Elsewhere, FlowCount, NcpParams};
use sluice_laws::protocol::Protocol as _;
use sluice_laws::registry::ProtocolName;
use sluice_laws::xcp::XcpParams;
use sluice_sim::queue::{Cbwfq, Discipline, Drr};
use sluice_sim::schedule::{CapacityCourse, CapacitySchedule};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{ByClass, Config, Forecast, GroupConfig, LinkLaw, LinkLaws, LinkMetrics};
use sluice_units::{BufferSize, Bytes, Faults, Rate, Ratio, Span, Time};

use crate::common::{RunResult, run_to_end};
use crate::shown::{config, flow, group, link, pipe};

fn counted() -> NcpParams {
    NcpParams { counted: FlowCount::Eq12, ..NcpParams::default() }
}

fn long(name: &str, count: u64, from: usize, to: usize) -> GroupConfig {
    let traffic =
        Traffic::Long(Long { count, within: Some(Span::from_secs(1)), ..Long::default() });
    GroupConfig { name: name.into(), from, to, ..group(traffic) }
}

/// 10 flows over links of 1 Gb/s and 100 Mb/s, and 10 of which a link of 10 Mb/s takes the place of the first, behind
/// the shared link or before it.
fn elsewhere(behind: bool) -> Config {
    const DELAY: Span = Span::from_millis(20);
    let way = |from, to, bps| {
        let (from, to) = if behind { (from, to) } else { (to, from) };
        [link(from, to, bps, DELAY), link(to, from, bps, DELAY)]
    };
    let links = [way(0, 1, 100_000_000), way(1, 2, 10_000_000), way(1, 3, 1_000_000_000)];
    let mut links = links.concat();
    for link in [0, 2] {
        links[link].buffer = BufferSize::Time(DELAY * 4);
    }
    let ways = |to| if behind { (0, to) } else { (to, 0) };
    let groups = [("held", 2), ("free", 3)].map(|(name, end)| {
        let (from, to) = ways(end);
        long(name, 10, from, to)
    });
    let mut config = config(links, groups.to_vec(), Span::from_secs(20));
    config.warm_up = Time::ZERO + Span::from_secs(10);
    config
}

/// Utilization of the shared link, whose target is 0.95.
fn used(behind: bool, params: &NcpParams) -> f64 {
    run_to_end(&elsewhere(behind), params).outcome.links[0].utilization
}

/// As printed, (8) counts flows held elsewhere whole, and half of the link is idle: 10 of 20 shares of 95 Mb/s, and
/// the 9.5 Mb/s of the others. (12) leaves what these do not use, wherever they are held; with the R_j of
/// preceding routers, only where they are held before.
#[test]
fn flows_held_elsewhere_leave_the_rest_to_the_others() {
    let granted = NcpParams { elsewhere: Elsewhere::Granted, ..counted() };
    for (params, behind, before) in
        [(NcpParams::default(), 0.57, 0.57), (counted(), 0.95, 0.95), (granted, 0.57, 0.95)]
    {
        let found = [used(true, &params), used(false, &params)];
        for (found, expected) in found.into_iter().zip([behind, before]) {
            assert!((found - expected).abs() < 0.02, "{params:?}: {found}, not {expected}");
        }
    }
}

#[test]
fn sketches_do_nearly_as_well() {
    for counter in [CounterKind::Bitmap, CounterKind::HyperLogLog] {
        let found = used(true, &NcpParams { counter, ..counted() });
        assert!((found - 0.95).abs() < 0.03, "{counter:?}: {found}");
    }
}

/// All values of a metric at the sampled link in the second half of the time.
fn seen(result: &RunResult, name: &str) -> Vec<f64> {
    let column = result.series[0].column(name);
    column[column.len() / 2..].to_vec()
}

fn sampled(config: &mut Config, link: usize) {
    config.link_metrics = vec![LinkMetrics { link, every: Span::from_millis(50) }];
}

/// 7 flows over a link of each kind: FIFO, scheduled, of a capacity that varies, and with laws over classes. Those of
/// the other direction, whose acknowledgements come back over it, are not of the link.
#[test]
fn every_kind_of_link_shows_its_flows_and_no_others() {
    let mut fifo = config(pipe(50_000_000, Span::from_millis(10)), vec![], Span::from_secs(4));
    fifo.links[0].buffer = BufferSize::Packets(200);
    fifo.groups = vec![long("there", 7, 0, 1), long("back", 3, 1, 0)];
    let [mut scheduled, mut varying, mut classes] = [fifo.clone(), fifo.clone(), fifo.clone()];
    scheduled.links[0].queue = Discipline::Drr(Drr::default());
    let course = CapacityCourse::Steps(vec![(
        Time::ZERO + Span::from_millis(500),
        Rate::from_bps(40_000_000),
    )]);
    varying.links[0].schedule = Some(CapacitySchedule::new(course));
    let shares = ByClass::new(&[Ratio::new(1.0), Ratio::new(1.0)]).expect("two");
    classes.links[0].queue = Discipline::Cbwfq(Cbwfq { shares });
    let laws = ByClass::new(&[LinkLaw::OfRun; 2]).expect("two");
    classes.links[0].router = LinkLaws::Classes(laws);
    classes.groups[0].class = 1;
    for (mut config, name) in
        [(fifo, "N"), (scheduled, "N"), (varying, "N"), (classes, "class_1_N")]
    {
        sampled(&mut config, 0);
        let result = run_to_end(&config, &counted());
        let found = seen(&result, name);
        assert!(found.iter().all(|&flows| flows == 7.0), "{name}: {found:?}");
    }
}

/// The law counts no flows of XCP.
#[test]
fn foreign_flows_are_not_counted() {
    let mut config = config(pipe(50_000_000, Span::from_millis(10)), vec![], Span::from_secs(4));
    config.links[0].buffer = BufferSize::Packets(200);
    config.groups = vec![long("own", 4, 0, 1), long("foreign", 5, 0, 1)];
    config.groups[1].protocol = Some(ProtocolName::Xcp);
    config.parameters.xcp =
        XcpParams { desired_rate: Some(Rate::from_bps(1_000_000)), ..XcpParams::default() };
    sampled(&mut config, 0);
    let found = run_to_end(&config, &counted());
    assert!(seen(&found, "N").iter().all(|&flows| flows == 4.0));
}

/// A flow that starts after another has ended may take its slot in the engine, and is another flow: flows of a packet, one
/// after another every 5 ms, are as many as begin in an interval, beside one whose RTT sets d0.
#[test]
fn flows_one_after_another_are_as_many() {
    let mut links = pipe(10_000_000, Span::ZERO);
    for (host, delay) in [(2, Span::from_micros(50)), (3, Span::from_millis(100))] {
        links.push(link(host, 0, 1_000_000_000, delay));
        links.push(link(0, host, 1_000_000_000, delay));
    }
    let short = (0..2_000).map(|i| flow(Time::ZERO + Span::from_millis(5) * i, 1));
    let short = GroupConfig { from: 2, ..group(Traffic::List(short.collect())) };
    let mut config = config(links, vec![short, long("long", 1, 3, 1)], Span::from_secs(10));
    sampled(&mut config, 0);
    let found = run_to_end(&config, &counted());
    for (flows, d0) in seen(&found, "N").into_iter().zip(seen(&found, "d0")).take(90) {
        let expected = 1.0 + d0 / 0.005;
        // The interval counted is one earlier, and d0 moves. Slots would be two or three.
        assert!((0.5..1.5).contains(&(flows / expected)), "{flows} flows in {d0} s");
        assert!(flows > 6.0, "{flows} flows");
    }
}

/// RTTs of 10 us and 3 s at one link: the intervals are between, and flows with less than a packet in one are
/// counted whole.
#[test]
fn flows_of_10_us_and_3_s_share_the_link() {
    let mut links = pipe(10_000_000, Span::ZERO);
    links[0].buffer = BufferSize::Time(Span::from_millis(200));
    let mut groups = Vec::new();
    for (i, delay) in [Span::from_micros(5), Span::from_millis(1_500)].into_iter().enumerate() {
        let host = i + 2;
        links.push(link(host, 0, 1_000_000_000, delay));
        links.push(link(0, host, 1_000_000_000, delay));
        groups.push(long(if i == 0 { "near" } else { "far" }, 2, host, 1));
    }
    let mut config = config(links, groups, Span::from_secs(120));
    config.warm_up = Time::ZERO + Span::from_secs(60);
    let result = run_to_end(&config, &counted());
    let shares: Vec<f64> = result
        .records
        .iter()
        .map(|flow| flow.delivered.as_f64() * 8.0 / 60.0 / 10e6 * 4.0 / 0.95)
        .collect();
    assert!(shares.iter().all(|share| (0.85..1.15).contains(share)), "{shares:?}");
    assert!(result.outcome.links[0].utilization > 0.9);
}

/// Weights are not in what a router counts.
#[test]
fn flows_have_no_weights() {
    assert!(NcpParams::default().weights().is_some());
    assert_eq!(counted().weights(), None);
    let checked =
        |ncp: NcpParams, weight| Faults::of(|faults| ncp.check_weight(Ratio::new(weight), faults));
    assert_eq!(checked(NcpParams::default(), 2.0), []);
    assert_eq!(checked(counted(), 1.0), []);
    let refused = checked(counted(), 2.0);
    assert!(refused[0].what.contains("has no weights where it counts flows"), "{refused:?}");
}

#[test]
fn an_estimate_counts_the_sketches_of_links() {
    let memory = |ncp: NcpParams| {
        let mut config = elsewhere(true);
        config.parameters.ncp = ncp;
        Forecast::of(&config).expect("it is sound").base_memory().as_u64()
    };
    let counter_memory = Bytes::new(1 << 20);
    let sketch =
        NcpParams { counter: CounterKind::HyperLogLog, counter_memory, ..NcpParams::default() };
    let counted = NcpParams { counted: FlowCount::Eq12, ..sketch };
    // 6 links.
    assert_eq!(memory(counted) - memory(sketch), 6 << 20);
    let exact = NcpParams { counter: CounterKind::Exact, ..counted };
    assert_eq!(memory(exact), memory(sketch));
}
