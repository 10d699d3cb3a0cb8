//! The end of services, running or killed.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sluice_linux::{AttachedFilter, Device, FilterRole};

use super::client::ask;
use super::control::{ControlAnswer, ControlRequest};
use super::filters;
use super::host_state::HostState;
use super::lock::DaemonLock;
use super::privilege;
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::run_dir::{DaemonName, DaemonRole, RunDir};

/// How long a process may take to end, from the request on.
const ENDS_WITHIN: Duration = Duration::from_secs(15);

/// The services of a run directory, running or killed, and those whose filters are at devices of this network namespace
/// without a process; in order. With them, the first error if the run directory or a device cannot be read, which may hide
/// others.
pub fn services(dir: &RunDir) -> (Vec<DaemonName>, Result<(), LiveError>) {
    let mut found: Vec<_> = match dir.names() {
        Ok(names) => names.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    };
    match network_namespace() {
        Ok(namespace) => found.extend(with_filters(dir, namespace)),
        Err(error) => found.push(Err(error)),
    }
    in_order(found)
}

/// The services whose filters are at devices of this network namespace, some several times.
fn with_filters(
    dir: &RunDir,
    namespace: u64,
) -> impl Iterator<Item = Result<DaemonName, LiveError>> {
    let router =
        move |filter: AttachedFilter| DaemonName::router(filter.device().name(), namespace);
    let routers = filters::all_of(FilterRole::Router).into_iter();
    let host = DaemonName::host(namespace);
    let hosts = filters::of_host(dir, &host).into_iter();
    let hosts = hosts.map(move |filter| filter.map(|_| host.clone()));
    routers.map(move |filter| filter.map(router)).chain(hosts)
}

/// Each name once, and the first error.
fn in_order(found: Vec<Result<DaemonName, LiveError>>) -> (Vec<DaemonName>, Result<(), LiveError>) {
    let (mut names, mut all) = (Vec::new(), Ok(()));
    for service in found {
        match service {
            Ok(name) => names.push(name),
            Err(error) => all = all.and(Err(error)),
        }
    }
    names.sort();
    names.dedup();
    (names, all)
}

/// The name of the router at a device of this network namespace, of which any name will do.
///
/// # Errors
/// If there is no network namespace to be seen.
pub fn router_name(device: &str) -> Result<DaemonName, LiveError> {
    let found = Device::named(device);
    let device = found.as_ref().map_or(device, |device| device.name());
    Ok(DaemonName::router(device, network_namespace()?))
}

/// Ends a service and puts back what it changed, also if its process was killed. Returns whether there was anything.
///
/// # Errors
/// If something could not be put back, or a killed service was in another network namespace.
pub fn take_down(dir: &RunDir, name: &DaemonName) -> Result<bool, LiveError> {
    let was_up = DaemonLock::is_held(dir, name);
    if was_up {
        end(dir, name)?;
        let _ = fs::remove_file(dir.log(name));
        dir.remove_if_empty();
    }
    // An end in order leaves nothing.
    Ok(clean(dir, name)? || was_up)
}

/// Puts back what a service changed whose process was killed, or failed. Returns whether there was anything; a service that
/// is up stays up.
///
/// # Errors
/// If something could not be put back, or it was in another network namespace.
pub fn clean(dir: &RunDir, name: &DaemonName) -> Result<bool, LiveError> {
    privilege::need()?;
    let has_files = dir.lock(name).exists() || dir.state(name).exists();
    if name.namespace != network_namespace()? {
        return match has_files && !DaemonLock::is_held(dir, name) {
            true => Err(ended_elsewhere(dir, name)),
            false => Ok(false),
        };
    }
    // Nobody starts it meanwhile.
    let Some(lock) = DaemonLock::take(dir, name)? else { return Ok(false) };
    let had_left = match restore(dir, name) {
        Ok(had_left) => had_left,
        Err(error) => {
            // To be tried again.
            lock.leave();
            return Err(error);
        }
    };
    for file in [dir.socket(name), dir.log(name)] {
        // Most are not there.
        let _ = fs::remove_file(file);
    }
    drop(lock);
    dir.remove_if_empty();
    Ok(has_files || had_left)
}

/// The error of a service that was killed in another namespace.
pub fn ended_elsewhere(dir: &RunDir, name: &DaemonName) -> LiveError {
    LiveError::other(format!(
        "{name}: it ended in network namespace {}: run `{}` there, or remove {}.* if that is gone",
        name.namespace,
        name.down_command(),
        dir.lock(name).with_extension("").display()
    ))
}

fn end(dir: &RunDir, name: &DaemonName) -> Result<(), LiveError> {
    let asked = Instant::now();
    // One that is starting has no socket yet.
    let mut answer = ask(dir, name, ControlRequest::Down);
    while DaemonLock::is_held(dir, name) {
        if asked.elapsed() > ENDS_WITHIN {
            // Why it did not answer, if it did not.
            answer?;
            return Err(LiveError::other(format!("{name}: its process does not end")));
        }
        sleep(Duration::from_millis(5));
        if matches!(answer, Err(LiveError::File(..))) {
            answer = ask(dir, name, ControlRequest::Down);
        }
    }
    match answer {
        Ok(ControlAnswer::Error(what)) => Err(LiveError::other(format!("{name}: {what}"))),
        _ => Ok(()),
    }
}

/// Puts back what a service left in this namespace. Whether there was anything.
fn restore(dir: &RunDir, name: &DaemonName) -> Result<bool, LiveError> {
    match &name.role {
        DaemonRole::Router(device) => match filters::of_router(device)? {
            Some(left) => filters::detach(dir, left).map(|()| true),
            None => Ok(false),
        },
        DaemonRole::Host => {
            let file = dir.state(name);
            let state = HostState::read(&file)?;
            let filters = filters::of_host(dir, name);
            let had_left = state != HostState::default() || !filters.is_empty();
            state.restore(dir, filters, &file)?;
            Ok(had_left)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_found_beside_devices_that_cannot_be_read() {
        let (host, router) = (DaemonName::host(7), DaemonName::router("out", 7));
        let unknown = |what: &str| Err(LiveError::other(what));
        let found = vec![
            Ok(router.clone()),
            unknown("first"),
            Ok(host.clone()),
            unknown("second"),
            Ok(router.clone()),
        ];
        let (names, all) = in_order(found);
        assert_eq!(names, [host, router]);
        assert_eq!(all.unwrap_err().to_string(), "first");
        assert!(in_order(Vec::new()).1.is_ok());
    }
}
