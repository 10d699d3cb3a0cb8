//! Runs every ideal and protocol with every seed, in parallel, and summarizes the results.

mod error;
mod job;
mod meter;
mod monitor;
mod pairs;
mod precision;
mod task;

pub use error::RunError;
pub use meter::{Meter, RunProgress};
pub use monitor::{FinishedRun, Monitor};
pub use task::{RunFiles, Task, keep, pending};

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use sluice_sim::ideal::Ideal;
use sluice_units::Bytes;

use crate::Plan;
use crate::results::{self, Damage, Keys, RunTables, Store, StoredRun, Summary, System};
use job::{Job, JobOutcome, RunSource};
use pairs::Comparisons;

/// Options of running a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Number of threads, up to [`max_threads`]; 0 for one per core.
    pub threads: usize,
    /// Whether to repeat runs that are stored already. Those of custom laws are always repeated, since
    /// their code may have changed.
    pub again: bool,
    /// Memory for all runs at the same time; `None` for no limit. A run whose queues and flows grow beyond
    /// its part of it ends with [`RunError::Memory`], before the system ends the process.
    pub memory: Option<Bytes>,
}

/// The largest number of threads.
pub fn max_threads() -> usize {
    rayon::max_num_threads()
}

/// The results of a plan.
#[derive(Clone, Debug)]
pub struct Report {
    /// The summary.
    pub summary: Summary,
    /// The folder of the files.
    pub folder: PathBuf,
    /// Number of runs that were reused.
    pub reused: usize,
    /// What was wrong with stored runs; these were made again.
    pub damaged: Vec<Damage>,
    /// Number of runs in the folder that belong to other scenarios, seeds or builds.
    pub others: usize,
}

impl Report {
    /// The summary as in `summary.json`.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(&self.summary).unwrap_or_default()
    }
}

/// Makes the runs of the plan that are not stored in `folder`, and writes the summary of all there.
/// The files are the same bytes for any number of threads.
pub fn run(
    plan: &Plan,
    folder: &Path,
    options: &Options,
    monitor: &dyn Monitor,
) -> Result<Report, RunError> {
    pool(options)?.install(|| run_here(plan, folder, options, monitor))
}

/// The thread pool of the runs.
pub(crate) fn pool(options: &Options) -> Result<rayon::ThreadPool, RunError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(options.threads);
    threads.build().map_err(|error| RunError::Threads(error.to_string()))
}

/// As [`run`], on the current thread pool.
pub(crate) fn run_here(
    plan: &Plan,
    folder: &Path,
    options: &Options,
    monitor: &dyn Monitor,
) -> Result<Report, RunError> {
    let io = |error| RunError::Io(folder.into(), error);
    let batch = Batch {
        plan,
        store: Store::open(folder).map_err(io)?,
        keys: Keys::of(plan).map_err(io)?,
        again: options.again,
        memory: options
            .memory
            .map(|all| Bytes::new(all.as_u64() / rayon::current_num_threads() as u64)),
        monitor,
        failed: AtomicBool::new(false),
        watched: Mutex::default(),
    };
    let mut found = BatchResults::default();
    let seeds = batch.run_until_precise(&mut found)?;
    found.sort(plan, &seeds);
    let compared = pairs::of(plan, folder, &batch.store, &found.runs)?;
    write(plan, folder, &batch.store, found, compared)
}

/// The results of a batch of runs.
#[derive(Default)]
struct BatchResults {
    runs: Vec<StoredRun>,
    interrupted: Vec<(System, u64)>,
    reused: usize,
    damaged: Vec<Damage>,
}

impl BatchResults {
    /// Ideals first, in the scenario's order, then by seed.
    fn sort(&mut self, plan: &Plan, seeds: &[u64]) {
        sort_runs(plan, seeds, &mut self.runs);
        let place = place(plan, seeds);
        self.interrupted.sort_by_key(|&(system, seed)| place(system, seed));
    }
}

/// Sorts runs: ideals first, in the scenario's order, then by seed.
fn sort_runs(plan: &Plan, seeds: &[u64], runs: &mut [StoredRun]) {
    let place = place(plan, seeds);
    runs.sort_by_key(|run| place(run.protocol, run.seed));
}

/// The place of a run in results.
fn place(plan: &Plan, seeds: &[u64]) -> impl Fn(System, u64) -> (Option<usize>, Option<usize>) {
    let systems: Vec<System> = plan.systems().collect();
    let seeds = seeds.to_vec();
    move |system, seed| {
        (
            systems.iter().position(|&other| other == system),
            seeds.iter().position(|&other| other == seed),
        )
    }
}

/// Runs of one plan.
struct Batch<'a> {
    plan: &'a Plan,
    store: Store,
    keys: Keys,
    again: bool,
    /// For each run.
    memory: Option<Bytes>,
    monitor: &'a dyn Monitor,
    failed: AtomicBool,
    /// The runs that finished so far, if the monitor watches them.
    watched: Mutex<Vec<StoredRun>>,
}

impl Batch<'_> {
    /// Runs everything with the scenario's seeds, and adds seeds while intervals are wider than
    /// required. Returns the seeds.
    fn run_until_precise(&self, found: &mut BatchResults) -> Result<Vec<u64>, RunError> {
        let mut seeds = self.plan.scenario.seeds();
        let mut done = 0;
        loop {
            self.run(&seeds[done..], found)?;
            done = seeds.len();
            if !found.interrupted.is_empty() {
                return Ok(seeds);
            }
            let Some(count) = precision::required(self.plan, &found.runs, done as u64) else {
                return Ok(seeds);
            };
            seeds = self.plan.scenario.first_seeds(count);
        }
    }

    /// Runs everything with these seeds.
    fn run(&self, seeds: &[u64], found: &mut BatchResults) -> Result<(), RunError> {
        let (measured, simulated): (Vec<System>, Vec<System>) =
            self.plan.systems().partition(|system| matches!(system, System::Measured(_)));
        let max_min = System::Ideal(Ideal::MaxMin);
        let (first, rest): (Vec<System>, Vec<System>) =
            simulated.into_iter().partition(|&system| system == max_min);
        let number = first.len() + rest.len() + measured.len();
        let mut next = self.monitor.expect(number * seeds.len());
        // First: flows of all others are compared with those under max-min fairness.
        for systems in [first, rest] {
            self.run_all(&systems, seeds, next, found)?;
            next += systems.len() * seeds.len();
        }
        // Last and one by one: each needs the machine for itself.
        for system in measured {
            for seed in seeds {
                self.run_all(&[system], std::slice::from_ref(seed), next, found)?;
                next += 1;
            }
        }
        Ok(())
    }

    fn run_all(
        &self,
        systems: &[System],
        seeds: &[u64],
        first: usize,
        found: &mut BatchResults,
    ) -> Result<(), RunError> {
        let pairs =
            systems.iter().flat_map(|&system| seeds.iter().map(move |&seed| (system, seed)));
        let jobs: Vec<Job<'_>> = pairs
            .enumerate()
            .map(|(i, (system, seed))| self.job(system, seed, first + i))
            .collect::<io::Result<_>>()
            .map_err(|error| RunError::Io(self.plan.folder.clone(), error))?;
        let run = |job: &Job<'_>| {
            let ended = job.run().inspect_err(|_| self.failed.store(true, Ordering::Relaxed))?;
            if let JobOutcome::Finished(run, _) = &ended {
                self.show(run);
            }
            Ok(ended)
        };
        // One job at a time to each thread, in order, so that the first protocols end first.
        let ended: Vec<JobOutcome> =
            jobs.par_iter().with_max_len(1).map(run).collect::<Result<_, _>>()?;
        for (ended, job) in ended.into_iter().zip(jobs) {
            match ended {
                JobOutcome::Finished(run, source) => {
                    found.runs.push(*run);
                    match source {
                        RunSource::Stored => found.reused += 1,
                        RunSource::Made => {}
                        RunSource::Repaired(damage) => found.damaged.push(damage),
                    }
                }
                JobOutcome::Interrupted => found.interrupted.push((job.id.system, job.id.seed)),
            }
        }
        Ok(())
    }

    /// Shows the monitor a run that finished, if it watches.
    fn show(&self, run: &StoredRun) {
        if !self.monitor.watches() {
            return;
        }
        let mut runs = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push(run.clone());
        sort_runs(self.plan, &self.plan.scenario.seeds(), &mut runs);
        let so_far =
            results::summarize(self.plan, &runs, Default::default(), Vec::new(), Vec::new());
        self.monitor.finished(&FinishedRun::of(run), &so_far);
    }

    fn job(&self, system: System, seed: u64, index: usize) -> io::Result<Job<'_>> {
        let max_min = Ideal::MaxMin;
        let ideal = self.plan.scenario.ideals.contains(&max_min);
        let ideal = ideal.then(|| self.keys.run(System::Ideal(max_min), seed)).transpose()?;
        Ok(Job {
            plan: self.plan,
            store: &self.store,
            id: self.keys.run(system, seed)?,
            ideal,
            again: self.again,
            memory: self.memory,
            index,
            monitor: self.monitor,
            failed: &self.failed,
        })
    }
}

/// Summarizes the results and writes the files beside the runs, all together.
fn write(
    plan: &Plan,
    folder: &Path,
    store: &Store,
    found: BatchResults,
    compared: Comparisons,
) -> Result<Report, RunError> {
    let io = |error| RunError::Io(folder.into(), error);
    let used: Vec<String> = found.runs.iter().map(|run| run.id().folder()).collect();
    let others = store.others(&used).map_err(io)?;
    let BatchResults { runs, interrupted, reused, damaged } = found;
    let Comparisons { pairs, ratios } = compared;
    let mut set = store.folder().file_set();
    let files = results::add_scenario(&mut set, plan).map_err(io)?;
    let mut summary = results::summarize(plan, &runs, (pairs, ratios), interrupted, files);
    results::add_estimates(plan, &mut summary);
    set.add(results::SUMMARY, |out| {
        serde_json::to_writer_pretty(&mut *out, &summary)?;
        out.write_all(b"\n")
    })
    .map_err(io)?;
    let tables = RunTables { results: folder, point: None, runs: &summary.runs };
    results::add_tables(&mut set, [tables]).map_err(io)?;
    set.publish().map_err(io)?;
    Ok(Report { summary, folder: folder.into(), reused, damaged, others })
}
