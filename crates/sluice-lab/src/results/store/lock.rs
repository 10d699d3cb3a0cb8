//! Locks between the writers and readers of a folder of results.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// The file that is locked, in the folder of results. It is empty and stays there.
const LOCK: &str = ".lock";

/// An advisory lock on a folder, released when dropped. On a file system without locks it holds
/// nothing; [`FolderLock::is_held`] is false then.
pub struct FolderLock(Option<File>);

impl FolderLock {
    /// Waits until no other writer or reader has a lock. Held only while files are renamed or removed.
    pub fn exclusive(folder: &Path) -> io::Result<Self> {
        let path = folder.join(LOCK);
        let mut options = OpenOptions::new();
        let file = match options.read(true).write(true).create(true).truncate(false).open(&path) {
            // Another user's, in a folder that both may write.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(&path)?,
            file => file?,
        };
        let held = file.lock().is_ok();
        Ok(Self(held.then_some(file)))
    }

    /// Waits until no writer has a lock. Works in folders that cannot be written.
    pub fn shared(folder: &Path) -> Self {
        let file = File::open(folder.join(LOCK)).ok();
        Self(file.filter(|file| file.lock_shared().is_ok()))
    }

    /// Whether others are excluded.
    pub fn is_held(&self) -> bool {
        self.0.is_some()
    }
}
