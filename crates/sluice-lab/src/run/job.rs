//! One run: looks whether it is there, else makes it and stores it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use parquet::errors::ParquetError;
use sluice_sim::ideal::{self, Ideal};
use sluice_sim::{
    Config, ConfigError, FlowRecord, Observer, Outcome, PacketEvent, Progress, SenderEvent,
};

use super::error::RunError;
use super::monitor::Monitor;
use crate::Plan;
use crate::results::read::io_error;
use crate::results::{
    self, FLOWS, FlowFile, Part, RUN, Run, RunId, Store, System, Tally, Times, TraceFiles, whole,
};

/// What came of a job.
pub(super) enum Ended {
    /// The run, and whether it was there already.
    Whole(Box<Run>, bool),
    /// It was told to stop.
    Early,
}

/// One run to be had.
pub(super) struct Job<'a> {
    pub(super) plan: &'a Plan,
    pub(super) store: &'a Store,
    pub(super) id: RunId,
    /// The run of the max-min ideal with the same seed, if there is one to compare with.
    pub(super) ideal: Option<RunId>,
    /// Runs it even if the run is there.
    pub(super) again: bool,
    pub(super) index: usize,
    pub(super) monitor: &'a dyn Monitor,
    /// Another job failed: nobody will see this one's results.
    pub(super) failed: &'a AtomicBool,
}

impl Job<'_> {
    pub(super) fn run(&self) -> Result<Ended, RunError> {
        if !self.again
            && self.id.system.is_kept()
            && let Some(run) = self.store.find(&self.id)
        {
            self.monitor.progress(self.index, 1.0);
            return Ok(Ended::Whole(Box::new(run), true));
        }
        if self.cancelled() {
            return Ok(Ended::Early);
        }
        let part = self.store.begin(&self.id).map_err(|error| self.io(error))?;
        match self.make(&part) {
            Ok(Some(run)) => {
                part.finish().map_err(|error| self.io(error))?;
                self.monitor.progress(self.index, 1.0);
                Ok(Ended::Whole(Box::new(run), false))
            }
            Ok(None) => {
                part.keep_partial().map_err(|error| self.io(error))?;
                Ok(Ended::Early)
            }
            Err(error) => {
                // That the first error is told matters more than what is left behind.
                _ = part.discard();
                Err(error)
            }
        }
    }

    /// Runs it and writes its files; `None` if it was interrupted.
    fn make(&self, part: &Part) -> Result<Option<Run>, RunError> {
        let io = |error| self.io(error);
        let about = self.id.about();
        let config = Config { seed: self.id.seed, ..self.plan.config.clone() };
        let mut recorder = Recorder {
            job: self,
            config: &config,
            file: FlowFile::create(part.path(), self.plan, &about).map_err(io)?,
            tally: Tally::new(config.groups.len()),
            ideal: self.ideal_times()?,
            traces: self.traces(part, &about).map_err(io)?,
            error: None,
        };
        let outcome = self.simulate(&config, &mut recorder).map_err(RunError::Config)?;
        let Recorder { file, tally, traces, error, .. } = recorder;
        error.map_or(Ok(()), Err).map_err(io)?;
        file.finish().map_err(io)?;
        traces.map_or(Ok(()), TraceFiles::finish).map_err(io)?;
        if outcome.interrupted {
            return Ok(None);
        }
        let run = Run::of(self.plan, &self.id, &outcome, tally);
        let (path, plan) = (part.path(), self.plan);
        results::write_links(path, plan, &run.links, &about).map_err(io)?;
        results::write_series(path, plan, &outcome.series, &about).map_err(io)?;
        whole(&path.join(RUN), |out| {
            serde_json::to_writer(&mut *out, &run)?;
            out.write_all(b"\n")
        })
        .map_err(io)?;
        Ok(Some(run))
    }

    fn simulate(
        &self,
        config: &Config,
        recorder: &mut Recorder<'_>,
    ) -> Result<Outcome, ConfigError> {
        if let System::Ideal(ideal) = self.id.system {
            return ideal::run(config, ideal, recorder);
        }
        let protocol = self.plan.protocol(self.id.system);
        sluice_sim::run(config, protocol.expect("checked: a plan runs its own laws"), recorder)
    }

    /// The files of what is traced; an ideal has no packets.
    fn traces(&self, part: &Part, about: &[(&str, String)]) -> io::Result<Option<TraceFiles>> {
        let Some(protocol) = self.plan.protocol(self.id.system) else { return Ok(None) };
        TraceFiles::create(part.path(), self.plan, protocol.wire(), about).map(Some)
    }

    /// What the flows take under the max-min ideal.
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
    ideal: Option<Times>,
    traces: Option<TraceFiles>,
    error: Option<io::Error>,
}

impl Observer for Recorder<'_> {
    fn flow(&mut self, record: &FlowRecord) {
        let ideal = self.ideal.as_ref().and_then(|times| times.of(record.group, record.index));
        self.tally.add(record, ideal, self.config);
        if self.error.is_none() {
            self.error = self.file.write(record, ideal).err();
        }
    }

    fn packet(&mut self, event: &PacketEvent) {
        if let (Some(traces), None) = (&mut self.traces, &self.error) {
            self.error = traces.packet(event).err();
        }
    }

    fn sender(&mut self, event: &SenderEvent) {
        if let (Some(traces), None) = (&mut self.traces, &self.error) {
            self.error = traces.sender(event).err();
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
