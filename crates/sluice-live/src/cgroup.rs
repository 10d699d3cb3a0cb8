use std::fs;
use std::path::PathBuf;

use crate::error::LiveError;

/// Where cgroup v2 is mounted: `/sys/fs/cgroup`, or `/sys/fs/cgroup/unified` beside version 1.
pub fn cgroup_root() -> Result<PathBuf, LiveError> {
    const MOUNTS: &str = "/proc/self/mounts";
    let mounts = fs::read_to_string(MOUNTS).map_err(LiveError::file(MOUNTS))?;
    mounted(&mounts).ok_or_else(|| {
        LiveError::other(
            "cgroup v2 is not mounted (`mount -t cgroup2 none /sys/fs/cgroup` mounts it)",
        )
    })
}

fn mounted(mounts: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let mut words = line.split(' ').skip(1);
        let place = words.next()?;
        (words.next()? == "cgroup2").then(|| PathBuf::from(place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mount_of_version_2_is_found() {
        let mounts =
            "cgroup /sys/fs/cgroup/cpu cgroup rw 0 0\nnone /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        assert_eq!(mounted(mounts), Some(PathBuf::from("/sys/fs/cgroup/unified")));
        assert_eq!(mounted("cgroup /sys/fs/cgroup/cpu cgroup rw 0 0\n"), None);
    }
}
