//! Filters at the devices of this network namespace, found by their place.

use sluice_linux::{AttachedFilter, Device, Error, FilterRole};

use super::lock::known_host;
use crate::error::LiveError;
use crate::run_dir::{DaemonName, RunDir};
use crate::sysctl;

/// Those of a role, of a process that is up or was killed; an error for each device of which the kernel does not say.
pub fn all_of(role: FilterRole) -> Vec<Result<AttachedFilter, LiveError>> {
    let left = |device| AttachedFilter::left_at(device, role).map_err(LiveError::from).transpose();
    match Device::all() {
        Ok(devices) => devices.iter().filter_map(left).collect(),
        Err(error) => vec![Err(error.into())],
    }
}

/// That of the router at a device; none if there is no such device.
pub fn of_router(device: &str) -> Result<Option<AttachedFilter>, LiveError> {
    match Device::named(device) {
        Err(Error::NoDevice(..)) => Ok(None),
        device => Ok(AttachedFilter::left_at(&device?, FilterRole::Router)?),
    }
}

/// Those of a host of this name, which is up by this run directory, or was killed. None where another one may have them: if
/// a host is up of which this run directory knows nothing.
pub fn of_host(dir: &RunDir, name: &DaemonName) -> Vec<Result<AttachedFilter, LiveError>> {
    let found = all_of(FilterRole::Host);
    let are_ours = found.is_empty()
        || dir.state(name).exists()
        || known_host(dir).is_some()
        || !sysctl::has_host_still();
    if are_ours { found } else { Vec::new() }
}

/// Removes a filter.
pub fn detach(dir: &RunDir, filter: AttachedFilter) -> Result<(), LiveError> {
    let _turn = dir.take_turn();
    Ok(filter.detach()?)
}
