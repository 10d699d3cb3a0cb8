//! NCP among long flows: "each router [...] achieves processor sharing without having to count the
//! exact number of concurrent flows" (section 5), whatever their RTTs.

use crate::common::{RunResult, run_to_end};
use crate::shown::{PACKET, config, jain, link};
use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig, LinkMetrics, LinkOutcome};
use sluice_units::{BufferSize, Ratio, Span, Time};

/// 100 Mb/s.
const CAPACITY: u64 = 100_000_000;
/// The measured time.
const MEASURED: (u64, u64) = (10, 20);

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// One link shared by flows of these round-trip times, each from its own host.
fn dumbbell(rtts: &[Span]) -> Config {
    let mut links = vec![link(0, 1, CAPACITY, Span::ZERO), link(1, 0, CAPACITY, Span::ZERO)];
    let longest = rtts.iter().max().copied().unwrap_or_default();
    links[0].buffer = BufferSize::Time(longest);
    let mut groups = Vec::new();
    for (i, &rtt) in rtts.iter().enumerate() {
        let host = i + 2;
        links.push(link(host, 0, 10 * CAPACITY, rtt / 2));
        links.push(link(0, host, 10 * CAPACITY, rtt / 2));
        let (start, spacing, stop) = (Time::ZERO, Span::ZERO, Time::NEVER);
        let traffic = Traffic::Long(Long { count: 1, start, spacing, stop, ..Long::default() });
        let name = format!("flow {i}");
        groups.push(GroupConfig { name, from: host, ..crate::shown::group(traffic) });
    }
    let mut config = config(links, groups, Span::from_secs(MEASURED.1));
    config.warm_up = at(MEASURED.0);
    config.link_metrics = vec![LinkMetrics { link: 0, every: Span::from_millis(20) }];
    config
}

/// Round-trip times evenly spread from `low` to `high` milliseconds.
fn spread(flows: u64, low: u64, high: u64) -> Vec<Span> {
    let step = |i| (high - low) * 1_000 * i / (flows - 1).max(1);
    (0..flows).map(|i| Span::from_micros(low * 1_000 + step(i))).collect()
}

/// Rate of each flow as a fraction of the capacity, and the results.
fn shares(rtts: &[Span], params: &NcpParams) -> (Vec<f64>, RunResult) {
    let mut result = run_to_end(&dumbbell(rtts), params);
    result.records.sort_by_key(|flow| flow.group);
    let whole = CAPACITY as f64 / 8.0 * (MEASURED.1 - MEASURED.0) as f64;
    let shares = result.records.iter().map(|flow| flow.delivered.as_f64() / whole).collect();
    (shares, result)
}

/// The shared link.
fn bottleneck(result: &RunResult) -> &LinkOutcome {
    &result.outcome.links[0]
}

/// Coefficient of variation of R in the measured time.
fn swing(result: &RunResult) -> f64 {
    let rows = result.series[0].times.iter().zip(result.series[0].column("R"));
    let measured = rows.filter(|&(&time, _)| time >= at(MEASURED.0));
    let rates: Vec<f64> = measured.map(|(_, rate)| rate).collect();
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
    (squares / rates.len() as f64).sqrt() / mean
}

#[track_caller]
fn assert_shared(rtts: &[Span]) {
    for counted in [FlowCount::Eq8, FlowCount::Eq12] {
        assert_shared_by(rtts, &NcpParams { counted, ..NcpParams::default() });
    }
}

#[track_caller]
fn assert_shared_by(rtts: &[Span], params: &NcpParams) {
    let flows = rtts.len();
    let (shares, outcome) = shares(rtts, params);
    let link = bottleneck(&outcome);
    assert!(jain(&shares) > 0.99, "{flows} flows: Jain's index {}", jain(&shares));
    assert!((0.93..0.952).contains(&link.utilization), "{flows} flows: {link:?}");
    assert_eq!(link.drops, 0, "{flows} flows: {link:?}");
    assert!(link.p99_queue.as_u64() < 50 * PACKET, "{flows} flows: {link:?}");
}

#[test]
fn flows_of_one_rtt_share_alpha_of_the_link_evenly() {
    for flows in [1, 2, 10, 50] {
        assert_shared(&spread(flows, 100, 100));
    }
}

#[test]
fn flows_of_many_rtts_do_too() {
    for flows in [2, 10, 50] {
        assert_shared(&spread(flows, 40, 160));
    }
}

/// (8) counts two flows of 50 and 200 ms as two; (5) as 3.125 at the d0 of 125 ms that two equal
/// rates make, so that a third of the link is idle.
#[test]
fn equation_5_leaves_a_third_of_the_link_idle_where_rtts_differ() {
    let rtts = [50, 200].map(Span::from_millis);
    for (counted, flows) in [(FlowCount::Eq8, 2.0), (FlowCount::Eq5, 3.125)] {
        let (shares, _) = shares(&rtts, &NcpParams { counted, ..NcpParams::default() });
        for share in &shares {
            assert!((share * flows / 0.95 - 1.0).abs() < 0.02, "{counted:?}: {shares:?}");
        }
    }
}

/// NCP-S, (6), has no damping of its own: R still oscillates after a hundred intervals.
#[test]
fn ncp_s_goes_on_swinging() {
    let rtts = spread(10, 100, 100);
    let (_, exact) = shares(&rtts, &NcpParams::default());
    let (_, simple) = shares(&rtts, &NcpParams { counted: FlowCount::Eq6, ..NcpParams::default() });
    assert!(swing(&exact) < 0.01, "(8): {}", swing(&exact));
    assert!(swing(&simple) > 0.1, "(6): {}", swing(&simple));
}

/// Why senders pace: a window sent as a burst is in one d0 and not in the next if its RTT is
/// longer, and R oscillates with it.
#[test]
fn without_pacing_the_count_of_flows_with_long_rtts_swings() {
    let rtts = [20, 200].map(Span::from_millis);
    let (_, paced) = shares(&rtts, &NcpParams::default());
    let (_, bursts) = shares(&rtts, &NcpParams { paced: false, ..NcpParams::default() });
    assert!(swing(&paced) < 0.01, "{}", swing(&paced));
    assert!(swing(&bursts) > 0.1, "{}", swing(&bursts));
    let queues = [&paced, &bursts].map(|outcome| bottleneck(outcome).mean_queue.as_u64());
    assert!(queues[0] < 10 * PACKET && queues[1] > 100 * PACKET, "{queues:?}");
}

/// Alpha C for the data, and what remains for acknowledgements of as much data in the reverse
/// direction.
#[test]
fn reverse_acknowledgements_fit_beside_alpha_of_the_link() {
    let mut config = dumbbell(&spread(10, 100, 100));
    let back: Vec<GroupConfig> = config.groups.iter().map(reversed).collect();
    config.groups.extend(back);
    let outcome = run_to_end(&config, &NcpParams::default());
    let full = NcpParams { alpha: Ratio::new(1.0), ..NcpParams::default() };
    let without = run_to_end(&config, &full);
    let (roomy, tight) = (bottleneck(&outcome), bottleneck(&without));
    assert!((0.97..0.995).contains(&roomy.utilization) && roomy.drops == 0, "{roomy:?}");
    assert!(roomy.mean_queue.as_u64() < 10 * PACKET, "{roomy:?}");
    assert!(tight.mean_queue.as_u64() > 50 * PACKET, "{tight:?}");
}

fn reversed(group: &GroupConfig) -> GroupConfig {
    let name = format!("{} back", group.name);
    GroupConfig { name, from: group.to, to: group.from, ..group.clone() }
}
