//! The runs in a folder of results. A run has a folder of its own, which gets its name once all in
//! it is written: whatever ends the program, what has the name is whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::key::RunId;
use super::run_file::StoredRun;

/// The file of a run's totals.
pub const RUN: &str = "run.json";

/// A folder of runs.
pub struct Store {
    runs: PathBuf,
}

impl Store {
    /// The runs in a folder of results.
    pub fn open(results: &Path) -> io::Result<Self> {
        let runs = results.join("runs");
        fs::create_dir_all(&runs)?;
        Ok(Self { runs })
    }

    /// A file of a run that is there.
    pub fn file(&self, id: &RunId, name: &str) -> PathBuf {
        self.runs.join(id.folder()).join(name)
    }

    /// What a run found, if it is there and can be read.
    pub fn find(&self, id: &RunId) -> Option<StoredRun> {
        let text = fs::read(self.file(id, RUN)).ok()?;
        let run: StoredRun = serde_json::from_slice(&text).ok()?;
        (run.id() == *id).then_some(run)
    }

    /// Begins to write a run.
    pub fn begin(&self, id: &RunId) -> io::Result<Part> {
        // Another process may write the same run at the same time.
        let part = self.runs.join(format!("{}.{}.part", id.folder(), std::process::id()));
        if part.exists() {
            fs::remove_dir_all(&part)?;
        }
        fs::create_dir(&part)?;
        Ok(Part { runs: self.runs.clone(), folder: id.folder(), part })
    }

    /// How many whole runs there are whose folders are not among these: of another scenario, other
    /// seeds, or another build.
    pub fn others(&self, used: &[String]) -> io::Result<usize> {
        let mut others = 0;
        for entry in fs::read_dir(&self.runs)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_whole = !name.contains('.') && entry.path().join(RUN).is_file();
            others += usize::from(is_whole && !used.contains(&name));
        }
        Ok(others)
    }
}

/// A run that is being written.
pub struct Part {
    runs: PathBuf,
    folder: String,
    part: PathBuf,
}

impl Part {
    /// Where its files go.
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// All is written: the run gets its name, in place of one that was there.
    pub fn finish(self) -> io::Result<()> {
        let whole = self.runs.join(&self.folder);
        if whole.exists() {
            fs::remove_dir_all(&whole)?;
        }
        let renamed = fs::rename(&self.part, &whole);
        if renamed.is_err() && !whole.join(RUN).is_file() {
            return renamed;
        }
        self.remove_leftovers()
    }

    /// Keeps the files of an interrupted run under a name that no finished run has.
    pub fn keep_partial(self) -> io::Result<()> {
        let partial = self.runs.join(format!("{}.partial", self.folder));
        if partial.exists() {
            fs::remove_dir_all(&partial)?;
        }
        fs::rename(&self.part, partial)
    }

    /// There is nothing worth keeping.
    pub fn discard(self) -> io::Result<()> {
        fs::remove_dir_all(self.part)
    }

    /// What earlier attempts at this run left.
    fn remove_leftovers(&self) -> io::Result<()> {
        let prefix = format!("{}.", self.folder);
        for entry in fs::read_dir(&self.runs)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }
}
