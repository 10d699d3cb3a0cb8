//! Runs made on another machine give the same bytes.

use std::path::Path;

use crate::common::{Cancelled, Quiet, RUNS, SCENARIO, files, folder, plan, results};
use sluice_lab::{Options, Plan, PlanOverrides, RunFiles, Task, keep, pending, run};

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
fn an_invalid_run_is_not_stored() {
    let input = folder("tasks-damaged");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let run = made(&plan, 1).remove(0);
    let out = input.join("out");
    let mut outside = run.clone();
    outside.insert("../flows.parquet".into(), Vec::new());
    let mut cut = run;
    cut.insert("run.json".into(), b"{}".to_vec());
    for files in [outside, cut, RunFiles::new()] {
        assert!(keep(&out, &files).is_err());
    }
    assert_eq!(pending(&plan, &out).unwrap(), [1, 2]);
}
