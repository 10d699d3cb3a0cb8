//! Throughput and fairness of groups over time.

use proptest::prelude::*;

use crate::common::case::{Case, any_case};
use crate::common::series::Series;
use crate::common::{RunResult, run_to_end, runner};
use crate::shown::{config, group, pipe};
use sluice_laws::rcp::RcpParams;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, FlowRecord, GroupConfig, GroupMetrics};
use sluice_units::{Ratio, Span, Time};

const EVERY: Span = Span::from_millis(500);

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// `count` flows that send from `start` to `stop`.
fn long(name: &str, count: u64, start: Time, stop: Time) -> GroupConfig {
    let traffic =
        Traffic::Long(Long { count, start, spacing: Span::ZERO, stop, ..Long::default() });
    GroupConfig { name: name.into(), ..group(traffic) }
}

/// All groups together over six seconds on a link of 100 Mb/s, under RCP.
fn sampled(groups: Vec<GroupConfig>) -> (Vec<FlowRecord>, Series) {
    let config = config(pipe(100_000_000, Span::from_millis(10)), groups, Span::from_secs(6));
    let groups = (0..config.groups.len()).collect();
    let group_metrics = vec![GroupMetrics { groups, every: EVERY }];
    let config = Config { group_metrics, ..config };
    let RunResult { records, mut series, .. } = run_to_end(&config, &RcpParams::default());
    (records, series.remove(0))
}

proptest! {
    #![proptest_config(runner(100))]

    #[test]
    fn jains_index_is_that_of_the_flows_counted(case in any_case()) {
        let Case { mut config, law } = case;
        let groups = (0..config.groups.len()).collect();
        let every = Span::from_nanos((config.stop.as_nanos() / 29).max(1));
        config.group_metrics = vec![GroupMetrics { groups, every }];
        let series = run_to_end(&config, law.protocol()).series.pop().unwrap();
        for (flows, jain) in series.column("flows").into_iter().zip(series.column("jain")) {
            // 1 if all receive the same, 1/n if one receives all.
            let is_index = jain * flows >= 1.0 - 1e-9 && jain <= 1.0 + 1e-9;
            prop_assert!(flows >= 0.0 && (jain == 0.0 || is_index), "{jain} of {flows}");
        }
    }

    #[test]
    fn flows_are_counted_from_their_starts_to_their_ends(case in any_case()) {
        let Case { mut config, law } = case;
        let sized = |group: &usize| !matches!(config.groups[*group].traffic, Traffic::Long(_));
        let groups: Vec<usize> = (0..config.groups.len()).filter(sized).collect();
        prop_assume!(!groups.is_empty());
        let every = Span::from_nanos((config.stop.as_nanos() / 29).max(1));
        config.group_metrics = vec![GroupMetrics { groups: groups.clone(), every }];
        config.warm_up = Time::ZERO;
        let RunResult { records, mut series, .. } = run_to_end(&config, law.protocol());
        let series = series.pop().expect("the metrics of all groups with sizes");
        for (&end, flows) in series.times.iter().zip(series.column("flows")) {
            let lives = |record: &&FlowRecord| {
                let to = record.completion.map_or(Time::NEVER, |took| record.start + took);
                groups.contains(&record.group) && record.start + every <= end && end <= to
            };
            if end <= config.stop {
                prop_assert_eq!(flows, records.iter().filter(lives).count() as f64, "to {}", end);
            }
        }
    }
}

#[test]
fn samples_of_groups_add_up_to_what_their_flows_received() {
    let groups = vec![long("stay", 2, at(0), Time::NEVER), long("visit", 3, at(1), at(4))];
    let (records, series) = sampled(groups);
    assert_eq!(series.times.len(), 12);
    assert_eq!(series.times[0], Time::ZERO + EVERY);
    let sampled: f64 = series.column("throughput_bps").iter().sum::<f64>() * 0.5 / 8.0;
    let received: u64 = records.iter().map(|record| record.delivered.as_u64()).sum();
    assert!((sampled - received as f64).abs() < 2_000.0, "{sampled} of {received}");
}

#[test]
fn flows_count_in_the_intervals_that_they_live_through() {
    let groups = vec![long("stay", 2, at(0), Time::NEVER), long("visit", 3, at(1), at(4))];
    let (_, series) = sampled(groups);
    let flows = series.column("flows");
    assert_eq!(flows, [2.0, 2.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 2.0, 2.0, 2.0, 2.0]);
    // Half a second later, all have the same rate.
    let jain = series.column("jain");
    assert!(jain[3..].iter().all(|&jain| jain > 0.99), "{jain:?}");
}

#[test]
fn jains_index_by_hand() {
    let of_weight = |name: &str, weight: f64| GroupConfig {
        weight: Ratio::new(weight),
        ..long(name, 1, at(0), Time::NEVER)
    };
    let (_, series) = sampled(vec![of_weight("one", 1.0), of_weight("three", 3.0)]);
    // Shares of 1 and 3: 4^2 / (2 x 10).
    let jain = series.column("jain");
    assert!(jain[6..].iter().all(|jain| (jain - 0.8).abs() < 0.01), "{jain:?}");
    let (_, alone) = sampled(vec![long("alone", 1, at(0), Time::NEVER)]);
    assert!(alone.column("jain").iter().all(|&jain| jain == 0.0), "one flow has no index");
}
