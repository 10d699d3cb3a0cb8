//! A plan run as the command runs it: stored runs, summary, table and page.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_lab::table::{Style, render};
use sluice_lab::{Monitor, Options, Plan, report, run};

use super::shorten::shorten;
use crate::pulse::beat;

/// Calls of [`Monitor::progress`] after which all runs are cancelled.
const MAX_PROGRESS: u64 = 40;
/// The most runs of a plan.
const MAX_RUNS: usize = 20;

/// Runs the plan into a folder, and checks that no number of the summary is infinite or undefined.
/// Whether it was run at all: plans of many runs are not.
pub fn make_sense(plan: &Plan, draw: &mut Xoshiro256PlusPlus) -> bool {
    let scenario = &plan.scenario;
    let most =
        scenario.precision.map_or(scenario.seeds().len(), |precision| precision.max_runs as usize);
    if most * (scenario.protocols.len() + scenario.ideals.len()) > MAX_RUNS {
        return false;
    }
    let mut plan = plan.clone();
    shorten(&mut plan.config, libm::pow(10.0, draw.random_range(1.0..3.0)));
    let folder = tempfile::tempdir().expect("a folder of results");
    let limited = Limited::default();
    let options = Options { threads: 1, ..Options::default() };
    let made = run(&plan, folder.path(), &options, &limited);
    let report = made.unwrap_or_else(|error| panic!("planned, and not run: {error}"));
    let summary = format!("{:?}", report.summary);
    for odd in ["NaN", "inf,", "inf)", "inf]", "inf }"] {
        assert!(!summary.contains(odd), "{odd} in {summary}");
    }
    assert!(!render(&report.summary, Style::Plain).is_empty());
    if report.summary.interrupted.is_empty() {
        let page = report::write(folder.path(), None);
        page.unwrap_or_else(|error| panic!("run, and no page: {error}"));
    }
    true
}

/// Ends runs after a while.
#[derive(Default)]
struct Limited(AtomicU64);

impl Monitor for Limited {
    fn expect(&self, _: usize) -> usize {
        0
    }

    fn progress(&self, _: usize, _: f64) {
        beat();
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) > MAX_PROGRESS
    }
}
