//! Runs made on another machine give the same bytes.

use std::path::Path;

use crate::common::{Cancelled, Quiet, RUNS, SCENARIO, files, folder, path_of, plan, results};
use sluice_lab::{
    Damage, DamageKind, Options, Plan, PlanOverrides, RunFiles, Task, keep, pending, run,
};

/// Executes all pending tasks as another machine would, until none is left.
fn fill(plan: &Plan, out: &Path) -> usize {
    let mut rounds = 0;
    loop {
        let seeds = pending(plan, out).unwrap();
        if seeds.is_empty() {
            return rounds;
        }
        rounds += 1;
        for seed in seeds {
            for run in made(plan, seed) {
                keep(out, &run).unwrap();
            }
        }
    }
}

fn made(plan: &Plan, seed: u64) -> Vec<RunFiles> {
    Task::new(plan, seed).unwrap().run(&Quiet).unwrap().unwrap()
}

#[test]
fn runs_made_elsewhere_are_those_made_here() {
    let input = folder("tasks");
    let (_, here) = results(&input, SCENARIO, 2, "here");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let out = input.join("there");
    assert_eq!(pending(&plan, &out).unwrap(), [1, 2]);
    fill(&plan, &out);
    let report = run(&plan, &out, &Options::default(), &Quiet).unwrap();
    assert_eq!(report.reused, RUNS);
    assert!(here == files(&out), "the results differ from those of one machine");
}

#[test]
fn further_seeds_are_asked_for_until_results_are_precise() {
    let input = folder("tasks-precise");
    let text = format!("{SCENARIO}\n[precision]\nrelative = 0.01\nmax_runs = 5");
    let (_, here) = results(&input, &text, 2, "here");
    let plan = plan(&input, &text, &PlanOverrides::default());
    let out = input.join("there");
    assert!(fill(&plan, &out) > 1, "the first two seeds were precise enough");
    run(&plan, &out, &Options::default(), &Quiet).unwrap();
    assert!(here == files(&out), "the results differ from those of one machine");
}

#[test]
fn another_build_makes_no_runs_for_this_one() {
    let input = folder("tasks-build");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let task = Task { build: "0.0.1+abc".into(), ..Task::new(&plan, 1).unwrap() };
    let error = task.run(&Quiet).unwrap_err().to_string();
    assert!(error.contains("0.0.1+abc") && error.contains(sluice_lab::BUILD), "{error}");
}

#[test]
fn an_interrupted_task_brings_nothing() {
    let input = folder("tasks-interrupted");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    assert_eq!(Task::new(&plan, 1).unwrap().run(&Cancelled).unwrap(), None);
}

#[test]
fn a_damaged_run_is_made_elsewhere_again_and_reported() {
    let input = folder("tasks-repair");
    let (here, whole) = results(&input, SCENARIO, 2, "out");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let file = path_of(&here, "tcp-2", "links.parquet");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(pending(&plan, &here.folder).unwrap(), [2]);
    let kept = made(&plan, 2).into_iter().map(|run| keep(&here.folder, &run).unwrap());
    let damages: Vec<Damage> = kept.flatten().collect();
    assert_eq!(damages, [Damage { file, kind: DamageKind::Missing }]);
    assert!(files(&here.folder) == whole);
}

#[test]
fn an_invalid_run_is_not_stored() {
    let input = folder("tasks-damaged");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let run = made(&plan, 1).remove(0);
    let out = input.join("out");
    let mut outside = run.clone();
    outside.insert("../flows.parquet".into(), Vec::new());
    let mut cut = run.clone();
    cut.insert("run.json".into(), b"{}".to_vec());
    let mut altered = run.clone();
    altered.get_mut("flows.parquet").unwrap()[40] ^= 1;
    let mut lost = run;
    lost.remove("links.parquet");
    for files in [outside, cut, altered, lost, RunFiles::new()] {
        assert!(keep(&out, &files).is_err());
    }
    assert_eq!(pending(&plan, &out).unwrap(), [1, 2]);
}
