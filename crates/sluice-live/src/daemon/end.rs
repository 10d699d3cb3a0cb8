//! The end of services, running or killed.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sluice_linux::{AttachedFilter, Device, Error, FilterRole};

use super::client::ask;
use super::control::{ControlAnswer, ControlRequest};
use super::host_state::HostState;
use super::lock::DaemonLock;
use super::privilege;
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::run_dir::{DaemonName, DaemonRole, RunDir};

/// How long a process may take to end after its answer.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// The services of a run directory, running or killed, and routers whose filters are at devices of this network namespace
/// without a process.
///
/// # Errors
/// If the run directory or the devices cannot be read.
pub fn services(dir: &RunDir) -> Result<Vec<DaemonName>, LiveError> {
    let mut names = dir.names()?;
    let namespace = network_namespace()?;
    for device in Device::ethernet_up()? {
        let name = DaemonName::router(device.name(), namespace);
        if AttachedFilter::left_at(&device, FilterRole::Router)?.is_some() && !names.contains(&name)
        {
            names.push(name);
        }
    }
    Ok(names)
}

/// Ends a service and puts back what it changed, also if its process was killed. Returns whether there was anything.
///
/// # Errors
/// If something could not be put back, or a killed service was in another network namespace.
pub fn take_down(dir: &RunDir, name: &DaemonName) -> Result<bool, LiveError> {
    let was_there = if DaemonLock::is_held(dir, name) {
        end(dir, name)?;
        true
    } else {
        privilege::need()?;
        clean(dir, name)?
    };
    for file in [dir.lock(name), dir.socket(name), dir.log(name)] {
        // Most are not there.
        let _ = fs::remove_file(file);
    }
    dir.remove_if_empty();
    Ok(was_there)
}

fn end(dir: &RunDir, name: &DaemonName) -> Result<(), LiveError> {
    let answer = ask(dir, name, ControlRequest::Down);
    if let Ok(ControlAnswer::Error(what)) = answer {
        return Err(LiveError::other(format!("{name}: {what}")));
    }
    let asked = Instant::now();
    while DaemonLock::is_held(dir, name) {
        if asked.elapsed() > ENDS_WITHIN {
            // Why it did not answer, if it did not.
            answer?;
            return Err(LiveError::other(format!("{name}: its process does not end")));
        }
        sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// Puts back what a killed process left. Whether there was anything.
fn clean(dir: &RunDir, name: &DaemonName) -> Result<bool, LiveError> {
    let has_files = dir.lock(name).exists();
    if name.namespace != network_namespace()? {
        let state = dir.state(name);
        return match state.exists() {
            true => Err(LiveError::other(format!(
                "{name}: it was killed in network namespace {}: run `sluice down` there, or remove {} if it is gone",
                name.namespace,
                state.display()
            ))),
            false => Ok(has_files),
        };
    }
    let had_left = match &name.role {
        DaemonRole::Router(device) => match filter_left(device)? {
            Some(left) => left.detach().map(|()| true)?,
            None => false,
        },
        DaemonRole::Host => {
            let file = dir.state(name);
            let state = HostState::read(&file)?;
            state.restore(&file)?;
            state != HostState::default()
        }
    };
    Ok(has_files || had_left)
}

/// The filter of a router at a device of this namespace; none if there is no such device.
pub fn filter_left(device: &str) -> Result<Option<AttachedFilter>, LiveError> {
    match Device::named(device) {
        Err(Error::NoDevice(..)) => Ok(None),
        device => Ok(AttachedFilter::left_at(&device?, FilterRole::Router)?),
    }
}
