//! Several threads in one folder of results, as from two cells of a notebook: each has its own
//! `sluice_lab::run`, and readers come in between.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::{Quiet, RUNS, SCENARIO, files, folder, plan, results};
use sluice_lab::scenario::Document;
use sluice_lab::{Monitor, Options, Plan, PlanOverrides, plan_sweep, report, run, sweep};

#[test]
fn threads_in_one_folder_all_succeed_and_leave_it_whole() {
    let input = folder("writers-threads");
    let (alone, whole) = results(&input, SCENARIO, 2, "alone");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    for round in 0..6 {
        let out = input.join(format!("out-{round}"));
        let start = Barrier::new(3);
        let write = |again: bool| {
            start.wait();
            run(&plan, &out, &Options { threads: 1, again, ..Options::default() }, &Quiet).unwrap()
        };
        let reports = thread::scope(|scope| {
            let writers =
                [false, round % 2 == 0, true].map(|again| scope.spawn(move || write(again)));
            writers.map(|writer| writer.join().unwrap())
        });
        for report in reports {
            assert_eq!(report.json(), alone.json());
            assert!(report.damaged.is_empty(), "{:?}", report.damaged);
        }
        assert!(files(&out) == whole, "{:?}", files(&out).keys());
    }
}

#[test]
fn a_reader_finds_whole_runs_while_they_are_replaced() {
    let input = folder("reader");
    let (first, whole) = results(&input, SCENARIO, 2, "out");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let is_over = AtomicBool::new(false);
    let read = || {
        let mut read = 0;
        while !is_over.load(Ordering::Relaxed) || read < 3 {
            report::page(&first.folder).unwrap_or_else(|error| panic!("{error}"));
            read += 1;
        }
    };
    thread::scope(|scope| {
        scope.spawn(read);
        for _ in 0..4 {
            let again = Options { threads: 1, again: true, ..Options::default() };
            run(&plan, &first.folder, &again, &Quiet).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(files(&first.folder) == whole);
}

/// Runs the same plan in the same folder when the first progress is reported.
struct Meanwhile<'a> {
    plan: &'a Plan,
    folder: &'a std::path::Path,
    is_done: AtomicBool,
}

impl Monitor for Meanwhile<'_> {
    fn expect(&self, _: usize) -> usize {
        0
    }

    fn progress(&self, _: usize, _: f64) {
        if !self.is_done.swap(true, Ordering::Relaxed) {
            let options = Options { threads: 1, again: false, ..Options::default() };
            let other = run(self.plan, self.folder, &options, &Quiet).unwrap();
            assert_eq!(other.summary.runs.len(), RUNS);
        }
    }

    fn cancelled(&self) -> bool {
        false
    }
}

#[test]
fn a_writer_that_comes_and_goes_leaves_the_files_of_another() {
    let input = folder("meanwhile");
    let (_, whole) = results(&input, SCENARIO, 2, "alone");
    let plan = plan(&input, SCENARIO, &PlanOverrides::default());
    let out = input.join("out");
    let monitor = Meanwhile { plan: &plan, folder: &out, is_done: AtomicBool::new(false) };
    run(&plan, &out, &Options { threads: 1, again: false, ..Options::default() }, &monitor)
        .unwrap();
    assert!(monitor.is_done.into_inner());
    assert!(files(&out) == whole, "{:?}", files(&out).keys());
}

#[test]
fn sweeps_in_one_folder_all_succeed_and_leave_it_whole() {
    let input = folder("sweeps-together");
    let mut document = Document::new("test.toml", SCENARIO, "test");
    document.vary("--vary", "group.web.poisson.load", "0.2, 0.4");
    let points = plan_sweep(&document, &input, &PlanOverrides::default()).unwrap();
    let options = Options { threads: 2, again: false, ..Options::default() };
    sweep(&points, &input.join("alone"), &options, &Quiet).unwrap();
    thread::scope(|scope| {
        for again in [false, true] {
            let (points, out) = (&points, input.join("out"));
            scope.spawn(move || {
                sweep(points, &out, &Options { threads: 2, again, ..Options::default() }, &Quiet)
                    .unwrap()
            });
        }
    });
    assert!(files(&input.join("out")) == files(&input.join("alone")));
}
