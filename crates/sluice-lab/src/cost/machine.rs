//! The memory, disk space and cores that runs can use.

use std::path::{Path, PathBuf};

use sluice_units::Bytes;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What is available on this machine; in a container, what is available to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Free memory, and that of caches; `None` if unknown.
    pub memory: Option<Bytes>,
    /// Free space on the disk of a folder; `None` if unknown.
    pub disk: Option<Bytes>,
    /// Number of cores.
    pub cores: usize,
}

impl Machine {
    /// This machine, for results in `folder`, which need not exist.
    pub fn here(folder: &Path) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { memory: free_memory(), disk: disk(folder), cores }
    }
}

/// See [`Machine::memory`].
pub fn free_memory() -> Option<Bytes> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    if system.total_memory() == 0 {
        // Without /proc; what follows would panic.
        return None;
    }
    // Its `free_memory` counts cached files as used.
    let left = |limits: sysinfo::CGroupLimits| limits.total_memory.saturating_sub(limits.rss);
    let container = system.cgroup_limits().map_or(u64::MAX, left);
    let free = system.available_memory().min(container);
    (free > 0).then(|| Bytes::new(free))
}

fn disk(folder: &Path) -> Option<Bytes> {
    fs4::available_space(existing(folder)?).ok().map(Bytes::new)
}

/// The folder itself, or the first one above it that exists.
fn existing(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find_map(|path| path.canonicalize().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_something() {
        let machine = Machine::here(Path::new("folder/that/does/not/exist"));
        assert!(machine.cores > 0, "{machine:?}");
        assert!(machine.memory.is_some_and(|memory| memory > Bytes::new(1 << 20)), "{machine:?}");
        assert!(machine.disk.is_some(), "{machine:?}");
    }
}
