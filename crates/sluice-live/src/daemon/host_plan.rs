//! Where a host is to work.

use std::path::PathBuf;

use sluice_linux::Device;

use crate::cgroup::cgroup_root;
use crate::error::LiveError;
use crate::settings::HostSettings;

/// Where a host would work, here and now.
pub struct HostPlan {
    pub cgroup: PathBuf,
    /// Those that the settings name, or all Ethernet devices that are up.
    pub devices: Vec<Device>,
}

impl HostPlan {
    pub fn of(settings: &HostSettings) -> Result<Self, LiveError> {
        let cgroup = match &settings.cgroup {
            Some(cgroup) => cgroup.clone(),
            None => cgroup_root()?,
        };
        // Of any other folder the kernel says nothing but "bad file descriptor".
        if !cgroup.join("cgroup.controllers").exists() {
            let cgroup = cgroup.display();
            return Err(LiveError::other(format!(
                "{cgroup} is no cgroup of version 2 (`systemd-cgls` or `find /sys/fs/cgroup -type d` lists them)"
            )));
        }
        let devices = match &settings.dev[..] {
            [] => Device::ethernet_up()?,
            names => names.iter().map(|name| Device::named(name)).collect::<Result<_, _>>()?,
        };
        Ok(Self { cgroup, devices })
    }
}
