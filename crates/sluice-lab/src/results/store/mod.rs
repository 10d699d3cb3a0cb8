//! The runs in a folder of results. A run has a folder of its own, written in the writer's
//! [`Scratch`](scratch) and renamed into place when it is complete. `run.json` has the digests of the
//! other files; a run whose files do not match them is made again.

mod damage;
mod folder;
mod lock;
mod part;
mod scratch;
mod stored;

pub use damage::{Damage, DamageKind};
pub use folder::{FileSet, SharedFolder};
pub use lock::FolderLock;
pub use part::Part;
pub use stored::{RUN, check_run};

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::key::RunId;
use super::run_file::StoredRun;

/// The folder of the runs in a folder of results.
const RUNS: &str = "runs";

/// A folder of results and its runs.
pub struct Store {
    folder: SharedFolder,
    runs: PathBuf,
}

impl Store {
    /// Opens a folder of results for writing; creates it if it does not exist.
    pub fn open(results: &Path) -> io::Result<Self> {
        let runs = results.join(RUNS);
        fs::create_dir_all(&runs)?;
        Ok(Self { folder: SharedFolder::open(results)?, runs })
    }

    /// Whether the folder of results has a run. Opens and checks nothing: a damaged one counts.
    pub fn has(results: &Path, id: &RunId) -> bool {
        results.join(RUNS).join(id.folder()).join(RUN).is_file()
    }

    /// The folder of results.
    pub fn folder(&self) -> &SharedFolder {
        &self.folder
    }

    /// The path of a file of a run.
    pub fn file(&self, id: &RunId, name: &str) -> PathBuf {
        self.runs.join(id.folder()).join(name)
    }

    /// A stored run; `None` if it is not stored. An error if a file of it is missing or altered.
    pub fn find(&self, id: &RunId) -> Result<Option<StoredRun>, Damage> {
        let folder = self.runs.join(id.folder());
        if !folder.exists() {
            return Ok(None);
        }
        let run = stored::read(&folder)?;
        if run.id() != *id {
            return Err(Damage { file: folder.join(RUN), kind: DamageKind::Altered });
        }
        Ok(Some(run))
    }

    /// Begins to write a run.
    pub fn begin(&self, id: &RunId) -> io::Result<Part<'_>> {
        Part::create(&self.folder, &self.runs, id.folder())
    }

    /// Number of complete runs whose folders are not in `used`: those of other scenarios, seeds or
    /// builds.
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
