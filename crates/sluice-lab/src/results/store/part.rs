//! A run that is being written.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::damage::Damage;
use super::folder::SharedFolder;
use super::stored::{self, RUN};
use crate::results::run_file::StoredRun;

/// A run that is being written, in a folder of this writer's own.
pub struct Part<'a> {
    shared: &'a SharedFolder,
    own: PathBuf,
    /// The run's folder, once it is complete.
    whole: PathBuf,
}

impl<'a> Part<'a> {
    /// Begins to write the run `folder` in `runs`.
    pub fn create(shared: &'a SharedFolder, runs: &Path, folder: String) -> io::Result<Self> {
        let (own, whole) = (shared.scratch().join(&folder), runs.join(folder));
        fs::create_dir(&own)?;
        Ok(Self { shared, own, whole })
    }

    /// Where its files go.
    pub fn path(&self) -> &Path {
        &self.own
    }

    /// Completes the run: writes `run.json`, with digests of the other files.
    pub fn seal(&self, run: &mut StoredRun) -> io::Result<()> {
        stored::seal(&self.own, run)
    }

    /// Checks a run that was completed elsewhere.
    pub fn check(&self) -> Result<(), Damage> {
        stored::check_run(&self.own)
    }

    /// Gives the complete run its name.
    ///
    /// If the name is taken, the files in it are replaced one by one: a folder cannot be replaced at
    /// once on every platform, and a reader may be there. Equal keys have equal files, so files of
    /// two writers are those of one. `run.json` comes last: before, the folder is no run.
    pub fn publish(self) -> io::Result<()> {
        let _lock = self.shared.lock()?;
        if fs::rename(&self.own, &self.whole).is_err() {
            fs::create_dir_all(&self.whole)?;
            for name in stored::other_files(&self.own)? {
                fs::rename(self.own.join(&name), self.whole.join(&name))?;
            }
            fs::rename(self.own.join(RUN), self.whole.join(RUN))?;
            fs::remove_dir(&self.own)?;
        }
        remove_if_there(&self.partial())
    }

    /// Keeps the files of an interrupted run under a name that no complete run has.
    pub fn keep_partial(self) -> io::Result<()> {
        let _lock = self.shared.lock()?;
        let partial = self.partial();
        remove_if_there(&partial)?;
        fs::rename(&self.own, partial)
    }

    /// Removes the run.
    pub fn discard(self) -> io::Result<()> {
        fs::remove_dir_all(self.own)
    }

    fn partial(&self) -> PathBuf {
        // Names of runs have no dot.
        self.whole.with_extension("partial")
    }
}

fn remove_if_there(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
