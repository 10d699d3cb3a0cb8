//! A folder that any number of processes and threads write at once.

use std::collections::BTreeSet;
use std::ffi::OsStr;
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
        FileSet { folder: self, names: BTreeSet::new(), replaced: Vec::new() }
    }
}

/// Files that get their names together, so that no file of one writer is seen beside those of another.
pub struct FileSet<'a> {
    folder: &'a SharedFolder,
    names: BTreeSet<PathBuf>,
    /// Folders of which the set has all files.
    replaced: Vec<PathBuf>,
}

impl FileSet<'_> {
    /// Writes a file that will be at `name` in the folder.
    pub fn add(
        &mut self,
        name: impl Into<PathBuf>,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let name = name.into();
        let mut out = BufWriter::new(File::create(self.staged(&name))?);
        write(&mut out)?;
        out.flush()?;
        self.names.insert(name);
        Ok(())
    }

    /// Gives a file in the folder, which no one changes in place, the further name `name`. Where a
    /// file system has no hard links, it is copied.
    pub fn link(&mut self, name: impl Into<PathBuf>, file: &Path) -> io::Result<()> {
        let name = name.into();
        let staged = self.staged(&name);
        fs::hard_link(file, &staged).or_else(|_| fs::copy(file, &staged).map(drop))?;
        self.names.insert(name);
        Ok(())
    }

    /// Removes all other Parquet files in a folder when the set is published.
    pub fn replace_folder(&mut self, name: impl Into<PathBuf>) {
        self.replaced.push(name.into());
    }

    /// Gives the files their names, in place of those that are there.
    pub fn publish(self) -> io::Result<()> {
        let _lock = self.folder.lock()?;
        for parent in self.names.iter().filter_map(|name| name.parent()).collect::<BTreeSet<_>>() {
            fs::create_dir_all(self.folder.path.join(parent))?;
        }
        for name in &self.names {
            fs::rename(self.staged(name), self.folder.path.join(name))?;
        }
        self.replaced.iter().try_for_each(|folder| self.remove_others(folder))
    }

    /// Removes the Parquet files below a folder that are not in the set, and what is empty then.
    fn remove_others(&self, folder: &Path) -> io::Result<()> {
        let path = self.folder.path.join(folder);
        if !path.exists() {
            return Ok(());
        }
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            let name = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                self.remove_others(&name)?;
            } else if name.extension() == Some(OsStr::new("parquet")) && !self.names.contains(&name)
            {
                fs::remove_file(entry.path())?;
            }
        }
        // It fails if a file is left.
        _ = fs::remove_dir(&path);
        Ok(())
    }

    fn staged(&self, name: &Path) -> PathBuf {
        self.folder.scratch().join(name.to_string_lossy().replace(['/', '\\'], "+"))
    }
}
