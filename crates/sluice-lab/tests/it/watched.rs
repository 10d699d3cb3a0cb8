//! Runs shown as they finish.

use std::sync::Mutex;

use sluice_lab::{FinishedRun, Monitor, Options, Plan, PlanOverrides, Summary, run, table};

use crate::common::{RUNS, SCENARIO, folder, plan};

/// Keeps what it is shown.
struct Watching<'p> {
    plan: &'p Plan,
    shown: Mutex<Vec<(FinishedRun, Summary, String)>>,
}

impl Monitor for Watching<'_> {
    fn expect(&self, _: usize) -> usize {
        0
    }

    fn progress(&self, _: usize, _: f64) {}

    fn cancelled(&self) -> bool {
        false
    }

    fn watches(&self) -> bool {
        true
    }

    fn finished(&self, run: &FinishedRun, so_far: &Summary) {
        let table = table::LiveTable::of(self.plan, so_far).to_string();
        self.shown.lock().unwrap().push((*run, so_far.clone(), table));
    }
}

#[test]
fn a_table_fills_in_as_runs_finish() {
    let folder = folder("watched");
    let plan = plan(&folder, SCENARIO, &PlanOverrides::default());
    for threads in [1, 2] {
        let watching = Watching { plan: &plan, shown: Mutex::default() };
        let options = Options { threads, again: true, ..Options::default() };
        let report = run(&plan, &folder.join("out"), &options, &watching).unwrap();
        let shown = watching.shown.into_inner().unwrap();
        assert_eq!(shown.len(), RUNS);
        for (number, (run, so_far, table)) in shown.iter().enumerate() {
            assert_eq!(so_far.runs.len(), number + 1);
            let is_it = |other: &&sluice_lab::RunSummary| {
                other.protocol == run.system && other.seed == run.seed
            };
            assert_eq!(so_far.runs.iter().filter(is_it).count(), 1);
            assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
            assert_eq!(table.lines().count(), shown[0].2.lines().count(), "lines move: {table}");
        }
        // At the end it agrees with the results.
        let (_, last, table) = shown.last().unwrap();
        let means = |summary: &Summary| -> Vec<Option<f64>> {
            summary.systems().map(|system| system.all.completion.mean).collect()
        };
        assert_eq!(means(last), means(&report.summary));
        assert!(table.contains("(2 of 2 runs)") && !table.contains("(1 of 2 runs)"), "{table}");
        assert!(shown[0].2.contains("(1 of 2 runs)") && shown[0].2.contains("(0 of 2 runs)"));
    }
}
