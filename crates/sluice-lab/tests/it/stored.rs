//! Stored runs: reused, never mixed with those of other scenarios, never used if incomplete.

use std::path::Path;

use crate::common::{Quiet, RUNS, SCENARIO, SYSTEMS, files, folder, path_of, plan, results};
use sluice_lab::{Options, PlanOverrides, run};
use sluice_laws::registry::ProtocolName;

/// Modification time of a run's file.
fn written(path: &Path) -> std::time::SystemTime {
    path.metadata().unwrap().modified().unwrap()
}

#[test]
fn stored_runs_are_reused_unless_run_again() {
    let input = folder("reused");
    let (first, before) = results(&input, SCENARIO, 2, "out");
    assert_eq!((first.reused, first.others), (0, 0));
    let path = path_of(&first, "tcp-1", "flows.parquet");
    let made = written(&path);
    let (second, after) = results(&input, SCENARIO, 2, "out");
    assert_eq!((second.reused, second.others), (RUNS, 0));
    assert!(before == after, "a summary of stored runs differs from that of fresh ones");
    assert_eq!(written(&path), made);
    let options = Options { threads: 2, again: true };
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let third = run(&plan, &input.join("out"), &options, &Quiet).unwrap();
    assert_eq!(third.reused, 0);
    assert!(written(&path) > made);
    assert!(before == files(&input.join("out")), "the same run again differs");
}

#[test]
fn another_scenario_s_runs_stay_and_do_not_count() {
    let input = folder("others");
    results(&input, SCENARIO, 2, "out");
    std::fs::write(input.join("out/notes.txt"), "a person's own").unwrap();
    let other = SCENARIO.replace("error = 0.001", "error = 0.002");
    let (report, found) = results(&input, &other, 2, "out");
    assert_eq!((report.reused, report.others), (0, RUNS));
    assert_eq!(report.summary.runs.len(), RUNS);
    assert!(found.contains_key("notes.txt"));
    // Now runs of both scenarios are stored.
    let (back, _) = results(&input, SCENARIO, 2, "out");
    assert_eq!((back.reused, back.others), (RUNS, RUNS));
}

#[test]
fn a_runs_key_contains_only_what_affects_it() {
    let input = folder("keys");
    results(&input, SCENARIO, 2, "out");
    let reused = |text: &str| results(&input, text, 2, "out").0.reused;
    // Only RCP's own runs change with it.
    assert_eq!(reused(&format!("{SCENARIO}\n[rcp]\nalpha = 0.3")), RUNS - 2);
    // Another name, fewer protocols or other seeds: the runs stay the same.
    assert_eq!(reused(&format!("name = \"other\"\n{SCENARIO}")), RUNS);
    assert_eq!(reused(&format!("protocols = [\"tcp\"]\n{SCENARIO}")), 6);
    assert_eq!(reused(&SCENARIO.replace("replications = 2", "seeds = [2, 9]")), SYSTEMS);
    // Flows without a comparison with the max-min ideal have other columns.
    assert_eq!(reused(&format!("ideals = [\"srpt\"]\n{SCENARIO}")), 0);
    // Files are identified by content.
    std::fs::write(input.join("flows.csv"), "start,size\n0.6,50000\n0.7,2\n").unwrap();
    assert_eq!(reused(SCENARIO), 0);
}

#[test]
fn half_a_run_does_not_count() {
    let input = folder("half");
    let (report, whole) = results(&input, SCENARIO, 2, "out");
    let run = path_of(&report, "tcp-1", "run.json");
    // As left by a kill during a write: under a temporary name.
    let folder = run.parent().unwrap();
    std::fs::rename(folder, folder.with_extension("4711.part")).unwrap();
    // And a run whose file differs from what was written.
    let spoilt = path_of(&report, "tcp-2", "run.json");
    std::fs::write(&spoilt, &std::fs::read(&spoilt).unwrap()[..99]).unwrap();
    let (report, again) = results(&input, SCENARIO, 2, "out");
    assert_eq!(report.reused, RUNS - 2);
    assert!(whole == again, "{:?}", again.keys());
}

#[test]
fn without_ideals_there_are_none() {
    let input = folder("no-ideals");
    let (report, files) = results(&input, &format!("ideals = []\n{SCENARIO}"), 2, "out");
    assert!(report.summary.ideals.is_empty());
    assert_eq!(report.summary.runs.len(), ProtocolName::ALL.len() * 2);
    assert!(!files.keys().any(|name| name.contains("max_min")));
    assert_eq!(report.summary.protocols[0].all.ideal_ratio.mean, None);
}
