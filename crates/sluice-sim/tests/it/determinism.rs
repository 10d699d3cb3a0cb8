//! The same configuration and seed give the same bytes, and additions to a configuration disturb no random draw.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use sluice_laws::conduct::Conduct;
use sluice_sim::{Config, GroupConfig, LinkConfig};
use sluice_units::{Bytes, Rate, Ratio, Time};

use crate::common::case::{Case, any_case, lossless_case, modest};
use crate::common::laws::{Law, all};
use crate::common::{RunResult, run_to_end, runner};

proptest! {
    #![proptest_config(runner(200))]

    /// Running ahead of the clock changes no result.
    #[test]
    fn lookahead_changes_nothing(case in any_case()) {
        let Case { config, law } = case;
        let mut ahead = run_to_end(&config, law.protocol());
        let mut exact = run_to_end(&Config { lookahead: false, ..config.clone() }, law.protocol());
        if ahead.outcome.end == config.limit {
            (ahead.outcome.totals.events, exact.outcome.totals.events) = (0, 0);
        } else {
            // With lookahead, packets past an end not known in advance have travelled further.
            (ahead.outcome.totals, exact.outcome.totals) = Default::default();
        }
        same(&ahead, &exact)?;
    }

    /// The same for a run that ends at a fixed time, without waiting for flows.
    #[test]
    fn lookahead_changes_no_total_at_a_fixed_end(case in any_case()) {
        let Case { mut config, law } = case;
        config.limit = config.stop;
        let mut ahead = run_to_end(&config, law.protocol());
        let mut exact = run_to_end(&Config { lookahead: false, ..config }, law.protocol());
        (ahead.outcome.totals.events, exact.outcome.totals.events) = (0, 0);
        same(&ahead, &exact)?;
    }
}

proptest! {
    #![proptest_config(runner(12))]

    #[test]
    fn any_number_of_threads_gives_the_same(cases in prop::collection::vec(any_case(), 8)) {
        let one: Vec<RunResult> = on_threads(&cases, 1);
        let four = on_threads(&cases, 4);
        prop_assert!(one == four, "a run depends on what else the process does");
    }
}

proptest! {
    #![proptest_config(runner(40))]

    /// Protocols compared in one scenario get the same flows at the same times.
    #[test]
    fn protocols_get_the_same_flows(case in any_case()) {
        let mut config = case.config;
        // Not every law has weights and cheats, or can do without a SYN.
        config.parameters.transport.handshake = true;
        for group in &mut config.groups {
            (group.weight, group.conduct) = (Ratio::new(1.0), Conduct::HONEST);
        }
        let rates = config.links.iter().map(|link| link.capacity);
        let slowest = rates.fold(modest(&config), Rate::min);
        let laws = all(&case.law.parameters).into_iter();
        let mut met = laws.map(|law| flows(&config, &law.at_most(slowest)));
        let first = met.next().unwrap_or_default();
        for other in met {
            prop_assert_eq!(&first, &other);
        }
    }

    #[test]
    fn a_group_more_changes_no_other_groups_flows(
        case in any_case(), other in lossless_case(), at in any::<Index>(),
    ) {
        let Case { mut config, law } = case;
        // Another group may cross a cloud on a path of its own.
        config.clouds.clear();
        // The group may speak a protocol that cannot do without a SYN.
        config.parameters.transport.handshake = true;
        let ends = [config.groups[0].from, config.groups[0].to];
        let group = GroupConfig {
            name: "one more".into(),
            from: ends[1],
            to: ends[0],
            path: None,
            paths: Vec::new(),
            back: None,
            reroute: Vec::new(),
            weight: Ratio::new(1.0),
            conduct: Conduct::HONEST,
            ..other.config.groups[0].clone()
        };
        let at = at.index(config.groups.len() + 1);
        let mut more = config.clone();
        more.groups.insert(at, group);
        more.flow_metrics.clear();
        let before = flows(&config, &law);
        let mut after = flows(&more, &law);
        after.retain(|&(group, _), _| group != at);
        let place = |group: usize| if group > at { group - 1 } else { group };
        let after = after.into_iter().map(|((group, index), flow)| ((place(group), index), flow));
        prop_assert_eq!(before, after.collect::<Flows>());
    }

    #[test]
    fn a_link_more_changes_no_groups_flows(case in any_case(), other in any_case()) {
        let Case { mut config, law } = case;
        // Another path may go round a cloud.
        config.clouds.clear();
        let mut more = config.clone();
        let (from, to) = (config.groups[0].from, config.groups[0].to);
        // Not a faster one, over which long flows would send far more until they stop.
        let capacity = config.links.iter().map(|link| link.capacity).min().unwrap_or(Rate::MAX);
        let link = other.config.links[0].clone();
        more.links.push(LinkConfig { from, to, capacity, schedule: None, ..link });
        prop_assert_eq!(flows(&config, &law), flows(&more, &law));
    }
}

fn same(ahead: &RunResult, exact: &RunResult) -> Result<(), TestCaseError> {
    let (a, b) = (&ahead.outcome, &exact.outcome);
    prop_assert_eq!(a.end, b.end);
    for (one, other) in ahead.records.iter().zip(&exact.records) {
        prop_assert_eq!(one, other);
    }
    prop_assert_eq!(ahead.records.len(), exact.records.len());
    prop_assert_eq!(&ahead.streams, &exact.streams);
    prop_assert_eq!(&a.links, &b.links);
    prop_assert_eq!(a, b);
    Ok(())
}

/// Start and size of the flows measured, by group and index.
type Flows = BTreeMap<(usize, u64), (Time, Option<Bytes>)>;

fn flows(config: &Config, law: &Law) -> Flows {
    let records = run_to_end(config, law.protocol()).records;
    let measured = records.into_iter().filter(|record| record.measured);
    measured.map(|flow| ((flow.group, flow.index), (flow.start, flow.size))).collect()
}

/// Runs the cases on `threads` threads, each taking every `threads`-th case.
fn on_threads(cases: &[Case], threads: usize) -> Vec<RunResult> {
    let run = |case: &Case| run_to_end(&case.config, case.law.protocol());
    let mut results: Vec<(usize, RunResult)> = std::thread::scope(|scope| {
        let worker = |first: usize| {
            scope.spawn(move || {
                let mine = cases.iter().enumerate().skip(first).step_by(threads);
                mine.map(|(i, case)| (i, run(case))).collect::<Vec<_>>()
            })
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("it ran")).collect()
    });
    results.sort_unstable_by_key(|&(i, _)| i);
    results.into_iter().map(|(_, result)| result).collect()
}
