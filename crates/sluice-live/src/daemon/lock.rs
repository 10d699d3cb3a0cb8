//! The lock that a service holds while it lives, however it ends.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::error::LiveError;
use crate::run_dir::{DaemonName, DaemonRole, RunDir};
use crate::sysctl;

/// The lock of a service. The kernel releases it with the process.
pub struct DaemonLock {
    /// Its file, which goes with it unless it is left.
    path: Option<PathBuf>,
    _file: File,
}

impl DaemonLock {
    /// Takes the lock of a service, `None` if a process has it.
    pub fn take(dir: &RunDir, name: &DaemonName) -> Result<Option<Self>, LiveError> {
        dir.create()?;
        let path = dir.lock(name);
        // Whoever looks whether a lock is held has it for a moment.
        for _ in 0..20 {
            let mut file = open(&path).map_err(LiveError::file(path.display()))?;
            // The one before may have removed the file meanwhile.
            if file.try_lock().is_ok() && is_at(&file, &path) {
                let number = format!("{}\n", std::process::id());
                file.set_len(0)
                    .and_then(|()| file.write_all(number.as_bytes()))
                    .map_err(LiveError::file(path.display()))?;
                return Ok(Some(Self { path: Some(path), _file: file }));
            }
            sleep(Duration::from_millis(10));
        }
        Ok(None)
    }

    /// Releases it after an end in order, which nobody needs to know of: the log goes, too.
    pub fn end(self, dir: &RunDir, name: &DaemonName) {
        // In the foreground there is none.
        let _ = fs::remove_file(dir.log(name));
    }

    /// Releases it and leaves its file, as a process does that is killed: the service has failed, and somebody should know.
    pub fn leave(mut self) {
        self.path = None;
    }

    /// Whether a process has the lock of a service.
    pub fn is_held(dir: &RunDir, name: &DaemonName) -> bool {
        File::open(dir.lock(name)).is_ok_and(|file| file.try_lock_shared().is_err())
    }

    /// The error of a second service of this name.
    pub fn taken(dir: &RunDir, name: &DaemonName) -> LiveError {
        let process = Self::holder(dir, name).map(|process| format!(" (process {process})"));
        let process = process.unwrap_or_default();
        let down = name.down_command();
        LiveError::other(format!("a {name} is up already{process}: `{down}` ends it"))
    }

    /// The process that has the lock of a service, as it says.
    pub fn holder(dir: &RunDir, name: &DaemonName) -> Option<u32> {
        fs::read_to_string(dir.lock(name)).ok()?.trim().parse().ok()
    }
}

impl Drop for DaemonLock {
    fn drop(&mut self) {
        // Before it is released, so that no other process removes that of its successor.
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}

/// The host that is up on this machine and its process, if it is of this run directory.
pub fn known_host(dir: &RunDir) -> Option<(DaemonName, u32)> {
    let process = sysctl::host_process()?;
    let has_it = |name: &DaemonName| {
        name.role == DaemonRole::Host
            && DaemonLock::holder(dir, name) == Some(process)
            && DaemonLock::is_held(dir, name)
    };
    Some((dir.names().ok()?.into_iter().find(has_it)?, process))
}

fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => ours.ino() == there.ino(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_of_each_name() {
        let path = std::env::temp_dir().join(format!("sluice-lock-{}", std::process::id()));
        let (dir, name) = (RunDir::at(&path), DaemonName::router("eth1", 7));
        assert!(!DaemonLock::is_held(&dir, &name));
        let lock = DaemonLock::take(&dir, &name).unwrap().unwrap();
        assert!(DaemonLock::is_held(&dir, &name));
        assert_eq!(DaemonLock::holder(&dir, &name), Some(std::process::id()));
        assert!(DaemonLock::take(&dir, &name).unwrap().is_none());
        assert!(DaemonLock::take(&dir, &DaemonName::host(7)).unwrap().is_some());
        drop(lock);
        assert!(!DaemonLock::is_held(&dir, &name));
        // As a killed process leaves it.
        fs::write(dir.lock(&name), "1\n").unwrap();
        assert!(!DaemonLock::is_held(&dir, &name));
        drop(DaemonLock::take(&dir, &name).unwrap().unwrap());
        dir.remove_if_empty();
        assert!(!path.exists());
    }
}
