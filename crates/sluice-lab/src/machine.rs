//! The memory, disk space and cores that runs can use.

use std::path::{Path, PathBuf};

use sluice_units::Bytes;
use sysinfo::{DiskRefreshKind, Disks, MemoryRefreshKind, RefreshKind, System};

/// What is available on this machine; in a container, what is available to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Free memory, with that of caches.
    pub memory: Bytes,
    /// Free space on the disk of a folder; `None` if unknown.
    pub disk: Option<Bytes>,
    /// Number of cores.
    pub cores: usize,
}

impl Machine {
    /// This machine, for results in `folder`, which need not exist.
    pub fn here(folder: &Path) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { memory: memory(), disk: disk(folder), cores }
    }
}

fn memory() -> Bytes {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    let container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    Bytes::new(system.available_memory().min(container))
}

fn disk(folder: &Path) -> Option<Bytes> {
    let folder = existing(folder)?;
    let disks = Disks::new_with_refreshed_list_specifics(DiskRefreshKind::nothing().with_storage());
    let mounted = disks.iter().filter(|disk| folder.starts_with(disk.mount_point()));
    let disk = mounted.max_by_key(|disk| disk.mount_point().components().count())?;
    Some(Bytes::new(disk.available_space()))
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
        assert!(machine.memory > Bytes::new(1 << 20) && machine.cores > 0, "{machine:?}");
        assert!(machine.disk.is_none_or(|disk| disk > Bytes::ZERO), "{machine:?}");
    }
}
