//! Result files: the same bytes every time, with any number of threads, and from the scenario that
//! is stored with them.

use crate::common::{
    Cancelled, PROTOCOLS, Quiet, RUNS, SCENARIO, SYSTEMS, files, folder, plan, results,
};
use sluice_lab::{Options, PlanOverrides, run};

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let input = folder("threads");
    let (report, one) = results(&input, SCENARIO, 1, "one");
    let (_, four) = results(&input, SCENARIO, 4, "four");
    let (_, again) = results(&input, SCENARIO, 4, "four");
    assert!(one == four && four == again, "files differ");
    // Four files per run, three of them also in `tables`; a comparison of the first protocol with each other one, and of each
    // ideal with each protocol; the scenario twice, the replayed flows, the summary, the lock.
    let ideals = SYSTEMS - PROTOCOLS;
    let pairs = (PROTOCOLS - 1 + ideals * PROTOCOLS) * 2;
    assert_eq!(one.len(), RUNS * (4 + 3) + pairs + 5, "{:?}", one.keys());
    assert_eq!(report.summary.protocols.len(), PROTOCOLS);
    assert_eq!(report.summary.ideals.len() + PROTOCOLS, SYSTEMS);
    for protocol in &report.summary.protocols {
        assert_eq!(protocol.runs, 2);
        assert!(protocol.all.flows > 40, "{}", protocol.all.flows);
        assert!(protocol.all.slowdown.mean.unwrap() >= 1.0);
        assert!(protocol.errors > 0);
        assert_eq!(protocol.long.unwrap().flows, 4);
    }
}

#[test]
fn lookahead_changes_no_byte() {
    let input = folder("lookahead");
    let (_, with) = results(&input, SCENARIO, 2, "with");
    let overrides = PlanOverrides { no_lookahead: true, ..PlanOverrides::default() };
    let without = input.join("without");
    run(&plan(&input, SCENARIO, &overrides), &without, &Options::default(), &Quiet).unwrap();
    assert!(with == files(&without), "files differ");
}

#[test]
fn the_scenario_beside_results_gives_the_same_results() {
    let input = folder("resolved");
    let (_, first) = results(&input, SCENARIO, 2, "first");
    let written = String::from_utf8(first["scenario.toml"].clone()).unwrap();
    let (_, second) = results(&input.join("first"), &written, 2, "second");
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    for name in first.keys() {
        assert!(first.get(name) == second.get(name), "{name} differs");
    }
}

#[test]
fn interrupted_runs_are_listed_apart() {
    let input = folder("interrupted");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let report = run(&plan, &input.join("out"), &Options::default(), &Cancelled).unwrap();
    assert_eq!(report.summary.interrupted.len(), RUNS);
    assert!(report.summary.protocols.is_empty() && report.summary.runs.is_empty());
}
