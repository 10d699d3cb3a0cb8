//! Runs made on other machines: the seeds still missing, tasks that contain all they need, and the
//! files of their results. Their transport is up to the caller.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use fs_err as fs;

use super::{Options, RunError, precision, run};
use crate::results::{self, Damage, Keys, RUN, Sealed, Store, StoredRun};
use crate::scenario::{PointColumn, Source};
use crate::{BUILD, Monitor, Plan, PlanOverrides};

/// The runs of a plan with one seed, for any machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The build that created the task; another one would make other runs.
    pub build: String,
    /// The scenario as TOML, with all defaults.
    pub scenario: String,
    /// The files that it names.
    pub inputs: BTreeMap<String, Vec<u8>>,
    /// The point of a sweep, a column each in the tables of its runs.
    pub point: Vec<PointColumn>,
    /// The seed.
    pub seed: u64,
}

/// The files of one run, by name.
pub type RunFiles = BTreeMap<String, Vec<u8>>;

/// The seeds whose runs are missing in `folder`. With `precision`, more may be missing once these
/// are made: call again until the list is empty. Custom laws are left out: they run only in the
/// calling process.
pub fn pending(plan: &Plan, folder: &Path) -> Result<Vec<u64>, RunError> {
    let io = |error| RunError::Io(folder.into(), error);
    let (store, keys) = (Store::open(folder).map_err(io)?, Keys::of(plan).map_err(io)?);
    let kept = || plan.systems().filter(|system| system.is_kept());
    let mut seeds = plan.scenario.seeds();
    loop {
        let (mut runs, mut missing) = (Vec::new(), Vec::new());
        for &seed in &seeds {
            let ids = kept().map(|system| keys.run(system, seed));
            let ids = ids.collect::<io::Result<Vec<_>>>().map_err(io)?;
            let stored = |id| store.find(id).ok().flatten();
            let found: Vec<StoredRun> = ids.iter().filter_map(stored).collect();
            if found.len() < ids.len() {
                missing.push(seed);
            }
            runs.extend(found);
        }
        if !missing.is_empty() {
            return Ok(missing);
        }
        match precision::required(plan, &runs, seeds.len() as u64) {
            None => return Ok(missing),
            Some(count) => seeds = plan.scenario.first_seeds(count),
        }
    }
}

impl Task {
    /// The runs of `plan` with `seed`.
    pub fn new(plan: &Plan, seed: u64) -> io::Result<Self> {
        let (scenario, inputs) = results::portable(plan)?;
        let point = plan.point.clone();
        Ok(Self { build: BUILD.into(), scenario, inputs, point, seed })
    }

    /// Makes the runs on one thread; `None` if they were interrupted.
    pub fn run(&self, monitor: &dyn Monitor) -> Result<Option<Vec<RunFiles>>, RunError> {
        if self.build != BUILD {
            return Err(RunError::Build(self.build.clone()));
        }
        let here = tempfile::tempdir().map_err(|error| RunError::Io("".into(), error))?;
        let io = |error| RunError::Io(here.path().into(), error);
        for (name, bytes) in &self.inputs {
            fs::write(here.path().join(name), bytes).map_err(io)?;
        }
        let source = Source::parse("scenario.toml", &self.scenario, "");
        let overrides = PlanOverrides { seeds: Some(vec![self.seed]), ..PlanOverrides::default() };
        let mut plan = source
            .and_then(|source| Plan::of(&source, here.path().into(), &overrides))
            .map_err(|error| RunError::Io(here.path().into(), io::Error::other(error)))?;
        plan.point.clone_from(&self.point);
        let options = Options { threads: 1, ..Options::default() };
        let report = run(&plan, here.path(), &options, monitor)?;
        if !report.summary.interrupted.is_empty() {
            return Ok(None);
        }
        let folders = report.summary.runs.iter().map(|run| here.path().join(&run.folder));
        folders.map(|folder| read_all(&folder)).collect::<io::Result<_>>().map(Some).map_err(io)
    }
}

/// Stores a run that was made elsewhere in `folder`, unless it is there already. An error if the files
/// are not all those of a run of this build, as they were written. Returns what was wrong with a stored
/// run that it replaces.
pub fn keep(folder: &Path, files: &RunFiles) -> Result<Option<Damage>, RunError> {
    let io = |error| RunError::Io(folder.into(), error);
    let refused = || io(io::Error::other("the files are no run of this build"));
    let run = files.get(RUN).and_then(|text| Sealed::<StoredRun>::read(text));
    let run = run.filter(|run| run.build == BUILD).ok_or_else(refused)?;
    if files.keys().any(|name| Path::new(name).file_name() != Some(name.as_ref())) {
        return Err(refused());
    }
    let store = Store::open(folder).map_err(io)?;
    let damage = match store.find(&run.id()) {
        Ok(Some(_)) => return Ok(None),
        Ok(None) => None,
        Err(damage) => Some(damage),
    };
    let part = store.begin(&run.id()).map_err(io)?;
    for (name, bytes) in files {
        fs::write(part.path().join(name), bytes).map_err(io)?;
    }
    part.check().map_err(|damage| io(io::Error::other(damage.to_string())))?;
    part.publish().map_err(io)?;
    Ok(damage)
}

fn read_all(folder: &Path) -> io::Result<RunFiles> {
    let mut files = RunFiles::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    Ok(files)
}
