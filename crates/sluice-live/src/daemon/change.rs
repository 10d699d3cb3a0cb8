//! What a command would change, for `--dry-run`.

use std::fmt;

use sluice_linux::{AttachedFilter, Device, Error, FilterRole};

use super::filters;
use super::host_plan::HostPlan;
use super::host_state::HostState;
use super::lock::DaemonLock;
use crate::error::LiveError;
use crate::netns::network_namespace;
use crate::run_dir::{DaemonName, DaemonRole, RunDir};
use crate::settings::{HostSettings, RouterSettings};

/// A change of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change(String);

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn change(what: impl Into<String>) -> Change {
    Change(what.into())
}

/// What [`run_router`](crate::run_router) would do.
///
/// # Errors
/// If there is no such device, or no filter can be attached there.
pub fn router_changes(settings: &RouterSettings, dir: &RunDir) -> Result<Vec<Change>, LiveError> {
    let device = Device::named(&settings.dev)?;
    let name = DaemonName::router(device.name(), network_namespace()?);
    let mut changes = Vec::new();
    let dev = device.name();
    if !device.has_clsact()? {
        changes.push(change(format!("add the qdisc `clsact` to {dev}")));
    }
    changes.push(change(match AttachedFilter::left_at(&device, FilterRole::Router)? {
        Some(left) => format!(
            "replace the filter of an earlier router at the egress of {dev} (program {})",
            left.program_id()
        ),
        None => format!("attach a BPF filter at the egress of {dev}, priority 81"),
    }));
    let (rate, gamma) = (settings.rate, settings.rcp.gamma);
    changes.push(change(format!("grant rates at {dev} so that flows fill {gamma} of {rate}")));
    changes.push(files(dir, &name));
    Ok(changes)
}

/// What [`run_host`](crate::run_host) would do.
///
/// # Errors
/// If there is no such cgroup or device.
pub fn host_changes(settings: &HostSettings, dir: &RunDir) -> Result<Vec<Change>, LiveError> {
    let plan = HostPlan::of(settings)?;
    let mut changes: Vec<Change> = plan
        .state
        .sysctls
        .iter()
        .map(|sysctl| {
            change(format!("set {}={} (now {})", sysctl.name, sysctl.value, sysctl.before))
        })
        .collect();
    for device in &plan.devices {
        let dev = device.name();
        match device.has_clsact() {
            Ok(true) => {}
            Ok(false) => changes.push(change(format!("add the qdisc `clsact` to {dev}"))),
            Err(error @ Error::IngressQdisc(_)) if settings.dev.is_empty() => {
                changes.push(change(format!("leave {dev} as it is: {error}")));
                continue;
            }
            Err(error) => return Err(error.into()),
        }
        changes.push(change(format!("attach a BPF filter at the egress of {dev}, priority 82")));
    }
    if settings.dev.is_empty() {
        changes.push(change("attach it to Ethernet devices, too, that come up later"));
    }
    changes.push(change("register a congestion control, `sluice_` and a number"));
    let cgroup = plan.cgroup.display();
    changes.push(change(format!("attach BPF programs to the sockets of the cgroup {cgroup}")));
    changes.push(change(
        "let sockets of that cgroup take part that listen already in this network namespace",
    ));
    changes.push(files(dir, &DaemonName::host(network_namespace()?)));
    Ok(changes)
}

/// What [`take_down`](crate::take_down) would do with this service.
///
/// # Errors
/// If the kernel does not say what is at a device, or the state of a host cannot be read.
pub fn down_changes(name: &DaemonName, dir: &RunDir) -> Result<Vec<Change>, LiveError> {
    let mut changes = ending(dir, name);
    // Of another namespace, nothing can be seen from here.
    if name.namespace != network_namespace()? {
        return Ok(changes);
    }
    match &name.role {
        DaemonRole::Router(device) => {
            changes.extend(filters::of_router(device)?.iter().map(removal))
        }
        DaemonRole::Host => {
            let state = HostState::read(&dir.state(name))?;
            changes.extend(state.sysctls.iter().map(|sysctl| {
                change(format!("set {}={} (now {})", sysctl.name, sysctl.before, sysctl.value))
            }));
            changes.extend(filters::of_host(dir, name)?.iter().map(removal));
        }
    }
    Ok(changes)
}

fn removal(filter: &AttachedFilter) -> Change {
    let (dev, program) = (filter.device().name(), filter.program_id());
    change(format!("remove the BPF filter at the egress of {dev} (program {program})"))
}

fn ending(dir: &RunDir, name: &DaemonName) -> Vec<Change> {
    if !DaemonLock::is_held(dir, name) {
        return Vec::new();
    }
    let process = DaemonLock::holder(dir, name).map_or("?".into(), |process| process.to_string());
    vec![change(format!("end process {process}, the {name}"))]
}

fn files(dir: &RunDir, name: &DaemonName) -> Change {
    let socket = dir.socket(name);
    change(format!("start a process, with the control socket {}", socket.display()))
}
