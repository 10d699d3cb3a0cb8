//! Temporary control groups.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::TestbedError;
use crate::error::Attempt as _;

/// The directory under the hierarchy's root that has all of them.
const PARENT: &str = "sluice-testbed";

/// A control group of cgroup v2 for processes of a test, to which BPF programs can be attached.
/// Dropping it kills its processes and removes it, with the groups in it.
#[derive(Debug)]
pub struct Cgroup(PathBuf);

impl Cgroup {
    /// A new group. The name is part of its path, so that it can be recognised; several groups may
    /// have the same. Removes groups that ended processes left behind.
    ///
    /// # Errors
    /// If cgroup v2 is not mounted, or not writable (root can).
    pub fn new(name: &str) -> Result<Self, TestbedError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let parent = hierarchy()?.join(PARENT);
        remove_stale(&parent);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{}-{number}-{name}", std::process::id()));
        create(&path).attempt(|| format!("cannot create the cgroup {}", path.display()))?;
        Ok(Self(path))
    }

    /// Its directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Linux before 5.14 has no such file; its processes then end with their guards.
        let _ = fs::write(self.0.join("cgroup.kill"), "1");
        // Killed processes leave after a moment.
        for _ in 0..500 {
            if remove(&self.0).is_ok() {
                break;
            }
            sleep(Duration::from_millis(2));
        }
        // Fails while other groups are in it.
        let _ = self.0.parent().map(fs::remove_dir);
    }
}

/// Where cgroup v2 is mounted: `/sys/fs/cgroup`, or `/sys/fs/cgroup/unified` beside version 1.
pub(crate) fn hierarchy() -> Result<PathBuf, TestbedError> {
    let mounts = fs::read_to_string("/proc/self/mounts")
        .attempt(|| "cannot read /proc/self/mounts".into())?;
    let mounted = mounts.lines().find_map(|line| {
        let mut words = line.split(' ').skip(1);
        let place = words.next()?;
        (words.next()? == "cgroup2").then(|| PathBuf::from(place))
    });
    mounted.ok_or_else(|| TestbedError::new("cgroup v2 is not mounted"))
}

/// Creates a group in its parent, which another process may remove at the same time.
fn create(path: &Path) -> io::Result<()> {
    let mut result = fs::create_dir_all(path);
    for _ in 0..10 {
        match result {
            Err(ref error) if error.kind() == io::ErrorKind::NotFound => {
                result = fs::create_dir_all(path);
            }
            _ => break,
        }
    }
    result
}

/// Removes a group and those in it, from the innermost on. All are to be without processes.
fn remove(group: &Path) -> io::Result<()> {
    for inner in fs::read_dir(group)? {
        let inner = inner?;
        if inner.file_type()?.is_dir() {
            remove(&inner.path())?;
        }
    }
    fs::remove_dir(group)
}

/// Removes groups of processes that have ended. One with processes in it cannot be removed.
fn remove_stale(parent: &Path) {
    for group in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = group.file_name();
        let maker = name.to_string_lossy().split('-').next().and_then(|it| it.parse::<u32>().ok());
        let is_stale = maker.is_some_and(|maker| !Path::new(&format!("/proc/{maker}")).exists());
        if is_stale {
            let _ = remove(&group.path());
        }
    }
}
