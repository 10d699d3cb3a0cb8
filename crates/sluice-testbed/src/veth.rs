//! Links without emulation.

use std::os::fd::AsRawFd as _;

use crate::{Namespace, TestbedError};

/// Joins two namespaces by a pair of veth devices, which are up. They last as long as both
/// namespaces.
///
/// # Errors
/// If a name is taken, is not of 1 to 15 bytes, or `ip` is missing.
pub fn veth(a: &Namespace, name_a: &str, b: &Namespace, name_b: &str) -> Result<(), TestbedError> {
    // `ip` takes namespaces by path.
    let peer = format!("/proc/{}/fd/{}", std::process::id(), b.descriptor().as_raw_fd());
    a.ip(&["link", "add", name_a, "type", "veth", "peer", "name", name_b, "netns", &peer])?;
    a.ip(&["link", "set", name_a, "up"])?;
    b.ip(&["link", "set", name_b, "up"])?;
    Ok(())
}
