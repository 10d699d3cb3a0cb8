//! The folder in which a writer keeps files that are not complete yet.
//!
//! `1.part`, `2.part`, ... in the folder of results: each writer creates its own and no other one writes
//! into it. Its `lock` is locked as long as the writer lives, whatever ends it, so that the next writer
//! can remove what a dead one left, and leaves alone what a living one has.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::lock::FolderLock;

const LOCK: &str = "lock";
const EXTENSION: &str = "part";

/// A folder of one writer's own, removed when dropped.
pub struct Scratch {
    shared: PathBuf,
    own: PathBuf,
    /// Locked while the writer lives.
    _alive: File,
}

impl Scratch {
    /// Removes what dead writers left in `shared`, and creates a folder of this writer's own there.
    pub fn create(shared: &Path) -> io::Result<Self> {
        let lock = FolderLock::exclusive(shared)?;
        // Without locks, living and dead look the same.
        if lock.is_held() {
            remove_dead(shared)?;
        }
        let own = create_first_free(shared)?;
        let alive = File::create(own.join(LOCK))?;
        // If this fails on this file system, it fails for those who would remove the folder.
        _ = alive.lock();
        Ok(Self { shared: shared.to_owned(), own, _alive: alive })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.own
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Another writer may see the folder without its lock, but not while this is held.
        let _lock = FolderLock::exclusive(&self.shared);
        // What is left now, the next writer removes.
        _ = fs::remove_dir_all(&self.own);
    }
}

/// Creating a folder fails if it exists, on every platform: two writers never get the same.
fn create_first_free(shared: &Path) -> io::Result<PathBuf> {
    let mut number = 1_u64;
    loop {
        let path = shared.join(format!("{number}.{EXTENSION}"));
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            created => return created.map(|()| path),
        }
    }
}

fn remove_dead(shared: &Path) -> io::Result<()> {
    for entry in fs::read_dir(shared)? {
        let path = entry?.path();
        if is_scratch(&path) && is_dead(&path) {
            // Another user's may be impossible to remove, which is no reason to fail.
            _ = fs::remove_dir_all(path);
        }
    }
    Ok(())
}

fn is_scratch(path: &Path) -> bool {
    let number = path.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.parse::<u64>().ok());
    number.is_some() && path.extension() == Some(OsStr::new(EXTENSION))
}

fn is_dead(scratch: &Path) -> bool {
    match File::open(scratch.join(LOCK)) {
        Ok(alive) => alive.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
