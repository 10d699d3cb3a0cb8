//! A folder that any number of processes and threads write at once.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fs_err::{self as fs, File};

use super::lock::FolderLock;
use super::scratch::Scratch;

/// A folder with other writers. Files are written in a [`Scratch`] and renamed into place when they are
/// complete: readers and other writers see a file whole or not at all.
pub struct SharedFolder {
    path: PathBuf,
    scratch: Scratch,
}

impl SharedFolder {
    /// Opens a folder for writing; creates it if it does not exist.
    pub fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Self { path: path.to_owned(), scratch: Scratch::create(path)? })
    }

    /// The folder of this writer's own, on the same file system.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Excludes other writers, and readers that ask for it, until dropped.
    pub fn lock(&self) -> io::Result<FolderLock> {
        FolderLock::exclusive(&self.path)
    }

    /// Files to be replaced together.
    pub fn file_set(&self) -> FileSet<'_> {
        FileSet { folder: self, names: Vec::new() }
    }
}

/// Files that get their names together, so that no file of one writer is seen beside those of another.
pub struct FileSet<'a> {
    folder: &'a SharedFolder,
    names: Vec<PathBuf>,
}

impl FileSet<'_> {
    /// Writes a file that will be at `name` in the folder. Its last part is unique among the files that
    /// a writer has open.
    pub fn add(
        &mut self,
        name: impl Into<PathBuf>,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let name = name.into();
        let mut out = BufWriter::new(File::create(self.staged(&name))?);
        write(&mut out)?;
        out.flush()?;
        self.names.push(name);
        Ok(())
    }

    /// Gives the files their names, in place of those that are there.
    pub fn publish(self) -> io::Result<()> {
        let _lock = self.folder.lock()?;
        for name in &self.names {
            fs::rename(self.staged(name), self.folder.path.join(name))?;
        }
        Ok(())
    }

    fn staged(&self, name: &Path) -> PathBuf {
        self.folder.scratch().join(name.file_name().unwrap_or_default())
    }
}
