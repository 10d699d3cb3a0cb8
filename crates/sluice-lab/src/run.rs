//! Runs every protocol with every seed, in parallel, and writes what they find.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sluice_laws::registry::Name;
use sluice_sim::{Config, ConfigError, FlowRecord, Outcome, Progress, Watch};

use crate::Plan;
use crate::results::{self, FlowFile, Run, Summary, Tally};

/// Who is told how far the runs have got. Called from every thread.
pub trait Monitor: Sync {
    /// Run `index` (of protocols x seeds, protocols first) has done this fraction of its work.
    fn progress(&self, index: usize, fraction: f64);

    /// Whether to end the runs now, keeping those that are through.
    fn cancelled(&self) -> bool;
}

/// What came of a plan.
#[derive(Clone, Debug)]
pub struct Report {
    /// The figures.
    pub summary: Summary,
    /// Where the files are.
    pub folder: PathBuf,
}

impl Report {
    /// The summary as `summary.json` has it.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(&self.summary).unwrap_or_default()
    }
}

/// Why there are no results.
#[derive(Debug)]
pub enum RunError {
    /// A file could not be written or read.
    Io(PathBuf, io::Error),
    /// The engine refused the configuration.
    Config(ConfigError),
    /// There are no threads to run on.
    Threads(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Config(error) => error.fmt(f),
            Self::Threads(error) => write!(f, "cannot start threads: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Runs the plan on `threads` threads (0: one a core) and writes its results into `folder`. The
/// files are the same bytes for any number of threads.
pub fn run(
    plan: &Plan,
    folder: &Path,
    threads: usize,
    monitor: &dyn Monitor,
) -> Result<Report, RunError> {
    std::fs::create_dir_all(folder).map_err(|error| RunError::Io(folder.into(), error))?;
    let jobs: Vec<(Name, u64)> = plan
        .scenario
        .protocols
        .iter()
        .flat_map(|&protocol| plan.scenario.seeds().into_iter().map(move |seed| (protocol, seed)))
        .collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let failed = AtomicBool::new(false);
    let ended: Vec<Ended> = pool.install(|| {
        let job = |(index, &(protocol, seed)): (usize, &(Name, u64))| {
            let job = Job { plan, folder, protocol, seed, index, monitor, failed: &failed };
            job.run().inspect_err(|_| failed.store(true, Ordering::Relaxed))
        };
        // One job at a time to each thread, in order, so that the first protocols end first.
        jobs.par_iter().enumerate().with_max_len(1).map(job).collect::<Result<_, _>>()
    })?;
    write(plan, folder, ended, &jobs)
}

/// How a run ended.
enum Ended {
    /// As it should.
    Whole(Box<Run>),
    /// Early; its flows so far are in this file, if there are any.
    Early(Option<String>),
}

fn write(
    plan: &Plan,
    folder: &Path,
    ended: Vec<Ended>,
    jobs: &[(Name, u64)],
) -> Result<Report, RunError> {
    let (mut runs, mut interrupted, mut partial) = (Vec::new(), Vec::new(), Vec::new());
    for (ended, &job) in ended.into_iter().zip(jobs) {
        match ended {
            Ended::Whole(run) => runs.push(*run),
            Ended::Early(file) => {
                interrupted.push(job);
                partial.extend(file);
            }
        }
    }
    let io = |path: PathBuf| move |error| RunError::Io(path, error);
    let mut files: Vec<String> = runs.iter().flat_map(|run| run.files.clone()).collect();
    files.extend(partial);
    files.extend(results::write_scenario(folder, plan).map_err(io(folder.into()))?);
    let links = folder.join("links.csv");
    results::write_links(&links, plan, &runs).map_err(io(links))?;
    files.push("links.csv".into());
    let summary = results::summarize(plan, &runs, interrupted, files);
    let path = folder.join("summary.json");
    remove_stale(&path, &summary.files).map_err(io(folder.into()))?;
    results::whole(&path, |out| {
        serde_json::to_writer_pretty(&mut *out, &summary)?;
        out.write_all(b"\n")
    })
    .map_err(io(path))?;
    Ok(Report { summary, folder: folder.into() })
}

/// Removes what an earlier run wrote here, by its own list, and this one did not write again:
/// results of two runs must not stand side by side.
fn remove_stale(summary: &Path, written: &[String]) -> io::Result<()> {
    let Ok(old) = std::fs::read(summary) else { return Ok(()) };
    let old: serde_json::Value = serde_json::from_slice(&old).unwrap_or_default();
    let listed = old["files"].as_array().map_or(&[][..], Vec::as_slice);
    for name in listed.iter().filter_map(|name| name.as_str()) {
        let ours = name.ends_with(".csv") && !name.contains(['/', '\\']);
        let path = summary.with_file_name(name);
        if ours && !written.iter().any(|file| file == name) && path.exists() {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// One run of one protocol.
struct Job<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    protocol: Name,
    seed: u64,
    index: usize,
    monitor: &'a dyn Monitor,
    /// Another job failed: nobody will see this one's results.
    failed: &'a AtomicBool,
}

impl Job<'_> {
    fn run(&self) -> Result<Ended, RunError> {
        if self.cancelled() {
            return Ok(Ended::Early(None));
        }
        let config = Config { seed: self.seed, ..self.plan.config.clone() };
        let name = format!("flows-{}-{}.csv", self.protocol, self.seed);
        let path = self.folder.join(&name);
        let io = |error| RunError::Io(path.clone(), error);
        let file = FlowFile::create(&path).map_err(io)?;
        let tally = Tally::new(config.groups.len());
        let mut recorder = Recorder { job: self, config: &config, file, tally, error: None };
        let protocol = self.plan.scenario.parameters.protocol(self.protocol);
        let outcome = sluice_sim::run(&config, protocol, &mut recorder);
        let Recorder { file, tally, error, .. } = recorder;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                file.discard().map_err(io)?;
                return Err(RunError::Config(error));
            }
        };
        if let Some(error) = error {
            return Err(io(error));
        }
        if outcome.interrupted {
            file.keep_partial().map_err(io)?;
            return Ok(Ended::Early(Some(name.replace(".csv", ".partial.csv"))));
        }
        file.finish().map_err(io)?;
        let mut files = vec![name];
        files.extend(self.write_series(&outcome)?);
        self.monitor.progress(self.index, 1.0);
        let (protocol, seed) = (self.protocol, self.seed);
        Ok(Ended::Whole(Box::new(Run { protocol, seed, outcome, tally, files })))
    }

    fn write_series(&self, outcome: &Outcome) -> Result<Vec<String>, RunError> {
        let write = |series: &sluice_sim::Series| {
            let name =
                results::series::file_name(self.plan, series.subject, self.protocol, self.seed);
            let path = self.folder.join(&name);
            match results::series::write(&path, series) {
                Ok(()) => Ok(name),
                Err(error) => Err(RunError::Io(path, error)),
            }
        };
        outcome.series.iter().map(write).collect()
    }

    fn cancelled(&self) -> bool {
        self.monitor.cancelled() || self.failed.load(Ordering::Relaxed)
    }
}

/// Takes flows down as they end.
struct Recorder<'a> {
    job: &'a Job<'a>,
    config: &'a Config,
    file: FlowFile,
    tally: Tally,
    error: Option<io::Error>,
}

impl Watch for Recorder<'_> {
    fn flow(&mut self, record: &FlowRecord) {
        self.tally.add(record, self.config);
        if self.error.is_none() {
            self.error = self.file.write(record, self.config).err();
        }
    }

    fn tick(&mut self, progress: Progress) -> bool {
        self.job.monitor.progress(self.job.index, fraction(&progress));
        self.error.is_none() && !self.job.cancelled()
    }
}

/// Most of the work is done by `stop`; then the last flows finish.
fn fraction(progress: &Progress) -> f64 {
    const UNTIL_STOP: f64 = 0.95;
    if progress.now < progress.stop {
        return UNTIL_STOP * progress.now.as_secs_f64() / progress.stop.as_secs_f64();
    }
    let finished = progress.finished as f64 / progress.measured.max(1) as f64;
    UNTIL_STOP + (1.0 - UNTIL_STOP) * finished
}
