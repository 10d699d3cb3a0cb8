//! One run: reuses it if it is stored, else makes and stores it.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::errors::ParquetError;
use sluice_sim::ideal::{self, Ideal};
use sluice_sim::{
    Config, ConfigError, Conviction, FlowRecord, Observer, Outcome, PacketEvent, Paths, Progress,
    RouteEpochs, Samples, SenderEvent, StreamRecord,
};
use sluice_units::Bytes;

use super::error::RunError;
use super::monitor::Monitor;
use crate::Plan;
use crate::results::read::io_error;
use crate::results::{
    self, Damage, FLOWS, FlowFile, Part, RunId, RunLabel, SeriesFile, Store, StoredRun, System,
    Tally, Times, TraceFiles, VerdictFile,
};

/// The outcome of a job.
pub(super) enum JobOutcome {
    /// The run, and where it is from.
    Finished(Box<StoredRun>, RunSource),
    /// The run was cancelled.
    Interrupted,
}

/// Where a run is from.
pub(super) enum RunSource {
    /// It was stored.
    Stored,
    /// It was made.
    Made,
    /// It was made again because the stored one is damaged.
    Repaired(Damage),
}

/// One run to be reused or made.
pub(super) struct Job<'a> {
    pub(super) plan: &'a Plan,
    pub(super) store: &'a Store,
    pub(super) id: RunId,
    /// The run of the max-min ideal with the same seed, if the plan has that ideal.
    pub(super) ideal: Option<RunId>,
    /// Makes the run even if it is stored.
    pub(super) again: bool,
    /// See [`Options::memory`](crate::Options::memory), of which this is a part.
    pub(super) memory: Option<Bytes>,
    pub(super) index: usize,
    pub(super) monitor: &'a dyn Monitor,
    /// Another job failed: this one's results will not be used.
    pub(super) failed: &'a AtomicBool,
}

impl Job<'_> {
    pub(super) fn run(&self) -> Result<JobOutcome, RunError> {
        let may_reuse = !self.again && self.id.system.is_kept();
        let source = match if may_reuse { self.store.find(&self.id) } else { Ok(None) } {
            Ok(Some(run)) => {
                self.monitor.progress(self.index, 1.0);
                return Ok(JobOutcome::Finished(Box::new(run), RunSource::Stored));
            }
            Ok(None) => RunSource::Made,
            Err(damage) => RunSource::Repaired(damage),
        };
        if self.cancelled() {
            return Ok(JobOutcome::Interrupted);
        }
        let part = self.store.begin(&self.id).map_err(|error| self.io(error))?;
        match self.make(&part) {
            Ok(Some(run)) => {
                part.publish().map_err(|error| self.io(error))?;
                self.monitor.progress(self.index, 1.0);
                Ok(JobOutcome::Finished(Box::new(run), source))
            }
            Ok(None) => {
                part.keep_partial().map_err(|error| self.io(error))?;
                Ok(JobOutcome::Interrupted)
            }
            Err(error) => {
                // The first error matters more than one of removing what is left.
                _ = part.discard();
                Err(error)
            }
        }
    }

    /// Makes the run and writes its files; `None` if it was interrupted.
    fn make(&self, part: &Part<'_>) -> Result<Option<StoredRun>, RunError> {
        let io = |error| self.io(error);
        let label = RunLabel::of(&self.id, &self.plan.point);
        let config = Config { seed: self.id.seed, ..self.plan.config.clone() };
        let routes = self.routes(&config).map_err(RunError::Config)?;
        let mut recorder = Recorder {
            job: self,
            config: &config,
            file: FlowFile::create(part.path(), self.plan, routes, &label).map_err(io)?,
            tally: Tally::new(config.groups.len()),
            ideal: self.ideal_times()?,
            series: SeriesFile::create(part.path(), self.plan, &label).map_err(io)?,
            traces: self.traces(part, &label).map_err(io)?,
            verdicts: self.verdicts(part, &label).map_err(io)?,
            error: None,
        };
        let outcome = self.execute(&config, &mut recorder)?;
        let Recorder { file, tally, series, traces, verdicts, error, .. } = recorder;
        error.map_or(Ok(()), Err)?;
        let loads = file.finish().map_err(io)?;
        series.finish().map_err(io)?;
        traces.map_or(Ok(()), TraceFiles::finish).map_err(io)?;
        verdicts.map_or(Ok(()), VerdictFile::finish).map_err(io)?;
        if outcome.interrupted {
            return Ok(None);
        }
        let mut run = StoredRun::of(self.plan, &self.id, &outcome, tally, &loads);
        let (path, plan) = (part.path(), self.plan);
        results::write_links(path, plan, &run.links, &label).map_err(io)?;
        part.seal(&mut run).map_err(io)?;
        Ok(Some(run))
    }

    /// The routes of each group; ideals have no changes of routes.
    fn routes(&self, config: &Config) -> Result<Vec<RouteEpochs>, ConfigError> {
        match self.id.system {
            System::Ideal(_) => Ok(Paths::of(config)?.into_iter().map(RouteEpochs::from).collect()),
            _ => RouteEpochs::of(config),
        }
    }

    /// Runs the flows in the simulator, as fluid, or on a network.
    fn execute(&self, config: &Config, recorder: &mut Recorder<'_>) -> Result<Outcome, RunError> {
        let done = match self.id.system {
            System::Ideal(ideal) => ideal::run(config, ideal, recorder),
            System::Measured(name) => {
                let on = self.plan.measurement().expect("checked: a plan has its own systems");
                let (system, seed) = (self.id.system, self.id.seed);
                let failed = |error| RunError::Measurement { system, seed, error };
                return on.run(name, config, recorder).map_err(failed);
            }
            system @ (System::Protocol(_) | System::Custom(_)) => {
                let protocol = self.plan.protocol(system);
                let protocol = protocol.expect("checked: a plan has its own systems");
                sluice_sim::run(config, protocol, recorder)
            }
        };
        done.map_err(RunError::Config)
    }

    /// The files of traces, of simulated packets.
    fn traces(&self, part: &Part<'_>, label: &RunLabel) -> io::Result<Option<TraceFiles>> {
        let Some(protocol) = self.plan.protocol(self.id.system) else { return Ok(None) };
        TraceFiles::create(part.path(), self.plan, protocol, label).map(Some)
    }

    /// The file of verdicts, of simulated agents.
    fn verdicts(&self, part: &Part<'_>, label: &RunLabel) -> io::Result<Option<VerdictFile<'_>>> {
        if self.plan.protocol(self.id.system).is_none() {
            return Ok(None);
        }
        VerdictFile::create(part.path(), self.plan, label)
    }

    /// The completion times of the flows under the max-min ideal.
    fn ideal_times(&self) -> Result<Option<Times>, RunError> {
        let Some(ideal) = &self.ideal else { return Ok(None) };
        if self.id.system == System::Ideal(Ideal::MaxMin) {
            return Ok(None);
        }
        let file = self.store.file(ideal, FLOWS);
        let read = |error: ParquetError| RunError::Io(file.clone(), io_error(error));
        Times::read(&file, self.plan).map(Some).map_err(read)
    }

    fn io(&self, error: io::Error) -> RunError {
        RunError::Io(PathBuf::from(self.id.folder()), error)
    }

    fn check(&self, written: io::Result<()>) -> Option<RunError> {
        written.err().map(|error| self.io(error))
    }

    /// The error of a run that has grown beyond its part of the memory.
    fn excess(&self, progress: &Progress) -> Option<RunError> {
        let available = self.memory.filter(|&memory| progress.memory > memory)?;
        let RunId { system, seed, .. } = self.id;
        let (taken, time) = (progress.memory, progress.now);
        Some(RunError::Memory { system, seed, taken, available, time })
    }

    fn cancelled(&self) -> bool {
        self.monitor.cancelled() || self.failed.load(Ordering::Relaxed)
    }
}

/// Records flows as they end.
struct Recorder<'a> {
    job: &'a Job<'a>,
    config: &'a Config,
    file: FlowFile<'a>,
    tally: Tally,
    ideal: Option<Times>,
    series: SeriesFile<'a>,
    traces: Option<TraceFiles>,
    verdicts: Option<VerdictFile<'a>>,
    error: Option<RunError>,
}

impl Observer for Recorder<'_> {
    fn flow(&mut self, record: &FlowRecord) {
        let ideal = self.ideal.as_ref().and_then(|times| times.of(record.group, record.index));
        self.tally.add(record, ideal, self.config);
        if self.error.is_none() {
            self.error = self.job.check(self.file.write(record, ideal));
        }
    }

    fn stream(&mut self, record: &StreamRecord) {
        self.tally.add_stream(record);
        if self.error.is_none() {
            self.error = self.job.check(self.file.write_stream(record));
        }
    }

    fn conviction(&mut self, found: &Conviction) {
        self.tally.add_conviction(found);
        if let (Some(file), None) = (&mut self.verdicts, &self.error) {
            self.error = self.job.check(file.write(found));
        }
    }

    fn samples(&mut self, samples: &Samples<'_>) {
        if self.error.is_none() {
            self.error = self.job.check(self.series.write(samples));
        }
    }

    fn packet(&mut self, event: &PacketEvent) {
        if let (Some(traces), None) = (&mut self.traces, &self.error) {
            self.error = self.job.check(traces.packet(event));
        }
    }

    fn sender(&mut self, event: &SenderEvent) {
        if let (Some(traces), None) = (&mut self.traces, &self.error) {
            self.error = self.job.check(traces.sender(event));
        }
    }

    fn tick(&mut self, progress: Progress) -> bool {
        self.job.monitor.progress(self.job.index, fraction(&progress));
        if self.error.is_none() {
            self.error = self.job.excess(&progress);
        }
        self.error.is_none() && !self.job.cancelled()
    }
}

/// The fraction of the work done: most of it by `stop`, the rest as the last flows finish.
fn fraction(progress: &Progress) -> f64 {
    const UNTIL_STOP: f64 = 0.95;
    if progress.now < progress.stop {
        return UNTIL_STOP * progress.now.as_secs_f64() / progress.stop.as_secs_f64();
    }
    let finished = progress.finished as f64 / progress.measured.max(1) as f64;
    UNTIL_STOP + (1.0 - UNTIL_STOP) * finished
}
