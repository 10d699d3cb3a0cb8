//! What the end of a service changes.

use std::fs;
use std::path::PathBuf;

use super::change::Change;
use super::end::ended_elsewhere;
use super::filters;
use super::host_state::HostState;
use super::lock::DaemonLock;
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::run_dir::{DaemonName, DaemonRole, RunDir};

/// What [`take_down`](crate::take_down) would do with these services, one after the other.
///
/// # Errors
/// For each of which the kernel does not say what is at its devices, whose state cannot be read, or that was killed in
/// another network namespace.
pub fn down_changes(dir: &RunDir, names: &[DaemonName]) -> Vec<Result<Vec<Change>, LiveError>> {
    let mut removed = Vec::new();
    names
        .iter()
        .map(|name| {
            let mut changes = of_service(dir, name)?;
            let files = dir.files(name).into_iter().filter(|file| file.exists());
            let files: Vec<_> = files.collect();
            changes.extend(
                files.iter().map(|file| Change::new(format!("remove the file {}", file.display()))),
            );
            removed.extend(files);
            if !changes.is_empty() && is_emptied(dir, &removed) {
                let path = dir.path().display();
                changes.push(Change::new(format!("remove the folder {path}")));
            }
            Ok(changes)
        })
        .collect()
}

/// But for its files.
fn of_service(dir: &RunDir, name: &DaemonName) -> Result<Vec<Change>, LiveError> {
    let is_up = DaemonLock::is_held(dir, name);
    let is_here = name.namespace == network_namespace()?;
    let mut changes = Vec::new();
    if is_up {
        let process = DaemonLock::holder(dir, name);
        let process = process.map_or("?".into(), |process| process.to_string());
        let with_it = match name.role {
            DaemonRole::Router(_) => "",
            DaemonRole::Host => ", and with it its programs at sockets and its congestion control",
        };
        changes.push(Change::new(format!("end process {process}, the {name}{with_it}")));
    }
    match &name.role {
        // Of another namespace, nothing can be seen from here.
        _ if !is_here && is_up => {
            let namespace = name.namespace;
            let there = format!("put back what it changed in network namespace {namespace}");
            changes.push(Change::new(there));
        }
        _ if !is_here => return Err(ended_elsewhere(dir, name)),
        DaemonRole::Router(device) => {
            changes.extend(filters::of_router(device)?.iter().map(Change::removal));
        }
        DaemonRole::Host => {
            let state = HostState::read(&dir.state(name))?;
            let there = state.sysctls.iter().filter(|sysctl| sysctl.is_there());
            changes.extend(there.map(Change::put_back));
            for filter in filters::of_host(dir, name) {
                changes.push(Change::removal(&filter?));
            }
        }
    }
    Ok(changes)
}

/// Whether the run directory has these files alone.
fn is_emptied(dir: &RunDir, removed: &[PathBuf]) -> bool {
    let entries = fs::read_dir(dir.path());
    entries.is_ok_and(|entries| entries.flatten().all(|entry| removed.contains(&entry.path())))
}
