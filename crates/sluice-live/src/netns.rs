use std::os::unix::fs::MetadataExt as _;

use crate::error::LiveError;

/// The number of the network namespace of this process, as `lsns -t net` lists it.
pub fn network_namespace() -> Result<u64, LiveError> {
    const FILE: &str = "/proc/self/ns/net";
    Ok(std::fs::metadata(FILE).map_err(LiveError::file(FILE))?.ino())
}
